import { formatHttpDate } from '../../http/date.ts';
import { isWeak, weakMatch } from '../../http/entity-tag.ts';
import { firstValue, hasField, withoutFields } from '../../http/fields.ts';
import type { StoredResponse } from '../store.ts';
import type { Received } from './received.ts';
import { storable } from './storable.ts';

/**
 * The conditions of a revalidation, flat list; empty where the answer has no validator, and the site is asked as for a
 * new one. RFC 9111 §4.3.1: "a cache MUST send the relevant entity tags (using If-Match, If-None-Match, or If-Range) if
 * the entity tags were provided in the stored response(s) being validated", and "SHOULD send the Last-Modified value".
 * Both as the site wrote them.
 */
export function revalidationConditions(stored: StoredResponse): readonly string[] {
  const conditions: string[] = [];
  const tag = firstValue(stored.headers, 'etag');
  if (tag !== undefined) conditions.push('If-None-Match', tag);
  const modified = firstValue(stored.headers, 'last-modified');
  if (modified !== undefined) conditions.push('If-Modified-Since', modified);
  return conditions;
}

/**
 * Whether a 304 speaks of this stored answer, whose conditions were sent. §4.3.4: "If the new response contains one or
 * more strong validators, then each of those strong validators identifies a selected representation for update […]. If
 * none of the initial set contains at least one of the same strong validators, then the cache MUST NOT use the new
 * response to update any stored responses"; with weak ones, "the most recent of those matching"; with none, the only one
 * that was asked about. Where it does not, the site has to be asked again without conditions.
 */
export function confirms(head: Received['head'], stored: StoredResponse): boolean {
  const tag = firstValue(head.headers, 'etag');
  const held = firstValue(stored.headers, 'etag');
  if (tag !== undefined && (held !== undefined || !isWeak(tag))) {
    return held !== undefined && weakMatch(tag, held);
  }
  const modified = firstValue(head.headers, 'last-modified');
  const heldModified = firstValue(stored.headers, 'last-modified');
  return (
    tag !== undefined || modified === undefined || heldModified === undefined || modified === heldModified
  );
}

/** What a confirmation makes of a stored answer. */
export interface Freshened {
  readonly answer: StoredResponse;
  /** Whether it may be kept and given to others. Else it is for this caller alone, and the old one is to be removed. */
  readonly keep: boolean;
}

/**
 * §3.2: "the cache MUST add each header field in the provided response to the stored response, replacing field values
 * that are already present, with the following exceptions: Header fields excluded from storage in Section 3.1, Header
 * fields that the cache's stored response depends upon, […] Header fields that are automatically processed and removed
 * by the recipient, […] and The Content-Length header field." The body that is here stays coded as it is.
 */
const KEPT_ON_UPDATE: ReadonlySet<string> = new Set(['content-length', 'content-encoding', 'content-range']);

/** The stored answer with the fields of a 304, or of a 200 to HEAD, and its times counted anew (§4.3.4). */
export function freshened(stored: StoredResponse, received: Received): Freshened {
  const headers = updatedFields(stored.headers, received);
  const outcome = storable({
    ...received,
    method: 'GET',
    head: { status: stored.status, reason: '', headers },
  });
  if (outcome.kind === 'store') {
    return { answer: { ...outcome.draft, body: stored.body, tags: stored.tags }, keep: true };
  }
  const { requestTime, responseTime } = received;
  const answer = { ...stored, headers, requestTime, responseTime, initialAge: 0, lifetime: 0 };
  return { answer: { ...answer, staleWhileRevalidate: 0, staleIfError: 0 }, keep: false };
}

function updatedFields(held: readonly string[], { head, responseTime }: Received): readonly string[] {
  const news = withoutFields(head.headers, KEPT_ON_UPDATE);
  // An old date would say that the confirmation is as old as what it confirms.
  if (!hasField(news, 'date')) news.push('Date', formatHttpDate(responseTime));
  const replaced = new Set<string>();
  for (let at = 0; at + 1 < news.length; at += 2) replaced.add((news[at] ?? '').toLowerCase());
  return [...withoutFields(held, replaced), ...news];
}
