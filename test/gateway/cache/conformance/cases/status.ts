import { type Case, reuse } from '../case.ts';

const DAY = 24 * 3600;
const DAY_AGO = 'Last-Modified: @-86400';

/** Creates cases for statuses whose second response comes from the store, and for those where it comes from the site. */
function statuses(
  condition: string,
  section: string,
  fields: string,
  store: string,
  site = '',
): readonly Case[] {
  const cases = (list: string, second: 'store' | 'site') =>
    (list.match(/\d+/g) ?? []).flatMap((status) =>
      reuse([[`a ${status} response ${condition}`, section, fields, 1, second]], Number(status)),
    );
  return [...cases(store, 'store'), ...cases(site, 'site')];
}

/** Heuristic freshness (RFC 9111 §4.2.2). */
const HEURISTIC: readonly Case[] = [
  ...statuses(
    'with Last-Modified',
    '9110 §15.1',
    DAY_AGO,
    '200 203 204 300 301 308 404 405 410 501',
    '201 202 299 302 303 307 400 401 403 409 414 429 499 500 502 503 504 599',
  ),
  ...statuses('with Last-Modified and public', '§4.2.2', `${DAY_AGO} | public`, '201 403 599'),
  ...reuse([
    ['it is a tenth of the time since Last-Modified', '§4.2.2', 'Last-Modified: @-1000', 99, 'store'],
    ['the heuristic lifetime ends after a tenth of that time', '§4.2.2', 'Last-Modified: @-1000', 101, '304'],
    ['the heuristic lifetime ends after a day', '§4.2.2', 'Last-Modified: @-8640000', DAY + 1, '304'],
    ['the heuristic lifetime is limited to a day', '§4.2.2', 'Last-Modified: @-8640000', DAY - 1, 'store'],
    ['a Last-Modified equal to Date gives no heuristic lifetime', '§4.2.2', 'Last-Modified: @0', 0, '304'],
    ['a Last-Modified in the future gives no heuristic lifetime', '§4.2.2', 'Last-Modified: @9000', 0, '304'],
    ['the lifetime is computed from Date', '§4.2.2', 'Date: @-50 | Last-Modified: @-1050', 40, 'store'],
    ['the age is computed from Date too', '§4.2.2', 'Date: @-50 | Last-Modified: @-1050', 60, '304'],
    ['an invalid Last-Modified gives no heuristic lifetime', '§4.2.2', 'Last-Modified: long ago', 0, '304'],
    ['an ETag gives no heuristic lifetime', '§4.2.2', 'ETag: "a"', 0, '304'],
    ['Expires prevents a heuristic lifetime', '§4.2.2', `${DAY_AGO} | Expires: @10`, 11, '304'],
    ['an invalid Expires prevents a heuristic lifetime', '§4.2.2', `${DAY_AGO} | Expires: 0`, 0, '304'],
    ['max-age prevents a heuristic lifetime', '§4.2.2', `${DAY_AGO} | max-age=10`, 11, '304'],
    ['no-cache prevents a heuristic lifetime', '§5.2.2.4', `${DAY_AGO} | no-cache`, 0, '304'],
    ['must-revalidate permits a heuristic lifetime', '§5.2.2.2', `${DAY_AGO} | must-revalidate`, 60, 'store'],
  ]),
];

/** Explicit freshness: any final status is reused while it is fresh and not after that (RFC 9111 §3). */
const EXPLICIT: readonly Case[] = [
  ...statuses(
    'with max-age',
    '§3',
    'max-age=60',
    '200 201 203 204 299 301 302 303 307 308 401 403 404 410 499 500 502 503 504 599',
    // RFC 6585: "Responses with the 429 status code MUST NOT be stored by a cache." Others are declined: one client could cause them for all.
    '400 406 408 411 412 413 414 415 416 417 421 425 426 428 429 431',
  ),
  ...statuses(
    'with an Expires in the past',
    '§4.2',
    'Expires: @-60 | x',
    '',
    '200 204 302 404 410 500 503 599',
  ),
];

export const STATUS: readonly Case[] = [...HEURISTIC, ...EXPLICIT];
