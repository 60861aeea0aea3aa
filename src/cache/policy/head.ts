import { firstValue } from '../../http/fields.ts';
import type { StoredResponse } from '../store.ts';
import type { Received } from './received.ts';
import { freshened } from './revalidation.ts';

/**
 * What becomes of a stored GET answer when the site has answered a HEAD that could have selected it; the same object
 * where nothing does. RFC 9111 §4.3.5: "When a cache makes an inbound HEAD request for a target URI and receives a 200
 * (OK) response, the cache SHOULD update or invalidate each of its stored GET responses that could have been chosen for
 * that request. For each of the stored responses that could have been chosen, if the stored response and HEAD response
 * have matching values for any received validator fields (Last-Modified and ETag) and, if the HEAD response has a
 * Content-Length header field, the value of Content-Length matches that of the stored response, the cache SHOULD update
 * the stored response as described below; otherwise, the cache SHOULD consider the stored response to be stale."
 */
export function afterHead(stored: StoredResponse, received: Received): StoredResponse {
  const { status, headers } = received.head;
  if (status !== 200) return stored;
  if (stored.status !== 200 || !COMPARED.every((name) => agrees(stored.headers, headers, name)))
    return stale(stored);
  const { answer, keep } = freshened(stored, received);
  return keep ? answer : stale(stored);
}

const COMPARED = ['etag', 'last-modified', 'content-length'];

function agrees(stored: readonly string[], received: readonly string[], name: string): boolean {
  const value = firstValue(received, name);
  return value === undefined || value === firstValue(stored, name);
}

function stale(stored: StoredResponse): StoredResponse {
  return { ...stored, purged: true };
}
