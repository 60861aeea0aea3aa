import type { ResponseHead } from '../../http/exchange.ts';
import { firstFieldValue, withoutFields } from '../../http/fields.ts';
import type { CacheRequest } from '../cache.ts';
import { type StoredResponseDraft, isErrorStatus, type NotStoredReason, type OriginResponse, evaluateStorability, parseVary } from '../policy/index.ts';
import type { StoredResponse } from '../store.ts';

/** Who may have an answer that has just begun to come in. */
export type Shareability =
  /** It is to be kept, for whoever asks. */
  | { readonly kind: 'stored'; readonly draft: StoredResponseDraft }
  /** Those who wait for it now, and nobody after them. */
  | { readonly kind: 'shared'; readonly detail: string }
  /** …those of them who sent the same conditions, which it is the answer to. */
  | { readonly kind: 'same-conditions'; readonly detail: string }
  /** The one who asked. */
  | { readonly kind: 'alone'; readonly detail: string };

/** What makes an answer one caller's own, whatever its status. */
const CLIENT_SPECIFIC_REASONS: ReadonlySet<NotStoredReason> = new Set([
  ...(['request-no-store', 'no-store', 'private', 'authorized', 'cookie', 'nonce', 'vary'] as const),
]);

/**
 * A site's fault is everybody's: those who wait need not each hear it from the site. What is wrong with a request is
 * that caller's own, unless it may be stored; so is what an answer says of their conditions.
 */
export function evaluateShareability(request: CacheRequest, received: OriginResponse, maxBytes: number): Shareability {
  const { head } = received;
  if (!request.isShareable(head)) return { kind: 'alone', detail: 'not-shared' };
  if ((parseContentLength(head) ?? 0) > maxBytes) return { kind: 'alone', detail: 'too-large' };
  const outcome = evaluateStorability(received);
  if (outcome.kind === 'storable') return { kind: 'stored', draft: outcome.draft };
  const { reason } = outcome;
  if (reason === 'not-modified') return { kind: 'same-conditions', detail: reason };
  return { kind: isErrorStatus(head.status) && !CLIENT_SPECIFIC_REASONS.has(reason) ? 'shared' : 'alone', detail: reason };
}

/** What the head says of the body's length; undefined where it says nothing that can be read. */
export function parseContentLength({ headers }: ResponseHead): number | undefined {
  const value = firstFieldValue(headers, 'content-length');
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** Whether an answer to one request would be the answer to another, as far as `Vary` goes. */
export function createVariantMatcher({ headers }: ResponseHead, one: CacheRequest): (other: CacheRequest) => boolean {
  const vary = parseVary(headers, one.ignoredVary) ?? [];
  if (vary.length === 0) return () => true;
  const variant = one.variant(vary);
  return (other) => other.variant(vary) === variant;
}

/** What is said of each answer as it goes out. */
const PER_RESPONSE_FIELDS: ReadonlySet<string> = new Set(['age', 'cache-status']);

/** An answer that goes to several callers, and into no store. */
export function toSharedResponse({ head, requestTime, responseTime }: OriginResponse, body: Uint8Array): StoredResponse {
  const { status } = head;
  const headers = withoutFields(head.headers, PER_RESPONSE_FIELDS);
  const times = { requestTime, responseTime, initialAge: 0, lifetime: 0 };
  const windows = { staleWhileRevalidate: 0, staleIfError: 0 };
  return { status, headers, body, variant: '', vary: [], ...times, ...windows, markedStale: false, tags: [] };
}

/** Statuses that say nothing of the resource, so that what is stored of it may stay. */
const TRANSIENT_STATUSES = new Set([304, 408, 425, 429]);

/** Whether an answer that is not kept makes void the one that it was to confirm. */
export function replacesStored({ status }: ResponseHead): boolean {
  return status < 500 && !TRANSIENT_STATUSES.has(status);
}
