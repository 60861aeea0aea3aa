import { at, type Case, type Fields } from '../case.ts';

const SHORT = 'max-age=2';
const NOT_MODIFIED = { status: 304 };

/** Creates a case of a stale response and the conditional request that revalidates it. */
function revalidates(
  name: string,
  validators: Fields,
  forwardedFields: NonNullable<Case['steps'][number]['forwardedFields']>,
): Case {
  return {
    name,
    rfc: 'RFC 9111 §4.3.1',
    steps: [
      { site: { headers: { 'Cache-Control': SHORT, ...validators } } },
      { after: 3, servedFrom: 1, forwards: true, forwardedFields, site: NOT_MODIFIED },
      { after: 1, servedFrom: 1 },
    ],
  };
}

/** Creates a case of a stored field and its value after a 304 with another value. */
function updates(field: string, first: string, second: string, after: string): Case {
  return {
    name: `${field} ${after === second ? 'is updated by' : 'is not updated by'} a 304`,
    rfc: 'RFC 9111 §3.2',
    steps: [
      { site: { headers: { 'Cache-Control': SHORT, ETag: '"a"', [field]: first } } },
      {
        after: 3,
        servedFrom: 1,
        forwards: true,
        site: { status: 304, headers: { 'Cache-Control': 'max-age=60', ETag: '"a"', [field]: second } },
        expectedFields: { [field]: after },
      },
      { after: 3, servedFrom: 1, expectedFields: { [field]: after } },
    ],
  };
}

