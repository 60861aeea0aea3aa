import { type Case, reuse, scenario } from '../case.ts';

const HOUR = 'max-age=3600';
const SHORT = 'max-age=10';

/** Request directives (RFC 9111 §5.2.1, §5.4). */
export const REQUEST_DIRECTIVES: readonly Case[] = [
  ...reuse([
    ['max-age=0 revalidates', '§5.2.1.1', HOUR, 1, 'site', 'max-age=0'],
    ['max-age rejects an older response', '§5.2.1.1', HOUR, 11, 'site', 'max-age=10'],
    ['max-age accepts a younger response', '§5.2.1.1', HOUR, 9, 'store', 'max-age=10'],
    ['max-age includes the received Age', '§5.2.1.1', 'max-age=3600 | Age: 1800', 0, 'site', 'max-age=600'],
    ['a larger max-age does not extend the lifetime', '§5.2.1.1', SHORT, 11, 'site', 'max-age=3600'],
    ['a quoted number is accepted', '§5.2', HOUR, 11, 'site', 'max-age="10"'],
    ['an invalid number is ignored', '§5.2.1.1', HOUR, 11, 'store', 'max-age=soon'],
    ['unknown directives are ignored', '§5.2.3', HOUR, 11, 'store', 'nothing-to-see-here'],
    ['max-age=0 keeps an immutable response', '8246 §2', 'max-age=3600, immutable', 1, 'store', 'max-age=0'],
    ['max-age=0 revalidates it once stale', '8246 §2', 'max-age=10, immutable', 11, 'site', 'max-age=0'],
    ['no-cache revalidates an immutable one', '8246 §2', 'max-age=3600, immutable', 1, 'site', 'no-cache'],
    ['min-fresh, which no browser sends, is ignored', '§5.2.1.3', HOUR, 3000, 'store', 'min-fresh=700'],
    ['max-stale, which no browser sends, is ignored', '§5.2.1.2', SHORT, 60, 'site', 'max-stale'],
    ['no-cache revalidates by entity tag', '§5.2.1.4', 'max-age=3600 | ETag: "a"', 1, '304', 'no-cache'],
    ['… or Last-Modified', '§5.2.1.4', 'max-age=3600 | Last-Modified: @-60', 1, '304', 'no-cache'],
    ['no-cache without a validator fetches the response again', '§5.2.1.4', HOUR, 1, 'site', 'no-cache'],
    ['Pragma, which is deprecated, is ignored', '§5.4', HOUR, 1, 'store', 'Pragma: no-cache'],
    ['no-store bypasses the store', '§5.2.1.5', HOUR, 1, 'site', 'no-store'],
    ['only-if-cached accepts a stored response', '§5.2.1.7', HOUR, 1, 'store', 'only-if-cached'],
    ['no-transform changes nothing', '§5.2.1.6', HOUR, 1, 'store', 'no-transform'],
  ]),
  scenario('only-if-cached without a stored response causes a 504', '§5.2.1.7', [
    { request: 'only-if-cached', from: 0, status: 504 },
  ]),
  scenario('only-if-cached with a stale response causes a 504', '§5.2.1.7', [
    SHORT,
    { after: 11, request: 'only-if-cached', from: 0, status: 504 },
  ]),
  scenario('the response to a request with no-store is not stored', '§5.2.1.5', [
    { request: 'no-store', site: HOUR },
    { after: 1 },
  ]),
  scenario('a request with no-store leaves the stored response', '§5.2.1.5', [
    HOUR,
    { after: 1, request: 'no-store', site: HOUR },
    { from: 1 },
  ]),
  scenario('the response to a request with no-cache is stored', '§5.2.1.4', [
    { request: 'no-cache', site: HOUR },
    { after: 1, from: 1 },
  ]),
  scenario('a reload refreshes the stored response for all clients', '§4', [
    HOUR,
    { after: 1, request: 'max-age=0', site: HOUR },
    { after: 1, from: 2 },
  ]),
  scenario('the directives of one request do not affect another', '§5.2.1', [
    SHORT,
    { after: 5, request: 'max-age=1', site: SHORT },
    { from: 2 },
  ]),
  scenario('the request directives are forwarded', '§5.2', [
    { request: 'max-age=0, x-mine=1', forwardedFields: { 'Cache-Control': 'max-age=0, x-mine=1' } },
  ]),
];
