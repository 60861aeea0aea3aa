import type { Clock, Log } from '../../ports.ts';
import type { OperationKey } from '../../validation/evidence/evidence.ts';

/** Counts requests that would block the event loop for too long if they were validated. */
export interface TooComplexRequests {
  /** Since the start. */
  readonly total: number;
  count(operation: OperationKey & { readonly operationId: string }, isRefused: boolean): void;
}

/** Milliseconds between two lines in the log. */
const LOG_INTERVAL = 60_000;

export function createTooComplexRequests(log: Log, clock: Clock, siteName: string): TooComplexRequests {
  let total = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  return {
    get total() {
      return total;
    },
    count({ operationId, method, route }, isRefused) {
      total += 1;
      if (clock.now() - loggedAt < LOG_INTERVAL) return;
      loggedAt = clock.now();
      log.warn(
        { site: siteName, operation: operationId, method, route, total },
        isRefused
          ? 'a request is too complex to be validated: it is refused'
          : 'a request is too complex to be validated: it is forwarded without validation',
      );
    },
  };
}
