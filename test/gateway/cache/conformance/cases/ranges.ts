import { type Case, type StepRow, scenario } from '../case.ts';

const siteBody = '0123456789A';
const FRESH = 'max-age=3600 | ETag: "a" | Last-Modified: @-60';

/** A rule, its section of RFC 9110, `Range`, the content (`null`: all of it), `Content-Range`, `If-Range`, stored fields. */
type RangeRow = readonly [string, string, string, string | null, string?, ifRange?: string, stored?: string];

const ROWS: readonly RangeRow[] = [
  ['first and last position select a range', '§14.1.2', 'bytes=0-1', '01', '0-1/11'],
  ['equal positions select one byte', '§14.1.2', 'bytes=10-10', 'A', '10-10/11'],
  ['a first position selects the rest', '§14.1.2', 'bytes=1-', '123456789A', '1-10/11'],
  ['a suffix length selects the last bytes', '§14.1.2', 'bytes=-1', 'A', '10-10/11'],
  ['a suffix length beyond the body selects it whole', '§14.1.2', 'bytes=-99', siteBody, '0-10/11'],
  ['a last position beyond the end is clamped', '§14.1.2', 'bytes=9-99', '9A', '9-10/11'],
  ['the range unit is case-insensitive', '§14.1', 'BYTES=0-1', '01', '0-1/11'],
  ['an unknown range unit is ignored', '§14.2', 'lines=0-1', null],
  ['a range without a unit is ignored', '§14.2', '0-1', null],
  ['an invalid range is ignored', '§14.1.1', 'bytes=2-1', null],
  ['a range without positions is ignored', '§14.1.1', 'bytes=-', null],
  ['several ranges get the complete response', '§14.2', 'bytes=0-1,3-4', null],
  ['a first position at the end is unsatisfiable', '§15.5.17', 'bytes=11-', '', '*/11'],
  ['a position far beyond the end is unsatisfiable', '§15.5.17', 'bytes=99999999999999999999-', '', '*/11'],
  ['If-Range without Range is ignored', '§13.1.5', '-', null, '', '"a"'],
  ['If-Range: the same strong tag matches', '§13.1.5', 'bytes=0-1', '01', '0-1/11', '"a"'],
  ['If-Range: another tag does not match', '§13.1.5', 'bytes=0-1', null, '', '"b"'],
  ['If-Range: no weak tag matches', '§13.1.5', 'bytes=0-1', null, '', 'W/"a"', 'max-age=60 | ETag: W/"a"'],
  ['If-Range: a tag matches no response without one', '§13.1.5', 'bytes=0-1', null, '', '"a"', 'max-age=60'],
  ['If-Range: a date matches nothing', '§13.1.5', 'bytes=0-1', null, '', '@-60'],
];

/** The expected response to a range request. */
function expectRange(content: string | null, range: string): StepRow {
  if (content === null) return { body: siteBody, absentFields: ['Content-Range'] };
  const expects = `Content-Range: bytes ${range}`;
  if (content !== '') {
    return { status: 206, body: content, expects: `${expects} | Content-Length: ${content.length}` };
  }
  return { status: 416, body: '', expects, absentFields: ['ETag', 'Cache-Control', 'Last-Modified'] };
}

/** Ranges of complete stored responses (RFC 9110 §14, RFC 9111 §3.3). */
export const RANGES: readonly Case[] = [
  ...ROWS.map(([rule, section, range, content, contentRange = '', ifRange = '-', stored = FRESH]) =>
    scenario(rule, `9110 ${section}`, [
      { site: stored, siteBody },
      {
        after: 1,
        request: `Range: ${range} | If-Range: ${ifRange}`,
        from: 1,
        ...expectRange(content, contentRange),
      },
    ]),
  ),
  scenario('a client with a current response gets a 304 instead of a range', '9110 §13.2.2', [
    { site: FRESH, siteBody },
    { request: 'Range: bytes=0-1 | If-None-Match: "a"', from: 1, status: 304 },
  ]),
  scenario('HEAD ignores ranges', '9110 §14.2', [
    { site: FRESH, siteBody },
    { method: 'HEAD', request: 'Range: bytes=0-1', from: 1, status: 200 },
  ]),
  scenario('ranges do not apply to errors', '9110 §14.2', [
    '404 | max-age=60',
    { request: 'Range: bytes=0-1', from: 1 },
  ]),
  scenario('a partial response has the fields of the complete one', '9110 §15.3.7', [
    { site: `${FRESH} | X-A: 1 | Vary: Accept`, siteBody },
    {
      after: 2,
      request: 'Range: bytes=0-1',
      from: 1,
      status: 206,
      body: '01',
      expects: 'X-A: 1 | ETag: "a" | Vary: Accept | Age: 2',
    },
  ]),
  scenario('a stale response is revalidated before a range is served', '§4', [
    { site: 'max-age=1 | ETag: "a"', siteBody },
    {
      after: 2,
      request: 'Range: bytes=0-1',
      confirms: 1,
      status: 206,
      body: '01',
      forwardedFields: { 'If-None-Match': '"a"', Range: null },
    },
  ]),
  scenario('a range of the new response is served', '§4', [
    { site: 'max-age=1 | ETag: "a"', siteBody },
    {
      after: 2,
      request: 'Range: bytes=0-1',
      site: 'max-age=60',
      siteBody: 'abc',
      status: 206,
      body: 'ab',
      forwardedFields: { Range: null },
    },
    { from: 2, body: 'abc' },
  ]),
  scenario('a complete response to a range request is stored', '§3', [
    { request: 'Range: bytes=0-1', site: FRESH, siteBody },
    { from: 1, body: siteBody },
  ]),
  scenario('a partial response does not replace a complete one', '§3.3', [
    { site: FRESH, siteBody },
    {
      request: 'Range: bytes=0-1 | no-store',
      site: `206 | ${FRESH} | Content-Range: bytes 0-1/11`,
      siteBody: '01',
      body: '01',
    },
    { from: 1, body: siteBody },
  ]),
];
