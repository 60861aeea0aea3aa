import type { Clock, Log } from '../../../ports.ts';
import type { PurgeOperation } from './codec.ts';
import { InstanceRegistry } from './instance-registry.ts';
import { InvalidationFeed, type InvalidationFeedOptions } from './invalidation-feed.ts';
import { PurgePublisher } from './purge-publisher.ts';
import { openRedisSession, type RedisSession } from './session.ts';

export interface RedisConnectionOptions
  extends Pick<InvalidationFeedOptions, 'onPurge' | 'onMissedPurges' | 'keys'> {
  readonly url: string;
  /** Milliseconds for a command. */
  readonly timeout: number;
  /** Milliseconds between two requests for missed purges, and before the next attempt to connect. */
  readonly heartbeatInterval: number;
  /** Milliseconds for which the memory store may be used after the feed's last confirmation. */
  readonly maxStaleness: number;
  /** Milliseconds for which the other instances wait for one that is cut off. */
  readonly forgetInstanceAfter: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly generateId: () => string;
}

/** Milliseconds after a failure in which Redis is not read: the other instances publish their pending purges then. */
const GRACE_PERIOD = 1000;

/** Milliseconds without a heartbeat after which the others count this instance as lost. */
const INSTANCE_LEASE = 1000;

/**
 * The connection to Redis. It is reopened until it succeeds.
 *
 * Published messages deliver the purges of other instances. A request every `heartbeatInterval` fetches those that were missed,
 * and every reply of Redis confirms the last purge. The memory store is current for `maxStaleness` after the last
 * confirmation. An instance that cannot publish a purge publishes it before it reads anything. Until then the others read
 * nothing: they have lost Redis too, and read nothing for {@link GRACE_PERIOD} after it, or they find this instance lost
 * (`InstanceRegistry`). The purge completes when each of them must have noticed.
 */
export class RedisConnection {
  readonly feed: InvalidationFeed;
  readonly #options: RedisConnectionOptions;
  readonly #publisher: PurgePublisher;
  readonly #instances: InstanceRegistry;
  #session: RedisSession | undefined;
  #isClosed = false;
  #isFailing = false;
  #downSince: number | undefined;
  #graceUntil = Number.NEGATIVE_INFINITY;
  /** Cancels the next heartbeat or attempt to connect. */
  #cancelTimer = (): void => {};

  constructor(options: RedisConnectionOptions) {
    const { clock, keys, log, onMissedPurges, onPurge, generateId } = options;
    const instanceId = generateId();
    this.#options = options;
    this.feed = new InvalidationFeed({ instanceId, keys, clock, onMissedPurges, onPurge });
    const { feed } = this;
    this.#publisher = new PurgePublisher({ instanceId, keys, feed, now: clock.now });
    this.#instances = new InstanceRegistry({
      instanceId,
      keys,
      feed,
      clock,
      log,
      leaseDuration: INSTANCE_LEASE,
      forgetAfter: options.forgetInstanceAfter,
    });
  }

  get session(): RedisSession | undefined {
    return this.#session;
  }

  /** Whether this instance knows every purge that another has completed. */
  get knowsAllPurges(): boolean {
    return this.isReadable && this.feed.isConfirmedWithin(this.#options.maxStaleness);
  }

  /** Whether responses in Redis may be used. */
  get isReadable(): boolean {
    // A purge that is being published does not prevent it: Redis runs a later read after it.
    const { clock, maxStaleness } = this.#options;
    return (
      this.#session !== undefined &&
      clock.now() >= this.#graceUntil &&
      this.#instances.isCompleteWithin(maxStaleness)
    );
  }

  /** Changes with every purge. A read during which it changes must be repeated. */
  get purgeVersion(): string {
    const { epoch, seq } = this.feed.position ?? { epoch: '', seq: 0 };
    return `${epoch} ${seq} ${this.#publisher.purgeCount}`;
  }

  /** Opens the first session. After a failure, attempts continue in the background. */
  start(): Promise<void> {
    return this.#open();
  }

  /** Resolves when all other instances know the purge, or no longer consider their memory stores current. */
  async purge(purge: PurgeOperation): Promise<void> {
    this.#publisher.add(purge);
    const { clock, maxStaleness, heartbeatInterval } = this.#options;
    const start = this.#downSince ?? clock.now();
    const session = this.#session;
    if (session !== undefined && (await this.#publish(session, purge))) return;
    // The others notice when the lease of this instance expires, or when their confirmation does.
    const wait = start + INSTANCE_LEASE + maxStaleness + heartbeatInterval - clock.now();
    if (wait > 0 && !this.#isClosed) await new Promise<void>((resolve) => clock.after(wait, resolve));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer();
    const session = this.#session;
    this.#session = undefined;
    if (session === undefined) return;
    // The others must wait for an instance whose purges are not published.
    if (!this.#publisher.hasPending) await this.#instances.remove(session);
    session.close();
  }

  async #open(): Promise<void> {
    const { url, timeout, keys, clock } = this.#options;
    let isLost = false;
    let opened: RedisSession | undefined;
    try {
      opened = await openRedisSession({
        url,
        timeout,
        channel: keys.purgeChannel,
        after: clock.after,
        onMessage: (message) => this.feed.applyMessage(message),
        onLost: (cause) => {
          isLost = true;
          if (opened !== undefined && opened === this.#session) this.#handleFailure(cause);
        },
      });
      // Only an instance that has published and received all purges may read.
      await this.feed.open(opened);
      await this.#publisher.publishPending(opened);
      await this.feed.catchUp(opened);
      await this.#instances.renew(opened);
      if (isLost) throw new Error('the connection was lost');
      if (this.#isClosed) return opened.close();
      this.#use(opened);
    } catch (cause) {
      opened?.close();
      this.#handleFailure(cause);
    }
  }

  #use(session: RedisSession): void {
    const { clock, log } = this.#options;
    this.#session = session;
    this.#downSince = undefined;
    if (this.#isFailing) {
      this.#graceUntil = clock.now() + GRACE_PERIOD;
      log.info({}, 'the connection to the shared cache store is restored');
    }
    this.#isFailing = false;
    this.#scheduleHeartbeat();
  }

  #handleFailure(cause: unknown): void {
    this.#session?.close();
    this.#session = undefined;
    this.feed.unconfirm();
    if (this.#isClosed) return;
    const { clock, heartbeatInterval, log } = this.#options;
    this.#downSince ??= clock.now();
    if (!this.#isFailing) {
      const message = 'the shared cache store is not reachable: responses come from the sites';
      log.warn({ cause: toMessage(cause) }, message);
    }
    this.#isFailing = true;
    this.#cancelTimer();
    this.#cancelTimer = clock.after(heartbeatInterval, () => void this.#open());
  }

  #scheduleHeartbeat(): void {
    const { clock, heartbeatInterval } = this.#options;
    this.#cancelTimer = clock.after(heartbeatInterval, async () => {
      const session = this.#session;
      if (session === undefined) return;
      try {
        await Promise.all([this.feed.catchUp(session), this.#instances.renew(session)]);
        if (session === this.#session) this.#scheduleHeartbeat();
      } catch (cause) {
        if (session === this.#session) this.#handleFailure(cause);
      }
    });
  }

  async #publish(session: RedisSession, purge: PurgeOperation): Promise<boolean> {
    try {
      await this.#publisher.publish(session, purge);
      return true;
    } catch (cause) {
      if (session === this.#session) this.#handleFailure(cause);
      return false;
    }
  }
}

/** Socket errors name the server's host and port; no error contains the credentials of the URL. */
function toMessage(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
