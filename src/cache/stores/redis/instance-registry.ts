import type { Clock, Log } from '../../../ports.ts';
import { REMOVE_INSTANCE, RENEW_INSTANCE } from './instance-scripts.ts';
import type { InvalidationFeed } from './invalidation-feed.ts';
import type { RedisKeys } from './keys.ts';
import type { RedisSession } from './session.ts';

export interface InstanceRegistryOptions {
  readonly instanceId: string;
  readonly keys: RedisKeys;
  readonly feed: InvalidationFeed;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  /** Milliseconds after which an instance that has not renewed its lease is lost. */
  readonly leaseDuration: number;
  /** Milliseconds after which a lost instance is forgotten. */
  readonly forgetAfter: number;
}

/**
 * The instances of the gateway that share one Redis, each with a lease.
 *
 * An instance that is cut off from Redis cannot publish what its writes purge. Its lease expires then, and no instance uses
 * stored responses until it is back and has published its purges, or has signed off, or is forgotten. When it is forgotten,
 * everything stored before counts as purged.
 */
export class InstanceRegistry {
  readonly #options: InstanceRegistryOptions;
  /** When the request was sent whose reply showed that no instance was lost. */
  #completeAt = Number.NEGATIVE_INFINITY;
  #isOneLost = false;

  constructor(options: InstanceRegistryOptions) {
    this.#options = options;
  }

  /** Whether no instance was lost within the last `milliseconds`, as far as Redis knows. */
  isCompleteWithin(milliseconds: number): boolean {
    const elapsed = this.#options.clock.now() - this.#completeAt;
    return elapsed >= 0 && elapsed <= milliseconds;
  }

  /** Renews the lease of this instance. Called only after its purges are published. */
  async renew(session: RedisSession): Promise<void> {
    const { clock, feed, forgetAfter, instanceId, keys, leaseDuration } = this.#options;
    const sentAt = clock.now();
    const reply = await session.runScript(
      RENEW_INSTANCE,
      [...keys.purgeStateKeys, keys.instancesKey],
      [session.runId, instanceId, String(leaseDuration), String(forgetAfter)],
    );
    const [lost] = feed.applyReply(reply, sentAt)?.values ?? [];
    const isOneLost = lost === undefined || new TextDecoder().decode(lost) !== '0';
    this.#completeAt = isOneLost ? Number.NEGATIVE_INFINITY : sentAt;
    if (isOneLost !== this.#isOneLost) this.#logChange(isOneLost);
    this.#isOneLost = isOneLost;
  }

  #logChange(isOneLost: boolean): void {
    const { forgetAfter, log } = this.#options;
    if (isOneLost) {
      const message =
        'a gateway that shares the cache store is cut off from it: responses come from the sites';
      log.warn({ forgottenAfter: forgetAfter }, message);
    } else {
      log.info({}, 'no gateway that shares the cache store is cut off from it any more');
    }
  }

  /** Removes this instance, so that the others do not wait for it. */
  async remove(session: RedisSession): Promise<void> {
    const { instanceId, keys } = this.#options;
    await session.runScript(REMOVE_INSTANCE, [keys.instancesKey], [instanceId]).catch(() => {});
  }
}
