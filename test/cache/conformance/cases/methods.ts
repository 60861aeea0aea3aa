import { at, type Case, type Fields, SITE } from '../case.ts';

const FRESH = { 'Cache-Control': 'max-age=3600' };
const STALE_SOON = { 'Cache-Control': 'max-age=2' };

/** HEAD served from a stored GET response, and updates by the response to HEAD (RFC 9111 §4.3.5). */
export const HEAD: readonly Case[] = [
  {
    name: 'HEAD is served from a stored GET response',
    rfc: 'RFC 9110 §9.3.2',
    steps: [
      { site: { headers: FRESH } },
      { after: 3, method: 'HEAD', servedFrom: 1, expectedFields: { Age: 3, 'Content-Length': 14 } },
    ],
  },
  {
    name: 'GET is not served from a HEAD response',
    rfc: 'RFC 9110 §9.3.2',
    steps: [{ method: 'HEAD', site: { headers: FRESH } }, {}],
  },
  {
    name: 'a stale response is revalidated by HEAD',
    rfc: 'RFC 9111 §4.3.5',
    steps: [{ site: { headers: STALE_SOON } }, { after: 3, method: 'HEAD', servedFrom: 2 }],
  },
  {
    name: 'a HEAD response freshens the stored response',
    rfc: 'RFC 9111 §4.3.5',
    steps: [
      { site: { headers: { ...STALE_SOON, 'X-A': '1' } } },
      { after: 3, method: 'HEAD', site: { headers: { ...FRESH, 'X-A': '2' } } },
      { after: 3, servedFrom: 1, expectedFields: { 'X-A': 2, Age: 3 } },
    ],
  },
  {
    name: 'a HEAD response with the same validators freshens the stored response',
    rfc: 'RFC 9111 §4.3.5',
    steps: [
      { site: { headers: { ...STALE_SOON, ETag: '"a"', 'Last-Modified': at(-60) } } },
      { after: 3, method: 'HEAD', site: { headers: { ...FRESH, ETag: '"a"', 'Last-Modified': at(-60) } } },
      { after: 3, servedFrom: 1 },
    ],
  },
  ...(
    [
      ['another ETag', { ETag: '"b"' }],
      ['another Last-Modified', { 'Last-Modified': at(-10) }],
      ['another Content-Length', { 'Content-Length': '15' }],
    ] as const satisfies readonly (readonly [string, Fields])[]
  ).map(
    ([what, headers]): Case => ({
      name: `${what} in a HEAD response makes the stored response stale`,
      rfc: 'RFC 9111 §4.3.5',
      steps: [
        { site: { headers: { ...FRESH, ETag: '"a"', 'Last-Modified': at(-60) } } },
        {
          method: 'HEAD',
          headers: { 'Cache-Control': 'no-cache' },
          site: { headers: { ...FRESH, ...headers } },
        },
        {},
      ],
    }),
  ),
  {
    name: 'a HEAD that fails changes nothing',
    rfc: 'RFC 9111 §4.3.5',
    steps: [
      { site: { headers: FRESH } },
      { method: 'HEAD', headers: { 'Cache-Control': 'no-cache' }, site: { status: 500 } },
      { servedFrom: 1 },
    ],
  },
];

const unsafe = ['POST', 'PUT', 'DELETE', 'PATCH', 'M-SEARCH'];

