import { at, type Case, type ReuseRow, reuse, type SecondOutcome } from '../case.ts';

const DAY = 24 * 3600;
const UNTOUCHED_FOR_A_DAY = { 'Last-Modified': at(-DAY) };
const FRESH = { 'Cache-Control': 'max-age=60' };

/** One response with each status, and whether the second request is served from the store. */
function statuses(
  name: string,
  rfc: string,
  headers: ReuseRow[2],
  by: Readonly<Record<number, SecondOutcome>>,
): readonly Case[] {
  return Object.entries(by).flatMap(([status, second]) =>
    reuse([[`${status} ${name}`, rfc, headers, 1, second]], { status: Number(status) }),
  );
}

/** Heuristic freshness (RFC 9111 §4.2.2). */
const HEURISTIC: readonly Case[] = [
  ...statuses('by Last-Modified', 'RFC 9110 §15.1', UNTOUCHED_FOR_A_DAY, {
    ...{ 200: 'store', 203: 'store', 204: 'store', 300: 'store', 301: 'store', 308: 'store' },
    ...{ 404: 'store', 405: 'store', 410: 'store', 414: 'store', 501: 'store' },
    ...{ 201: 'site', 202: 'site', 299: 'site', 302: 'site', 303: 'site', 307: 'site' },
    ...{ 400: 'site', 401: 'site', 403: 'site', 409: 'site', 429: 'site', 499: 'site' },
    ...{ 500: 'site', 502: 'site', 503: 'site', 504: 'site', 599: 'site' },
  }),
  ...statuses(
    'by Last-Modified where it is public',
    'RFC 9111 §4.2.2',
    { ...UNTOUCHED_FOR_A_DAY, 'Cache-Control': 'public' },
    { 201: 'store', 403: 'store', 599: 'store' },
  ),
  ...reuse([
    [
      'the heuristic is a tenth of the time since Last-Modified',
      'RFC 9111 §4.2.2',
      { 'Last-Modified': at(-1000) },
      99,
      'store',
    ],
    ['and ends after it', 'RFC 9111 §4.2.2', { 'Last-Modified': at(-1000) }, 101, 'confirmed'],
    [
      'never for more than a day',
      'RFC 9111 §4.2.2',
      { 'Last-Modified': at(-100 * DAY) },
      DAY + 1,
      'confirmed',
    ],
    ['and is limited to a day', 'RFC 9111 §4.2.2', { 'Last-Modified': at(-100 * DAY) }, DAY - 1, 'store'],
    [
      'what was modified just now is not guessed at',
      'RFC 9111 §4.2.2',
      { 'Last-Modified': at(0) },
      0,
      'confirmed',
    ],
    [
      'what is modified in the future neither',
      'RFC 9111 §4.2.2',
      { 'Last-Modified': at(9000) },
      0,
      'confirmed',
    ],
    [
      'the time is counted from Date',
      'RFC 9111 §4.2.2',
      { Date: at(-50), 'Last-Modified': at(-1050) },
      40,
      'store',
    ],
    [
      '…and the age from there too',
      'RFC 9111 §4.2.2',
      { Date: at(-50), 'Last-Modified': at(-1050) },
      60,
      'confirmed',
    ],
    [
      'a Last-Modified that is no date gives nothing',
      'RFC 9111 §4.2.2',
      { 'Last-Modified': 'long ago' },
      0,
      'confirmed',
    ],
    ['an ETag gives no freshness', 'RFC 9111 §4.2.2', { ETag: '"a"' }, 0, 'confirmed'],
    [
      'no guess where there is an Expires',
      'RFC 9111 §4.2.2',
      { ...UNTOUCHED_FOR_A_DAY, Expires: at(10) },
      11,
      'confirmed',
    ],
    [
      'no guess where Expires is invalid',
      'RFC 9111 §4.2.2',
      { ...UNTOUCHED_FOR_A_DAY, Expires: '0' },
      0,
      'confirmed',
    ],
    [
      'no guess where there is a max-age',
      'RFC 9111 §4.2.2',
      { ...UNTOUCHED_FOR_A_DAY, 'Cache-Control': 'max-age=10' },
      11,
      'confirmed',
    ],
    [
      'no guess where it must be validated anyway',
      'RFC 9111 §5.2.2.4',
      { ...UNTOUCHED_FOR_A_DAY, 'Cache-Control': 'no-cache' },
      0,
      'confirmed',
    ],
    [
      'a guess under must-revalidate is a guess',
      'RFC 9111 §5.2.2.2',
      { ...UNTOUCHED_FOR_A_DAY, 'Cache-Control': 'must-revalidate' },
      60,
      'store',
    ],
    [
      'a download is guessed at like anything else',
      'RFC 9111 §4.2.2',
      { ...UNTOUCHED_FOR_A_DAY, 'Content-Disposition': 'attachment; filename=a.txt' },
      60,
      'store',
    ],
  ]),
];

/** Any final status is reused while it is explicitly fresh, and none after (RFC 9111 §3). */
const EXPLICIT: readonly Case[] = [
  ...statuses('while it is fresh', 'RFC 9111 §3', FRESH, {
    ...{ 200: 'store', 201: 'store', 203: 'store', 204: 'store', 299: 'store', 301: 'store', 302: 'store' },
    ...{ 303: 'store', 307: 'store', 308: 'store', 400: 'store', 401: 'store', 403: 'store', 404: 'store' },
    ...{ 410: 'store', 429: 'store', 499: 'store', 500: 'store', 502: 'store', 503: 'store', 504: 'store' },
    ...{ 599: 'store' },
  }),
  ...statuses(
    'when it is stale',
    'RFC 9111 §4.2',
    { Expires: at(-60), 'Cache-Control': 'x' },
    {
      ...{
        200: 'site',
        204: 'site',
        302: 'site',
        404: 'site',
        410: 'site',
        500: 'site',
        503: 'site',
        599: 'site',
      },
    },
  ),
];

/** RFC 9111 §5.2.2.3. */
const MUST_UNDERSTAND: readonly Case[] = [
  ...statuses(
    'under must-understand, which sets no-store aside for those who understand',
    'RFC 9111 §5.2.2.3',
    { 'Cache-Control': 'max-age=60, no-store, must-understand' },
    { 200: 'store', 404: 'store', 599: 'site', 299: 'site', 206: 'site' },
  ),
  ...statuses(
    'under must-understand',
    'RFC 9111 §5.2.2.3',
    { 'Cache-Control': 'must-understand, max-age=60' },
    { 200: 'store', 599: 'site' },
  ),
];

export const STATUS: readonly Case[] = [...HEURISTIC, ...EXPLICIT, ...MUST_UNDERSTAND];