/** Revalidation of stored responses (RFC 9111 §4.3). */
export const VALIDATION: readonly Case[] = [
  revalidates(
    'a strong entity tag is sent in If-None-Match',
    { ETag: '"a"' },
    { 'If-None-Match': '"a"', 'If-Modified-Since': null },
  ),
  revalidates('a weak entity tag is sent in If-None-Match', { ETag: 'W/"a"' }, { 'If-None-Match': 'W/"a"' }),
  revalidates('an unquoted entity tag is sent unchanged', { ETag: 'a' }, { 'If-None-Match': 'a' }),
  revalidates('an empty entity tag is sent in If-None-Match', { ETag: '""' }, { 'If-None-Match': '""' }),
  revalidates(
    'Last-Modified is sent in If-Modified-Since',
    { 'Last-Modified': at(-60) },
    { 'If-Modified-Since': at(-60), 'If-None-Match': null },
  ),
  revalidates(
    'ETag and Last-Modified are both sent',
    { ETag: '"a"', 'Last-Modified': at(-60) },
    { 'If-None-Match': '"a"', 'If-Modified-Since': at(-60) },
  ),
  {
    name: 'a 304 restores freshness',
    rfc: 'RFC 9111 §4.3.4',
    steps: [
      { site: { headers: { 'Cache-Control': 'max-age=10', ETag: '"a"' } } },
      { after: 11, servedFrom: 1, forwards: true, site: NOT_MODIFIED },
      { after: 9, servedFrom: 1 },
      { after: 2, servedFrom: 1, forwards: true, site: NOT_MODIFIED },
    ],
  },
  {
    name: 'a 304 may extend the lifetime',
    rfc: 'RFC 9111 §4.3.4',
    steps: [
      { site: { headers: { 'Cache-Control': 'max-age=10', ETag: '"a"' } } },
      {
        after: 11,
        servedFrom: 1,
        forwards: true,
        site: { status: 304, headers: { 'Cache-Control': 'max-age=100' } },
      },
      { after: 99, servedFrom: 1 },
    ],
  },
  {
    name: 'a 304 without a validator matches the stored response',
    rfc: 'RFC 9111 §4.3.4',
    steps: [
      { site: { headers: { 'Cache-Control': SHORT, ETag: '"a"' } } },
      { after: 3, servedFrom: 1, forwards: true, site: NOT_MODIFIED },
    ],
  },
  {
    name: 'a weak tag matches a strong one with the same text',
    rfc: 'RFC 9110 §13.1.2',
    steps: [
      { site: { headers: { 'Cache-Control': SHORT, ETag: '"a"' } } },
      { after: 3, servedFrom: 1, forwards: true, site: { status: 304, headers: { ETag: 'W/"a"' } } },
    ],
  },
  {
    name: 'a complete response replaces the stored response',
    rfc: 'RFC 9111 §4.3.3',
    steps: [
      { site: { headers: { 'Cache-Control': SHORT, ETag: '"a"' } } },
      {
        after: 3,
        forwardedFields: { 'If-None-Match': '"a"' },
        site: { headers: { 'Cache-Control': 'max-age=60', ETag: '"b"' } },
      },
      { after: 3, servedFrom: 2, expectedFields: { ETag: '"b"' } },
    ],
  },
  {
    name: 'a response with another status replaces the stored response',
    rfc: 'RFC 9111 §4.3.3',
    steps: [
      { site: { headers: { 'Cache-Control': SHORT, ETag: '"a"' } } },
      { after: 3, site: { status: 404, headers: { 'Cache-Control': 'max-age=60' } } },
      { after: 3, servedFrom: 2 },
    ],
  },
  {
    name: 'a field that is missing in a 304 stays stored',
    rfc: 'RFC 9111 §3.2',
    steps: [
      { site: { headers: { 'Cache-Control': SHORT, 'Last-Modified': at(-60), 'X-Total': '7' } } },
      {
        after: 3,
        servedFrom: 1,
        forwards: true,
        site: { status: 304, headers: { 'Last-Modified': at(-60) } },
        expectedFields: { 'X-Total': 7 },
      },
    ],
  },
  {
    name: 'a new field of a 304 is added',
    rfc: 'RFC 9111 §3.2',
    steps: [
      { site: { headers: { 'Cache-Control': SHORT, ETag: '"a"' } } },
      {
        after: 3,
        servedFrom: 1,
        forwards: true,
        site: { status: 304, headers: { 'X-Total': '7' } },
        expectedFields: { 'X-Total': 7 },
      },
      { after: 1, servedFrom: 1, expectedFields: { 'X-Total': 7 } },
    ],
  },
  {
    name: 'all lines of a field are replaced',
    rfc: 'RFC 9111 §3.2',
    steps: [
      { site: { headers: { 'Cache-Control': SHORT, ETag: '"a"', 'X-Part': ['1', '2'] } } },
      {
        after: 3,
        servedFrom: 1,
        forwards: true,
        site: { status: 304, headers: { 'X-Part': ['3'] } },
        expectedFields: { 'X-Part': 3 },
      },
    ],
  },
  updates('X-Test', 'A', 'B', 'B'),
  updates('Test-Field', 'A', 'B', 'B'),
  updates('Content-Foo', 'A', 'B', 'B'),
  updates('X-Content-Foo', 'A', 'B', 'B'),
  updates('Content-Security-Policy', "default-src 'self'", "default-src 'none'", "default-src 'none'"),
  updates('X-Frame-Options', 'deny', 'sameorigin', 'sameorigin'),
  updates('Link', '</a>; rel="next"', '</b>; rel="next"', '</b>; rel="next"'),
  updates('X-WP-Total', '7', '8', '8'),
  updates('Content-Encoding', 'x-one', 'x-two', 'x-one'),
  {
    name: 'a 304 that forbids storing removes the stored response',
    rfc: 'RFC 9111 §4.3.4',
    steps: [
      { site: { headers: { 'Cache-Control': SHORT, ETag: '"a"' } } },
      {
        after: 3,
        servedFrom: 1,
        forwards: true,
        site: { status: 304, headers: { 'Cache-Control': 'no-store' } },
      },
      { forwardedFields: { 'If-None-Match': null } },
    ],
  },
  {
    name: 'a 304 with Set-Cookie removes the stored response',
    rfc: 'RFC 9111 §7.3',
    steps: [
      { site: { headers: { 'Cache-Control': SHORT, ETag: '"a"' } } },
      { after: 3, servedFrom: 1, forwards: true, site: { status: 304, headers: { 'Set-Cookie': 'a=b' } } },
      { forwardedFields: { 'If-None-Match': null } },
    ],
  },
  {
    name: "the client's conditions are not forwarded if a response is stored",
    rfc: 'RFC 9111 §4.3.1',
    steps: [
      { site: { headers: { 'Cache-Control': SHORT, ETag: '"a"' } } },
      {
        after: 3,
        headers: { 'If-None-Match': '"mine"' },
        servedFrom: 1,
        forwards: true,
        forwardedFields: { 'If-None-Match': '"a"' },
        site: NOT_MODIFIED,
      },
    ],
  },
  {
    name: "the client's conditions are evaluated against the freshened response",
    rfc: 'RFC 9111 §4.3.2',
    steps: [
      { site: { headers: { 'Cache-Control': SHORT, ETag: '"a"' } } },
      {
        after: 3,
        headers: { 'If-None-Match': '"a"' },
        servedFrom: 1,
        forwards: true,
        site: NOT_MODIFIED,
        status: 304,
      },
    ],
  },
  {
    name: "the client's If-Modified-Since is evaluated against the freshened response",
    rfc: 'RFC 9111 §4.3.2',
    steps: [
      { site: { headers: { 'Cache-Control': SHORT, 'Last-Modified': at(-3000) } } },
      {
        after: 3,
        headers: { 'If-Modified-Since': at(-3000) },
        servedFrom: 1,
        forwards: true,
        site: NOT_MODIFIED,
        status: 304,
      },
    ],
  },
  {
    name: 'a client that already has the new response gets a 304',
    rfc: 'RFC 9111 §4.3.2',
    steps: [
      { site: { headers: { 'Cache-Control': SHORT, ETag: '"a"' } } },
      {
        after: 3,
        headers: { 'If-None-Match': '"b"' },
        site: { headers: { 'Cache-Control': 'max-age=60', ETag: '"b"' } },
        status: 304,
      },
      { after: 3, servedFrom: 2 },
    ],
  },
];
