import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useFolder } from '../support/folder.ts';
import { startGateway } from '../support/gateway.ts';
import { runStubSite } from '../support/run.ts';
import type { StubRequest } from '../support/stub-site.ts';
import { runCommand } from './run-command.ts';

/** `waygate check` loads pages as Chrome would, and says what keeps them from being hits. */

const folder = useFolder();
type Fields = Readonly<Record<string, string | readonly string[]>>;
const page = (more = ''): string =>
  `<!DOCTYPE html><html><head></head><body><a href="/about/">About</a><a class="x" href='/news/'>News</a>${more}</body></html>`;

/** A resource, which is asked for its fields. */
const FILM = {
  namespace: 'a/v1',
  endpoints: [{ methods: ['GET'], args: {} }],
  schema: { title: 'film', type: 'object', properties: { id: { type: 'integer' } } },
};
const FILMS = { '/a/v1/films': FILM, '/a/v1/films/(?P<id>[\\d]+)': FILM };

async function check(
  answer: (request: StubRequest) => { readonly headers?: Fields; readonly body?: string },
  cache = 'cache: { pages: 60s }',
  options?: number,
) {
  const site = await runStubSite({
    ...(options === undefined ? {} : { index: { name: 'A site', namespaces: ['a/v1'], routes: FILMS } }),
    intercept(request, response) {
      if (request.method === 'OPTIONS' && options !== undefined) {
        response.writeHead(options).end();
        return true;
      }
      if (request.route !== undefined) return false;
      const { body = page(), headers = {} } = answer(request);
      const link = `<http://${request.headers.host}/wp-json/>; rel="https://api.w.org/"`;
      response.writeHead(200, { 'content-type': 'text/html; charset=UTF-8', link, ...headers }).end(body);
      return true;
    },
  });
  const yaml = `sites:\n  - url: ${site.url}\n    passthrough: true\n    ${cache}\n`;
  await writeFile(join(folder(), 'waygate.yaml'), yaml);
  const { code, err, out } = await runCommand(['check'], { cwd: folder() });
  return { code, err, out, lines: out.split('\n').filter((line) => line.includes('cache.pages')), site };
}

test('nothing is said of pages that are hits, and they are asked for with what Chrome sends', async () => {
  const { code, lines, site } = await check(() => ({}));
  expect([code, lines]).toEqual([0, []]);
  const asked = site.requests.filter(({ route }) => route === undefined).map(({ url }) => url);
  expect(new Set(asked)).toEqual(new Set(['/', '/about/', '/news/']));
});

test('a namespace that only a subsite has is named, with the rule that stores its reads', async () => {
  const answer = ({ headers, url }: StubRequest) => {
    const type = { 'content-type': 'application/json' };
    if (url.startsWith('/de/wp-json/acme/v1/')) return { headers: type, body: '[]' };
    if (url.startsWith('/de/wp-json/'))
      return { headers: type, body: JSON.stringify({ namespaces: ['acme/v1', 'a/v1'] }) };
    const own = { link: `<http://${headers.host}/de/wp-json/>; rel="https://api.w.org/"` };
    return url === '/de/' ? { headers: own } : { body: page().replace('/about/', '/de/') };
  };
  const { err, out, site } = await check(answer, 'cache: { pages: 60s }', 200);
  expect(out + err).toMatch(/no acme\/v1 of the subsite \/de\/.*match: "\/acme\/v1\/\*", ttl: 60s/);
  expect(out + err).not.toMatch(/no a\/v1 of/);
  const stated = 'cache: { pages: 60s, rules: [{ match: /acme/v1/*, ttl: 60s }] }';
  expect((await check(answer, stated, 200)).out).not.toContain('matches nothing');
  const cache = { pages: 60, rules: [{ match: '/acme/v1/*', ttl: 60 }] };
  const { read, request } = await startGateway({ url: site.url, index: {}, passthrough: true, cache });
  await request('/de/');
  for (let count = 0; count < 2; count += 1) await read('/de/wp-json/acme/v1/votes');
  expect((await read('/de/wp-json/acme/v1/votes'))[1]).toMatch(/^hit/);
});

test('a slow site is named each ten seconds where there is no terminal, and what it did not answer is said', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const answer = () => {
    vi.advanceTimersByTime(6_000);
    return {};
  };
  const { err, out, site } = await check(answer, undefined, 500);
  expect(err).toMatch(new RegExp(`^(?:Requesting ${site.url}.* …\n)+$`));
  expect(out).toMatch(/warning: sites\[0\]: .*films returned 500/);
});

test('what the site states is said, with the lifetime that follows', async () => {
  const { code, lines } = await check(() => ({ headers: { 'cache-control': 'max-age=0' } }));
  expect(code).toBe(0);
  expect(lines).toContainEqual(
    expect.stringMatching(/notice: .*: \/ states cache-control: max-age=0, and is stored for (?:60|59) s/),
  );
});

test.each<[what: string, headers: Fields, body: string, line: RegExp]>([
  [
    'a cookie of the site',
    { 'set-cookie': 'visit=1; path=/' },
    '',
    /\/about\/ is no hit .*cookie visit.*harmlessCookies/,
  ],
  [
    'all cookies at once, of which a session is none to ignore',
    { 'set-cookie': ['shop_region=1; path=/', 'lp_session_guest=2; path=/', '_ga=3'] },
    '',
    /cookie shop_region, cookie lp_session_guest: .*shop_region: [^;]*ignoreCookies[^;]*; lp_session_guest: (?![^;]*ignoreCookies)/,
  ],
  [
    'a prohibition',
    { 'x-litespeed-cache-control': 'no-cache' },
    '',
    /forbidden by x-litespeed-cache-control/,
  ],
  [
    'a token',
    {},
    '<input name="csrf_token" value="a1b2c3d4e5f6">',
    /nonce in body \(csrf_token: a1b2c3…\).*`ttl`/,
  ],
])('what keeps pages from being hits is said: %s', async (_, headers, body, line) => {
  const { code, lines } = await check(() => ({ headers, body: page(body) }));
  expect(code).toBe(0);
  expect(lines).toContainEqual(expect.stringMatching(line));
});

test('no page is loaded without `pages`', async () => {
  const { lines, site } = await check(() => ({ headers: { 'set-cookie': 'a=1' } }), 'cache: {}');
  expect(lines).toEqual([]);
  expect(site.requests.filter(({ url }) => url === '/about/')).toEqual([]);
});
