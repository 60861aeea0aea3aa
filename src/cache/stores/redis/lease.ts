import type { Lease } from '../../store.ts';
import { EXTEND_LEASE, RELEASE_LEASE } from './scripts.ts';
import type { RedisSession } from './session.ts';

export interface RedisLeaseOptions {
  readonly session: RedisSession | undefined;
  readonly name: string;
  /** Tells this holder from others. */
  readonly token: string;
  /** How long it may be held. */
  readonly milliseconds: number;
  readonly clock: { now(): number; after(delay: number, task: () => void): () => void };
}

/** A lease that its holder does not extend is over after this time: it may be dead, or have lost its connection. */
const TERM = 1500;
const EXTENDED_EVERY = 500;

/** Where there is nobody to ask, everyone may. */
const FREE: Lease = { release() {} };

/** Leave to ask the site for a key, extended for as long as it is held; `null` where another gateway has it. */
export async function acquireRedisLease(options: RedisLeaseOptions): Promise<Lease | null> {
  const { session, name, token, milliseconds, clock } = options;
  if (session === undefined) return FREE;
  const until = clock.now() + milliseconds;
  const term = (): number => Math.min(TERM, until - clock.now());
  try {
    if (!(await session.setIfAbsent(name, token, Math.max(1, term())))) return null;
  } catch {
    return FREE;
  }
  let held = true;
  let cancel = (): void => {};
  const extendLater = (): void => {
    if (!held) return;
    cancel = clock.after(EXTENDED_EVERY, () => {
      if (term() <= 0) return;
      session.runScript(EXTEND_LEASE, [name], [token, String(term())]).then(extendLater, () => {});
    });
  };
  extendLater();
  return {
    release() {
      if (!held) return;
      held = false;
      cancel();
      session.runScript(RELEASE_LEASE, [name], [token]).catch(() => {});
    },
  };
}
