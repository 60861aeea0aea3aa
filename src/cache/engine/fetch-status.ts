import type { CacheStatus } from '../../http/cache-status.ts';
import { NOT_STORED_DETAILS } from '../policy/index.ts';
import type { Awaitable } from '../store.ts';
import type { FetchSpec } from './fetch-spec.ts';

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
