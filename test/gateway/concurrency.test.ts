import { request, type ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { SiteOptions } from '../../src/gateway/index.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { ADAPTERS, type RunningGateway } from '../support/gateway.ts';
import { startServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const TOKEN = 'the-token-of-the-tests';
const headers = { authorization: `Bearer ${TOKEN}` };

interface Started {
  readonly running: RunningGateway;
  /** Requests that the site holds. */
  readonly held: ServerResponse[];
  /** Paths that the site received. */
  readonly paths: string[];
  readonly report: () => Promise<unknown>;
}

/** Starts a site that holds each request for `/held…`, and one that responds, behind one gateway. */
async function start(
  startGateway: (typeof ADAPTERS)[string],
  options: Partial<SiteOptions>,
): Promise<Started> {
  const held: ServerResponse[] = [];
  const paths: string[] = [];
  const site = await startServer((incoming, outgoing) => {
    paths.push(`${incoming.method} ${incoming.url}`);
    incoming.resume();
    if (incoming.url?.startsWith('/held') === true) held.push(outgoing);
    else outgoing.setHeader('Cache-Control', 'max-age=3600').end('fine');
  });
  const other = await startServer((_incoming, outgoing) => outgoing.end('other'));
  const plain = { discovery: 'off', passthrough: true } as const;
  const running = await startGateway({
    sites: [
      { name: 'site', url: site.origin, ...plain, ...options },
      { name: 'other', url: other.origin, ...plain },
    ],
    cache: 'memory',
    admin: { token: TOKEN },
  });
  closeAfterTest(site.close, other.close, running.stop);
  const report = async (): Promise<unknown> =>
    (await (await running.request('/-/sites/site', { headers })).json()).concurrency;
  return { running, held, paths, report };
}

describe.each(Object.entries(ADAPTERS))('a site that hangs, behind %s', (_name, startGateway) => {
  test('takes its own places only: other sites and stored responses are served', async () => {
    const { held, report, running } = await start(startGateway, {
      concurrency: { max: 2, queue: 2, wait: 60_000 },
    });
    await (await running.request('/site/stored')).text();
    const clients = Array.from({ length: 4 }, () => new AbortController());
    const pending = clients.map(({ signal }, at) =>
      running.request(`/site/held/${at}`, { signal }).then(
        (response) => response.text(),
        () => 'aborted',
      ),
    );
    // The others may arrive after these, each on its own connection.
    await waitUntil(async () => held.length === 2 && JSON.stringify(await report()).includes('"queued":2'));
    expect(await report()).toEqual({ active: 2, queued: 2, max: 2, refused: 0 });

    const refused = await running.request('/site/held/5');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
    expect(await refused.json()).toMatchObject({ code: 'gateway_overloaded' });
    for (let count = 0; count < 50; count += 1) {
      expect(await (await running.request('/other/page')).text()).toBe('other');
    }
    const stored = await running.request('/site/stored');
    expect(await stored.text()).toBe('fine');
    expect(stored.headers.get('cache-status')).toContain('hit');
    const metrics = await (await running.request('/-/metrics', { headers })).text();
    expect(metrics).toContain('\nwaygate_site_requests_active{site="site"} 2\n');
    expect(metrics).toContain('\nwaygate_site_requests_queued{site="site"} 2\n');
    expect(metrics).toContain('\nwaygate_site_requests_refused_total{site="site"} 1\n');

    // A client that leaves gives its place to the next one, sent or not.
    for (const client of clients) client.abort();
    await Promise.all(pending);
    await waitUntil(async () => JSON.stringify(await report()).includes('"active":0,"queued":0'));
    expect(await (await running.request('/site/again')).text()).toBe('fine');
  });

  test('does not get a request whose client left while it waited, nor purges anything for it', async () => {
    const { held, paths, report, running } = await start(startGateway, {
      concurrency: { max: 1, queue: 2, wait: 60_000 },
    });
    await (await running.request('/site/stored')).text();
    const first = running.request('/site/held/1').then((response) => response.text());
    await waitUntil(() => held.length === 1);
    const client = new AbortController();
    const write = running.request('/site/written', { method: 'POST', body: 'x', signal: client.signal });
    await waitUntil(async () => JSON.stringify(await report()).includes('"queued":1'));
    client.abort();
    await write.catch(() => {});
    await waitUntil(async () => JSON.stringify(await report()).includes('"queued":0'));
    held[0]?.end('done');
    expect(await first).toBe('done');
    expect(await (await running.request('/site/last')).text()).toBe('fine');
    expect(paths).toEqual(['GET /stored', 'GET /held/1', 'GET /last']);
    expect((await running.request('/site/stored')).headers.get('cache-status')).toContain('hit');
  });

  test('holds a place for one shared request only', async () => {
    const { held, report, running } = await start(startGateway, {
      concurrency: { max: 2, queue: 0 },
    });
    const shared = Array.from({ length: 20 }, async () => (await running.request('/site/held/same')).text());
    await waitUntil(() => held.length === 1);
    expect(await report()).toMatchObject({ active: 1, refused: 0 });
    expect(await (await running.request('/site/page')).text()).toBe('fine');
    held[0]?.setHeader('Cache-Control', 'max-age=60').end('done');
    expect(new Set(await Promise.all(shared))).toEqual(new Set(['done']));
  });
});

test('a client that reads slowly holds no place', async () => {
  const start = ADAPTERS['the Node server'];
  if (start === undefined) throw new Error('there is a Node server');
  const site = await startServer((incoming, outgoing) => {
    if (incoming.url === '/large') outgoing.end(Buffer.alloc(64 * 1024 * 1024));
    else outgoing.end('fine');
  });
  const running = await start({
    sites: [
      {
        url: site.origin,
        discovery: 'off',
        passthrough: true,
        concurrency: { max: 1, queue: 1, wait: 60_000 },
      },
    ],
  });
  closeAfterTest(site.close, running.stop);
  const large = await running.request('/large');
  // Nothing of the body is read.
  expect(await (await running.request('/page')).text()).toBe('fine');
  await large.body?.cancel();
});

test('clients that upload slowly lose their places to others that wait', async () => {
  const start = ADAPTERS['the Node server'];
  if (start === undefined) throw new Error('there is a Node server');
  let now = Date.now();
  const timers: (() => void)[] = [];
  const site = await startServer((incoming, outgoing) => {
    incoming.resume();
    if (incoming.method === 'GET') outgoing.end('fine');
  });
  const running = await start({
    sites: [
      {
        url: site.origin,
        discovery: 'off',
        passthrough: true,
        concurrency: { max: 2, queue: 2, wait: 60_000 },
      },
    ],
    admin: { token: TOKEN },
    clock: {
      now: () => now,
      after(_delay, task) {
        timers.push(task);
        return () => void timers.splice(timers.indexOf(task), 1);
      },
    },
  });
  closeAfterTest(site.close, running.stop);
  const report = async (): Promise<string> =>
    JSON.stringify((await (await running.request('/-/sites/default', { headers })).json()).concurrency);
  const uploads = [0, 1].map(() => {
    const upload = request(`${running.origin}/upload`, {
      method: 'POST',
      headers: { 'content-length': '100000' },
    });
    upload.on('error', () => {});
    upload.write('a part of it');
    return upload;
  });
  await waitUntil(async () => (await report()).includes('"active":2,"queued":0'));
  const waiting = running.request('/page').then((response) => response.text());
  await waitUntil(async () => (await report()).includes('"active":2,"queued":1'));
  now += 6_000;
  // The search for slots.
  timers.at(-1)?.();
  expect(await waiting).toBe('fine');
  for (const upload of uploads) upload.destroy();
});

describe.each(Object.entries(ADAPTERS))('behind %s', (_name, startGateway) => {
  test('no place is lost, whatever becomes of the requests', async () => {
    const site = await startServer((incoming, outgoing) => {
      incoming.on('error', () => {}).resume();
      const [, kind = ''] = (incoming.url ?? '').split('/');
      if (kind === 'breaks') incoming.socket.destroy();
      else if (kind === 'partial') {
        outgoing.writeHead(200, { 'content-length': '1000' });
        outgoing.write('a part', () => incoming.socket.destroy());
      } else if (kind === 'cached') outgoing.setHeader('cache-control', 'max-age=60').end('fine');
      else if (kind !== 'held') outgoing.end('fine');
    });
    const running = await startGateway({
      sites: [
        {
          name: 'site',
          url: site.origin,
          discovery: 'off',
          passthrough: true,
          breaker: false,
          concurrency: { max: 5, queue: 10, wait: 100 },
        },
      ],
      cache: 'memory',
      admin: { token: TOKEN },
    });
    closeAfterTest(site.close, running.stop);
    const kinds = ['breaks', 'partial', 'cached', 'held', 'plain'];
    const methods = ['GET', 'HEAD', 'POST'];
    await Promise.all(
      Array.from({ length: 300 }, async (_, at) => {
        const client = new AbortController();
        const kind = kinds[at % 5];
        // A write outlives its client: the site works on it until it responds.
        const method = kind === 'held' ? 'GET' : (methods[at % 3] ?? 'GET');
        const init = { method, signal: client.signal, ...(method === 'POST' ? { body: 'x' } : {}) };
        const response = running.request(`/site/${kind}/${at % 7}`, init).then((got) => got.text());
        if (at % 5 === 3 || at % 11 === 0) setTimeout(() => client.abort(), at % 40);
        await response.catch(() => {});
      }),
    );
    const report = async (): Promise<{ readonly active: number; readonly queued: number }> =>
      (await (await running.request('/-/sites/site', { headers })).json()).concurrency;
    await waitUntil(async () => {
      const { active, queued } = await report();
      return active === 0 && queued === 0;
    });
    expect(await (await running.request('/site/plain')).text()).toBe('fine');
  });
});
