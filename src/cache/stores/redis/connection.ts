import { ErrorReply } from '@redis/client';
import type { RedisOptions } from '../../../config/option-types.ts';
import { messageOf } from '../../../errors.ts';
import type { Clock, Log } from '../../../ports.ts';
import type { PurgeMode, PurgeSelection, SharedStoreState, StoreReport } from '../../store.ts';
import type { MemoryStore } from '../memory-store.ts';
import {
  encodeAcknowledgement,
  encodePurgeMessage,
  type PurgeOperation,
  type PurgePosition,
  parsePurgeMessage,
  toPurgedName,
} from './codec.ts';
import { type FeedReply, PurgeFeed } from './purge-feed.ts';
import { createRedisKeys, OPEN_EPOCH, RECORD_PURGE, RENEW_INSTANCE, type RedisKeys } from './scripts.ts';
import { RedisSession, toReplyText } from './session.ts';

export interface RedisTierOptions {
  readonly servers: RedisOptions;
  /** Prefix of every key and of the channel. Gateways with the same prefix share their responses. @default 'waygate:' */
  readonly prefix?: string;
  /** Milliseconds for a command. After that, Redis is treated as not reachable. @default 250 */
  readonly timeout?: number;
  /**
   * Milliseconds for which a gateway can use its memory store without confirmation from Redis that it has missed no
   * purge. @default 500
   */
  readonly maxStaleness?: number;
  /**
   * Milliseconds for which a gateway can use its memory store without confirmation while it cannot reach Redis. In this time
   * writes through other gateways are not noticed. @default 0
   */
  readonly maxAway?: number;
  /**
   * Milliseconds for which no stored response is used because another gateway has lost its connection to Redis without
   * having stopped. Then that gateway is forgotten. @default 30_000
   */
  readonly forgetInstanceAfter?: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Identifies this gateway to the others, in the form of `generateId`. @default a new identifier */
  readonly gatewayId?: string | undefined;
  /** Returns a new identifier for each call: letters, digits and hyphens. */
  readonly generateId: () => string;
  /** Called with the time of each reply. @default nothing is done */
  readonly onReply?: (milliseconds: number) => void;
}

/** The options with their defaults, and the store in front of Redis. */
interface RedisConnectionOptions extends Required<RedisTierOptions> {
  readonly gatewayId: string;
  readonly memory: MemoryStore;
}

/** Milliseconds between two renewals of the lease, and before the next attempt to connect. */
const HEARTBEAT_INTERVAL = 100;

/** Milliseconds after a failure in which Redis is not read: the other gateways publish their pending purges then. */
const GRACE_PERIOD = 1000;

/** Milliseconds without a heartbeat after which the others count this gateway as lost. */
const INSTANCE_LEASE = 1000;

/** More unpublished purges than this are replaced by one purge of everything. */
const MAX_UNPUBLISHED = 1000;

/** Stands for gateways that Redis can have lost. It acknowledges nothing. */
const UNKNOWN_GATEWAY = '';

/**
 * The connection to Redis. It is reopened until it succeeds.
 *
 * docs/internals/redis-protocol.md says how gateways agree on purges, and which faults that survives.
 */
export class RedisConnection {
  readonly feed: PurgeFeed;
  readonly keys: RedisKeys;
  session: RedisSession | undefined;
  protected readonly options: RedisConnectionOptions;
  protected isClosed = false;
  /** Number of purges of this gateway, published or not. */
  #purgeCount = 0;
  /** Purges of this gateway, in their order, that are not known to be published. */
  readonly #unpublished = new Set<PurgeOperation>();
  /** The last purge that each other gateway has applied. */
  readonly #acknowledged = new Map<string, PurgePosition>();
  /** Called with each acknowledgement. */
  readonly #waiting = new Set<() => void>();
  /** When the request was sent whose reply showed that no gateway was lost. */
  #completeAt = Number.NEGATIVE_INFINITY;
  /** When the lease of this gateway was renewed last, or might have been. It ends {@link INSTANCE_LEASE} later at the latest. */
  #renewedAt = Number.NEGATIVE_INFINITY;
  /** The session in which it was renewed last. */
  #registeredIn: RedisSession | undefined;
  #isOneLost = false;
  #downSince: number | undefined;
  #losses = 0;
  /** When the last request was sent whose reply showed, before the failure, that no purge was missing. */
  #knownAt = Number.NEGATIVE_INFINITY;
  #mayEvictPurges = false;
  /** The state that was logged last. */
  #loggedState: SharedStoreState = 'connected';
  /** The error of Redis that was logged last, by its first word, such as `WRONGPASS`. */
  #loggedError = '';
  readonly #loggedWarnings = new Set<string>();
  #graceUntil = Number.NEGATIVE_INFINITY;
  /** Cancels the next heartbeat or attempt to connect. */
  #cancelTimer = (): void => {};

