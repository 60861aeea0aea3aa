import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { NotifyOptions } from '../../../src/base/option-types.ts';
import { silentLog, systemClock } from '../../../src/base/ports.ts';
import type { GatewayOptions, SiteOptions } from '../../../src/gateway/index.ts';
import { PurgeNotifier } from '../../../src/gateway/site/purge-notifier.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { GatewayClock } from '../../support/gateway-clock.ts';
import { runServer } from '../../support/run.ts';
import { signMessage } from '../../support/signed-message.ts';
import { EDITOR } from '../../support/stub-site.ts';
import { waitUntil } from '../../support/wait.ts';

/** What other systems are told about purges, and the fields by which they find the responses. */

const SECRET = 'a-secret-of-sixteen';
const JSON_BODY = {
  headers: { 'content-type': 'application/json', authorization: EDITOR.authorization },
  body: '{}',
};

/** The members of all kinds of notices. */
interface Sent {
  readonly everything?: boolean;
  readonly tags?: readonly string[];
  readonly paths?: readonly string[];
}

interface Notice {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Sent;
}

/** Starts a receiver of notices, which responds with the given statuses in turn, and then with 200. */
async function startReceiver(
  statuses: number[] = [],
): Promise<{ readonly url: string; readonly notices: Notice[] }> {
  const notices: Notice[] = [];
  const { origin } = await runServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    notices.push({ headers: request.headers, text, json: JSON.parse(text) as Sent });
    response.writeHead(statuses.shift() ?? 200).end();
  });
  return { url: `${origin}/purge`, notices };
}

const post = (origin: string, id: number): object => ({
  id,
  title: { rendered: `Post ${id}` },
  _links: { self: [{ href: `${origin}/wp-json/wp/v2/posts/${id}` }] },
});

/** Starts a gateway before a site with posts. What is repeated after a second is repeated at once. */
function start(
  notify: readonly NotifyOptions[],
  cache: NonNullable<SiteOptions['cache']> = { pages: 60 },
  options: Partial<GatewayOptions> = {},
): Promise<TestGateway> {
  const clock: typeof systemClock = {
    now: systemClock.now,
    after: (delay, task) => systemClock.after(delay === 1_000 ? 1 : delay, task),
  };
  return startGateway({ cache, gateway: { notify, clock, ...options } }, ({ headers, route = '' }) => {
    const id = Number(/^\/wp\/v2\/posts\/(\d+)$/.exec(route)?.[1] ?? 0);
    const origin = `http://${headers.host}`;
    return { body: id === 0 ? [post(origin, 1), post(origin, 2)] : post(origin, id) };
  });
}

async function purge({ administer }: TestGateway, body: object): Promise<void> {
  expect((await administer('/-/purge', body)).status).toBe(200);
}

async function keysOf({ request }: TestGateway, path: string): Promise<readonly string[]> {
  const response = await request(path);
  await response.arrayBuffer();
  const keys = response.headers.get('surrogate-key')?.split(' ') ?? [];
  expect(response.headers.get('cache-tag')?.split(',')).toEqual(keys);
  return keys;
}

