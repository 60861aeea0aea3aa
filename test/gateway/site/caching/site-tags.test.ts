import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { SiteCacheOptions } from '../../../../src/base/option-types.ts';
import { BEARER, networks, startGateway, type TestGateway } from '../../../support/gateway.ts';
import { GatewayClock } from '../../../support/gateway-clock.ts';
import { createRoutesIndex } from '../../../support/index-routes.ts';
import { signMessage } from '../../../support/signed-message.ts';
import { listStored } from '../../../support/stored-responses.ts';
import { documentOf, EDITOR, type StubRequest } from '../../../support/stub-site.ts';
import { giveTurns, waitUntil } from '../../../support/wait.ts';

/** What the gateway does with what a site says of its responses: `cache.webhook`, `cache.purgers`. */

const SECRET = 'a-secret-of-the-tests';
const INDEX = createRoutesIndex({ '/wp/v2/posts': 'GET POST' }, { title: { type: 'string' } });
const DOCUMENT = documentOf(INDEX);

/** Fields of the site's responses by path, without query. */
const fields = new Map<string, Readonly<Record<string, string>>>();
let clock: GatewayClock;

const readNumber = (headers: StubRequest['headers']): string =>
  String(headers['x-waygate-request']).split('.')[0] ?? '';

const settle = (): Promise<void> => giveTurns(20);

/** Lets time pass, and what it begins end. */
const pass = (milliseconds: number): Promise<unknown> => {
  clock.pass(milliseconds);
  return settle();
};

interface Subject extends Pick<TestGateway, 'origin' | 'received' | 'warnings'> {
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  send(method: string, path: string, headers?: Record<string, string>, body?: string): Promise<Response>;
  /** Which of these pages are stored. */
  stored(...paths: string[]): Promise<readonly string[]>;
}

/** Behind a server, which knows the addresses of clients. */
async function withGateway(
  cache: SiteCacheOptions,
  body: (subject: Subject) => Promise<void>,
): Promise<void> {
  fields.clear();
  clock = new GatewayClock();
  const options = { document: DOCUMENT, cache, gateway: { clock, random: () => 0.5 } };
  const { request, ...running } = await startGateway(options, ({ headers, route, url }, _, response) => {
    const [path = ''] = url.split('?');
    response.setHeader('x-waygate-response', readNumber(headers));
    const date = new Date(clock.now()).toUTCString();
    return { headers: { date, ...fields.get(path) }, body: route === undefined ? `<p>${path}</p>` : [] };
  });
  const send = async (method: string, path: string, headers = {}, sent?: string): Promise<Response> => {
    clock.tick();
    const response = await request(path, { method, headers, ...(sent === undefined ? {} : { body: sent }) });
    const copy = response.clone();
    await response.text();
    clock.tick();
    return copy;
  };
  const get = (path: string, headers?: Record<string, string>) => send('GET', path, headers);
  await settle();
  await body({ ...running, get, send, stored: (...paths) => listStored({ request }, paths) });
}

const receivedBySite = ({ received }: Pick<Subject, 'received'>, path: string): StubRequest | undefined =>
  received.findLast(({ url }) => url === path);

