import { type Case, type Step, scenario } from '../case.ts';

/** [rule, section, directives, seconds until the second request, status of the site's response to it, step of the response] */
type StaleRow = readonly [string, string, string, number, status: number | typeof DOWN, from: 0 | 1 | 2];
const DOWN = 'unreachable';

/** Creates cases of a stored response and a second response of the site after it has become stale. */
const onStale = (rows: readonly StaleRow[]): readonly Case[] =>
  rows.map(([name, section, directives, after, status, from]) => {
    const second: Step = status === DOWN ? { failure: DOWN } : { site: `${status}` };
    const failed = from === 0 ? { status: 502 } : {};
    return scenario(name, section, [directives, { after, ...second, from, forwards: true, ...failed }]);
  });

const SHORT = 'max-age=2';
const SIE = 'max-age=2, stale-if-error=60';
const NO_STALE = ['must-revalidate', 'proxy-revalidate', 'no-cache', 's-maxage=2', 'stale-if-error=0'];

/** Stale responses (RFC 9111 §4.2.4, RFC 5861). */
export const STALE: readonly Case[] = [
  ...onStale([
    ...[500, 502, 503, 504].map(
      (status) => [`stale-if-error: ${status} is an error`, '5861 §4', SIE, 30, status, 1] as const,
    ),
    ...[501, 505, 404, 403, 410, 429].map(
      (status) => [`stale-if-error: ${status} is not an error`, '5861 §4', SIE, 30, status, 2] as const,
    ),
    ['stale-if-error: an unreachable site is an error', '5861 §4', SIE, 30, DOWN, 1],
    ['stale-if-error ends', '5861 §4', SIE, 62, 503, 2],
    ['stale-if-error ends for an unreachable site too', '5861 §4', SIE, 62, DOWN, 0],
    ['without stale-if-error an error of the site is forwarded', '§4.2.4', SHORT, 3, 500, 2],
    ['… but not one that says that the site is unreachable', '§4.2.4', SHORT, 3, 502, 1],
    ['… for up to a day, too', '§4.2.4', SHORT, 86_402, 502, 2],
    ['… and not with must-revalidate', '§4.2.4', `${SHORT}, must-revalidate`, 3, 504, 2],
    ['a stale response is served while the site is unreachable', '§4.2.4', SHORT, 3, DOWN, 1],
    ['… for up to a day', '§4.2.4', SHORT, 86_401, DOWN, 1],
    ['… and no longer', '§4.2.4', SHORT, 86_402, DOWN, 0],
    ...NO_STALE.map(
      (one) => [`… but not if the response says ${one}`, '§4.2.4', `${SHORT}, ${one}`, 3, DOWN, 0] as const,
    ),
    ['must-revalidate overrides stale-if-error', '§5.2.2.2', `${SIE}, must-revalidate`, 3, 503, 2],
    ['no-cache overrides stale-if-error', '§5.2.2.4', 'no-cache, stale-if-error=60', 3, DOWN, 0],
    ['stale-if-error overrides s-maxage', '5861 §4', 's-maxage=2, stale-if-error=60', 3, DOWN, 1],
  ]),
  scenario('an error replaced by a stale response is not stored', '5861 §4', [
    SIE,
    { after: 3, from: 1, forwards: true, site: '503 | max-age=3600' },
    { after: 1, site: 'max-age=60' },
    { after: 1, from: 3 },
  ]),
  scenario('a client with no-cache gets the failure of an unreachable site', '§5.2.1.4', [
    'max-age=3600',
    { after: 3, request: 'no-cache', from: 0, forwards: true, failure: 'unreachable', status: 502 },
  ]),
  scenario('a client with no-cache gets the error', '§5.2.1.4', [
    'max-age=3600, stale-if-error=3600',
    { after: 3, request: 'no-cache', site: '503' },
  ]),
  scenario('a reload gets the fresh stored response if the site fails', '§5.2.1.1', [
    'max-age=3600',
    { after: 3, request: 'max-age=0', from: 1, forwards: true, site: '503' },
  ]),
];

const SWR = 'max-age=2, stale-while-revalidate=60';

export const STALE_WHILE_REVALIDATE: readonly Case[] = [
  scenario('the stale response is served, and refreshed in the background', '5861 §3', [
    SWR,
    { after: 30, refreshes: 1, site: 'max-age=60' },
    { after: 1, from: 2 },
  ]),
  scenario('the refresh may be a 304', '5861 §3', [
    'max-age=2, stale-while-revalidate=60 | ETag: "a"',
    { after: 30, refreshes: 1, site: '304', forwardedFields: { 'If-None-Match': '"a"' } },
    { after: 1, from: 1, expects: 'Age: 1' },
  ]),
  scenario('the window ends', '5861 §3', [SWR, { after: 62 }]),
  scenario('the refresh may forbid storing', '5861 §3', [
    'max-age=1, stale-while-revalidate=4 | ETag: "a"',
    { after: 3, refreshes: 1, site: 'no-cache | ETag: "b"' },
    { after: 3 },
  ]),
  ...['must-revalidate', 'proxy-revalidate', 'no-cache'].map((directive) =>
    scenario(`${directive} overrides stale-while-revalidate`, '§4.2.4', [
      `${SWR}, ${directive}`,
      { after: 3 },
    ]),
  ),
  scenario('a failed refresh changes nothing', '5861 §3', [
    SWR,
    { after: 10, refreshes: 1, failure: 'unreachable' },
    { after: 10, refreshes: 1, site: 'max-age=60' },
    { after: 1, from: 3 },
  ]),
];
