import { type ServerResponse, request as sendRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { GatewayOptions, SiteOptions } from '../../src/gateway/index.ts';
import { startGateway } from '../support/gateway.ts';
import { GatewayClock } from '../support/gateway-clock.ts';
import { PLAIN, runServer } from '../support/run.ts';
import { waitUntil } from '../support/wait.ts';

interface Report {
  readonly active: number;
  readonly queued: number;
}

/** Starts a site that holds each request for `/held…`, and one that responds, behind one gateway. */
async function start(
  concurrency: NonNullable<SiteOptions['concurrency']>,
  options: Partial<GatewayOptions> = {},
) {
  const held: ServerResponse[] = [];
  const paths: string[] = [];
  const site = await runServer((incoming, outgoing) => {
    paths.push(`${incoming.method} ${incoming.url}`);
    incoming.on('error', () => {}).resume();
    const [, kind = ''] = (incoming.url ?? '').split('/');
    if (kind === 'held' || kind === 'upload') held.push(outgoing);
    else if (kind === 'breaks') incoming.socket.destroy();
    else if (kind === 'partial') {
      outgoing.writeHead(200, { 'content-length': '1000' });
      outgoing.write('a part', () => incoming.socket.destroy());
    } else if (kind === 'large') outgoing.end(Buffer.alloc(64 * 1024 * 1024));
    else outgoing.setHeader('Cache-Control', kind === 'plain' ? 'no-store' : 'max-age=3600').end('fine');
  });
  const other = await runServer((_incoming, outgoing) => outgoing.end('other'));
  const one = { name: 'site', url: site.origin, ...PLAIN, concurrency } as const;
  const sites = [one, { name: 'other', url: other.origin, ...PLAIN }];
  const running = await startGateway({ gateway: { sites, ...options } });
  const { administer, origin, readMetrics, request } = running;
  const report = async (): Promise<Report> => (await (await administer('/-/sites/site')).json()).concurrency;
  /** Waits until as many requests are active and queued. */
  const settle = (active: number, queued: number) =>
    waitUntil(async () => {
      const now = await report();
      return now.active === active && now.queued === queued;
    });
  const read = async (path: string, init?: RequestInit) => (await request(path, init)).text();
  return { held, origin, paths, read, readMetrics, report, request, settle };
}

describe('a site that hangs, behind a gateway', () => {
  test('takes its own places only: other sites and stored responses are served', async () => {
    const limits = { max: 2, queue: 2, wait: 60_000 };
    const { read, readMetrics, report, request, settle } = await start(limits);
    await read('/site/stored');
    const clients = Array.from({ length: 4 }, () => new AbortController());
    const pending = clients.map(({ signal }, at) => read(`/site/held/${at}`, { signal }).catch(() => ''));
    // The others may arrive after these, each on its own connection.
    await settle(2, 2);
    const refused = await request('/site/held/5');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
    expect(await refused.json()).toMatchObject({ code: 'gateway_overloaded' });
    expect(await report()).toEqual({ active: 2, queued: 2, max: 2, refused: 1 });
    for (let count = 0; count < 50; count += 1) expect(await read('/other/page')).toBe('other');
    expect((await request('/site/stored')).headers.get('cache-status')).toContain('hit');
    const metrics = await readMetrics();
    for (const [name, count] of [
      ['active', 2],
      ['queued', 2],
      ['refused_total', 1],
    ])
      expect(metrics).toContain(`\nwaygate_site_requests_${name}{site="site"} ${count}\n`);
    // A client that leaves gives its place to the next one, sent or not.
    for (const client of clients) client.abort();
    await Promise.all(pending);
    await settle(0, 0);
    expect(await read('/site/again')).toBe('fine');
  });

  test('does not get a request whose client left while it waited, nor purges anything for it', async () => {
    const limits = { max: 1, queue: 2, wait: 60_000 };
    const { held, paths, read, request, settle } = await start(limits);
    await read('/site/stored');
    const first = read('/site/held/1');
    await waitUntil(() => held.length === 1);
    const client = new AbortController();
    const write = request('/site/written', { method: 'POST', body: 'x', signal: client.signal });
    await settle(1, 1);
    client.abort();
    await write.catch(() => {});
    await settle(1, 0);
    held[0]?.end('done');
    expect(await first).toBe('done');
    expect(await read('/site/last')).toBe('fine');
    expect(paths).toEqual(['GET /stored', 'GET /held/1', 'GET /last']);
    expect((await request('/site/stored')).headers.get('cache-status')).toContain('hit');
  });

  test('loses no place, whatever becomes of the requests', async () => {
    const { read, settle } = await start({ max: 5, queue: 10, wait: 100 });
    const kinds = ['breaks', 'partial', 'cached', 'held', 'plain'];
    const methods = ['GET', 'HEAD', 'POST'];
    await Promise.all(
      Array.from({ length: 300 }, async (_, at) => {
        const client = new AbortController();
        const kind = kinds[at % 5];
        // A write outlives its client: the site works on it until it responds.
        const method = kind === 'held' ? 'GET' : (methods[at % 3] ?? 'GET');
        const init = { method, signal: client.signal, ...(method === 'POST' ? { body: 'x' } : {}) };
        const response = read(`/site/${kind}/${at % 7}`, init).catch(() => {});
        if (at % 5 === 3 || at % 11 === 0) setTimeout(() => client.abort(), at % 40);
        await response;
      }),
    );
    await settle(0, 0);
    expect(await read('/site/plain')).toBe('fine');
  });
});

test('a client that reads slowly holds no place', async () => {
  const { read, request } = await start({ max: 1, queue: 1, wait: 60_000 });
  const large = await request('/site/large');
  // Nothing of the body is read.
  expect(await read('/site/page')).toBe('fine');
  await large.body?.cancel();
});

test('clients that upload slowly lose their places to others that wait', async () => {
  const clock = new GatewayClock();
  const limits = { max: 2, queue: 2, wait: 60_000 };
  const { origin, read, settle } = await start(limits, { cache: 'off', clock });
  const uploads = [0, 1].map(() => {
    const init = { method: 'POST', headers: { 'content-length': '100000' } };
    const upload = sendRequest(`${origin}/site/upload`, init).on('error', () => {});
    upload.write('a part of it');
    return upload;
  });
  await settle(2, 0);
  const waiting = read('/site/page');
  await settle(2, 1);
  clock.pass(6_000);
  expect(await waiting).toBe('fine');
  for (const upload of uploads) upload.destroy();
});
