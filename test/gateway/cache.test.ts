import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { GatewayClock } from '../support/gateway-clock.ts';
import { cacheStatusOf, PLAIN } from '../support/run.ts';

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse, count: number) => void;

const FRESH = { 'cache-control': 'max-age=60' };

// What RFC 9111 says of each of these cases is in `test/gateway/cache/conformance`; here is that a gateway does it.
describe('a plain reverse proxy with a store', () => {
  async function startFor(handler: Handler) {
    const clock = new GatewayClock();
    const { received: requests, request } = await startGateway(
      { ...PLAIN, gateway: { clock } },
      (_, count, outgoing) => void handler(outgoing.req.resume(), outgoing, count),
    );
    return { clock, request, requests };
  }

  test('invalidates the changed responses of a write even if its client disconnected', async () => {
    let value = 'old';
    let finish = (): void => {};
    const { request, requests } = await startFor((incoming, outgoing) => {
      if (incoming.method === 'GET') outgoing.writeHead(200, FRESH).end(value);
      else
        finish = () => {
          value = 'new';
          outgoing.writeHead(200).end('x'.repeat(100_000));
        };
    });
    const read = async () => (await request('/a')).text();
    expect(await read()).toBe('old');
    const client = new AbortController();
    const init = { method: 'POST', body: 'x', signal: client.signal };
    const write = request('/a', init).catch(() => 'aborted');
    await expect.poll(() => requests.length).toBe(2);
    client.abort();
    await write;
    // Nothing is proved of the client, so what it wrote counts as soon as the site has answered.
    expect(await read()).toBe('old');
    finish();
    await expect.poll(read).toBe('new');
  });

  test('opens the circuit of a failing site, refuses requests, and closes it once the site is back', async () => {
    let isBroken = false;
    const { clock, request, requests } = await startFor(
      (_, outgoing) => void outgoing.writeHead(isBroken ? 503 : 200).end(),
    );
    const readAll = async (): Promise<void> => {
      for (const path of ['/0', '/1', '/2']) await (await request(path)).text();
    };
    for (const _ of [1, 2]) await readAll();
    isBroken = true;
    await readAll();
    clock.pass(10_000);
    const sent = requests.length;
    await (await request('/0')).text();
    const refused = await request('/a');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(cacheStatusOf(refused)).toBe('detail="failed circuit-open"');
    expect(await refused.json()).toMatchObject({ code: 'gateway_circuit_open' });
    expect(requests).toHaveLength(sent + 1);
    isBroken = false;
    // One for an address that never was good is let through in a second.
    clock.pass(1_000);
    for (const path of ['/b', '/c']) expect((await request(path)).status).toBe(200);
  });

  const MIB = 1024 * 1024;
  test.each([
    { size: 0, hasLength: true },
    { size: 8 * MIB, hasLength: false },
    { size: 8 * MIB, hasLength: true },
    { size: 8 * MIB + 1, hasLength: false },
    { size: 8 * MIB + 1, hasLength: true },
  ])(
    'a body of $size bytes is relayed whole, and stored up to the size limit; with Content-Length: $hasLength',
    async ({ hasLength, size }) => {
      const part = Buffer.alloc(Math.min(size, 65_536), 'waygate');
      const { request, requests } = await startFor((_, outgoing) => {
        outgoing.writeHead(200, { ...FRESH, ...(hasLength ? { 'content-length': String(size) } : {}) });
        let rest = size;
        const writeRest = (): void => {
          while (rest > 0) {
            const chunk = part.subarray(0, Math.min(rest, part.length));
            rest -= chunk.length;
            if (!outgoing.write(chunk)) return void outgoing.once('drain', writeRest);
          }
          outgoing.end();
        };
        writeRest();
      });
      const bodies: string[] = [];
      for (let count = 0; count < 2; count++) {
        const bytes = Buffer.from(await (await request('/')).arrayBuffer());
        bodies.push(`${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`);
      }
      expect(bodies[0]).toMatch(new RegExp(`^${size} `));
      expect(bodies[1]).toBe(bodies[0]);
      expect(requests).toHaveLength(size <= 8 * MIB ? 1 : 2);
    },
  );

  test('clients of one key cause one request together, which outlives the first of them', async () => {
    let release = (): void => {};
    const { request, requests } = await startFor(({ url }, outgoing) => {
      if (url === '/probe') outgoing.writeHead(204).end();
      else release = () => void outgoing.writeHead(200, FRESH).end('body');
    });
    const first = new AbortController();
    const aborted = request('/', { signal: first.signal }).catch(() => 'aborted');
    await expect.poll(() => requests.length).toBe(1);
    const others = Array.from({ length: 100 }, async () => (await request('/')).text());
    // The gateway processes everything that came before a probe, however busy the machine is.
    const probe = async (): Promise<void> => {
      for (let count = 0; count < 5; count++) expect((await request('/probe')).status).toBe(204);
    };
    await probe();
    first.abort();
    await probe();
    release();
    expect(new Set(await Promise.all(others))).toEqual(new Set(['body']));
    await aborted;
    expect(requests.filter(({ url }) => url === '/')).toHaveLength(1);
  });
});
