import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SiteCacheOptions } from '../../../../src/base/option-types.ts';
import { ForwardedRequest } from '../../../../src/gateway/gateway-request.ts';
import type { Gateway } from '../../../../src/gateway/index.ts';
import { collectGarbage } from '../../../support/garbage.ts';
import { createSettledGateway, startNodeGateway } from '../../../support/gateway.ts';
import { GatewayClock } from '../../../support/gateway-clock.ts';
import { createRoutesIndex } from '../../../support/index-routes.ts';
import { toAddress } from '../../../support/run.ts';
import { listStored } from '../../../support/stored-responses.ts';
import {
  documentOf,
  EDITOR,
  type StubRequest,
  type StubResponse,
  type StubSite,
  startStubSite,
} from '../../../support/stub-site.ts';
import { waitUntil } from '../../../support/wait.ts';

/** What writes purge of a site with two plugins, `shop/v1` and `forum/v1`, beside WordPress's own routes. */

const INDEX = createRoutesIndex(
  {
    '/wp/v2/posts': 'GET POST',
    '/wp/v2/posts/(?P<id>[\\d]+)': 'GET POST DELETE',
    '/shop/v1/products': 'GET POST',
    '/shop/v1/products/(?P<id>[\\d]+)': 'GET PUT DELETE',
    '/forum/v1/topics': 'GET POST',
    '/forum/v1/topics/(?P<id>[\\d]+)': 'GET PUT',
  },
  { id: { type: 'integer' }, page: { type: 'integer' }, view: { type: 'string' } },
);

const DOCUMENT = documentOf(INDEX);

/** Contents by route, which the tests change as writes would. */
const contents = new Map<string, number>();
/** Whether the site closes the connection after a write. */
let hangsUp = false;
/** How what stands before the site responds to writes; `null` if the site does. */
let writeFailure: number | 'hang-up' | null = null;
/** How the site responds to reads; `null` with their contents. */
let readFailure: StubResponse | 'hang-up' | null = null;
/** The entity tag of all reads; `null` for none. */
let validator: string | null = null;
let site: StubSite;
let clock: GatewayClock;

function respond({ headers, method, route: path = '' }: StubRequest): StubResponse {
  const id = Number(path.split('/').at(-1)) || 7;
  if (method !== 'GET') return { body: { id } };
  if (readFailure !== null && typeof readFailure === 'object') return readFailure;
  const title = String(contents.get(path) ?? 0);
  if (validator !== null && path.startsWith('/forum/')) {
    const isSame = headers['if-none-match'] === validator;
    return { status: isSame ? 304 : 200, headers: { ETag: validator }, body: isSame ? '' : { title } };
  }
  if (!path.startsWith('/wp/')) return { body: { title } };
  const self = `http://${headers.host}/wp-json/wp/v2/posts/${id}`;
  const post = { id, title, _links: { self: [{ href: self }] } };
  return { body: path === '/wp/v2/posts' ? [post] : post };
}

beforeAll(async () => {
  site = await startStubSite({
    respond,
    intercept: ({ method, route: path }, response) => {
      if (method === 'GET' && path !== undefined && readFailure === 'hang-up') response.destroy();
      if (method === 'GET' && path !== undefined) return readFailure === 'hang-up';
      if (method === 'HEAD') return false;
      if (method !== 'GET' && writeFailure !== null) {
        if (writeFailure === 'hang-up') response.destroy();
        else response.writeHead(writeFailure).end('<h1>Bad Gateway</h1>');
        return true;
      }
      if (path === undefined) response.end('');
      else if (hangsUp) response.destroy();
      return path === undefined || hangsUp;
    },
  });
});
afterAll(() => site.close());

const PATHS = [
  '/wp/v2/posts/1',
  '/wp/v2/posts/2',
  '/shop/v1/products',
  '/shop/v1/products/1',
  '/shop/v1/products/2',
  '/forum/v1/topics',
  '/forum/v1/topics/1',
];

