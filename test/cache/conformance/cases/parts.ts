import type { Case, Fields, OriginBehavior, Step } from '../case.ts';

const BODY = '0123456789';
const TAG = { ETag: '"a"' };

/** The site's response with the bytes from `first` to `last`. */
const part = (first: number, last: number, more: Fields = TAG): OriginBehavior => ({
  status: 206,
  headers: { 'Cache-Control': 'max-age=60', ...more, 'Content-Range': `bytes ${first}-${last}/10` },
  body: BODY.slice(first, last + 1),
});

/** A request for the bytes from `first` to `last`, which the site serves. */
const fetchPart = (first: number, last: number, more?: Fields): Step => ({
  headers: { Range: `bytes=${first}-${last}` },
  forwardedFields: { Range: `bytes=${first}-${last}` },
  site: part(first, last, more),
  body: BODY.slice(first, last + 1),
});

/** A request for a range that comes from the store, with the fields of an earlier step. */
const fromStore = (range: string, body: string, servedFrom = 1): Step => ({
  headers: { Range: range },
  servedFrom,
  status: 206,
  body,
});

const whole = (servedFrom: number): Step => ({
  servedFrom,
  status: 200,
  body: BODY,
  expectedFields: { 'Content-Length': 10 },
  absentFields: ['Content-Range'],
});

const one = (name: string, rfc: string, ...steps: readonly Step[]): Case => ({ name, rfc, steps });
const STORED = 'RFC 9111 §3.3';
const COMBINED = 'RFC 9111 §3.4';

/** Stored partial responses. */
export const PARTS: readonly Case[] = [
  one('the same range comes from the store', STORED, fetchPart(0, 4), fromStore('bytes=0-4', '01234')),
  one('a range within the part comes from the store', STORED, fetchPart(0, 4), fromStore('bytes=1-2', '12')),
  one('… also from a part without a validator', STORED, fetchPart(2, 6, {}), fromStore('bytes=3-5', '345')),
  one('a range to the end comes from the store', STORED, fetchPart(5, 9), fromStore('bytes=7-', '789')),
  one('a suffix comes from the store', STORED, fetchPart(5, 9), fromStore('bytes=-3', '789')),
  one('a part has its own Content-Range', STORED, fetchPart(5, 9), {
    ...fromStore('bytes=6-7', '67'),
    expectedFields: { 'Content-Range': 'bytes 6-7/10', 'Content-Length': 2 },
  }),
  one('a range outside of the part is forwarded', STORED, fetchPart(0, 4), fetchPart(6, 7)),
  one('a range that exceeds the part is forwarded', STORED, fetchPart(0, 4), fetchPart(3, 6)),
  one('HEAD is not served from a part', STORED, fetchPart(0, 4), {
    method: 'HEAD',
    headers: { Range: 'bytes=0-1' },
  }),
  one('a stale part is not served', STORED, fetchPart(0, 4), { after: 61, ...fetchPart(0, 4) }),
  one('a client that has the representation gets a 304', STORED, fetchPart(0, 4), {
    headers: { Range: 'bytes=0-4', 'If-None-Match': '"a"' },
    servedFrom: 1,
    status: 304,
  }),
  one('If-Range with another validator is forwarded', STORED, fetchPart(0, 4), {
    headers: { Range: 'bytes=0-4', 'If-Range': '"b"' },
  }),
  one(
    'the response to a request with If-Range is not stored',
    'RFC 9110 §15.3.7',
    { ...fetchPart(0, 4), headers: { Range: 'bytes=0-4', 'If-Range': '"a"' } },
    fetchPart(0, 4),
  ),
  one(
    'a part with private is not stored',
    STORED,
    fetchPart(0, 4, { 'Cache-Control': 'private' }),
    fetchPart(0, 4),
  ),
  one('a part that is the whole representation is stored as complete', COMBINED, fetchPart(0, 9), whole(1)),
  one('two parts make a complete response', COMBINED, fetchPart(0, 4), fetchPart(5, 9), whole(2)),
  one('… in any order', COMBINED, fetchPart(5, 9), fetchPart(0, 4), whole(2)),
  one('… also if they overlap', COMBINED, fetchPart(0, 6), fetchPart(3, 9), whole(2)),
  one(
    'parts that touch make a longer part',
    COMBINED,
    fetchPart(0, 2),
    fetchPart(3, 6),
    fromStore('bytes=1-5', '12345', 2),
  ),
  one(
    'a part that touches no other replaces it',
    COMBINED,
    fetchPart(0, 2),
    fetchPart(5, 6),
    fetchPart(0, 2),
  ),
  ...[
    ['another tag', { ETag: '"b"' }],
    ['a weak tag', { ETag: 'W/"a"' }],
    ['no tag', {}],
  ].map(([name, more]) =>
    one(
      `parts are not combined with ${name as string}`,
      COMBINED,
      fetchPart(0, 4),
      fetchPart(5, 9, more as Fields),
      fetchPart(0, 4),
    ),
  ),
  one(
    'a request for everything is completed by the rest',
    COMBINED,
    fetchPart(0, 4),
    {
      site: part(5, 9),
      forwardedFields: { Range: 'bytes=5-', 'If-Range': '"a"' },
      ...{ status: 200, body: BODY, absentFields: ['Content-Range'] },
    },
    whole(2),
  ),
  one(
    '… and by the beginning',
    COMBINED,
    fetchPart(5, 9),
    { site: part(0, 4), forwardedFields: { Range: 'bytes=0-4', 'If-Range': '"a"' }, status: 200, body: BODY },
    whole(2),
  ),
  one(
    '… also if the part is stale',
    COMBINED,
    fetchPart(0, 4),
    { after: 61, site: part(5, 9), forwardedFields: { Range: 'bytes=5-' }, status: 200, body: BODY },
    whole(2),
  ),
  one('a new representation replaces the part', COMBINED, fetchPart(0, 4), {
    forwardedFields: { Range: 'bytes=5-' },
    site: { headers: { 'Cache-Control': 'max-age=60', ETag: '"b"' }, body: 'new' },
    body: 'new',
  }),
  one('a part in the middle is not completed', COMBINED, fetchPart(2, 6), {
    forwardedFields: { Range: null },
  }),
  one(
    'the completed response has the fields of both',
    COMBINED,
    fetchPart(0, 4, { ...TAG, 'X-A': '1', 'X-B': '1' }),
    {
      site: part(5, 9, { ...TAG, 'X-B': '2' }),
      status: 200,
      body: BODY,
      expectedFields: { 'X-A': 1, 'X-B': 2 },
    },
  ),
];