describe('the tags of a site', () => {
  const PAGES: SiteCacheOptions = { pages: 60, purgers: networks('127.0.0.1') };

  test('are asked for, and a client cannot ask for them', () =>
    withGateway({ ...PAGES, webhook: SECRET }, async (subject) => {
      await subject.get('/a/', { 'x-waygate-request': 'forged' });
      const { headers = {} } = receivedBySite(subject, '/a/') ?? {};
      const [number = '', signature] = String(headers['x-waygate-request']).split('.');
      expect(Math.abs(Number.parseInt(number, 10) - clock.now() / 1000)).toBeLessThan(60);
      expect(signature).toBe(createHmac('sha256', SECRET).update(`waygate request ${number}`).digest('hex'));
    }));

  test.each([
    ['Surrogate-Key', 'k1 k2'],
    ['Cache-Tag', 'k1, k2'],
    ['xkey', 'k1 k2'],
  ])(
    'in %s name responses, no client gets them, and without a secret no others are asked for',
    (name, value) =>
      withGateway(PAGES, async (subject) => {
        const { get, send, stored } = subject;
        fields.set('/a/', { [name]: value });
        for (const headers of [{}, {}, { cookie: 'wordpress_logged_in_x=1' }]) {
          const response = await get('/a/', headers as Record<string, string>);
          expect(await response.text()).toBe('<p>/a/</p>');
          expect(
            [...response.headers.keys()].filter((field) => /key|tag/.test(field) && field !== 'etag'),
          ).toEqual([]);
        }
        await get('/b/', { 'x-waygate-request': 'forged' });
        expect(Object.keys(receivedBySite(subject, '/b/')?.headers ?? {})).not.toContain('x-waygate-request');
        expect(await stored('/a/', '/b/')).toEqual(['/a/', '/b/']);
        const body = JSON.stringify({ tags: ['k2'] });
        await send('POST', '/-/purge', BEARER, body);
        expect(await stored('/a/', '/b/')).toEqual(['/b/']);
      }),
  );

  test('do not make a response independent of writes: only waygate.php names all that it depends on', () =>
    withGateway(PAGES, async ({ get, send, stored }) => {
      fields.set('/a/', { 'Surrogate-Key': 'k1' });
      await get('/a/');
      await send('POST', '/form/', { authorization: EDITOR.authorization });
      expect(await stored('/a/')).toEqual([]);
    }));
});

describe('a purge request', () => {
  const OPEN: SiteCacheOptions = { pages: 60, purgers: networks('127.0.0.1') };
  const FOREIGN: SiteCacheOptions = { pages: 60, purgers: networks('10.0.0.0/8') };
  const POSTS = '/wp-json/wp/v2/posts';
  const PATHS = ['/', '/blog/a/', '/blog/b/', '/c/', POSTS];

  test.each<[string, string, Record<string, string>, readonly string[]]>([
    ['PURGE', '/c/', {}, ['/', '/blog/a/', '/blog/b/', POSTS]],
    ['PURGE', '/blog/a/', { 'x-purge-method': 'regex' }, ['/', '/blog/b/', '/c/', POSTS]],
    ['PURGE', '/wp-json/wp/v2/posts/.*', {}, ['/', '/blog/a/', '/blog/b/', '/c/']],
    ['PURGE', '/.*', {}, []],
    ['PURGE', '/', { 'surrogate-key': 'k' }, ['/blog/a/', '/blog/b/', '/c/', POSTS]],
  ])('%s %s %j purges what it selects', (method, path, headers, kept) =>
    withGateway(OPEN, async ({ get, received, send, stored }) => {
      fields.set('/', { 'Surrogate-Key': 'k' });
      for (const each of PATHS) await get(each);
      const response = await send(method, path, headers);
      expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
      expect(await stored(...PATHS)).toEqual(kept);
      expect(received.some((request) => request.method === method)).toBe(false);
    }),
  );

  test.each<[string, SiteCacheOptions, string, number, string]>([
    ['if nobody may purge', { pages: 60, webhook: SECRET }, '/c/', 403, 'gateway_purge_refused'],
    ['from another network', FOREIGN, '/c/', 403, 'gateway_purge_refused'],
  ])('%s is refused, and purges nothing', (_, cache, path, status, code) =>
    withGateway(cache, async ({ get, send, stored }) => {
      await get('/c/');
      const response = await send('PURGE', path);
      expect([response.status, await response.json()]).toMatchObject([status, { code }]);
      expect(response.headers.get('content-type')).toContain('problem+json');
      expect(await stored('/c/')).toEqual(['/c/']);
    }),
  );
});