interface Subject {
  readonly gateway: Gateway;
  send(path: string, init: RequestInit): Promise<Response>;
  write(method: string, path: string, fields?: Record<string, string>): Promise<Response>;
  fetchAll(paths?: readonly string[]): Promise<void>;
  stored(paths?: readonly string[]): Promise<readonly string[]>;
}

/** Routes of plugins are stored by a rule. */
const RULES = [{ match: ['shop/v1', 'forum/v1'], ttl: 30 }];

async function withGateway(
  cache: SiteCacheOptions,
  body: (subject: Subject) => Promise<void>,
): Promise<void> {
  contents.clear();
  hangsUp = false;
  writeFailure = null;
  readFailure = null;
  validator = null;
  clock = new GatewayClock();
  const gateway = createSettledGateway({
    sites: [{ url: site.url, document: DOCUMENT, cache: { rules: RULES, ...cache }, passthrough: true }],
    cache: 'memory',
    clock,
    random: () => 0.5,
  });
  await gateway.rediscover();
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    clock.tick();
    const response = await gateway.app.request(toAddress(path), init);
    const copy = response.clone();
    await response.text();
    clock.tick();
    return copy;
  };
  try {
    await body({
      gateway,
      send,
      write: (method, path, fields = { authorization: EDITOR.authorization }) =>
        send(path, {
          method,
          headers: { 'content-type': 'application/json', ...fields },
          body: JSON.stringify({ title: 'Another title' }),
        }),
      async fetchAll(paths = PATHS) {
        for (const path of paths) await send(path, {});
      },
      stored: (paths = PATHS) => listStored(gateway.app, paths),
    });
  } finally {
    await gateway.stop();
  }
}

/** Reads an address. @returns the status, how the store was used, and the body */
async function ask({ send }: Subject, path: string, init: RequestInit = {}): Promise<string> {
  const response = await send(path, init);
  return `${response.status} ${response.headers.get('cache-status') ?? ''} ${await response.text()}`;
}

test('a write without a response is purged again later, because the site may still be running it', () =>
  withGateway({}, async ({ fetchAll, stored, write }) => {
    await fetchAll();
    await write('PUT', '/shop/v1/products/1');
    hangsUp = true;
    await write('PUT', '/shop/v1/products/1');
    await fetchAll();
    expect(await stored()).toEqual(PATHS);
    clock.runWaiting();
    expect(await stored()).toEqual([]);
  }));

test('the site is asked for the response to a write without content coding, so that it can be read', async () => {
  const running = await startNodeGateway({
    sites: [{ url: site.url, document: DOCUMENT, passthrough: true, cache: { rules: RULES } }],
    cache: 'memory',
  });
  const headers = { 'accept-encoding': 'gzip, br' };
  for (const [path, coding] of [
    ['/shop/v1/products', 'identity'],
    ['/contact/', 'gzip, br'],
  ] as const) {
    await (await running.request(toAddress(path), { method: 'POST', headers })).text();
    const written = site.requests.findLast((received) => received.method === 'POST');
    expect(written?.headers['accept-encoding']).toBe(coding);
  }
  await running?.stop();
});

test('a clock that is set back after a purge does not keep responses out of the store', () =>
  withGateway({}, async (subject) => {
    const path = '/wp/v2/posts/1';
    await subject.fetchAll();
    await subject.write('PUT', '/shop/v1/products/1');
    clock.pass(-86_400_000);
    expect(await ask(subject, path)).toMatch(/fwd=stale/);
    expect(await ask(subject, path)).toMatch(/;\s*hit/);
    await subject.write('PUT', '/shop/v1/products/1');
    expect(await subject.stored()).toEqual([]);
  }));