/** Invalidation by unsafe methods (RFC 9111 §4.4). */
export const INVALIDATION: readonly Case[] = [
  ...unsafe.flatMap((method): readonly Case[] => [
    {
      name: `${method} invalidates the stored response`,
      rfc: 'RFC 9111 §4.4',
      steps: [{ site: { headers: FRESH } }, { method }, {}],
    },
    {
      name: `${method} with a 5xx response invalidates nothing`,
      rfc: 'RFC 9111 §4.4',
      steps: [{ site: { headers: FRESH } }, { method, site: { status: 500 } }, { servedFrom: 1 }],
    },
    {
      name: `${method} with a 4xx response invalidates nothing`,
      rfc: 'RFC 9111 §4.4',
      steps: [{ site: { headers: FRESH } }, { method, site: { status: 403 } }, { servedFrom: 1 }],
    },
  ]),
  ...[201, 204, 303].map(
    (status): Case => ({
      name: `a ${status} response to an unsafe request invalidates`,
      rfc: 'RFC 9111 §4.4',
      steps: [{ site: { headers: FRESH } }, { method: 'POST', site: { status } }, {}],
    }),
  ),
  ...['OPTIONS', 'PROPFIND'].map(
    (method): Case => ({
      name: `${method} invalidates nothing`,
      rfc: 'RFC 9110 §9.2.1',
      steps: [{ site: { headers: FRESH } }, { method }, { servedFrom: 1 }],
    }),
  ),
  {
    name: 'a stored response of another path is not invalidated',
    rfc: 'RFC 9111 §4.4',
    steps: [
      { path: '/a', site: { headers: FRESH } },
      { path: '/b', method: 'POST' },
      { path: '/a', servedFrom: 1 },
    ],
  },
  {
    name: 'a response with another query is stored separately',
    rfc: 'RFC 9111 §2',
    steps: [
      { path: '/a?b=1', site: { headers: FRESH } },
      { path: '/a?b=2' },
      { path: '/a?b=1', servedFrom: 1 },
    ],
  },
  ...['Location', 'Content-Location'].flatMap((name): readonly Case[] => [
    {
      name: `the URI in ${name} is invalidated`,
      rfc: 'RFC 9111 §4.4',
      steps: [
        { path: '/posts/7', site: { headers: FRESH } },
        { path: '/posts', method: 'POST', site: { status: 201, headers: { [name]: '/posts/7' } } },
        { path: '/posts/7' },
      ],
    },
    {
      name: `${name} may be relative`,
      rfc: 'RFC 9111 §4.4',
      steps: [
        { path: '/posts/7', site: { headers: FRESH } },
        { path: '/posts/', method: 'POST', site: { status: 201, headers: { [name]: '7' } } },
        { path: '/posts/7' },
      ],
    },
    {
      name: `${name} may have a fragment`,
      rfc: 'RFC 9111 §4.4',
      steps: [
        { path: '/posts/7?a=b', site: { headers: FRESH } },
        { path: '/posts', method: 'POST', site: { status: 201, headers: { [name]: '/posts/7?a=b#top' } } },
        { path: '/posts/7?a=b' },
      ],
    },
    {
      name: `${name} of another origin invalidates nothing`,
      rfc: 'RFC 9111 §4.4',
      steps: [
        { path: '/posts/7', site: { headers: FRESH } },
        {
          path: '/posts',
          method: 'POST',
          site: { status: 201, headers: { [name]: 'http://other.example.com/posts/7' } },
        },
        { path: '/posts/7', servedFrom: 1 },
      ],
    },
    {
      name: `an invalid ${name} invalidates nothing`,
      rfc: 'RFC 9111 §4.4',
      steps: [
        { path: '/posts/7', site: { headers: FRESH } },
        { path: '/posts', method: 'POST', site: { status: 201, headers: { [name]: 'http://[/posts/7' } } },
        { path: '/posts/7', servedFrom: 1 },
      ],
    },
    {
      name: `${name} of an error response invalidates nothing`,
      rfc: 'RFC 9111 §4.4',
      steps: [
        { path: '/posts/7', site: { headers: FRESH } },
        { path: '/posts', method: 'POST', site: { status: 500, headers: { [name]: '/posts/7' } } },
        { path: '/posts/7', servedFrom: 1 },
      ],
    },
  ]),
  {
    name: "Location with the site's origin is invalidated",
    rfc: 'RFC 9111 §4.4',
    steps: [
      { path: '/posts/7', site: { headers: FRESH } },
      { path: '/posts', method: 'POST', site: { status: 201, headers: { Location: `${SITE}/posts/7` } } },
      { path: '/posts/7' },
    ],
  },
  {
    name: 'a redirect of a safe request invalidates nothing',
    rfc: 'RFC 9111 §4.4',
    steps: [
      { path: '/a', site: { headers: FRESH } },
      { path: '/b', site: { status: 302, headers: { Location: '/a' } } },
      { path: '/a', servedFrom: 1 },
    ],
  },
  {
    name: 'all variants are invalidated',
    rfc: 'RFC 9111 §4.4',
    steps: [
      { headers: { Foo: '1' }, site: { headers: { ...FRESH, Vary: 'Foo' } } },
      { headers: { Foo: '2' }, site: { headers: { ...FRESH, Vary: 'Foo' } } },
      { method: 'PUT' },
      { headers: { Foo: '1' } },
      { headers: { Foo: '2' } },
    ],
  },
  ...unsafe.map(
    (method): Case => ({
      name: `the response to ${method} is not stored`,
      rfc: 'RFC 9110 §9.3',
      steps: [{ method, site: { headers: FRESH } }, {}],
    }),
  ),
];
