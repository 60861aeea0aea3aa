import { LRUCache } from 'lru-cache';
import type { Clock } from '../../ports.ts';

/** Milliseconds for which failed sign-ins count. */
const WINDOW = 15 * 60 * 1000;
/** Failed sign-ins of one client within {@link WINDOW}. */
const MAX_PER_CLIENT = 10;
/** Failed sign-ins of all clients within {@link WINDOW}. */
const MAX_TOTAL = 100;

/** Limits failed sign-ins. */
export interface SignInLimit {
  /**
   * Counts an attempt before it is checked, so that concurrent ones count too.
   *
   * @param network addresses of one network count as one client
   * @returns seconds until the next attempt, or 0 if this one is allowed
   */
  begin(network: string): number;
  /** Uncounts an attempt that succeeded. */
  succeed(network: string): void;
}

interface Attempts {
  count: number;
  /** When the first of them was made. */
  readonly since: number;
}

export function createSignInLimit(clock: Pick<Clock, 'now'>): SignInLimit {
  // No more networks than attempts are within a window.
  const byNetwork = new LRUCache<string, Attempts>({ max: MAX_TOTAL });
  let all: Attempts = { count: 0, since: 0 };
  const current = (attempts: Attempts | undefined, now: number): Attempts =>
    attempts === undefined || now - attempts.since >= WINDOW ? { count: 0, since: now } : attempts;

  return {
    begin(network) {
      const now = clock.now();
      all = current(all, now);
      const own = current(byNetwork.get(network), now);
      const exceeded = own.count >= MAX_PER_CLIENT ? own : all.count >= MAX_TOTAL ? all : null;
      if (exceeded !== null) return Math.ceil((exceeded.since + WINDOW - now) / 1000);
      own.count += 1;
      all.count += 1;
      byNetwork.set(network, own);
      return 0;
    },
    succeed(network) {
      const own = byNetwork.get(network);
      if (own !== undefined) own.count = Math.max(0, own.count - 1);
      all.count = Math.max(0, all.count - 1);
    },
  };
}
