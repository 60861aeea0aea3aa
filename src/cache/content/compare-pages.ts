import { fieldValue } from '../../http/fields.ts';
import { parseDateField } from '../policy/storability.ts';
import type { StoredResponse } from '../store.ts';
import { isEqualBody } from '../stores/memory-store.ts';
import { hashText } from './content-hash.ts';

/**
 * Finds the places at which two representations of one resource differ. A place is known by the text before it, so that a nonce or
 * a time is at the same place in each response of a route class. The work is linear: differences and their lengths are limited.
 */

/** Longer bodies that differ are not searched for places. */
const MAX_LENGTH = 1024 * 1024;
const MAX_PLACES = 32;
/** Tokens of both representations that one place may have. A token is a word, or what is between two words. */
const MAX_PLACE_TOKENS = 200;
/** Equal tokens after which a place has ended. */
const END_TOKENS = 3;
/** Tokens before a place that identify it. */
const CONTEXT_TOKENS = 6;
const SECOND = 1_000;

/** `get_feed_build_date()`: when any post of the feed was modified last, also in a field that the feed does not show. */
const BUILD_DATE = /<lastBuildDate>[^<]*<\/lastBuildDate>/;

/** Where two representations differ: hashes of the places, none if they are the same. */
export interface Differences {
  readonly places: readonly number[];
  /** The places at which each shows the time at which the site made it. */
  readonly times: readonly number[];
}

const NO_DIFFERENCES: Differences = { places: [], times: [] };

/** @returns `null` if the representations differ as a whole */
export function compareResponses(before: StoredResponse, after: StoredResponse): Differences | null {
  const [oneType, otherType] = [before, after].map(({ headers }) => fieldValue(headers, 'content-type'));
  if (before.status !== after.status || oneType !== otherType) return null;
  if (isEqualBody(before.body, after.body)) return NO_DIFFERENCES;
  if (Math.max(before.body.byteLength, after.body.byteLength) > MAX_LENGTH) return null;
  return findPlaces(toTokens(before.body), toTokens(after.body), createTimeComparison(before, after));
}

/**
 * Creates the function that tells whether two tokens end with the times at which their responses were made, and are the same before
 * these. A time is in seconds or milliseconds since the epoch, or by PHP's `uniqid()`: seconds and microseconds as hexadecimal
 * digits (`quantity_6b06bb2e3c0b5`). It is compared to the second: the `Date` of the response may be later.
 */
function createTimeComparison(
  before: StoredResponse,
  after: StoredResponse,
): (one: string, other: string) => boolean {
  const readBefore = createTimeReader(before);
  const readAfter = createTimeReader(after);
  return (one, other) => {
    const name = readBefore(one);
    return name !== null && name === readAfter(other);
  };
}

/** Creates the function that returns what is before the time of a response in a token; `null` if the token does not end with it. */
function createTimeReader(response: StoredResponse): (token: string) => string | null {
  const { headers, requestTime, responseTime } = response;
  const last = parseDateField(headers, responseTime) + SECOND;
  const first = last - (responseTime - requestTime) - 2 * SECOND;
  return (token) => {
    const [, name = '', decimal, hexadecimal = ''] = TIME.exec(token) ?? [];
    const seconds = decimal === undefined ? Number.parseInt(hexadecimal.slice(0, 8), 16) : Number(decimal);
    return seconds * SECOND >= first && seconds * SECOND <= last ? name : null;
  };
}

/** Milliseconds by which the clock of the site may differ from that of the gateway, with seconds that are cut off. */
const TIME_TOLERANCE = 3 * SECOND;

/**
 * Returns the earliest time, in milliseconds since the epoch, that a response may show as its own: what it shows is not the time of
 * a write that ended before.
 */
export function earliestOwnTime({
  requestTime,
  responseTime,
}: Pick<StoredResponse, 'requestTime' | 'responseTime'>): number {
  return requestTime - (responseTime - requestTime) - TIME_TOLERANCE;
}

const TIME = /^(|\w{0,64}_)(?:(\d{10})(?:\d{3})?|([\da-f]{13}))$/;

function toTokens(body: Uint8Array): readonly string[] {
  return (
    new TextDecoder()
      .decode(body)
      .replace(BUILD_DATE, '')
      .match(/\w+|\W+/g) ?? []
  );
}

function findPlaces(
  one: readonly string[],
  other: readonly string[],
  areTimes: (one: string, other: string) => boolean,
): Differences | null {
  /** Whether all differences at a place are of times. */
  const places = new Map<number, boolean>();
  let [at, otherAt, equalSince] = [0, 0, 0];
  while (at < one.length || otherAt < other.length) {
    if (one[at] === other[otherAt]) {
      at += 1;
      otherAt += 1;
      continue;
    }
    const place = hashText(one.slice(Math.max(equalSince, at - CONTEXT_TOKENS), at).join(''));
    places.set(place, places.get(place) !== false && areTimes(one[at] ?? '', other[otherAt] ?? ''));
    const end = findEnd(one, at, other, otherAt);
    if (end === null || places.size > MAX_PLACES) return null;
    [at, otherAt] = end;
    equalSince = at;
  }
  return {
    places: [...places.keys()],
    times: [...places].flatMap(([place, isTime]) => (isTime ? place : [])),
  };
}

/** Finds the nearest position in both at which they are equal again. */
function findEnd(
  one: readonly string[],
  at: number,
  other: readonly string[],
  otherAt: number,
): readonly [number, number] | null {
  for (let skipped = 1; skipped <= MAX_PLACE_TOKENS; skipped += 1) {
    for (let ofOne = 0; ofOne <= skipped; ofOne += 1) {
      const [next, otherNext] = [at + ofOne, otherAt + skipped - ofOne];
      let equal = 0;
      // Past both ends the tokens are equal, too.
      while (equal < END_TOKENS && one[next + equal] === other[otherNext + equal]) equal += 1;
      if (equal === END_TOKENS && next <= one.length && otherNext <= other.length) return [next, otherNext];
    }
  }
  return null;
}
