import { at, type Case, type Fields, type Step } from '../case.ts';

const BODY = '0123456789A';
const FRESH = { 'Cache-Control': 'max-age=3600', ETag: '"a"', 'Last-Modified': at(-60) };

/** Creates a case of a range request for a stored response. `content` is `null` if the complete response is sent. */
function partial(
  name: string,
  rfc: string,
  request: Fields,
  content: string | null,
  range?: string,
  stored: Fields = FRESH,
): Case {
  const completeResponse: Step = { body: BODY, absentFields: ['Content-Range'] };
  const partialResponse: Step = {
    status: 206,
    body: content ?? '',
    expectedFields: { 'Content-Range': range ?? '', 'Content-Length': content?.length ?? 0 },
  };
  return {
    name,
    rfc,
    steps: [
      { site: { headers: stored, body: BODY } },
      {
        after: 1,
        headers: request,
        servedFrom: 1,
        ...(content === null ? completeResponse : partialResponse),
      },
    ],
  };
}

/** Creates a case of an unsatisfiable range, which is answered by a 416. */
function unsatisfiable(name: string, Range: string): Case {
  return {
    name,
    rfc: 'RFC 9110 §15.5.17',
    steps: [
      { site: { headers: FRESH, body: BODY } },
      {
        headers: { Range },
        servedFrom: 1,
        status: 416,
        body: '',
        expectedFields: { 'Content-Range': 'bytes */11' },
        absentFields: ['ETag', 'Cache-Control', 'Last-Modified'],
      },
    ],
  };
}

const range = (Range: string) => ({ Range });

/** A rule, its section of RFC 9110, `Range`, the content (`null`: all of it), `Content-Range`, `If-Range`. */
const ROWS: readonly (readonly [
  rule: string,
  section: string,
  range: string,
  content: string | null,
  contentRange?: string | undefined,
  ifRange?: string,
])[] = [
  ['first and last position select a range', '§14.1.2', 'bytes=0-1', '01', 'bytes 0-1/11'],
  ['equal positions select one byte', '§14.1.2', 'bytes=10-10', 'A', 'bytes 10-10/11'],
  ['a first position selects the rest', '§14.1.2', 'bytes=1-', '123456789A', 'bytes 1-10/11'],
  ['a suffix length selects the last bytes', '§14.1.2', 'bytes=-1', 'A', 'bytes 10-10/11'],
  ['a suffix length beyond the body selects the whole body', '§14.1.2', 'bytes=-99', BODY, 'bytes 0-10/11'],
  ['a last position beyond the end is clamped', '§14.1.2', 'bytes=9-99', '9A', 'bytes 9-10/11'],
  ['the range unit is case-insensitive', '§14.1', 'BYTES=0-1', '01', 'bytes 0-1/11'],
  ['an unknown range unit is ignored', '§14.2', 'lines=0-1', null],
  ['a range without a unit is ignored', '§14.2', '0-1', null],
  ['an invalid range is ignored', '§14.1.1', 'bytes=2-1', null],
  ['a range without numbers is ignored', '§14.1.1', 'bytes=a-b', null],
  ['a range without positions is ignored', '§14.1.1', 'bytes=-', null],
  ['several ranges get the complete response', '§14.2', 'bytes=0-1,3-4', null],
  ['If-Range: the same strong tag matches', '§13.1.5', 'bytes=0-1', '01', 'bytes 0-1/11', '"a"'],
  ['If-Range: another tag does not match', '§13.1.5', 'bytes=0-1', null, undefined, '"b"'],
];

