import { splitNames } from '../../glob.ts';
import { formatHttpDate } from '../../http/date.ts';
import { isWeakEntityTag, isWeakMatch } from '../../http/entity-tag.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { firstFieldValue, hasField, listFieldNames, withoutFields } from '../../http/fields.ts';
import type { StoredResponse } from '../store.ts';
import {
  applySoftPurge,
  createStoredResponse,
  evaluateStorability,
  isOwnEntityTag,
  NO_WINDOWS,
  type OriginResponse,
  type StorageRefusal,
} from './storability.ts';

/**
 * Creates the conditional fields of a revalidation request, as a flat list with the validators of the origin. The
 * list is empty if the stored response has no validator; the request is then unconditional.
 *
 * RFC 9111 §4.3.1: "a cache MUST send the relevant entity tags (using If-Match, If-None-Match, or If-Range) if the entity
 * tags were provided in the stored response(s) being validated", and "SHOULD send the Last-Modified value".
 *
 * A response that was purged softly is requested whole, which is no validation: WordPress takes both validators of a feed from the
 * time of its last post (`WP::send_headers()`), so it responds with 304 after a change of anything else.
 */
export function createRevalidationConditions(stored: StoredResponse): readonly string[] {
  if (stored.isSoftPurged) return [];
  const conditions: string[] = [];
  const etag = firstFieldValue(stored.headers, 'etag');
  if (etag !== undefined && !isOwnEntityTag(etag)) conditions.push('If-None-Match', etag);
  const lastModified = firstFieldValue(stored.headers, 'last-modified');
  if (lastModified !== undefined) conditions.push('If-Modified-Since', lastModified);
  return conditions;
}

/**
 * Whether a 304 confirms the stored response whose validators were sent. If it does not, the request must be forwarded
 * again without conditions.
 *
 * RFC 9111 §4.3.4: "If the new response contains one or more strong validators, then each of those strong validators
 * identifies a selected representation for update […]. If none of the initial set contains at least one of the same
 * strong validators, then the cache MUST NOT use the new response to update any stored responses"; with weak validators,
 * "the most recent of those matching"; without validators, the only stored response of the request.
 */
export function matchesValidators(head: ResponseHead, stored: StoredResponse): boolean {
  const etag = firstFieldValue(head.headers, 'etag');
  const storedEtag = firstFieldValue(stored.headers, 'etag');
  if (etag !== undefined && (storedEtag !== undefined || !isWeakEntityTag(etag))) {
    return storedEtag !== undefined && isWeakMatch(etag, storedEtag);
  }
  if (etag !== undefined) return true;
  const lastModified = firstFieldValue(head.headers, 'last-modified');
  const storedLastModified = firstFieldValue(stored.headers, 'last-modified');
  return (
    lastModified === undefined || storedLastModified === undefined || lastModified === storedLastModified
  );
}

/** A stored response updated with the fields of a 304, or of a 200 to HEAD. */
export interface FreshenResult {
  readonly response: StoredResponse;
  /**
   * Why the updated response must not be stored and shared. Only the client of this request may then get it, and the old
   * stored response must be purged. Undefined if it may be stored.
   */
  readonly refusal: StorageRefusal | undefined;
}

/** Updates a stored response with the fields of `response`, and recalculates its times (RFC 9111 §4.3.4). */
export function freshenStoredResponse(stored: StoredResponse, response: OriginResponse): FreshenResult {
  const headers = updateFields(stored.headers, response);
  const head = { status: stored.status, reason: '', headers };
  const storability = evaluateStorability({ ...response, head }, 'GET');
  if (storability.kind === 'storable') {
    const { draft } = storability;
    return { response: createStoredResponse(draft, draft.headers, stored.body, stored), refusal: undefined };
  }
  const { requestTime, responseTime } = response;
  const times = { requestTime, responseTime, initialAge: 0, freshnessLifetime: 0 };
  return { response: { ...stored, headers, ...times, ...NO_WINDOWS }, refusal: storability.refusal };
}

/**
 * §3.2: "the cache MUST add each header field in the provided response to the stored response, replacing field values
 * that are already present, with the following exceptions: Header fields excluded from storage in Section 3.1, Header
 * fields that the cache's stored response depends upon, […] Header fields that are automatically processed and removed
 * by the recipient, […] and The Content-Length header field." The stored body keeps its content coding, and its tags the fields
 * that name them.
 */
const NOT_UPDATED_FIELDS: ReadonlySet<string> = new Set(
  splitNames('content-length content-encoding content-range surrogate-key cache-tag'),
);

function updateFields(
  storedHeaders: readonly string[],
  { head, responseTime }: OriginResponse,
): readonly string[] {
  const updates = withoutFields(head.headers, NOT_UPDATED_FIELDS);
  // The stored Date would make the freshened response as old as before.
  if (!hasField(updates, 'date')) updates.push('Date', formatHttpDate(responseTime));
  return [...withoutFields(storedHeaders, new Set(listFieldNames(updates))), ...updates];
}

/**
 * Updates a stored GET response after the origin's response to a HEAD for the same variant.
 *
 * RFC 9111 §4.3.5: "When a cache makes an inbound HEAD request for a target URI and receives a 200 (OK) response, the
 * cache SHOULD update or invalidate each of its stored GET responses that could have been chosen for that request. For
 * each of the stored responses that could have been chosen, if the stored response and HEAD response have matching
 * values for any received validator fields (Last-Modified and ETag) and, if the HEAD response has a Content-Length header
 * field, the value of Content-Length matches that of the stored response, the cache SHOULD update the stored response as
 * described below; otherwise, the cache SHOULD consider the stored response to be stale."
 *
 * @returns `stored` itself if nothing changes
 */
export function updateFromHead(stored: StoredResponse, response: OriginResponse): StoredResponse {
  const { status, headers } = response.head;
  if (status !== 200) return stored;
  const isSame = COMPARED_FIELDS.every((name) => matchesIfPresent(stored.headers, headers, name));
  if (stored.status !== 200 || !isSame) return applySoftPurge(stored, response.responseTime);
  const freshened = freshenStoredResponse(stored, response);
  return freshened.refusal === undefined ? freshened.response : applySoftPurge(stored, response.responseTime);
}

const COMPARED_FIELDS = ['etag', 'last-modified', 'content-length'];

function matchesIfPresent(
  storedHeaders: readonly string[],
  headers: readonly string[],
  name: string,
): boolean {
  const value = firstFieldValue(headers, name);
  return value === undefined || value === firstFieldValue(storedHeaders, name);
}