describe('waygate.php', () => {
  const OWN: SiteCacheOptions = { webhook: SECRET };
  const tag = (path: string, tags: string): void => {
    fields.set(path, { 'X-Waygate-Tags': tags });
  };
  let messages = 0;
  const notify = ({ send }: Subject, tags: unknown): Promise<Response> => {
    messages += 1;
    const body = JSON.stringify({ id: String(messages), tags });
    return send('POST', '/-/webhook/default', signMessage(SECRET, body, clock.now()), body);
  };

  test('makes pages fresh without a lifetime, and writes purge exactly what it names', () =>
    withGateway(OWN, async ({ get, send, stored }) => {
      tag('/a/', 'post-1 posts-post');
      tag('/b/', 'post-2');
      tag('/c/', 'post-*');
      tag('/d/', 'ordinary');
      for (const path of ['/a/', '/b/', '/c/', '/d/']) await get(path);
      expect(await stored('/a/', '/b/', '/c/', '/d/')).toEqual(['/a/', '/b/', '/c/']);
      await pass(9 * 60_000);
      expect(await stored('/a/', '/b/', '/c/')).toEqual(['/a/', '/b/', '/c/']);
      fields.set('/form/', { 'X-Waygate-Changed': 'post-1' });
      const response = await send('POST', '/form/');
      expect([...response.headers.keys()].filter((name) => name.startsWith('x-waygate'))).toEqual([]);
      expect(await stored('/a/', '/b/', '/c/')).toEqual(['/b/']);
      const id = response.headers.get('x-request-id') ?? '';
      const why = await get(`/-/why?of=${id}`, BEARER);
      const { facts } = (await why.json()) as { readonly facts: readonly object[] };
      const write = { name: 'Write', text: 'the site itself: POST /form/' };
      expect(facts).toContainEqual(expect.objectContaining(write));
    }));

  test('refreshes what it has tagged in the background after cache.tagged', () =>
    withGateway({ ...OWN, tagged: 120 }, async ({ get }) => {
      tag('/a/', 'post-1');
      await get('/a/');
      await pass(119_000);
      expect((await get('/a/')).headers.get('cache-status')).toMatch(/hit; ttl=\d/);
      await pass(10_000);
      expect((await get('/a/')).headers.get('cache-status')).toContain('stale-while-revalidate');
    }));

  test('that tags responses, and sends no message for a day, is reported once', () =>
    withGateway(OWN, async (subject) => {
      const { get, warnings } = subject;
      const isReported = (): boolean => warnings.some((line) => line.includes('has sent no message'));
      tag('/a/', 'post-1');
      await get('/a/');
      await pass(24 * 60 * 60_000);
      await get('/a/');
      expect(isReported()).toBe(false);
      await pass(2 * 60 * 60_000);
      for (const path of ['/a/', '/b/', '/a/']) {
        tag(path, 'post-1');
        await get(path);
      }
      await waitUntil(isReported);
      await pass(60 * 60_000);
      await get('/a/');
      await settle();
      expect(warnings.filter((line) => line.includes('has sent no message'))).toHaveLength(1);
    }));

  test('whose message has come is not reported', () =>
    withGateway(OWN, async (subject) => {
      tag('/a/', 'post-1');
      await subject.get('/a/');
      expect((await notify(subject, ['post-1'])).status).toBe(200);
      await pass(26 * 60 * 60_000);
      await subject.get('/a/');
      await settle();
      expect(subject.warnings.filter((line) => line.includes('has sent no message'))).toEqual([]);
    }));

  test.each([
    ['which a cache of the site repeats', (number: string) => ({ 'X-Waygate-Response': number })],
    ['which no request has asked for', () => ({ 'X-Waygate-Response': '' })],
  ])('is not believed in a response %s, and that is reported once', (_, repeat) =>
    withGateway({ ...OWN, pages: 60 }, async ({ get, received, send, stored, warnings }) => {
      const isReported = (line: string): boolean => line.includes('X-Waygate-Request');
      tag('/a/', 'post-1');
      await get('/a/');
      expect(warnings.filter(isReported)).toEqual([]);
      const repeated = repeat(readNumber(receivedBySite({ received }, '/a/')?.headers ?? {}));
      fields.set('/a/', { 'X-Waygate-Tags': 'post-1', ...repeated });
      fields.set('/b/', { 'X-Waygate-Tags': 'no-store', ...repeated });
      fields.set('/form/', { 'X-Waygate-Changed': 'none', ...repeated });
      await send('POST', '/-/purge', BEARER, JSON.stringify({ tags: ['post-1'] }));
      for (const path of ['/a/', '/b/']) {
        const response = await get(path);
        expect([...response.headers.keys()].filter((name) => name.startsWith('x-waygate'))).toEqual([]);
      }
      expect(await stored('/a/', '/b/')).toEqual(['/a/']);
      // Without tags it is a page for `pages` that each change purges.
      await pass(61_000);
      expect((await get('/a/')).headers.get('cache-status')).toContain('stale-while-revalidate');
      await send('POST', '/form/', { authorization: EDITOR.authorization });
      expect(await stored('/a/')).toEqual([]);
      expect(warnings.filter(isReported)).toHaveLength(1);
    }),
  );

  test('is not believed without a secret, or with tags that are not valid', () =>
    withGateway({ purgers: networks('127.0.0.1') }, async ({ get, stored }) => {
      tag('/a/', 'post-1');
      await get('/a/');
      expect(await stored('/a/')).toEqual([]);
    }));

  test('fills no log with what strangers send: each cause is a line in a minute', () =>
    withGateway(OWN, async ({ send, warnings }) => {
      const countLines = (): number =>
        warnings.filter((line) => line.includes('waygate.php was refused')).length;
      for (const _ of [1, 2, 3]) await send('POST', '/-/webhook/default', {}, '{}');
      expect(countLines()).toBe(1);
      await pass(60_000);
      await send('POST', '/-/webhook/default', {}, '{}');
      expect(countLines()).toBe(2);
    }));

  test('each tag of a page that `why` prints purges it, and its route', () =>
    withGateway({ ...OWN, pages: 60 }, async ({ get, origin, send, stored }) => {
      tag('/a/', 'post-1 list-post');
      await get('/a/');
      const { facts } = (await (await get(`/-/why?of=${origin}/a/`, BEARER)).json()) as {
        readonly facts: readonly { readonly name: string; readonly items?: readonly string[] }[];
      };
      const printed = facts.find(({ name }) => name === 'Tags')?.items ?? [];
      expect(printed).toContain('!post-1');
      for (const name of [...printed, 'post-1', '/wp/v2/posts/1']) {
        await get('/a/');
        await send('POST', '/-/purge', BEARER, JSON.stringify({ tags: [name] }));
        expect([name, await stored('/a/')]).toEqual([name, []]);
      }
    }));

  test('says why a response is not exact, and `why` does', () =>
    withGateway({ ...OWN, pages: 60 }, async ({ get, origin }) => {
      fields.set('/a/', { 'X-Waygate-Tags': 'post-1', 'X-Waygate-Ordinary': 'acme: a request' });
      await get('/a/');
      const { facts } = (await (await get(`/-/why?of=${origin}/a/`, BEARER)).json()) as {
        readonly facts: readonly { readonly name: string; readonly text: string }[];
      };
      expect(facts.find(({ name }) => name === 'Not exact')?.text).toBe('acme: a request');
    }));

  /** What is named in the response to a write, or by a signed message, and the pages that stay. */
  const CHANGES: readonly (readonly [named: string | readonly unknown[], kept: readonly string[]])[] = [
    ['none', ['/a/', '/b/', '/c/', '/d/']],
    ['post-1', ['/b/']],
    ['ordinary', ['/a/', '/b/']],
    ['/b/', ['/a/', '/c/', '/d/']],
    ['post-*', ['/b/']],
    ['*', []],
    ['post-1 <', []],
    [[], ['/a/', '/b/', '/c/', '/d/']],
    [['post-1'], ['/b/']],
    [['/b/'], ['/a/', '/c/', '/d/']],
    [['post-1', 5], []],
  ];
  test.each(CHANGES)('that names %j purges that, and nothing else', (named, kept) =>
    withGateway({ ...OWN, pages: 60 }, async (subject) => {
      tag('/a/', 'post-1');
      tag('/b/', 'user-2');
      tag('/c/', 'post-1 <');
      tag('/d/', 'ordinary');
      const paths = ['/a/', '/b/', '/c/', '/d/'];
      for (const path of paths) await subject.get(path);
      if (typeof named === 'string') {
        fields.set('/form/', { 'X-Waygate-Changed': named });
        await subject.send('POST', '/form/', { cookie: EDITOR.cookie });
      } else expect((await notify(subject, named)).status).toBe(200);
      expect(await subject.stored(...paths)).toEqual(kept);
    }),
  );

  /** Of a file with a version, who changed it, and the pages that stay. */
  test.each([
    ['post-1', '', ['/b/', '/c/', '/d/']],
    ['post-3', '', ['/a/', '/b/', '/d/']],
    ['post-1 blog-ordinary', '', ['/b/']],
    ['post-1', 'stranger', ['/b/', '/c/', '/d/']],
    ['blog-all', '', ['/a/', '/b/', '/c/', '/d/']],
  ])('that names %j by %j purges responses that are not exact only after an editor', (named, sender, kept) =>
    withGateway({ ...OWN, pages: 60 }, async (subject) => {
      tag('/a/', 'post-1');
      tag('/b/', 'user-2');
      fields.set('/c/', { 'X-Waygate-Tags': 'post-3', 'X-Waygate-Ordinary': 'acme: a request' });
      const paths = ['/a/', '/b/', '/c/', '/d/'];
      for (const path of paths) await subject.get(path);
      fields.set('/form/', {
        'X-Waygate-Changed': named,
        'X-Waygate-Sender': sender,
        'X-Waygate-Version': '3',
      });
      await subject.send('POST', '/form/');
      expect(await subject.stored(...paths)).toEqual(kept);
    }),
  );

  test('lets strangers change ten tags a minute, and purges what is beyond at its end', () =>
    withGateway({ ...OWN, pages: 60 }, async (subject) => {
      const paths = Array.from({ length: 14 }, (_, at) => `/${at}/`);
      for (const [at, path] of paths.entries()) {
        tag(path, `post-${at}`);
        await subject.get(path);
      }
      for (const at of paths.keys()) {
        fields.set('/vote/', {
          'X-Waygate-Changed': `post-${at}`,
          'X-Waygate-Sender': 'stranger',
          'X-Waygate-Version': '3',
        });
        await subject.send('POST', '/vote/');
      }
      expect(await subject.stored(...paths)).toEqual(paths.slice(10));
      await pass(60_000);
      expect(await subject.stored(...paths)).toEqual([]);
    }));

  test('that names what a write to a route has changed leaves all else of the route', () =>
    withGateway(OWN, async ({ get, send, stored }) => {
      const route = '/wp-json/wp/v2/posts';
      tag(route, 'post-1');
      const addresses = [route, `${route}?search=b`, `${route}?page=2`];
      const editor = { authorization: EDITOR.authorization };
      const write = async (changed: Readonly<Record<string, string>>): Promise<readonly string[]> => {
        for (const address of addresses) await get(address);
        expect(await stored(...addresses)).toEqual(addresses);
        fields.set(route, { 'X-Waygate-Tags': 'post-1', ...changed });
        await send('POST', route, editor);
        return stored(...addresses);
      };
      expect(await write({ 'X-Waygate-Changed': 'post-2' })).toEqual(addresses);
      expect(await write({})).toEqual([]);
    }));
});