describe('a response that may depend on a write of unknown effect', () => {
  const topic = '/forum/v1/topics/1';
  const rules = [{ match: '/forum/*', ttl: 600, staleWhileRevalidate: 600, staleIfError: 600 }];
  const ONLY_IF_CACHED = { headers: { 'cache-control': 'only-if-cached' } };

  test('is not served in the stale windows of a rule, nor while the site fails', () =>
    withGateway({ rules }, async (subject) => {
      await subject.fetchAll([topic]);
      await subject.write('PUT', '/shop/v1/products/1');
      readFailure = { status: 503, body: 'down' };
      expect(await ask(subject, topic)).toMatch(/^503 /);
      readFailure = 'hang-up';
      expect(await ask(subject, topic)).toMatch(/^502 /);
      readFailure = null;
      expect(await ask(subject, topic, ONLY_IF_CACHED)).toMatch(/^504 /);
    }));

  test('is not confirmed by a response to HEAD', () =>
    withGateway({}, async (subject) => {
      await subject.fetchAll([topic]);
      await subject.write('PUT', '/shop/v1/products/1');
      await ask(subject, topic, { method: 'HEAD' });
      expect(await ask(subject, topic, ONLY_IF_CACHED)).toMatch(/^504 /);
    }));

  test('is requested whole: a validator may not know of the change, as that of a feed does not', () =>
    withGateway({}, async (subject) => {
      validator = '"1"';
      await subject.fetchAll([topic]);
      contents.set(topic, 1);
      await subject.write('PUT', '/shop/v1/products/1');
      expect(await ask(subject, topic)).toContain('{"title":"1"}');
      expect(site.requests.filter(({ headers }) => headers['if-none-match'] !== undefined)).toEqual([]);
    }));
});

const AUTHORIZED = { authorization: EDITOR.authorization };

describe('a write of unknown outcome', () => {
  const post = '/wp/v2/posts/1';
  const fail = async ({ write }: Subject, failure: Exclude<typeof writeFailure, null>) => {
    writeFailure = failure;
    await write('POST', '/unknown/', { 'content-type': 'text/xml', ...AUTHORIZED });
    writeFailure = null;
  };
  const DOWN = ['hang-up', { status: 503, body: '' }] as const;

  test.each([502, 'hang-up'] as const)(
    'that got %s asks the site, and takes nothing away while the site fails, however many come',
    (status) =>
      withGateway({}, async (subject) => {
        await subject.fetchAll();
        // From now on the gateway knows the user.
        await subject.write('PUT', '/shop/v1/products/1');
        await subject.fetchAll();
        for (const failure of DOWN) {
          await fail(subject, status);
          readFailure = failure;
          for (const path of PATHS)
            expect(await ask(subject, path)).toMatch(
              /^200 .*fwd=stale.* detail="(?:stale-if-error|unreachable connection-broken), unconfirmed" /,
            );
        }
        readFailure = null;
        contents.set(post, 1);
        expect(await ask(subject, post)).toMatch(/^200 waygate; fwd=stale; .*"title":"1"/);
        expect(await ask(subject, post)).toMatch(/^200 waygate; hit; ttl=\d+ /);
      }),
  );

  test('leaves nothing that a write before it, or after it, has changed', () =>
    withGateway({}, async (subject) => {
      for (const order of [
        [200, 502],
        [502, 200],
        [502, 200, 502],
      ] as const) {
        await subject.fetchAll();
        for (const status of order) {
          if (status === 200) await subject.write('PUT', '/shop/v1/products/1');
          else await fail(subject, status);
        }
        readFailure = { status: 503, body: '' };
        expect(await ask(subject, '/forum/v1/topics')).toMatch(/^503 /);
        readFailure = null;
      }
    }));
});

test('the requests of clients leave the memory', () =>
  withGateway({}, async (subject) => {
    const { prototype } = ForwardedRequest;
    const { toHeaders } = prototype;
    const forwarded = new Set<WeakRef<ForwardedRequest>>();
    prototype.toHeaders = function (vary) {
      forwarded.add(new WeakRef(this));
      return toHeaders.call(this, vary);
    };
    try {
      await subject.fetchAll(Array.from({ length: 40 }, (_, at) => `/forum/v1/topics/${at + 1}`));
    } finally {
      prototype.toHeaders = toHeaders;
    }
    expect(forwarded.size).toBe(40);
    await waitUntil(() => {
      collectGarbage();
      return [...forwarded].filter((request) => request.deref() !== undefined).length < 5;
    });
  }));