describe('a webhook', () => {
  test('is signed, and names the routes and pages that were purged', async () => {
    const receiver = await startReceiver();
    const gateway = await start([{ to: 'webhook', url: receiver.url, secret: SECRET }]);
    await purge(gateway, { tags: ['/wp/v2/posts/1'] });
    await waitUntil(() => receiver.notices.length > 0);
    const [notice] = receiver.notices;
    expect(notice?.json).toMatchObject({
      site: 'default',
      everything: false,
      tags: ['/wp/v2/posts', '/wp/v2/posts/1'],
      paths: [],
    });
    const time = Number(notice?.headers['x-waygate-timestamp']) * 1000;
    expect(notice?.headers).toMatchObject(signMessage(SECRET, notice?.text ?? '', time));
    await purge(gateway, { url: '/hello/?page=2' });
    await waitUntil(() => receiver.notices.length > 1);
    expect(receiver.notices[1]?.json).toMatchObject({ everything: false, paths: ['/hello/'] });
    expect(receiver.notices[1]?.text).not.toContain('page=2');
  });

  test('is repeated after growing delays until the receiver accepts it, and nothing is lost', async () => {
    const receiver = await startReceiver([500, 503, 404]);
    const clock = new GatewayClock();
    const url = `${receiver.url}?key=hidden`;
    const settings = { clock, random: () => 1 };
    const gateway = await start([{ to: 'webhook', url, secret: SECRET }], undefined, settings);
    await purge(gateway, { tags: ['/wp/v2/posts/1'] });
    for (const delay of [1_000, 2_000, 4_000]) {
      await waitUntil(() => clock.delays.includes(delay));
      clock.pass(delay);
    }
    await waitUntil(() => receiver.notices.length === 4);
    expect(receiver.notices.map(({ json }) => json.tags)).toEqual(
      Array.from({ length: 4 }, () => ['/wp/v2/posts', '/wp/v2/posts/1']),
    );
    const warnings = gateway.lines.filter(({ msg }) => msg.includes('could not be sent'));
    expect(warnings).toHaveLength(1);
    expect(JSON.stringify(warnings)).not.toContain('hidden');
    const readMetrics = gateway.readMetrics;
    await waitUntil(async () => (await readMetrics()).includes('{receiver="webhook 1",outcome="sent"} 1'));
    expect(await readMetrics()).toContain(
      'waygate_notify_requests_total{receiver="webhook 1",outcome="failed"} 3',
    );
  });

  test('that is being sent at a stop is awaited, and sent again with what came meanwhile if the receiver refuses it', async () => {
    const told: (readonly string[])[] = [];
    let respond = (_: Response): void => {};
    const notifier = new PurgeNotifier({
      receivers: [{ to: 'webhook', url: 'http://receiver.example.com', secret: SECRET }],
      fetch: async (_, init) => {
        told.push((JSON.parse(String(init?.body)) as Sent).tags ?? []);
        return told.length > 1 ? new Response() : new Promise((resolve) => (respond = resolve));
      },
      ...{ clock: systemClock, log: silentLog, random: () => 0.5 },
    });
    notifier.findSite = () => ({ name: 'shop', operations: null });
    const purgePost = (id: number): void =>
      notifier.notify({ kind: 'tags', tags: [`site /wp/v2/posts/${id}`] });
    purgePost(1);
    await waitUntil(() => told.length === 1);
    for (const id of [2, 1, 2]) purgePost(id);
    const stopped = notifier.stop();
    respond(new Response(null, { status: 500 }));
    await stopped;
    expect(told).toEqual([
      ['/wp/v2/posts', '/wp/v2/posts/1'],
      ['/wp/v2/posts', '/wp/v2/posts/1', '/wp/v2/posts/2'],
    ]);
  });

  test('about more names than are kept says that everything may have changed', async () => {
    const receiver = await startReceiver([500, 500]);
    const gateway = await start([{ to: 'webhook', url: receiver.url, secret: SECRET }]);
    const name = (at: number): string => `tag-${at}`;
    for (let batch = 0; batch < 6; batch += 1) {
      await purge(gateway, { tags: Array.from({ length: 1000 }, (_, at) => name(batch * 1000 + at)) });
    }
    await gateway.stop();
    const last = receiver.notices.at(-1)?.json;
    expect(last?.everything).toBe(true);
    expect(last?.tags?.length).toBeLessThanOrEqual(5_000);
  });
});

