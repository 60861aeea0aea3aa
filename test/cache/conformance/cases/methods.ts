import { type Case, SITE, scenario } from '../case.ts';

const FRESH = 'max-age=3600';

/** HEAD served from a stored GET response, and updates by the response to HEAD (RFC 9111 §4.3.5). */
export const HEAD: readonly Case[] = [
  scenario('HEAD is served from a stored GET response', '9110 §9.3.2', [
    'max-age=3600',
    { after: 3, method: 'HEAD', from: 1, expects: 'Age: 3 | Content-Length: 14' },
  ]),
  scenario('GET is not served from a HEAD response', '9110 §9.3.2', [
    { method: 'HEAD', site: 'max-age=3600' },
    {},
  ]),
  scenario('a stale response is revalidated by HEAD', '§4.3.5', [
    'max-age=2',
    { after: 3, method: 'HEAD', from: 2 },
  ]),
  scenario('a stale response is confirmed by a 304 to HEAD', '§4.3.5', [
    'max-age=2 | ETag: "a"',
    { after: 3, method: 'HEAD', confirms: 1 },
    { after: 1, from: 1 },
  ]),
  scenario('a HEAD response freshens the stored response', '§4.3.5', [
    'max-age=2 | X-A: 1',
    { after: 3, method: 'HEAD', site: 'max-age=3600 | X-A: 2' },
    { after: 3, from: 1, expects: 'X-A: 2 | Age: 3' },
  ]),
  scenario('a HEAD response with the same validators freshens the stored response', '§4.3.5', [
    'max-age=2 | ETag: "a" | Last-Modified: @-60',
    { after: 3, method: 'HEAD', site: 'max-age=3600 | ETag: "a" | Last-Modified: @-60' },
    { after: 3, from: 1 },
  ]),
  ...['ETag: "b"', 'Last-Modified: @-10', 'Content-Length: 15'].map((field) =>
    scenario(`another ${field.split(':')[0]} in a HEAD response makes the stored response stale`, '§4.3.5', [
      'max-age=3600 | ETag: "a" | Last-Modified: @-60',
      { method: 'HEAD', request: 'no-cache', site: `max-age=3600 | ${field}` },
      {},
    ]),
  ),
  scenario('a HEAD that fails changes nothing', '§4.3.5', [
    'max-age=3600',
    { method: 'HEAD', request: 'no-cache', site: '500' },
    { from: 1 },
  ]),
];

const unsafe = ['POST', 'PUT', 'DELETE', 'PATCH', 'M-SEARCH'];

/** A stored path, the path of a write, status and URI of the response to it, whether that invalidates the stored response. */
const LOCATIONS: readonly (readonly [rule: string, string, string, number, string, boolean])[] = [
  ['the URI in {name} is invalidated', '/posts/7', '/posts', 201, '/posts/7', true],
  ['{name} may be relative', '/posts/7', '/posts/', 201, '7', true],
  ['{name} may have a fragment', '/posts/7?a=b', '/posts', 201, '/posts/7?a=b#top', true],
  ['{name} of another origin invalidates nothing', '/posts/7', '/posts', 201, 'http://a.test/posts/7', false],
  ['an invalid {name} invalidates nothing', '/posts/7', '/posts', 201, 'http://[/posts/7', false],
  ['{name} of an error response invalidates nothing', '/posts/7', '/posts', 500, '/posts/7', false],
];

/** Invalidation by unsafe methods (RFC 9111 §4.4). */
export const INVALIDATION: readonly Case[] = [
  ...unsafe.flatMap((method) => [
    scenario(`${method} invalidates the stored response`, '§4.4', [FRESH, { method }, {}]),
    scenario(`${method} with a 5xx response invalidates nothing`, '§4.4', [
      FRESH,
      { method, site: '500' },
      { from: 1 },
    ]),
    scenario(`${method} with a 4xx response invalidates nothing`, '§4.4', [
      FRESH,
      { method, site: '403' },
      { from: 1 },
    ]),
  ]),
  ...['201', '204', '303'].map((site) =>
    scenario(`a ${site} response to an unsafe request invalidates`, '§4.4', [
      FRESH,
      { method: 'POST', site },
      {},
    ]),
  ),
  ...['OPTIONS', 'PROPFIND'].map((method) =>
    scenario(`${method} invalidates nothing`, '9110 §9.2.1', [FRESH, { method }, { from: 1 }]),
  ),
  scenario('a stored response of another path is not invalidated', '§4.4', [
    { path: '/a', site: 'max-age=3600' },
    { path: '/b', method: 'POST' },
    { path: '/a', from: 1 },
  ]),
  scenario('a response with another query is stored separately', '§2', [
    { path: '/a?b=1', site: 'max-age=3600' },
    { path: '/a?b=2' },
    { path: '/a?b=1', from: 1 },
  ]),
  ...['Location', 'Content-Location'].flatMap((name) =>
    LOCATIONS.map(([rule, path, written, status, location, isInvalidated]) =>
      scenario(rule.replace('{name}', name), '§4.4', [
        { path, site: FRESH },
        { path: written, method: 'POST', site: `${status} | ${name}: ${location}` },
        isInvalidated ? { path } : { path, from: 1 },
      ]),
    ),
  ),
  scenario("Location with the site's origin is invalidated", '§4.4', [
    { path: '/posts/7', site: FRESH },
    { path: '/posts', method: 'POST', site: `201 | Location: ${SITE}/posts/7` },
    { path: '/posts/7' },
  ]),
  scenario('a redirect of a safe request invalidates nothing', '§4.4', [
    { path: '/a', site: 'max-age=3600' },
    { path: '/b', site: '302 | Location: /a' },
    { path: '/a', from: 1 },
  ]),
  scenario('all variants are invalidated', '§4.4', [
    { request: 'Foo: 1', site: 'max-age=3600 | Vary: Foo' },
    { request: 'Foo: 2', site: 'max-age=3600 | Vary: Foo' },
    { method: 'PUT' },
    { request: 'Foo: 1' },
    { request: 'Foo: 2' },
  ]),
  ...unsafe.map((method) =>
    scenario(`the response to ${method} is not stored`, '9110 §9.3', [{ method, site: FRESH }, {}]),
  ),
];
