import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { SiteOptions } from '../../src/gateway/index.ts';
import { type Clock, systemClock } from '../../src/ports.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { type RunningGateway, TRANSPORTS } from '../support/gateway.ts';
import { startServer } from '../support/server.ts';

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse, count: number) => void;

/** A site that responds with the handler of a test and records its requests. */
interface CountingSite {
  readonly url: string;
  readonly requests: IncomingMessage[];
  close(): Promise<void>;
}

async function startSite(handler: Handler): Promise<CountingSite> {
  const requests: IncomingMessage[] = [];
  const { close, origin } = await startServer((incoming, outgoing) => {
    requests.push(incoming);
    incoming.resume();
    handler(incoming, outgoing, requests.length);
  });
  return { url: origin, requests, close };
}

const statusOf = (response: Response) => response.headers.get('cache-status')?.replace(/^waygate; /, '');
const FRESH = { 'cache-control': 'max-age=60' };

describe.each(Object.entries(TRANSPORTS))('a plain reverse proxy with a store, behind %s', (name, start) => {
  async function startGatewayFor(
    handler: Handler,
    options: Partial<SiteOptions> = {},
    clock?: Clock,
  ): Promise<{ site: CountingSite; gateway: RunningGateway; requestGateway: RunningGateway['request'] }> {
    const site = await startSite(handler);
    const gateway = await start({
      sites: [{ url: site.url, discovery: 'off', passthrough: true, ...options }],
      cache: 'memory',
      ...(clock === undefined ? {} : { clock }),
    });
    closeAfterTest(gateway.stop, site.close);
    return { site, gateway, requestGateway: gateway.request };
  }

  test('serves a stored response', async () => {
    const { requestGateway, site } = await startGatewayFor((_, outgoing) =>
      outgoing.writeHead(200, FRESH).end('body'),
    );
    const first = await requestGateway('/a?b=1');
    // The web stream of `fetch` delivers the body after the head, when it is not yet stored.
    const outcome = name === 'the portable app' ? 'detail=storable' : 'stored';
    expect([await first.text(), statusOf(first)]).toEqual(['body', `fwd=uri-miss; ${outcome}`]);
    const second = await requestGateway('/a?b=1');
    expect(await second.text()).toBe('body');
    expect(statusOf(second)).toMatch(/^hit; ttl=(?:60|59|58)$/);
    expect(second.headers.get('age')).toMatch(/^[012]$/);
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(site.requests).toHaveLength(1);
  });

  test('serves conditional requests, ranges and HEAD from a complete stored response', async () => {
    const { requestGateway, site } = await startGatewayFor((_, outgoing) =>
      outgoing.writeHead(200, { ...FRESH, etag: '"1"' }).end('0123456789'),
    );
    await (await requestGateway('/')).text();
    // `fetch` adds `no-cache` to a conditional request without `Cache-Control`.
    const notModified = await requestGateway('/', {
      headers: { 'if-none-match': '"1"', 'cache-control': 'max-age=60' },
    });
    expect([notModified.status, await notModified.text()]).toEqual([304, '']);
    const part = await requestGateway('/', { headers: { range: 'bytes=2-4' } });
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
      206,
      '234',
      'bytes 2-4/10',
    ]);
    const head = await requestGateway('/', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
    expect(site.requests).toHaveLength(1);
  });

  test('invalidates the response that an unsafe request changed', async () => {
    const { requestGateway } = await startGatewayFor(({ method }, outgoing, count) => {
      outgoing.writeHead(200, FRESH).end(method === 'GET' ? `${count}` : '');
    });
    const read = async (path: string) => (await requestGateway(path)).text();
    expect([await read('/a'), await read('/other'), await read('/b')]).toEqual(['1', '2', '3']);
    await sleep(5);
    await (await requestGateway('/a', { method: 'POST', body: 'x' })).text();
    await sleep(5);
    expect([await read('/a'), await read('/other'), await read('/b')]).toEqual(['5', '2', '3']);
  });

  test('is never assumed: an origin whose root index is not found is forwarded, and nothing is stored', async () => {
    const { requestGateway, site } = await startGatewayFor(
      ({ url }, outgoing) => void outgoing.writeHead(url === '/a' ? 200 : 404, FRESH).end('body'),
      { discovery: 'auto' },
    );
    for (const _time of [1, 2]) {
      const response = await requestGateway('/a');
      expect([await response.text(), statusOf(response)]).toEqual([
        'body',
        'fwd=bypass; detail="no document"',
      ]);
    }
    expect(site.requests.filter(({ url }) => url === '/a')).toHaveLength(2);
  });

  test('invalidates the changed responses of a write even if its client disconnected', async () => {
    let value = 'old';
    let finish = (): void => {};
    const { requestGateway, site } = await startGatewayFor((incoming, outgoing) => {
      if (incoming.method === 'GET') outgoing.writeHead(200, FRESH).end(value);
      else
        finish = () => {
          value = 'new';
          outgoing.writeHead(200).end('x'.repeat(100_000));
        };
    });
    const read = async () => (await requestGateway('/a')).text();
    expect(await read()).toBe('old');
    const client = new AbortController();
    const write = requestGateway('/a', { method: 'POST', body: 'x', signal: client.signal }).catch(
      () => 'aborted',
    );
    await expect.poll(() => site.requests.length).toBe(2);
    client.abort();
    await write;
    await sleep(50);
    expect(await read()).toBe('old');
    // The site may have changed the resource already, so the store was not used.
    expect(site.requests.length).toBe(3);
    finish();
    await expect.poll(read).toBe('new');
  });

  test('serves stale responses while the site fails, and marks them', async () => {
    const { requestGateway } = await startGatewayFor((_, outgoing, count) => {
      if (count === 1)
        outgoing.writeHead(200, { 'cache-control': 'max-age=0, stale-if-error=60' }).end('old');
      else if (count === 2) outgoing.writeHead(503).end('down');
      else outgoing.destroy();
    });
    await (await requestGateway('/')).text();
    for (let count = 0; count < 2; count++) {
      const response = await requestGateway('/');
      expect([response.status, await response.text()]).toEqual([200, 'old']);
      expect(statusOf(response)).toMatch(
        count === 0
          ? /^fwd=stale; fwd-status=503; ttl=-?\d+; detail=stale-if-error$/
          : /^fwd=stale; ttl=-?\d+; detail="unreachable connection-broken"$/,
      );
    }
  });

  test('opens the circuit of a failing site, and sends Retry-After', async () => {
    let ahead = 0;
    const clock = { now: () => Date.now() + ahead, after: systemClock.after };
    const { requestGateway, site } = await startGatewayFor(
      (_, outgoing) => void outgoing.writeHead(503).end(),
      {},
      clock,
    );
    await (await requestGateway('/a')).text();
    ahead = 10_000;
    await (await requestGateway('/a')).text();
    // One in 200 ms is let through, and the others wait for it up to a second.
    const responses = await Promise.all(Array.from({ length: 20 }, (_, at) => requestGateway(`/next/${at}`)));
    const stopped = responses.filter((each) => statusOf(each) === 'detail="failed circuit-open"');
    expect(stopped.length).toBeGreaterThan(10);
    expect([stopped[0]?.status, stopped[0]?.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await stopped[0]?.json()).toMatchObject({ code: 'gateway_circuit_open' });
    expect(site.requests).toHaveLength(22 - stopped.length);
  });

  test('holds requests at an open circuit until the site is back, but not those whose client leaves', async () => {
    let isBroken = true;
    let ahead = 0;
    const clock = { now: () => Date.now() + ahead, after: systemClock.after };
    const { requestGateway, site } = await startGatewayFor(
      (_, outgoing) => void outgoing.writeHead(isBroken ? 503 : 200).end(),
      {},
      clock,
    );
    await (await requestGateway('/0')).text();
    ahead = 10_000;
    await (await requestGateway('/0')).text();
    const leaving = new AbortController();
    const left = requestGateway('/left', { signal: leaving.signal }).catch(() => undefined);
    const held = ['/a', '/b', '/c'].map((path) => requestGateway(path));
    await sleep(50);
    expect(site.requests).toHaveLength(2);
    leaving.abort();
    isBroken = false;
    const statuses = (await Promise.all(held)).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200]);
    await left;
    expect(site.requests.map(({ url }) => url)).not.toContain('/left');
  });

  test('says how a request was handled to which the site did not respond', async () => {
    const { requestGateway } = await startGatewayFor((_, outgoing) => void outgoing.destroy());
    const miss = await requestGateway('/a');
    expect([miss.status, statusOf(miss)]).toEqual([502, 'fwd=uri-miss; detail="failed connection-broken"']);
    const bypass = await requestGateway('/a', { method: 'POST', body: 'x' });
    expect([bypass.status, statusOf(bypass)]).toEqual([
      502,
      'fwd=bypass; detail="method, failed connection-broken"',
    ]);
    const refused = await requestGateway('/a/%2e%2e%2fb');
    expect([refused.status, refused.headers.get('cache-status')]).toEqual([400, null]);
  });

  describe('a body', () => {
    const MIB = 1024 * 1024;
    const sizes = [0, 1, 65_536, MIB, 8 * MIB, 8 * MIB + 1];

    test.each([
      ...sizes.flatMap((size) => [
        { size, framing: 'with Content-Length' },
        { size, framing: 'in chunks' },
      ]),
      { size: 24 * MIB, framing: 'in chunks' },
    ])(
      'of $size bytes, sent $framing, is relayed whole, and stored up to the size limit',
      async ({ size, framing }) => {
        const part = Buffer.alloc(Math.min(size, 65_536), 'waygate');
        const { requestGateway, site } = await startGatewayFor((_, outgoing) => {
          const length = framing === 'in chunks' ? {} : { 'content-length': String(size) };
          outgoing.writeHead(200, { ...FRESH, ...length });
          let rest = size;
          const writeRest = (): void => {
            while (rest > 0) {
              const chunk = part.subarray(0, Math.min(rest, part.length));
              rest -= chunk.length;
              if (!outgoing.write(chunk)) {
                outgoing.once('drain', writeRest);
                return;
              }
            }
            outgoing.end();
          };
          writeRest();
        });
        const digests: string[] = [];
        for (let count = 0; count < 2; count++) {
          const hash = createHash('sha256');
          const response = await requestGateway('/');
          let length = 0;
          const reader = response.body?.getReader();
          for (;;) {
            const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
            if (done || value === undefined) break;
            hash.update(value);
            length += value.length;
          }
          expect(length).toBe(size);
          digests.push(hash.digest('hex'));
        }
        expect(digests[1]).toBe(digests[0]);
        expect(site.requests).toHaveLength(size <= 8 * MIB ? 1 : 2);
      },
    );

    test.each([
      ['with Content-Length', { 'content-length': '100' }],
      ['in chunks', {}],
    ])('that ends early %s is aborted for the client and not stored', async (_what, headers) => {
      const { requestGateway, site } = await startGatewayFor((_, outgoing) => {
        outgoing.writeHead(200, { ...FRESH, ...headers });
        outgoing.write('half');
        setTimeout(() => outgoing.destroy(), 30);
      });
      for (let count = 0; count < 2; count++) {
        const response = await requestGateway('/');
        expect(response.status).toBe(200);
        await expect(response.text()).rejects.toThrow();
      }
      expect(site.requests).toHaveLength(2);
    });
  });

  describe('clients of one key that is not stored', () => {
    /** Creates a handler that responds after `release`. */
    function createHeldResponse(): { handler: Handler; release(): void } {
      let release = (): void => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      return {
        handler: (_, outgoing) => void released.then(() => outgoing.writeHead(200, FRESH).end('body')),
        release: () => release(),
      };
    }

    test('cause one upstream request together', async () => {
      const { handler, release } = createHeldResponse();
      const { requestGateway, site } = await startGatewayFor(handler);
      const bodies = Array.from({ length: 200 }, async () => {
        const response = await requestGateway('/');
        return [response.status, await response.text()].join(' ');
      });
      setTimeout(release, 500);
      const responses = await Promise.all(bodies);
      expect(new Set(responses)).toEqual(new Set(['200 body']));
      expect(site.requests).toHaveLength(1);
    });

    test('are not affected by the disconnect of another client, even of the first', async () => {
      const { handler: hold, release } = createHeldResponse();
      const { requestGateway, site } = await startGatewayFor((incoming, outgoing, count) => {
        if (incoming.url === '/probe') outgoing.writeHead(204).end();
        else hold(incoming, outgoing, count);
      });
      const first = new AbortController();
      const abortedRequest = requestGateway('/', { signal: first.signal }).catch(() => 'aborted');
      await expect.poll(() => site.requests.length).toBe(1);
      const otherRequests = Array.from({ length: 20 }, async () => (await requestGateway('/')).text());
      // The gateway processes everything that came before a probe, however busy the machine is.
      const probe = async (): Promise<void> => {
        for (let count = 0; count < 5; count++) expect((await requestGateway('/probe')).status).toBe(204);
      };
      await probe();
      first.abort();
      await probe();
      release();
      expect(new Set(await Promise.all(otherRequests))).toEqual(new Set(['body']));
      await abortedRequest;
      expect(site.requests.filter(({ url }) => url === '/')).toHaveLength(1);
    });

  });
});
