import { Readable } from 'node:stream';
import { toFieldPairs } from '../../base/http/fields.ts';
import type { TransportFactory } from '../../gateway/upstream/site-transports.ts';

export function createMemoryTransport(
  respond: (request: Request) => Response | Promise<Response>,
): TransportFactory {
  return ({ origin }) => ({
    send({ body, headers, method, target }, sink) {
      let isLeft = false;
      const relay = async (): Promise<void> => {
        const content = body instanceof Readable ? { body: Readable.toWeb(body), duplex: 'half' } : { body };
        const init = { method, headers: toFieldPairs(headers), ...content } as RequestInit;
        const response = await respond(new Request(origin + target, init));
        const bytes = new Uint8Array(await response.arrayBuffer());
        if (isLeft) return;
        const { headers: fields, status, statusText: reason } = response;
        sink.head({ status, reason, headers: [...fields].flat() });
        if (bytes.length > 0) sink.write(bytes);
        sink.end();
      };
      relay().catch((cause: unknown) => {
        if (!isLeft) sink.fail({ kind: 'connection-broken', cause });
      });
      return {
        resume() {},
        abort() {
          isLeft = true;
        },
      };
    },
    close: async () => {},
    destroy: async () => {},
  });
}
