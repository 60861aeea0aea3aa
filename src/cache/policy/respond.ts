import { hasField, withoutFields } from '../../http/fields.ts';
import { parseRange } from '../../http/range.ts';
import type { StoredResponse } from '../store.ts';
import { isNotModified, rangeApplies } from './conditions.ts';
import { NO_WISHES, type Wishes } from './wishes.ts';

/** What goes out of a stored answer, but for `Age` and `Cache-Status`. */
export interface Reply {
  readonly status: number;
  /** The stored list itself where the answer goes out whole. */
  readonly headers: readonly string[];
  readonly body: Uint8Array;
}

const EMPTY = new Uint8Array(0);

/**
 * Makes the answer for a caller from a stored one: whole, a part of it, its head, or the news that there is none.
 *
 * @param shown its header list and body in the coding that goes to this caller. @default its own
 */
export function respond(
  answer: StoredResponse,
  wishes: Wishes,
  method: 'GET' | 'HEAD',
  now: number,
  shown: Pick<StoredResponse, 'headers' | 'body'> = answer,
): Reply {
  if (wishes !== NO_WISHES) {
    const stored = shown === answer ? answer : { ...answer, headers: shown.headers, body: shown.body };
    // RFC 9110 §13.2.2: If-None-Match and If-Modified-Since are evaluated before Range with If-Range.
    if (isNotModified(stored, wishes, now)) return notModified(stored);
    if (method === 'GET' && wishes.range !== undefined && stored.status === 200) {
      const part = rangeApplies(stored, wishes.ifRange, now) ? partOf(stored, wishes.range) : undefined;
      if (part !== undefined) return part;
    }
  }
  // §9.3.2: HEAD is "identical to GET except that the server MUST NOT send content".
  return { status: answer.status, headers: shown.headers, body: method === 'HEAD' ? EMPTY : shown.body };
}

/** What describes bytes that are not sent. */
const OF_THE_CONTENT = [
  ...[
    'content-type',
    'content-encoding',
    'content-language',
    'content-length',
    'content-range',
    'accept-ranges',
  ],
  ...['content-md5', 'content-digest', 'repr-digest', 'digest', 'content-disposition'],
];
const NOT_IN_304: ReadonlySet<string> = new Set(OF_THE_CONTENT);
const NOT_IN_304_BESIDE_A_TAG: ReadonlySet<string> = new Set([...OF_THE_CONTENT, 'last-modified']);
/** An error about a range is neither to be kept by its freshness nor to be validated as the representation. */
const NOT_IN_416: ReadonlySet<string> = new Set([
  ...OF_THE_CONTENT,
  ...['etag', 'last-modified', 'expires', 'cache-control', 'cdn-cache-control', 'waygate-cache-control'],
]);

/**
 * RFC 9110 §15.4.5: "The server generating a 304 response MUST generate any of the following header fields that would
 * have been sent in a 200 (OK) response to the same request: Content-Location, Date, ETag, and Vary; Cache-Control and
 * Expires"; and "SHOULD NOT generate representation metadata other than the above listed fields unless said metadata
 * exists for the purpose of guiding cache updates (e.g., Last-Modified might be useful if the response does not have an
 * ETag field)". What is no metadata of the representation (CORS, totals, links) goes along.
 */
function notModified(stored: StoredResponse): Reply {
  const dropped = hasField(stored.headers, 'etag') ? NOT_IN_304_BESIDE_A_TAG : NOT_IN_304;
  return { status: 304, headers: withoutFields(stored.headers, dropped), body: EMPTY };
}

const REPLACED_IN_206: ReadonlySet<string> = new Set(['content-length', 'content-range']);

/** §15.3.7 and §15.5.17; undefined where the range is not understood, so that the whole answer goes out. */
function partOf(stored: StoredResponse, field: string): Reply | undefined {
  const length = stored.body.byteLength;
  const requested = parseRange(field, length);
  if (requested.kind === 'ignored') return undefined;
  if (requested.kind === 'unsatisfiable') {
    const headers = withoutFields(stored.headers, NOT_IN_416);
    // "A server that generates a 416 response to a byte-range request SHOULD generate a Content-Range header field
    // specifying the current length of the selected representation".
    headers.push('Content-Range', `bytes */${length}`, 'Content-Length', '0');
    return { status: 416, headers, body: EMPTY };
  }
  const { first, last } = requested.range;
  const headers = withoutFields(stored.headers, REPLACED_IN_206);
  headers.push(
    'Content-Range',
    `bytes ${first}-${last}/${length}`,
    'Content-Length',
    String(last - first + 1),
  );
  return { status: 206, headers, body: stored.body.subarray(first, last + 1) };
}
