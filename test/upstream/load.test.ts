import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { measureTransfer } from './support/measure-transfer.ts';
import { TEST_GATEWAYS } from './support/test-gateways.ts';
import { startHttpSite } from './support/test-site.ts';

/** An endless body. */
function endless(): Readable {
  const part = Buffer.alloc(64 * 1024);
  return new Readable({
    read() {
      setImmediate(() => this.push(part));
    },
  });
}

const closing: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  // @hono/node-server prints every stream that errors.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0).toReversed()) await close();
});

describe.each(Object.keys(TEST_GATEWAYS))('through the transport: %s', (kind) => {
  async function startGateway(handler: http.RequestListener) {
    const site = await startHttpSite(handler);
    const testGateway = TEST_GATEWAYS[kind]?.(site.origin);
    if (testGateway === undefined) throw new Error(`no gateway ${kind}`);
    const gateway = await startHttpSite(testGateway.listener);
    closing.push(site.close, testGateway.close, gateway.close);
    return gateway;
  }

  // Node's fetch keeps a streamed upload in memory; dispatch-as-fetch.ts exists for that reason.
  it.each(kind === 'fetch' ? (['down'] as const) : (['up', 'down'] as const))(
    '256 MiB move %s in limited memory',
    async (direction) => {
      const { arrived, growth } = await measureTransfer(kind, direction, 256);
      expect(arrived).toBe(256);
      // Client, site and gateway share this process, and garbage collection is delayed.
      expect(growth).toBeLessThan(160);
    },
  );

  it('aborts all requests to the site when 200 clients leave within the response', async () => {
    const open = new Set<ServerResponse>();
    let begun = 0;
    const gateway = await startGateway((_request, response) => {
      begun++;
      open.add(response);
      const source = endless();
      response
        .on('error', () => undefined)
        .on('close', () => {
          open.delete(response);
          source.destroy();
        });
      source.pipe(response);
    });
    const agent = new http.Agent({ maxSockets: 200 });
    await Promise.all(
      Array.from({ length: 200 }, async (_, number) => {
        const request = http.get(gateway.origin, { agent });
        request.on('error', () => undefined);
        const [response] = await once(request, 'response');
        response.on('error', () => undefined);
        // One third of the clients reads one chunk; the others do not read.
        if (number % 3 === 0) await once(response, 'data');
        request.destroy();
      }),
    );
    expect(begun).toBe(200);
    await expect.poll(() => open.size, { timeout: 10_000 }).toBe(0);
    const last = http.get(gateway.origin);
    last.on('error', () => undefined);
    const [response] = await once(last, 'response');
    expect(response.statusCode).toBe(200);
    last.destroy();
  });
});
