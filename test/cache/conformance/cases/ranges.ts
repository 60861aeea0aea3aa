import { at, type Case, type Fields, type Step } from '../case.ts';

const BODY = '0123456789A';
const FRESH = { 'Cache-Control': 'max-age=3600', ETag: '"a"', 'Last-Modified': at(-60) };

/** A range of a stored response; `null` where the complete response is sent. */
function part(
  name: string,
  rfc: string,
  request: Fields,
  content: string | null,
  range?: string,
  stored: Fields = FRESH,
): Case {
  const whole: Step = { body: BODY, absentFields: ['Content-Range'] };
  const partial: Step = {
    status: 206,
    body: content ?? '',
    expectedFields: { 'Content-Range': range ?? '', 'Content-Length': content?.length ?? 0 },
  };
  return {
    name,
    rfc,
    steps: [
      { site: { headers: stored, body: BODY } },
      { after: 1, headers: request, servedFrom: 1, ...(content === null ? whole : partial) },
    ],
  };
}

function refused(name: string, Range: string): Case {
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

/** Ranges of complete stored responses (RFC 9110 §14, RFC 9111 §3.3). Partial responses are not stored. */
export const RANGES: readonly Case[] = [
  part('from a byte to a byte', 'RFC 9110 §14.1.2', range('bytes=0-1'), '01', 'bytes 0-1/11'),
  part('one byte', 'RFC 9110 §14.1.2', range('bytes=10-10'), 'A', 'bytes 10-10/11'),
  part('from a byte on', 'RFC 9110 §14.1.2', range('bytes=1-'), '123456789A', 'bytes 1-10/11'),
  part('the last bytes', 'RFC 9110 §14.1.2', range('bytes=-1'), 'A', 'bytes 10-10/11'),
  part('more last bytes than there are', 'RFC 9110 §14.1.2', range('bytes=-99'), BODY, 'bytes 0-10/11'),
  part('to beyond the end', 'RFC 9110 §14.1.2', range('bytes=9-99'), '9A', 'bytes 9-10/11'),
  part('the unit in any case', 'RFC 9110 §14.1', range('BYTES=0-1'), '01', 'bytes 0-1/11'),
  part('another unit is ignored', 'RFC 9110 §14.2', range('lines=0-1'), null),
  part('no unit is ignored', 'RFC 9110 §14.2', range('0-1'), null),
  part('an invalid range is ignored', 'RFC 9110 §14.1.1', range('bytes=2-1'), null),
  part('no number is ignored', 'RFC 9110 §14.1.1', range('bytes=a-b'), null),
  part('nothing is ignored', 'RFC 9110 §14.1.1', range('bytes=-'), null),
  part('several are answered whole', 'RFC 9110 §14.2', range('bytes=0-1,3-4'), null),
  refused('behind the end', 'bytes=11-'),
  refused('no last bytes', 'bytes=-0'),
  refused('far behind the end', 'bytes=99999999999999999999-'),
  part(
    'If-Range: the same tag',
    'RFC 9110 §13.1.5',
    { Range: 'bytes=0-1', 'If-Range': '"a"' },
    '01',
    'bytes 0-1/11',
  ),
  part('If-Range: another tag', 'RFC 9110 §13.1.5', { Range: 'bytes=0-1', 'If-Range': '"b"' }, null),
  part(
    'If-Range: a weak tag is never the same',
    'RFC 9110 §13.1.5',
    { Range: 'bytes=0-1', 'If-Range': 'W/"a"' },
    null,
    undefined,
    { ...FRESH, ETag: 'W/"a"' },
  ),
  part(
    'If-Range: the same date',
    'RFC 9110 §13.1.5',
    { Range: 'bytes=0-1', 'If-Range': at(-60) },
    '01',
    'bytes 0-1/11',
  ),
  part('If-Range: another date', 'RFC 9110 §13.1.5', { Range: 'bytes=0-1', 'If-Range': at(-59) }, null),
  part(
    'If-Range: a date too near',
    'RFC 9110 §8.8.2.2',
    { Range: 'bytes=0-1', 'If-Range': at(0) },
    null,
    undefined,
    { ...FRESH, 'Last-Modified': at(0) },
  ),
  part(
    'If-Range: a tag where there is none',
    'RFC 9110 §13.1.5',
    { Range: 'bytes=0-1', 'If-Range': '"a"' },
    null,
    undefined,
    { 'Cache-Control': 'max-age=60' },
  ),
  part('If-Range without Range is nothing', 'RFC 9110 §13.1.5', { 'If-Range': '"a"' }, null),
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
    name: 'a range is cut from the new response',
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
    name: 'without a stored response the site serves the range, which is not stored',
    rfc: 'RFC 9111 §3.3',
    steps: [
      {
        headers: range('bytes=0-1'),
        forwardedFields: { Range: 'bytes=0-1' },
        site: { status: 206, headers: { ...FRESH, 'Content-Range': 'bytes 0-1/11' }, body: '01' },
        body: '01',
      },
      { headers: range('bytes=0-1') },
      {},
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
