import { Readable } from 'node:stream';
import { toFieldPairs } from '../http/fields.ts';
import { readChunks } from '../http/web-streams.ts';
import type { TransportFactory } from '../upstream/site-transports.ts';

export function createMemoryTransport(
  respond: (request: Request) => Response | Promise<Response>,
): TransportFactory {
  return ({ origin }) => ({
    send({ body, headers, method, target }, sink) {
      let isLeft = false;
      let resume = (): void => {};
      const relay = async (): Promise<void> => {
        const content = body instanceof Readable ? { body: Readable.toWeb(body), duplex: 'half' } : { body };
        const init = { method, headers: toFieldPairs(headers), ...content } as RequestInit;
        const response = await respond(new Request(origin + target, init));
        if (isLeft) return;
        sink.head({
          status: response.status,
          reason: response.statusText,
          headers: [...response.headers].flat(),
        });
        for await (const chunk of response.body === null ? [] : readChunks(response.body)) {
          if (isLeft) return;
          const resumed = new Promise<void>((resolve) => {
            resume = resolve;
          });
          if (!sink.write(chunk)) await resumed;
        }
        if (!isLeft) sink.end([]);
      };
      relay().catch((cause: unknown) => {
        if (!isLeft) sink.fail({ kind: 'connection-broken', cause });
      });
      return {
        resume: () => resume(),
        abort() {
          isLeft = true;
          resume();
        },
      };
    },
    close: async () => {},
    destroy: async () => {},
  });
}
