import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { GatewayClock } from '../../support/gateway-clock.ts';
import { runStubSite } from '../../support/run.ts';
import { signMessage } from '../../support/signed-message.ts';
import { listStored } from '../../support/stored-responses.ts';

/** Purges of a gateway in front of two sites that record their requests. */

const SECRET = 'a secret of the tests';

const TAGS: Readonly<Record<string, Record<string, string>>> = {
  '/wp/v2/types': { 'Surrogate-Key': 'kinds' },
  '/wp/v2/posts': { 'X-Waygate-Tags': 'post-2' },
};

let gateway: TestGateway;
const clock = new GatewayClock();

beforeAll(async () => {
  const runSite = () =>
    runStubSite({
      respond: ({ headers, route = '' }) => ({
        headers: {
          ...TAGS[route],
          'X-Waygate-Response': String(headers['x-waygate-request']).split('.')[0] ?? '',
        },
        body: createBody(route, headers.host),
      }),
    });
  const [one, other] = await Promise.all([runSite(), runSite()]);
  const cache = { webhook: SECRET, rules: [{ match: '/wp/v2/posts*', tags: ['blog'] }] };
  const sites = [
    { url: one.url, name: 'one', cache },
    { url: other.url, name: 'other' },
  ];
  const publicUrl = 'https://public.example.com/api';
  gateway = await startGateway({ inMemory: true, gateway: { sites, clock, publicUrl } });
});

/** A post with only fields of WordPress. */
const post = (id: number, host = '') => ({
  id,
  title: { rendered: 'A title' },
  _links: { self: [{ href: `http://${host}/wp-json/wp/v2/posts/${id}` }] },
});

function createBody(route: string, host?: string): unknown {
  if (route === '/wp/v2/types') return {};
  return route === '/wp/v2/posts' ? [post(2, host)] : post(1, host);
}

const STORED_PATHS = [
  '/one/wp/v2/posts/1',
  '/one/wp/v2/posts?page=2',
  '/one/wp/v2/types',
  '/other/wp/v2/posts/1',
];

beforeEach(async () => {
  // Nothing is stored that was requested in the millisecond of a purge.
  clock.tick();
  for (const path of STORED_PATHS) await gateway.read(path);
  expect(await stored()).toEqual(STORED_PATHS);
});

const stored = () => listStored(gateway, STORED_PATHS);

const purge = (body: object): Promise<Response> => gateway.administer('/-/purge', body);

describe('POST /-/purge', () => {
  const CASES: readonly (readonly [string, object, purged: readonly number[]])[] = [
    ['by URL', { url: 'https://public.example.com/api/one/wp/v2/posts/1' }, [0]],
    ['by URL in another spelling', { url: '/one/?rest_route=/wp/v2/posts&page=2' }, [1]],
    ['by the tag of a route, on all sites', { tags: ['/wp/v2/posts/1'] }, [0, 3]],
    ['by the tag of a route, including the routes below it', { tags: ['/wp/v2/posts'], site: 'one' }, [0, 1]],
    ['by namespace', { tags: ['/wp/v2'], site: 'one' }, [0, 1, 2]],
    ['by the namespace of a plugin', { tags: ['/oembed/1.0'], site: 'one' }, []],
    ['by a tag of the site', { tags: ['kinds'] }, [2]],
    ['by a tag of waygate.php', { tags: ['post-2'] }, [1]],
    ['by a tag of a rule', { tags: ['blog'] }, [0, 1]],
    ['by site', { site: 'one' }, [0, 1, 2]],
    ['all', { all: true }, [0, 1, 2, 3]],
  ];

  test.each(CASES)('%s', async (_, body, purged) => {
    const response = await purge(body);
    expect(await response.json()).toEqual({ purged: purged.length, mode: 'hard' });
    expect(await stored()).toEqual(STORED_PATHS.filter((_path, at) => !purged.includes(at)));
  });

  test('with soft asks the site before the next response, and says so', async () => {
    const response = await purge({ all: true, soft: true });
    expect(await response.json()).toEqual({ purged: STORED_PATHS.length, mode: 'soft' });
    const [path = ''] = STORED_PATHS;
    expect((await gateway.read(path))[1]).toMatch(/fwd=stale/);
    expect((await gateway.read(path))[1]).toMatch(/hit; ttl=[1-9]/);
  });

  test.each([
    {},
    { site: 'unknown' },
    { url: 'http://[' },
    { url: '/nowhere' },
    { site: 'one', tags: [] },
    { site: 'one', tags: 'blog' },
    { site: 'one', route: 5 },
    { all: true, url: null },
    { tags: ['blog', ...Array(1_000).keys()].map(String) },
  ])('rejects %j, and purges nothing', async (body) => {
    expect((await purge(body)).status).toBe(400);
    expect(await stored()).toEqual(STORED_PATHS);
  });
});

describe('POST /-/webhook/<site>', () => {
  const notify = async (body: string, secret: string): Promise<Response> => {
    const headers = signMessage(secret, body, clock.now());
    return gateway.request('/-/webhook/one', { method: 'POST', headers, body });
  };

  const MESSAGE = '{"id":"4f1a","tags":["*"]}';

  test('purges what a message of waygate.php names', async () => {
    expect((await notify(MESSAGE, 'guess')).status).toBe(401);
    expect(await stored()).toEqual(STORED_PATHS);
    expect((await notify(MESSAGE, SECRET)).status).toBe(200);
    expect(await stored()).toEqual(STORED_PATHS.slice(3));
  });

  test.each([
    'null',
    '[]',
    '{"changed":["/wp/v2/posts/1"]}',
    '{"id":"4f1a"}',
    '{"id":"4f1a","tags":"*"}',
    MESSAGE.slice(0, -1),
    `{"__proto__":${MESSAGE}}`,
  ])('refuses what is signed and no message, and purges nothing: %s', async (body) => {
    expect((await notify(body, SECRET)).status).toBe(400);
    expect(await stored()).toEqual(STORED_PATHS);
  });
});
