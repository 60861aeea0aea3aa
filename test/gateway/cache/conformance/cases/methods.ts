import { type Case, scenario } from '../case.ts';

const FRESH = 'max-age=3600';

/** HEAD served from a stored GET response. */
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
  scenario('a HEAD response changes nothing that is stored', '§4.3.5', [
    'max-age=3600 | ETag: "a"',
    { method: 'HEAD', request: 'no-cache', site: 'max-age=3600 | ETag: "b"' },
    { from: 1 },
  ]),
  scenario('a HEAD that fails changes nothing', '§4.3.5', [
    'max-age=3600',
    { method: 'HEAD', request: 'no-cache', site: '500' },
    { from: 1 },
  ]),
];

const unsafe = ['POST', 'PUT', 'DELETE', 'PATCH', 'M-SEARCH'];

/** Invalidation by unsafe methods (RFC 9111 §4.4). */
export const INVALIDATION: readonly Case[] = [
  ...unsafe.flatMap((method) => [
    scenario(`${method} invalidates the stored response`, '§4.4', [FRESH, { method }, {}]),
    ...['500', '403'].map((site) =>
      scenario(`${method} with a ${site} response invalidates nothing`, '§4.4', [
        FRESH,
        { method, site },
        { from: 1 },
      ]),
    ),
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
