import { type Case, reuse, scenario } from '../case.ts';

/** Freshness lifetime (RFC 9111 §4.2). */
export const FRESHNESS: readonly Case[] = reuse([
  ['a response without freshness is not reused', '§4.2.2', '', 0, 'site'],
  ['max-age is the lifetime', '§5.2.2.1', 'max-age=60', 59, 'store'],
  ['a response is stale at the end of its lifetime', '§4.2', 'max-age=60', 60, 'site'],
  ['max-age=0 is never fresh', '§5.2.2.1', 'max-age=0', 0, 'site'],
  ['s-maxage alone is enough', '§5.2.2.10', 's-maxage=60', 59, 'store'],
  ['s-maxage overrides a longer max-age', '§4.2.1', 'max-age=3600, s-maxage=10', 11, 'site'],
  ['s-maxage overrides what is stale', '§4.2.1', 'max-age=0, s-maxage=60 | Expires: @-60', 30, 'store'],
  ['Expires counts from Date', '§4.2.1', 'Expires: @60', 59, 'store'],
  ['Expires in the past is stale', '§5.3', 'Expires: @-60', 0, 'site'],
  ['max-age overrides an Expires in the past', '§5.3', 'max-age=60 | Expires: @-3600', 59, 'store'],
  ['Expires counts from a future Date', '§4.2.1', 'Date: @1000 | Expires: @1060', 59, 'store'],
  [
    'with an invalid Date Expires counts from the arrival',
    '§4.2.1',
    'Date: yesterday | Expires: @60',
    59,
    'store',
  ],
  ['the first of two Expires applies if it is later', '§4.2.1', 'Expires: @60 | Expires: @-60', 59, 'store'],
  ['the first of two Expires applies if it is earlier', '§4.2.1', 'Expires: @-60 | Expires: @60', 1, 'site'],
  ['a greater lifetime is clamped to 2^31', '§1.2.2', 'max-age=99999999999', 10_000_000, 'store'],
  ['an immutable response becomes stale', '8246 §2', 'max-age=10, immutable', 11, 'site'],
]);

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
    ['a Last-Modified in the future gives no heuristic lifetime', '§4.2.2', 'Last-Modified: @9000', 0, '304'],
    ['the lifetime is computed from Date', '§4.2.2', 'Date: @-50 | Last-Modified: @-1050', 40, 'store'],
    ['the age is computed from Date too', '§4.2.2', 'Date: @-50 | Last-Modified: @-1050', 52, '304'],
    ['an invalid Last-Modified gives no heuristic lifetime', '§4.2.2', 'Last-Modified: long ago', 0, '304'],
    ['Expires prevents a heuristic lifetime', '§4.2.2', `${DAY_AGO} | Expires: @10`, 11, '304'],
    ['an invalid Expires prevents a heuristic lifetime', '§4.2.2', `${DAY_AGO} | Expires: 0`, 0, '304'],
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

/** The received `Age` (RFC 9111 §5.1), and clocks that differ (§4.2.3). */
const INCOMING = reuse([
  ['the received Age shortens the remaining lifetime', '§4.2.3', 'max-age=3600 | Age: 3000', 601, 'site'],
  ['the received Age is counted once', '§4.2.3', 'max-age=3600 | Age: 3000', 599, 'store'],
  ['a response older than its lifetime is stale on arrival', '§4.2.3', 'max-age=3600 | Age: 7200', 0, 'site'],
  ['Age counts against Expires with a slow Date', '§4.2.3', 'Date: @-10 | Expires: @10 | Age: 25', 0, 'site'],
  ['an Age of forty digits is stale', '§1.2.2', `max-age=3600 | Age: ${'9'.repeat(40)}`, 0, 'site'],
  ['letters in Age are ignored', '§5.1', 'max-age=3600 | Age: abc', 3599, 'store'],
  ['the first member of a list counts', '§5.1', 'max-age=3600 | Age: 7200, 0', 0, 'site'],
  ['a Date two hours ago makes a response stale', '§4.2.3', 'max-age=3600 | Date: @-7200', 0, 'site'],
  ['a future Date does not extend the lifetime', '§4.2.3', 'max-age=3600 | Date: @7200', 3600, 'site'],
  ['the greater of Age and Date counts', '§4.2.3', 'max-age=3600 | Date: @-100 | Age: 3500', 101, 'site'],
  ['an invalid Date is ignored', '9110 §6.6.1', 'max-age=3600 | Date: soon', 3599, 'store'],
]);

/** `Age`, `Date` and `Expires` of responses to clients. */
const OUTGOING: readonly Case[] = [
  scenario('Age is in whole seconds', '§5.1', ['max-age=3600', { after: 7.9, from: 1, expects: 'Age: 7' }]),
  scenario('Age includes the received Age', '§4.2.3', [
    { site: 'max-age=3600 | Age: 30', expects: 'Age: 30' },
    { after: 5, from: 1, expects: 'Age: 35' },
  ]),
  scenario('Age includes the delay of the site', '§4.2.3', [
    { site: 'max-age=3600', delay: 5 },
    { after: 10, from: 1, expects: 'Age: 15' },
  ]),
  scenario('a response without Date gets its time of arrival', '9110 §6.6.1', [
    'max-age=3600 | Date: -',
    { after: 60, from: 1, expects: 'Date: @0' },
  ]),
  scenario('the Age of a 304 is counted', '§4.3.4', [
    'max-age=10 | ETag: "a"',
    { after: 20, confirms: 1, site: '304 | ETag: "a" | Age: 8' },
    { after: 1, from: 1, expects: 'Age: 9' },
  ]),
  scenario('a 304 without Date gets its time of arrival', '9110 §6.6.1', [
    'max-age=10 | ETag: "a"',
    { after: 20, confirms: 1, site: '304 | ETag: "a" | Date: -' },
    { after: 9, from: 1, expects: 'Date: @20' },
  ]),
];

export const AGE: readonly Case[] = [...INCOMING, ...OUTGOING];