describe('a purge by tag', () => {
  test('names a key of each response that it concerns', async () => {
    const receiver = await startReceiver();
    const gateway = await start([{ to: 'cloudflare', url: receiver.url, secret: SECRET }]);
    const one = await keysOf(gateway, '/wp-json/wp/v2/posts/1');
    const two = await keysOf(gateway, '/wp-json/wp/v2/posts/2');
    const list = await keysOf(gateway, '/wp-json/wp/v2/posts');
    const page = await keysOf(gateway, '/hello/');
    // A hit has the same keys as the first response.
    expect(await keysOf(gateway, '/wp-json/wp/v2/posts/1')).toEqual(one);
    await purge(gateway, { tags: ['/wp/v2/posts/1'] });
    await waitUntil(() => receiver.notices.length > 0);
    const [notice] = receiver.notices;
    const sent = new Set(notice?.json.tags);
    const isPurged = (keys: readonly string[]): boolean => keys.some((key) => sent.has(key));
    expect([one, two, list, page].map(isPurged)).toEqual([true, false, true, false]);
    expect(notice?.headers.authorization).toContain(SECRET);
  });

  test('after a write of unknown effect concerns everything that it may change', async () => {
    const receiver = await startReceiver();
    const gateway = await start([{ to: 'cloudflare', url: receiver.url, secret: SECRET }]);
    const stored = [await keysOf(gateway, '/wp-json/wp/v2/posts/1'), await keysOf(gateway, '/hello/')];
    await (await gateway.request('/wp-json/made-up/v1/things', { method: 'POST', ...JSON_BODY })).text();
    await waitUntil(() => receiver.notices.length > 0);
    const sent = new Set(receiver.notices[0]?.json.tags);
    for (const keys of stored) expect(keys.some((key) => sent.has(key))).toBe(true);
  });

  test('of which Cloudflare refuses a part of 30 tags is repeated without what it has accepted', async () => {
    const receiver = await startReceiver([200, 500]);
    const gateway = await start([{ to: 'cloudflare', url: receiver.url, secret: SECRET }]);
    await purge(gateway, { tags: Array.from({ length: 70 }, (_, at) => `tag-${at}`) });
    const listAccepted = (): (string | undefined)[] =>
      receiver.notices.flatMap(({ json }, at) => (at === 1 ? [] : (json.tags ?? [])));
    await waitUntil(() => new Set(listAccepted()).size === 71);
    expect(listAccepted()).toHaveLength(71);
    expect(receiver.notices.every(({ json }) => (json.tags?.length ?? 0) <= 30)).toBe(true);
  });
});

describe('a framework is told', () => {
  test.each([
    ['an item and its collection', ['/wp/v2/posts/1'], false, ['/wp/v2/posts', '/wp/v2/posts/1']],
    ['the collections below a route', ['/wp'], false, ['/wp', '/wp/v2', '/wp/v2/posts']],
    ['those below each of two routes', ['/none', '/wp/v2'], false, ['/none', '/wp/v2', '/wp/v2/posts']],
    ['that a name can concern anything that it has read', ['post-1'], true, ['post-1']],
  ])('%s', async (_, purged, everything, tags) => {
    const receiver = await startReceiver();
    const gateway = await start([{ to: 'revalidate', url: receiver.url, secret: SECRET }]);
    await purge(gateway, { tags: purged });
    await waitUntil(() => receiver.notices.length > 0);
    expect(receiver.notices[0]?.json).toMatchObject({
      ...{ secret: SECRET, everything, paths: [], tags: expect.arrayContaining(tags) },
    });
  });
});

test('keys are added only to stored responses, if another cache is purged by them', async () => {
  const without = await (await start([], {})).request('/wp-json/wp/v2/posts/1');
  expect([without.headers.get('surrogate-key'), without.headers.get('cache-tag')]).toEqual([null, null]);
  const front = await start([{ to: 'cloudflare', url: 'http://127.0.0.1:9/', secret: SECRET }]);
  const write = await front.request('/wp-json/wp/v2/posts/1', { method: 'DELETE' });
  expect(write.headers.get('surrogate-key')).toBeNull();
});
