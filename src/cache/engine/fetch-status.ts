import type { CacheStatus } from '../../http/cache-status.ts';
import type { CacheRequest } from '../http-cache.ts';
import { NOT_STORED_DETAILS, type ReuseDecision, STALE_DETAILS } from '../policy/index.ts';
import type { Awaitable, StoredResponse } from '../store.ts';
import { createCollapseKey, type FetchSpec } from './fetch-spec.ts';
import type { KeyMemos } from './key-memos.ts';

/**
 * Creates the `Cache-Status` of a response of the origin that is not stored, or not known to be stored.
 *
 * @param detail why it is not stored
 */
export function createUnstoredStatus(
  { forwardDetail, forwardReason }: FetchSpec,
  detail: string,
): CacheStatus {
  const isKnown = forwardDetail === undefined || forwardDetail === detail;
  return { fwd: forwardReason, detail: isKnown ? detail : `${forwardDetail}, ${detail}` };
}

/**
 * Creates the `Cache-Status` of a storable response.
 *
 * @param isStored what the store has returned. A promise, or undefined: the head is sent before that is known
 */
export function createStorableStatus(spec: FetchSpec, isStored: Awaitable<boolean> | undefined): CacheStatus {
  if (isStored !== true) {
    const { purged, storable } = NOT_STORED_DETAILS;
    return createUnstoredStatus(spec, isStored === false ? purged : storable);
  }
  const { forwardDetail, forwardReason } = spec;
  const status = { fwd: forwardReason, stored: true };
  return forwardDetail === undefined ? status : { ...status, detail: forwardDetail };
}

/** Explains to a client why it gets a stale response without waiting for the origin: the `detail` of `Cache-Status`. */
export function explainStale(
  decision: ReuseDecision,
  request: CacheRequest,
  stored: StoredResponse,
  { refreshBackoff }: KeyMemos,
): string {
  if (decision === 'stale') return STALE_DETAILS.maxStale;
  const isBackoff = refreshBackoff.get(createCollapseKey(request, stored.vary)) === true;
  return isBackoff ? STALE_DETAILS.refreshBackoff : STALE_DETAILS.whileRevalidate;
}
