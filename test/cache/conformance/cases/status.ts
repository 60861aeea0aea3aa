import { at, type Case, type ReuseRow, reuse, type SecondOutcome } from '../case.ts';

const DAY = 24 * 3600;
const UNTOUCHED_FOR_A_DAY = { 'Last-Modified': at(-DAY) };
const FRESH = { 'Cache-Control': 'max-age=60' };

/** Creates a case for each status, with the source of the second response. */
function statuses(
  condition: string,
  rfc: string,
  headers: ReuseRow[2],
  outcomes: Readonly<Record<number, SecondOutcome>>,
): readonly Case[] {
  return Object.entries(outcomes).flatMap(([status, second]) =>
    reuse([[`a ${status} response ${condition}`, rfc, headers, 1, second]], { status: Number(status) }),
  );
}

/** Heuristic freshness (RFC 9111 §4.2.2). */
const HEURISTIC: readonly Case[] = [
  ...statuses('with Last-Modified', 'RFC 9110 §15.1', UNTOUCHED_FOR_A_DAY, {
    ...{ 200: 'store', 203: 'store', 204: 'store', 300: 'store', 301: 'store', 308: 'store' },
    ...{ 404: 'store', 405: 'store', 410: 'store', 414: 'store', 501: 'store' },
    ...{ 201: 'site', 202: 'site', 299: 'site', 302: 'site', 303: 'site', 307: 'site' },
    ...{ 400: 'site', 401: 'site', 403: 'site', 409: 'site', 429: 'site', 499: 'site' },
    ...{ 500: 'site', 502: 'site', 503: 'site', 504: 'site', 599: 'site' },
  }),
  ...statuses(
    'with Last-Modified and public',
    'RFC 9111 §4.2.2',
    { ...UNTOUCHED_FOR_A_DAY, 'Cache-Control': 'public' },
    { 201: 'store', 403: 'store', 599: 'store' },
  ),
  ...reuse([
    [
      'the heuristic lifetime is a tenth of the time since Last-Modified',
      'RFC 9111 §4.2.2',
      { 'Last-Modified': at(-1000) },
      99,
      'store',
    ],
    [
      'the heuristic lifetime ends after a tenth of that time',
      'RFC 9111 §4.2.2',
      { 'Last-Modified': at(-1000) },
      101,
      'confirmed',
    ],
    [
      'the heuristic lifetime ends after a day',
      'RFC 9111 §4.2.2',
      { 'Last-Modified': at(-100 * DAY) },
      DAY + 1,
      'confirmed',
    ],
    [
      'the heuristic lifetime is limited to a day',
      'RFC 9111 §4.2.2',
      { 'Last-Modified': at(-100 * DAY) },
      DAY - 1,
      'store',
    ],
    [
      'a Last-Modified equal to Date gives no heuristic lifetime',
      'RFC 9111 §4.2.2',
      { 'Last-Modified': at(0) },
      0,
      'confirmed',
    ],
    [
      'a Last-Modified in the future gives no heuristic lifetime',
      'RFC 9111 §4.2.2',
      { 'Last-Modified': at(9000) },
      0,
      'confirmed',
    ],
    [
      'the heuristic lifetime is computed from Date',
      'RFC 9111 §4.2.2',
      { Date: at(-50), 'Last-Modified': at(-1050) },
      40,
      'store',
    ],
    [
      'the age is computed from Date too',
      'RFC 9111 §4.2.2',
      { Date: at(-50), 'Last-Modified': at(-1050) },
      60,
      'confirmed',
    ],
    [
      'an invalid Last-Modified gives no heuristic lifetime',
      'RFC 9111 §4.2.2',
      { 'Last-Modified': 'long ago' },
      0,
      'confirmed',
    ],
    ['an ETag gives no heuristic lifetime', 'RFC 9111 §4.2.2', { ETag: '"a"' }, 0, 'confirmed'],
    [
      'Expires prevents a heuristic lifetime',
      'RFC 9111 §4.2.2',
      { ...UNTOUCHED_FOR_A_DAY, Expires: at(10) },
      11,
      'confirmed',
    ],
    [
      'an invalid Expires prevents a heuristic lifetime',
      'RFC 9111 §4.2.2',
      { ...UNTOUCHED_FOR_A_DAY, Expires: '0' },
      0,
      'confirmed',
    ],
    [
      'max-age prevents a heuristic lifetime',
      'RFC 9111 §4.2.2',
      { ...UNTOUCHED_FOR_A_DAY, 'Cache-Control': 'max-age=10' },
      11,
      'confirmed',
    ],
    [
      'no-cache prevents a heuristic lifetime',
      'RFC 9111 §5.2.2.4',
      { ...UNTOUCHED_FOR_A_DAY, 'Cache-Control': 'no-cache' },
      0,
      'confirmed',
    ],
    [
      'must-revalidate permits a heuristic lifetime',
      'RFC 9111 §5.2.2.2',
      { ...UNTOUCHED_FOR_A_DAY, 'Cache-Control': 'must-revalidate' },
      60,
      'store',
    ],
    [
      'Content-Disposition permits a heuristic lifetime',
      'RFC 9111 §4.2.2',
      { ...UNTOUCHED_FOR_A_DAY, 'Content-Disposition': 'attachment; filename=a.txt' },
      60,
      'store',
    ],
  ]),
];

/** Explicit freshness: any final status is reused while it is fresh and not after that (RFC 9111 §3). */
const EXPLICIT: readonly Case[] = [
  ...statuses('with max-age', 'RFC 9111 §3', FRESH, {
    ...{ 200: 'store', 201: 'store', 203: 'store', 204: 'store', 299: 'store', 301: 'store', 302: 'store' },
    ...{ 303: 'store', 307: 'store', 308: 'store', 400: 'store', 401: 'store', 403: 'store', 404: 'store' },
    ...{ 410: 'store', 429: 'store', 499: 'store', 500: 'store', 502: 'store', 503: 'store', 504: 'store' },
    ...{ 599: 'store' },
  }),
  ...statuses(
    'with an Expires in the past',
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

/** The must-understand directive (RFC 9111 §5.2.2.3). */
const MUST_UNDERSTAND: readonly Case[] = [
  ...statuses(
    'with no-store and must-understand, which overrides no-store for a known status',
    'RFC 9111 §5.2.2.3',
    { 'Cache-Control': 'max-age=60, no-store, must-understand' },
    { 200: 'store', 404: 'store', 599: 'site', 299: 'site', 206: 'site' },
  ),
  ...statuses(
    'with must-understand',
    'RFC 9111 §5.2.2.3',
    { 'Cache-Control': 'must-understand, max-age=60' },
    { 200: 'store', 599: 'site' },
  ),
];

export const STATUS: readonly Case[] = [...HEURISTIC, ...EXPLICIT, ...MUST_UNDERSTAND];