  constructor(options: RedisConnectionOptions) {
    this.keys = createRedisKeys(options.prefix);
    this.options = options;
    this.feed = new PurgeFeed(options, this.keys);
  }

  /** Whether this gateway knows every purge that another has completed, or can use its memory store without. */
  get mayUseMemory(): boolean {
    return this.isReadable ? this.#isCurrent(this.feed.confirmedAt) : this.#sharedState === 'memory';
  }

  get #sharedState(): SharedStoreState {
    if (this.isReadable) return 'connected';
    const { clock, maxAway } = this.options;
    return this.#downSince !== undefined && clock.now() - this.#knownAt <= maxAway ? 'memory' : 'bypassed';
  }

  protected get sharedReport(): NonNullable<StoreReport['shared']> {
    return { state: this.#sharedState, mayEvictPurges: this.#mayEvictPurges, losses: this.#losses };
  }

  get isReadable(): boolean {
    // A purge that is being published does not prevent it: Redis runs a later read after it.
    return (
      this.session !== undefined &&
      this.#downSince === undefined &&
      this.options.clock.now() >= this.#graceUntil &&
      this.#isCurrent(this.#completeAt)
    );
  }

  /** Whether what Redis has shown at a time still holds. */
  #isCurrent(time: number): boolean {
    const elapsed = this.options.clock.now() - time;
    return elapsed >= 0 && elapsed <= this.options.maxStaleness;
  }

  /** Changes with every purge. A read during which it changes must be repeated. */
  get purgeVersion(): string {
    const { epoch, seq } = this.feed.position ?? { epoch: '', seq: 0 };
    return `${epoch} ${seq} ${this.#purgeCount}`;
  }

  /** Opens a session. After a failure, attempts continue in the background. */
  async open(): Promise<void> {
    const { clock, gatewayId, onReply, servers, timeout } = this.options;
    let isLost = false;
    let opened: RedisSession | undefined;
    try {
      opened = await RedisSession.open({
        ...{ servers, timeout, onReply, after: clock.after },
        channels: {
          [this.keys.purgeChannel]: (message) => this.#applyMessage(message, opened),
          [this.keys.acknowledgementChannel(gatewayId)]: (message) => this.#applyAcknowledgement(message),
        },
        onLost: (cause) => {
          isLost = true;
          if (opened !== undefined && opened === this.session) this.#handleFailure(cause);
        },
      });
      // Only a gateway that has published and received all purges can read. From now on each purge publishes itself, because
      // the others read again as soon as the lease is renewed.
      await this.feed.run(opened, OPEN_EPOCH);
      if (!isLost && !this.isClosed) this.session = opened;
      for (const purge of [...this.#unpublished]) await this.#publish(opened, purge);
      await this.#renewLease(opened);
      if (isLost) throw new Error('the connection was lost');
      if (this.isClosed) return opened.close();
      this.#use(opened);
    } catch (cause) {
      opened?.close();
      this.#handleFailure(cause);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.#cancelTimer();
    const session = this.session;
    // The others must wait for a gateway whose purges are not published.
    if (this.#unpublished.size === 0) await this.forgetGateway(this.options.gatewayId);
    this.session = undefined;
    session?.close();
  }

  /** Removes a gateway that has ended, so that the others do not wait for it. Called once all its purges are published. */
  async forgetGateway(id: string): Promise<void> {
    await this.session?.send(['ZREM', this.keys.instancesKey, id]).catch(() => {});
  }

  #use(session: RedisSession): void {
    const { clock, log } = this.options;
    this.session = session;
    this.#mayEvictPurges = session.mayEvictPurges;
    for (const warning of session.warnings) {
      if (!this.#loggedWarnings.has(warning)) log.warn({}, warning);
      this.#loggedWarnings.add(warning);
    }
    if (this.#downSince !== undefined) {
      const away = clock.now() - this.#downSince;
      this.#graceUntil = clock.now() + GRACE_PERIOD;
      log.info({ away }, 'the connection to the shared cache store is restored');
    }
    this.#downSince = undefined;
    this.#loggedState = 'connected';
    this.#loggedError = '';
    this.#scheduleHeartbeat();
  }

  #scheduleHeartbeat(): void {
    this.#cancelTimer = this.options.clock.after(HEARTBEAT_INTERVAL, async () => {
      const session = this.session;
      if (session === undefined) return;
      try {
        await this.#renewLease(session);
        if (session === this.session) this.#scheduleHeartbeat();
      } catch (cause) {
        if (session === this.session) this.#handleFailure(cause);
      }
    });
  }

  #handleFailure(cause: unknown): void {
    this.session?.close();
    this.session = undefined;
    const { clock } = this.options;
    if (this.#downSince === undefined) {
      this.#downSince = clock.now();
      this.#losses += 1;
      this.#knownAt = Math.min(this.feed.confirmedAt, this.#completeAt);
    }
    this.feed.confirmedAt = Number.NEGATIVE_INFINITY;
    if (this.isClosed) return;
    this.#logFailure(cause);
    this.#cancelTimer();
    this.#cancelTimer = clock.after(HEARTBEAT_INTERVAL, () => void this.open());
  }

  /** Logs a change of the state, and that Redis replies with another error than before. */
  #logFailure(cause: unknown): void {
    const state = this.#sharedState;
    const error = cause instanceof ErrorReply ? (cause.message.split(' ', 1)[0] ?? '') : '';
    if (state === this.#loggedState && (error === '' || error === this.#loggedError)) return;
    this.#loggedState = state;
    this.#loggedError = error;
    const effect = state === 'memory' ? 'this gateway uses its own memory' : 'responses come from the sites';
    // Socket errors name the server's host and port; no error contains the credentials of the URL.
    this.options.log.warn({ cause: messageOf(cause) }, `the shared cache store is not reachable: ${effect}`);
  }

  /**
   * Renews the lease of this gateway. Called only after its purges are published.
   *
   * A gateway that is cut off from Redis cannot publish what its writes purge. Its lease expires then, and no gateway uses
   * stored responses until it is back and has published its purges, or has signed off, or is forgotten. When it is forgotten,
   * everything stored before counts as purged.
   */
  async #renewLease(session: RedisSession): Promise<void> {
    const { clock, forgetInstanceAfter, gatewayId, log } = this.options;
    const sentAt = clock.now();
    this.#renewedAt = sentAt;
    const isRegistered = session === this.#registeredIn ? '1' : '0';
    const expiry = String(sentAt + this.feed.clockOffset + INSTANCE_LEASE);
    const durations = [INSTANCE_LEASE, forgetInstanceAfter].map(String);
    const values = [gatewayId, ...durations, isRegistered, expiry];
    const reply = await this.feed.run(session, RENEW_INSTANCE, [this.keys.instancesKey], values);
    this.#registeredIn = session;
    const isOneLost = toReplyText(reply.values[0]) !== '0';
    this.#completeAt = isOneLost ? Number.NEGATIVE_INFINITY : sentAt;
    if (isOneLost === this.#isOneLost) return;
    this.#isOneLost = isOneLost;
    const message = 'a gateway that shares the cache store is cut off from it: responses come from the sites';
    if (isOneLost) log.warn({ forgottenAfter: forgetInstanceAfter }, message);
    else log.info({}, 'no gateway that shares the cache store is cut off from it any more');
  }

  /** Purges responses in Redis. Resolves when each other gateway knows the purge, or no longer uses its memory store. */
  async publishPurge(selection: PurgeSelection, mode: PurgeMode): Promise<void> {
    const purge = { selection, mode };
    this.#purgeCount += 1;
    this.#unpublished.add(purge);
    if (this.#unpublished.size > MAX_UNPUBLISHED) {
      this.#unpublished.clear();
      this.#unpublished.add({ selection: { kind: 'all' }, mode: 'hard' });
    }
    const session = this.session;
    try {
      if (session !== undefined) return await this.#waitForOthers(await this.#publish(session, purge));
    } catch (cause) {
      if (session === this.session) this.#handleFailure(cause);
    }
    const { clock, maxStaleness } = this.options;
    // The others notice when the lease of this gateway expires, or when their confirmation does.
    const wait = this.#renewedAt + INSTANCE_LEASE + maxStaleness + HEARTBEAT_INTERVAL - clock.now();
    if (wait > 0 && !this.isClosed) await new Promise<void>((resolve) => clock.after(wait, resolve));
  }

  /** Records a purge in Redis, which publishes it to the other gateways. Rejects when the command fails. */
  async #publish(session: RedisSession, purge: PurgeOperation): Promise<FeedReply> {
    const { mode, selection } = purge;
    const message = encodePurgeMessage(this.options.gatewayId, purge);
    const names = selection.kind === 'all' ? [] : selection.tags.map(toPurgedName);
    try {
      const { instancesKey, purgeChannel } = this.keys;
      // The first letter of the mode.
      const values = [mode.charAt(0), message, selection.kind, ...names];
      const reply = await this.feed.run(session, RECORD_PURGE, [purgeChannel, instancesKey], values);
      this.#unpublished.delete(purge);
      return reply;
    } catch (cause) {
      // A server that is out of memory records no purge but can still delete: a new epoch discards all responses.
      if (cause instanceof ErrorReply) await this.feed.startEpoch(session).catch(() => {});
      throw cause;
    }
  }

  /**
   * Resolves when each other gateway has applied a purge, or can no longer use its memory store. One that acknowledges nothing
   * uses it for `maxStaleness` at most, because it has had no word of Redis since. It waits as long for purges that Redis might
   * have lost. An epoch begins when Redis has lost data: the wait then lasts until each gateway has renewed its lease, and
   * while the lease of this one is missing.
   */
  async #waitForOthers({ position, values }: FeedReply): Promise<void> {
    const { clock, gatewayId, maxStaleness } = this.options;
    const [, ...listed] = values.map(toReplyText);
    const isComplete = listed.includes(gatewayId) && clock.now() - this.feed.epochKnownAt > maxStaleness;
    const others = [...listed.filter((id) => id !== gatewayId), ...(isComplete ? [] : [UNKNOWN_GATEWAY])];
    for (const id of this.#acknowledged.keys()) if (!others.includes(id)) this.#acknowledged.delete(id);
    const isAcknowledged = (): boolean =>
      others.every((id) => {
        const applied = this.#acknowledged.get(id);
        return applied?.epoch === position.epoch && applied.seq >= position.seq;
      });
    // An acknowledgement can arrive with the reply, and is read first then.
    if (isAcknowledged()) return;
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        cancel();
        this.#waiting.delete(check);
        resolve();
      };
      const check = (): void => {
        if (isAcknowledged()) finish();
      };
      const cancel = clock.after(maxStaleness, finish);
      this.#waiting.add(check);
    });
  }

  /** Applies a published purge, and acknowledges it to the gateway that published it. */
  #applyMessage(message: Uint8Array, session: RedisSession | undefined): void {
    const purge = this.feed.applyMessage(message);
    const { gatewayId } = this.options;
    if (purge === undefined || purge.gatewayId === gatewayId) return;
    const channel = this.keys.acknowledgementChannel(purge.gatewayId);
    const acknowledgement = encodeAcknowledgement(gatewayId, purge.position);
    // Nobody waits for it: a message that is lost is as one that arrives too late.
    session?.send(['PUBLISH', channel, acknowledgement]).catch(() => {});
  }

  #applyAcknowledgement(message: Uint8Array): void {
    const acknowledgement = parsePurgeMessage(message);
    if (acknowledgement === undefined) return;
    this.#acknowledged.set(acknowledgement.gatewayId, acknowledgement.position);
    for (const check of this.#waiting) check();
  }
}
