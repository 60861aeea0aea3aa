import type { Clock } from '../../../ports.ts';
import type { Lease } from '../../store.ts';
import { EXTEND_LEASE, RELEASE_LEASE } from './lease-scripts.ts';
import type { RedisSession } from './session.ts';

export interface RedisLeaseOptions {
  /** Undefined while there is no connection. */
  readonly session: RedisSession | undefined;
  readonly leaseKey: string;
  /** Identifies this holder. */
  readonly token: string;
  /** Milliseconds after which the lease ends. */
  readonly maxDuration: number;
  readonly clock: Clock;
}

/** A lease expires in Redis after this time unless it is extended: its holder may have crashed or lost its connection. */
const EXPIRY = 1500;
const EXTENSION_INTERVAL = 500;

/** Granted without coordination when Redis is not reachable. */
const UNCOORDINATED_LEASE: Lease = { release() {} };

/**
 * Acquires the right to fetch a key from the site, and extends it until it is released.
 *
 * @returns `null` when another gateway holds the lease
 */
export async function acquireRedisLease(options: RedisLeaseOptions): Promise<Lease | null> {
  const { session, leaseKey, token, maxDuration, clock } = options;
  if (session === undefined) return UNCOORDINATED_LEASE;
  const end = clock.now() + maxDuration;
  const expiry = (): number => Math.min(EXPIRY, end - clock.now());
  try {
    if (!(await session.setIfAbsent(leaseKey, token, Math.max(1, expiry())))) return null;
  } catch {
    return UNCOORDINATED_LEASE;
  }
  let isHeld = true;
  let cancel = (): void => {};
  const scheduleExtension = (): void => {
    if (!isHeld) return;
    cancel = clock.after(EXTENSION_INTERVAL, () => {
      if (expiry() <= 0) return;
      session
        .runScript(EXTEND_LEASE, [leaseKey], [token, String(expiry())])
        .then(scheduleExtension, () => {});
    });
  };
  scheduleExtension();
  return {
    release() {
      if (!isHeld) return;
      isHeld = false;
      cancel();
      session.runScript(RELEASE_LEASE, [leaseKey], [token]).catch(() => {});
    },
  };
}
