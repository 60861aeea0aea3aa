import { splitNames } from '../../../base/glob.ts';
import { hasField, withoutFields } from '../../../base/http/fields.ts';
import type { StoredResponse } from '../store.ts';
import { isNotModified, isRangeApplicable, NO_REQUEST_DIRECTIVES, type RequestDirectives } from './reuse.ts';

/** Response without `Age` and `Cache-Status`. If sent in full, its headers are the stored list itself. */
export type ClientResponse = Pick<StoredResponse, 'status' | 'headers' | 'body'>;

const EMPTY = new Uint8Array(0);

/** Creates a client's response: the whole (200), a part (206), the head, 304 or 416. */
export function createClientResponse(
  response: StoredResponse,
  directives: RequestDirectives,
  method: 'GET' | 'HEAD',
  now: number,
  selected: Pick<StoredResponse, 'headers' | 'body'> = response,
): ClientResponse {
  if (directives !== NO_REQUEST_DIRECTIVES) {
    const stored = { ...response, headers: selected.headers, body: selected.body };
    // RFC 9110 §13.2.2: If-None-Match and If-Modified-Since come before Range.
    if (isNotModified(stored, directives, now)) return createNotModified(stored);
    if (method === 'GET' && directives.range !== undefined) {
      const isApplicable = stored.status === 200 && isRangeApplicable(stored, directives.ifRange);
      const part = isApplicable ? createPartial(stored, directives.range) : undefined;
      if (part !== undefined) return part;
    }
  }
  // §9.3.2: HEAD is "identical to GET except that the server MUST NOT send content".
  return {
    status: response.status,
    headers: selected.headers,
    body: method === 'HEAD' ? EMPTY : selected.body,
  };
}

const CONTENT_FIELDS = splitNames(
  `content-type content-encoding content-language content-length content-range accept-ranges content-md5 content-digest
  repr-digest digest content-disposition`,
);
const NOT_IN_304: ReadonlySet<string> = new Set(CONTENT_FIELDS);
const NOT_IN_304_WITH_ETAG: ReadonlySet<string> = new Set([...CONTENT_FIELDS, 'last-modified']);
const NOT_IN_416: ReadonlySet<string> = new Set([
  ...CONTENT_FIELDS,
  ...splitNames('etag last-modified expires cache-control cdn-cache-control waygate-cache-control'),
]);

/** RFC 9110 §15.4.5: a 304 repeats no representation metadata but validators. CORS, totals and links are none. */
function createNotModified(stored: StoredResponse): ClientResponse {
  const dropped = hasField(stored.headers, 'etag') ? NOT_IN_304_WITH_ETAG : NOT_IN_304;
  return { status: 304, headers: withoutFields(stored.headers, dropped), body: EMPTY };
}

const REPLACED_IN_206: ReadonlySet<string> = new Set(['content-length', 'content-range']);

function createPartial(stored: StoredResponse, field: string): ClientResponse | undefined {
  const length = stored.body.byteLength;
  const requested = resolveRange(field, length);
  if (requested === 'ignored') return undefined;
  if (requested === 'unsatisfiable') {
    const headers = withoutFields(stored.headers, NOT_IN_416);
    headers.push('Content-Range', `bytes */${length}`, 'Content-Length', '0');
    return { status: 416, headers, body: EMPTY };
  }
  const { first, last } = requested;
  const headers = withoutFields(stored.headers, REPLACED_IN_206);
  headers.push('Content-Range', `bytes ${first}-${last}/${length}`);
  headers.push('Content-Length', String(last - first + 1));
  return { status: 206, headers, body: stored.body.subarray(first, last + 1) };
}

/** Applies a `Range` field (RFC 9110 §14.2). Several ranges are ignored: small ones can attack (§17.15). */
export function resolveRange(
  field: string,
  length: number,
): Readonly<Record<'first' | 'last', number>> | 'ignored' | 'unsatisfiable' {
  const spec = /^bytes[ \t]*=[ \t]*(?:(\d+)[ \t]*)?-[ \t]*(\d*)$/i.exec(field.trim());
  if (spec === null) return 'ignored';
  const [, first = '', last = ''] = spec;
  if (first === '') {
    if (last === '') return 'ignored';
    // §14.1.2: a suffix longer than the representation means all of it. One of length 0 is unsatisfiable, as
    // is any of an empty representation.
    const suffix = Number(last);
    if (suffix === 0 || length === 0) return 'unsatisfiable';
    return { first: Math.max(0, length - suffix), last: length - 1 };
  }
  const from = Number(first);
  // "An int-range is invalid if the last-pos value is present and less than first-pos."
  if (last !== '' && Number(last) < from) return 'ignored';
  if (from >= length) return 'unsatisfiable';
  return { first: from, last: last === '' ? length - 1 : Math.min(Number(last), length - 1) };
}