/** Ranges of complete stored responses (RFC 9110 §14, RFC 9111 §3.3). */
export const RANGES: readonly Case[] = [
  ...ROWS.map(([rule, section, requested, content, contentRange, ifRange]) => {
    const request = ifRange === undefined ? range(requested) : { Range: requested, 'If-Range': ifRange };
    return partial(rule, `RFC 9110 ${section}`, request, content, contentRange);
  }),
  unsatisfiable('a first position at the end is unsatisfiable', 'bytes=11-'),
  unsatisfiable('a suffix length of zero is unsatisfiable', 'bytes=-0'),
  unsatisfiable('a first position far beyond the end is unsatisfiable', 'bytes=99999999999999999999-'),
  partial(
    'If-Range: a weak tag never matches',
    'RFC 9110 §13.1.5',
    { Range: 'bytes=0-1', 'If-Range': 'W/"a"' },
    null,
    undefined,
    { ...FRESH, ETag: 'W/"a"' },
  ),
  partial(
    'If-Range: the date of Last-Modified matches',
    'RFC 9110 §13.1.5',
    { Range: 'bytes=0-1', 'If-Range': at(-60) },
    '01',
    'bytes 0-1/11',
  ),
  partial(
    'If-Range: another date does not match',
    'RFC 9110 §13.1.5',
    { Range: 'bytes=0-1', 'If-Range': at(-59) },
    null,
  ),
  partial(
    'If-Range: a Last-Modified equal to Date is a weak validator',
    'RFC 9110 §8.8.2.2',
    { Range: 'bytes=0-1', 'If-Range': at(0) },
    null,
    undefined,
    { ...FRESH, 'Last-Modified': at(0) },
  ),
  partial(
    'If-Range: a tag does not match a response without entity tag',
    'RFC 9110 §13.1.5',
    { Range: 'bytes=0-1', 'If-Range': '"a"' },
    null,
    undefined,
    { 'Cache-Control': 'max-age=60' },
  ),
  partial('If-Range without Range is ignored', 'RFC 9110 §13.1.5', { 'If-Range': '"a"' }, null),
  {
    name: 'a client with a current response gets a 304 instead of a range',
    rfc: 'RFC 9110 §13.2.2',
    steps: [
      { site: { headers: FRESH, body: BODY } },
      { headers: { Range: 'bytes=0-1', 'If-None-Match': '"a"' }, servedFrom: 1, status: 304 },
    ],
  },
  {
    name: 'HEAD ignores ranges',
    rfc: 'RFC 9110 §14.2',
    steps: [
      { site: { headers: FRESH, body: BODY } },
      { method: 'HEAD', headers: range('bytes=0-1'), servedFrom: 1, status: 200 },
    ],
  },
  {
    name: 'ranges do not apply to errors',
    rfc: 'RFC 9110 §14.2',
    steps: [
      { site: { status: 404, headers: { 'Cache-Control': 'max-age=60' } } },
      { headers: range('bytes=0-1'), servedFrom: 1 },
    ],
  },
  {
    name: 'a partial response has the fields of the complete one',
    rfc: 'RFC 9110 §15.3.7',
    steps: [
      { site: { headers: { ...FRESH, 'X-A': '1', Vary: 'Accept' }, body: BODY } },
      {
        after: 2,
        headers: range('bytes=0-1'),
        servedFrom: 1,
        status: 206,
        body: '01',
        expectedFields: { 'X-A': 1, ETag: '"a"', Vary: 'Accept', Age: 2 },
      },
    ],
  },
  {
    name: 'a stale response is revalidated before a range is served',
    rfc: 'RFC 9111 §4',
    steps: [
      { site: { headers: { 'Cache-Control': 'max-age=1', ETag: '"a"' }, body: BODY } },
      {
        after: 2,
        headers: range('bytes=0-1'),
        servedFrom: 1,
        forwards: true,
        forwardedFields: { 'If-None-Match': '"a"', Range: null },
        site: { status: 304 },
        status: 206,
        body: '01',
      },
    ],
  },
  {
    name: 'a range of the new response is served',
    rfc: 'RFC 9111 §4',
    steps: [
      { site: { headers: { 'Cache-Control': 'max-age=1', ETag: '"a"' }, body: BODY } },
      {
        after: 2,
        headers: range('bytes=0-1'),
        forwardedFields: { Range: null },
        site: { headers: { 'Cache-Control': 'max-age=60' }, body: 'abc' },
        status: 206,
        body: 'ab',
      },
      { servedFrom: 2, body: 'abc' },
    ],
  },
  {
    name: 'a complete response to a range request is stored',
    rfc: 'RFC 9111 §3',
    steps: [
      { headers: range('bytes=0-1'), site: { headers: FRESH, body: BODY } },
      { servedFrom: 1, body: BODY },
    ],
  },
  {
    name: 'a partial response does not replace a complete one',
    rfc: 'RFC 9111 §3.3',
    steps: [
      { site: { headers: FRESH, body: BODY } },
      {
        headers: { Range: 'bytes=0-1', 'Cache-Control': 'no-store' },
        site: { status: 206, headers: { ...FRESH, 'Content-Range': 'bytes 0-1/11' }, body: '01' },
        body: '01',
      },
      { servedFrom: 1, body: BODY },
    ],
  },
];
