import { ErrorReply } from '@redis/client';
import type { RedisOptions } from '../../../../generated/option-types.d.ts';
import { messageOf } from '../../../errors.ts';
import type { Clock, Log } from '../../../ports.ts';
import type { PurgeMode, PurgeSelection, SharedStoreState, StoreReport } from '../../store.ts';
import type { MemoryStore } from '../memory-store.ts';
import {
  encodeAcknowledgement,
  encodePurgeMessage,
  listTagsOrKeys,
  type PurgeAcknowledgement,
  type PurgeMessage,
  type PurgeOperation,
  type PurgePosition,
  parseAcknowledgement,
  parsePurgeMessage,
  purgeKeyForCacheKey,
  purgeKeyForTag,
} from './codec.ts';
import {
  createRedisKeys,
  GET_MISSED_PURGES,
  OPEN_EPOCH,
  RECORD_PURGE,
  REMOVE_INSTANCE,
  RENEW_INSTANCE,
  type RedisKeys,
  START_EPOCH,
} from './scripts.ts';
import {
  type RedisArgument,
  RedisSession,
  type ScriptReply,
  SECOND_MASTER_WARNING,
  toReplyText,
} from './session.ts';

export interface RedisTierOptions {
  readonly servers: RedisOptions;
  /** Prefix of every key and of the channel. Gateways with the same prefix share their responses. @default 'waygate:' */
  readonly prefix?: string;
  /** Milliseconds for a command. After that, Redis is treated as not reachable. @default 250 */
  readonly timeout?: number;
  /**
   * Milliseconds for which a gateway may use its memory store without confirmation from Redis that it has missed no
   * purge. @default 500
   */
  readonly maxStaleness?: number;
  /**
   * Milliseconds for which a gateway may use its memory store without confirmation while it cannot reach Redis. In this time
   * writes through other gateways are not noticed. The only gateway needs no such time. @default 0
   */
  readonly maxAway?: number;
  /**
   * Milliseconds for which no stored response is used because another gateway has lost its connection to Redis without
   * having stopped. Then that gateway is forgotten. @default 30_000
   */
  readonly forgetInstanceAfter?: number;
  /** Maximum length of a body that is shared, in bytes. @default 2 MiB */
  readonly maxEntryBytes?: number;
  /** Maximum stored responses of one key (`Vary`). @default 64 */
  readonly maxVariants?: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Identifies this gateway to the others, in the form of `generateId`. @default a new identifier */
  readonly gatewayId?: string | undefined;
  /** Returns a new identifier for each call: letters, digits and hyphens. */
  readonly generateId: () => string;
  /** Called with the time of each reply. @default nothing is done */
  readonly onReply?: (milliseconds: number) => void;
}

/** The options with their defaults, and what the connection changes. */
interface RedisConnectionOptions extends Required<RedisTierOptions> {
  readonly gatewayId: string;
  /** The store in front of Redis, to which the purges of other instances apply. */
  readonly memory: MemoryStore;
}

/** Milliseconds between two requests for missed purges, and before the next attempt to connect. */
const HEARTBEAT_INTERVAL = 100;

/** Milliseconds after a failure in which Redis is not read: the other instances publish their pending purges then. */
const GRACE_PERIOD = 1000;

/** Milliseconds without a heartbeat after which the others count this instance as lost. */
const INSTANCE_LEASE = 1000;

/**
 * The connection to Redis. It is reopened until it succeeds.
 *
 * docs/redis-protocol.md says how instances agree on purges, and which faults that survives.
 *
 * The only instance goes on with its memory store while Redis refuses connections: no server is there that another instance
 * could have published a purge to. After a timeout it does not, because the others may still reach Redis.
 */
export class RedisConnection {
  readonly feed: InvalidationFeed;
  readonly keys: RedisKeys;
  session: RedisSession | undefined;
  protected readonly options: RedisConnectionOptions;
  readonly #publisher: PurgePublisher;
  readonly #instances: InstanceRegistry;
  protected isClosed = false;
  #downSince: number | undefined;
  #losses = 0;
  #away = 0;
  /** When the last request was sent whose reply showed, before the failure, that no purge was missing. */
  #knownAt = Number.NEGATIVE_INFINITY;
  /** Whether the last attempt to connect was refused. */
  #isRefused = false;
  /** The state that was logged last. */
  #loggedState: SharedStoreState = 'connected';
  /** The errors with which Redis has replied since it was used last, by their first word, such as `WRONGPASS`. */
  readonly #loggedErrors = new Set<string>();
  /** The eviction policy that was logged last. */
  #loggedPolicy: string | undefined = 'noeviction';
  #hasLoggedSecondMaster = false;
  #graceUntil = Number.NEGATIVE_INFINITY;
  /** Cancels the next heartbeat or attempt to connect. */
  #cancelTimer = (): void => {};

  constructor(options: RedisConnectionOptions) {
    this.keys = createRedisKeys(options.prefix);
    this.options = options;
    this.feed = new InvalidationFeed(options, this.keys);
    this.#publisher = new PurgePublisher(this.feed);
    this.#instances = new InstanceRegistry(this.feed);
  }

  /** Whether this instance knows every purge that another has completed, or may use its memory store without. */
  get mayUseMemory(): boolean {
    return (this.isReadable && this.#isCurrent(this.feed.confirmedAt)) || this.#usesMemoryAlone;
  }

  get #sharedState(): SharedStoreState {
    if (this.isReadable) return 'connected';
    return this.#usesMemoryAlone ? 'memory' : 'bypassed';
  }

  protected get sharedReport(): NonNullable<StoreReport['shared']> {
    const now = this.options.clock.now();
    const away = this.#away + now - (this.#downSince ?? now);
    const mayEvictPurges = this.#mayEvictPurges;
    return { state: this.#sharedState, mayEvictPurges, losses: this.#losses, away };
  }

  get #usesMemoryAlone(): boolean {
    if (this.#downSince === undefined) return false;
    const { clock, maxAway } = this.options;
    return this.#isAlone || clock.now() - this.#knownAt <= maxAway;
  }

  /** Whether no other instance can have published a purge. */
  get #isAlone(): boolean {
    return this.#isRefused && this.#instances.isOnly;
  }

  get #mayEvictPurges(): boolean {
    return this.#loggedPolicy?.startsWith('allkeys-') === true;
  }

  #logPolicy(policy: string | undefined): void {
    if (policy === this.#loggedPolicy) return;
    this.#loggedPolicy = policy;
    const { log } = this.options;
    if (policy === undefined)
      log.info({}, 'Redis does not state its eviction policy: it must keep keys that do not expire');
    else if (this.#mayEvictPurges) {
      const advice = 'set maxmemory-policy to volatile-lru or noeviction, or use a server of its own';
      log.warn({ policy }, `Redis may evict the record of purges, and with it everything stored: ${advice}`);
    }
  }

  /** Whether responses in Redis may be used. */
  get isReadable(): boolean {
    // A purge that is being published does not prevent it: Redis runs a later read after it.
    return (
      this.session !== undefined &&
      this.#downSince === undefined &&
      this.options.clock.now() >= this.#graceUntil &&
      this.#isCurrent(this.#instances.completeAt)
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
    return `${epoch} ${seq} ${this.#publisher.purgeCount}`;
  }

  /** Purges responses in Redis. Resolves when each other gateway knows the purge, or no longer uses its memory store. */
  async publishPurge(selection: PurgeSelection, mode: PurgeMode): Promise<void> {
    const purge = { selection, mode };
    this.#publisher.add(purge);
    const session = this.session;
    if (session !== undefined && (await this.#publish(session, purge))) return;
    if (this.#isAlone) return;
    const { clock, maxStaleness } = this.options;
    // The others notice when the lease of this instance expires, or when their confirmation does.
    const wait = this.#instances.renewedAt + INSTANCE_LEASE + maxStaleness + HEARTBEAT_INTERVAL - clock.now();
    if (wait > 0 && !this.isClosed) await new Promise<void>((resolve) => clock.after(wait, resolve));
  }

  /** Stops waiting for an instance that has ended. Called after a purge of all that it may have left unpurged. */
  async forgetGateway(id: string): Promise<void> {
    if (this.session !== undefined) await this.#instances.remove(this.session, id);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.#cancelTimer();
    const session = this.session;
    this.session = undefined;
    if (session === undefined) return;
    // The others must wait for an instance whose purges are not published.
    if (!this.#publisher.hasPending) await this.#instances.remove(session);
    session.close();
  }

  /** Opens a session. After a failure, attempts continue in the background. */
  async open(): Promise<void> {
    const { clock, gatewayId, onReply, prefix, servers, timeout } = this.options;
    let isLost = false;
    let opened: RedisSession | undefined;
    try {
      opened = await RedisSession.open({
        ...{ servers, prefix, timeout },
        after: clock.after,
        onReply,
        channels: {
          [this.keys.purgeChannel]: (message) => this.#applyMessage(message, opened),
          [this.keys.acknowledgementChannel(gatewayId)]: (message) =>
            this.#publisher.applyAcknowledgement(message),
        },
        onLost: (cause) => {
          isLost = true;
          if (opened !== undefined && opened === this.session) this.#handleFailure(cause);
        },
      });
      // Only an instance that has published and received all purges may read. From now on each purge publishes itself, because
      // the others read again as soon as the lease is renewed.
      await this.feed.run(opened, OPEN_EPOCH);
      this.#isRefused = false;
      if (!isLost && !this.isClosed) this.session = opened;
      await this.#publisher.publishPending(opened);
      await this.feed.catchUp(opened);
      await this.#instances.renew(opened);
      if (isLost) throw new Error('the connection was lost');
      if (this.isClosed) return opened.close();
      this.#use(opened);
    } catch (cause) {
      opened?.close();
      this.#handleFailure(cause);
    }
  }

  /** Applies a published purge, and acknowledges it to the instance that published it. */
  #applyMessage(message: Uint8Array, session: RedisSession | undefined): void {
    const purge = this.feed.applyMessage(message);
    const { gatewayId } = this.options;
    if (purge === undefined || purge.instanceId === gatewayId) return;
    const { instanceId, position } = purge;
    const acknowledgement = encodeAcknowledgement({ instanceId: gatewayId, position });
    session?.publish(this.keys.acknowledgementChannel(instanceId), acknowledgement);
  }

  #use(session: RedisSession): void {
    const { clock, log } = this.options;
    this.session = session;
    this.#logPolicy(session.evictionPolicy);
    if (session.mayBeSecondMaster && !this.#hasLoggedSecondMaster) log.warn({}, SECOND_MASTER_WARNING);
    this.#hasLoggedSecondMaster = session.mayBeSecondMaster;
    if (this.#downSince !== undefined) {
      this.#graceUntil = clock.now() + GRACE_PERIOD;
      this.#away += this.#graceUntil - this.#downSince;
      log.info(
        { away: clock.now() - this.#downSince },
        'the connection to the shared cache store is restored',
      );
    }
    this.#downSince = undefined;
    this.#loggedState = 'connected';
    this.#loggedErrors.clear();
    this.#scheduleHeartbeat();
  }

  #handleFailure(cause: unknown): void {
    this.session?.close();
    this.session = undefined;
    const { clock, servers } = this.options;
    if (this.#downSince === undefined) {
      this.#downSince = clock.now();
      this.#losses += 1;
      this.#knownAt = Math.min(this.feed.confirmedAt, this.#instances.completeAt);
    }
    // Where there are several servers, another instance may reach one that this one does not.
    this.#isRefused = servers.url !== undefined && isConnectionRefused(cause);
    this.feed.confirmedAt = Number.NEGATIVE_INFINITY;
    if (this.isClosed) return;
    this.#logFailure(cause);
    this.#cancelTimer();
    this.#cancelTimer = clock.after(HEARTBEAT_INTERVAL, () => void this.open());
  }

  /** Logs a change of the state, and that Redis replies with another error than before. */
  #logFailure(cause: unknown): void {
    const state = this.#sharedState;
    const error = findErrorReply(cause)?.message.split(' ', 1)[0];
    const isNewError = error !== undefined && !this.#loggedErrors.has(error);
    if (state === this.#loggedState && !isNewError) return;
    this.#loggedState = state;
    if (error !== undefined) this.#loggedErrors.add(error);
    const effect = state === 'memory' ? 'this gateway uses its own memory' : 'responses come from the sites';
    // Socket errors name the server's host and port; no error contains the credentials of the URL.
    this.options.log.warn({ cause: messageOf(cause) }, `the shared cache store is not reachable: ${effect}`);
  }

  #scheduleHeartbeat(): void {
    this.#cancelTimer = this.options.clock.after(HEARTBEAT_INTERVAL, async () => {
      const session = this.session;
      if (session === undefined) return;
      try {
        await Promise.all([this.feed.catchUp(session), this.#instances.renew(session)]);
        if (session === this.session) this.#scheduleHeartbeat();
      } catch (cause) {
        if (session === this.session) this.#handleFailure(cause);
      }
    });
  }

  /** @returns whether the purge is published, and each instance knows it */
  async #publish(session: RedisSession, purge: PurgeOperation): Promise<boolean> {
    try {
      const reply = await this.#publisher.publish(session, purge);
      if (reply !== undefined) await this.#publisher.waitForOthers(reply);
      return true;
    } catch (cause) {
      if (session === this.session) this.#handleFailure(cause);
      return false;
    }
  }
}

/** Finds an error that Redis has replied with. A sentinel or a node of a cluster may have, while the server was looked for. */
function findErrorReply(cause: unknown): ErrorReply | undefined {
  if (cause instanceof ErrorReply) return cause;
  return cause instanceof Error ? findErrorReply(cause.cause) : undefined;
}

/** Whether nothing listens at the address of the server. A host name may have several addresses. */
function isConnectionRefused(cause: unknown): boolean {
  if (cause instanceof AggregateError) return cause.errors.every(isConnectionRefused);
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}

/**
 * The instances of the gateway that share one Redis, each with a lease.
 *
 * An instance that is cut off from Redis cannot publish what its writes purge. Its lease expires then, and no instance uses
 * stored responses until it is back and has published its purges, or has signed off, or is forgotten. When it is forgotten,
 * everything stored before counts as purged.
 */
class InstanceRegistry {
  /** When the request was sent whose reply showed that no instance was lost. */
  completeAt: number = Number.NEGATIVE_INFINITY;
  /** When the lease was renewed last, or may have been. It ends {@link INSTANCE_LEASE} later, however late Redis reads the request. */
  renewedAt: number = Number.NEGATIVE_INFINITY;
  /** Whether no other instance had a lease, not even an expired one, when this one was renewed last. */
  isOnly = false;
  readonly #feed: InvalidationFeed;
  #isOneLost = false;
  /** The session in which the lease of this instance was renewed last. */
  #session: RedisSession | undefined;

  constructor(feed: InvalidationFeed) {
    this.#feed = feed;
  }

  /** Renews the lease of this instance. Called only after its purges are published. */
  async renew(session: RedisSession): Promise<void> {
    const { clock, forgetInstanceAfter, gatewayId } = this.#feed.options;
    const sentAt = clock.now();
    this.renewedAt = sentAt;
    const isRegistered = session === this.#session ? '1' : '0';
    const expiry = sentAt + this.#feed.clockOffset + INSTANCE_LEASE;
    const values = [
      gatewayId,
      ...[INSTANCE_LEASE, forgetInstanceAfter].map(String),
      isRegistered,
      String(expiry),
    ];
    const reply = await this.#feed.run(session, RENEW_INSTANCE, [this.#feed.keys.instancesKey], values);
    this.#session = session;
    const [lost, count] = reply?.values ?? [];
    const isOneLost = lost === undefined || toReplyText(lost) !== '0';
    this.isOnly = count !== undefined && toReplyText(count) === '1';
    this.completeAt = isOneLost ? Number.NEGATIVE_INFINITY : sentAt;
    if (isOneLost !== this.#isOneLost) this.#logChange(isOneLost);
    this.#isOneLost = isOneLost;
  }

  #logChange(isOneLost: boolean): void {
    const { forgetInstanceAfter: forgottenAfter, log } = this.#feed.options;
    if (isOneLost) {
      const message =
        'a gateway that shares the cache store is cut off from it: responses come from the sites';
      log.warn({ forgottenAfter }, message);
    } else {
      log.info({}, 'no gateway that shares the cache store is cut off from it any more');
    }
  }

  /** Removes an instance, this one by default, so that the others do not wait for it. */
  async remove(session: RedisSession, id: string = this.#feed.options.gatewayId): Promise<void> {
    await session.runScript(REMOVE_INSTANCE, [this.#feed.keys.instancesKey], [id]).catch(() => {});
  }
}

/** More unpublished purges than this are replaced by one purge of everything. */
const MAX_PENDING_PURGES = 1000;
/** So are unpublished purges that select more tags and keys than this. */
const MAX_PENDING_NAMES = 20_000;

/** Stands for instances that Redis may have lost. It acknowledges nothing. */
const UNKNOWN_INSTANCE = '';

interface UnacknowledgedPurge {
  readonly position: PurgePosition;
  readonly instances: readonly string[];
  /** Called once all have acknowledged it. */
  readonly complete: () => void;
}

/** Publishes this instance's purges to the others, and keeps those that could not be published yet. */
class PurgePublisher {
  /** Number of purges of this instance, published or not. */
  purgeCount = 0;
  readonly #feed: InvalidationFeed;
  readonly #unacknowledged = new Set<UnacknowledgedPurge>();
  readonly #acknowledged = new Map<string, PurgeAcknowledgement>();
  #pending: PurgeOperation[] = [];
  #pendingNameCount = 0;

  constructor(feed: InvalidationFeed) {
    this.#feed = feed;
  }

  /** Whether a purge of this instance is not published yet. */
  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  add(purge: PurgeOperation): void {
    this.purgeCount += 1;
    this.#pending.push(purge);
    this.#pendingNameCount += countNames(purge);
    if (this.#pending.length <= MAX_PENDING_PURGES && this.#pendingNameCount <= MAX_PENDING_NAMES) return;
    this.#pending = [{ selection: { kind: 'all' }, mode: 'hard' }];
    this.#pendingNameCount = 0;
  }

  /**
   * Records a purge in Redis and publishes it to the other instances. Rejects when the command fails.
   *
   * @returns for {@link waitForOthers}
   */
  async publish(session: RedisSession, purge: PurgeOperation): Promise<FeedReply | undefined> {
    const { mode, selection } = purge;
    const message = encodePurgeMessage(this.#feed.options.gatewayId, purge);
    // The first letter of the mode.
    const values = [mode.charAt(0), message, ...encodeSelection(selection)];
    try {
      const { instancesKey, purgeChannel } = this.#feed.keys;
      const reply = await this.#feed.run(session, RECORD_PURGE, [purgeChannel, instancesKey], values);
      this.#remove(purge);
      return reply;
    } catch (cause) {
      // A server that is out of memory records no purge but can still delete: a new epoch discards all responses.
      if (cause instanceof ErrorReply) await this.#feed.run(session, START_EPOCH).catch(() => {});
      throw cause;
    }
  }

  /**
   * Resolves when each other instance has applied a purge, or can no longer use its memory store. One that acknowledges nothing
   * uses it for `maxStaleness` at most, because it has had no word of Redis since. So long it waits for those that Redis may have
   * lost too: in a new epoch, which begins when Redis has lost data, until each instance has renewed its lease, and while the
   * lease of this one is missing.
   */
  async waitForOthers({ position, values }: FeedReply): Promise<void> {
    const { clock, gatewayId, maxStaleness } = this.#feed.options;
    const [, ...listed] = values.map(toReplyText);
    const isComplete = listed.includes(gatewayId) && clock.now() - this.#feed.epochKnownAt > maxStaleness;
    const instances = [
      ...listed.filter((instance) => instance !== gatewayId),
      ...(isComplete ? [] : [UNKNOWN_INSTANCE]),
    ];
    for (const instance of this.#acknowledged.keys()) {
      if (!instances.includes(instance)) this.#acknowledged.delete(instance);
    }
    // An acknowledgement may arrive with the reply, and is read first then.
    if (this.#haveAcknowledged(instances, position)) return;
    await new Promise<void>((resolve) => {
      const complete = (): void => {
        cancel();
        this.#unacknowledged.delete(purge);
        resolve();
      };
      const purge = { position, instances, complete };
      const cancel = clock.after(maxStaleness, complete);
      this.#unacknowledged.add(purge);
    });
  }

  /** Notes that an instance has applied the purges up to a position. */
  applyAcknowledgement(message: Uint8Array): void {
    const acknowledgement = parseAcknowledgement(message);
    if (acknowledgement === undefined) return;
    this.#acknowledged.set(acknowledgement.instanceId, acknowledgement);
    for (const { complete, instances, position } of this.#unacknowledged) {
      if (this.#haveAcknowledged(instances, position)) complete();
    }
  }

  #haveAcknowledged(instances: readonly string[], { epoch, seq }: PurgePosition): boolean {
    return instances.every((instance) => {
      const { position } = this.#acknowledged.get(instance) ?? {};
      return position?.epoch === epoch && position.seq >= seq;
    });
  }

  /** Publishes the pending purges in their order. */
  async publishPending(session: RedisSession): Promise<void> {
    for (const purge of [...this.#pending]) await this.publish(session, purge);
  }

  #remove(purge: PurgeOperation): void {
    const index = this.#pending.indexOf(purge);
    // A purge of everything may have replaced it.
    if (index === -1) return;
    this.#pending.splice(index, 1);
    this.#pendingNameCount -= countNames(purge);
  }
}

function countNames({ selection }: PurgeOperation): number {
  return listTagsOrKeys(selection).length;
}

/** Encodes a selection as the arguments of {@link RECORD_PURGE}. */
function encodeSelection(selection: PurgeSelection): readonly string[] {
  if (selection.kind === 'all') return ['all'];
  const toPurgeKey = selection.kind === 'keys' ? purgeKeyForCacheKey : purgeKeyForTag;
  return listTagsOrKeys(selection).map(toPurgeKey);
}

/** A script's reply without its first three values. */
export interface FeedReply {
  /** The last purge at the time of the reply. */
  readonly position: PurgePosition;
  readonly values: ScriptReply;
}

/**
 * The purges of all instances, in the order in which Redis numbers them. Purges arrive as published messages. Every reply
 * of a script carries the number of the last purge, which shows whether a message was missed.
 */
class InvalidationFeed {
  /** The last purge that this instance knows; undefined before the first reply of Redis. */
  position: PurgePosition | undefined;
  /** Milliseconds by which Redis's clock is ahead of the local one. */
  clockOffset = 0;
  /** When the request was sent whose reply showed last that no purge was missing. */
  confirmedAt: number = Number.NEGATIVE_INFINITY;
  /** When this instance learned that another epoch has begun since its start. */
  epochKnownAt: number = Number.NEGATIVE_INFINITY;
  readonly options: RedisConnectionOptions;
  readonly keys: RedisKeys;
  /** The positions that this gateway has known. */
  readonly #past: { readonly time: number; readonly position: PurgePosition }[] = [];
  /** Round-trip time of the reply that the clock offset comes from. Grows, so that a newer reply replaces it eventually. */
  #roundTrip = Number.POSITIVE_INFINITY;

  constructor(options: RedisConnectionOptions, keys: RedisKeys) {
    this.options = options;
    this.keys = keys;
  }

  /**
   * Returns the position that was known before `time`; undefined if unknown. Positions of the same millisecond are excluded,
   * because they may be later. A response is stored with the position at the time of its request. A later purge of the response
   * then has a higher number, so no clocks of different gateways are compared.
   */
  positionBefore(time: number): PurgePosition | undefined {
    return this.#past.findLast((entry) => entry.time < time)?.position;
  }

  /** Fetches the purges that were missed. */
  async catchUp(session: RedisSession): Promise<void> {
    const sentAt = this.options.clock.now();
    const known = this.position;
    const values = [known?.epoch ?? '', String(known?.seq ?? 0)];
    const head = await this.run(session, GET_MISSED_PURGES, [], values);
    if (head === undefined) throw new Error('the reply to a script has an unknown format');
    // A message that was published since the request has been applied already, and is skipped here.
    for (const message of head.values) this.applyMessage(message);
    const { position } = head;
    const reached = this.position;
    if (reached === undefined || reached.epoch !== position.epoch) return;
    if (position.seq < (known?.seq ?? 0)) {
      // The sequence went back: a replica has taken the server's place, and may lack its last purges.
      await this.run(session, START_EPOCH);
    } else if (position.seq > reached.seq) {
      // More purges were missed than Redis keeps messages.
      this.#skipTo(position);
    }
    this.#confirm(sentAt);
  }

  /**
   * Runs a script that uses the purge state, and applies the clock and the position at the head of its reply.
   *
   * @param otherKeys keys of the script besides those of the purge state
   * @returns undefined if the reply has another format
   */
  async run(
    session: RedisSession,
    script: string,
    otherKeys: readonly string[] = [],
    values: readonly RedisArgument[] = [],
  ): Promise<FeedReply | undefined> {
    const sentAt = this.options.clock.now();
    const keys = [...this.keys.purgeStateKeys, ...otherKeys];
    const [epoch, seq, time, ...rest] = await session.runScript(script, keys, [session.runId, ...values]);
    if (epoch === undefined || seq === undefined || time === undefined) return undefined;
    const position = { epoch: toReplyText(epoch), seq: Number(toReplyText(seq)) };
    this.#measureOffset(Number(toReplyText(time)), sentAt);
    const known = this.position;
    if (known === undefined || known.epoch !== position.epoch) {
      // The server has lost its data or started a new epoch, with all purges that it had not published.
      this.#skipTo(position);
    } else if (position.seq === known.seq) {
      this.#confirm(sentAt);
    }
    return { position, values: rest };
  }

  /** Applies a published purge of this or another instance, unless it is known already. @returns undefined if it is no purge */
  applyMessage(message: Uint8Array): PurgeMessage | undefined {
    const parsed = parsePurgeMessage(message);
    const known = this.position;
    if (parsed === undefined || known === undefined) return undefined;
    const { position, purge } = parsed;
    if (position.epoch === known.epoch && position.seq <= known.seq) return parsed;
    const isNext = position.epoch === known.epoch && position.seq === known.seq + 1;
    // In a new epoch, or if a message before this one was missed, purges are unknown.
    if (!isNext || purge === undefined) this.#onMissedPurges();
    else if (parsed.instanceId !== this.options.gatewayId)
      this.options.memory.purge(purge.selection, purge.mode);
    this.#advance(position);
    return parsed;
  }

  /** Records that no purge was missing when a request was sent. */
  #confirm(sentAt: number): void {
    this.confirmedAt = Math.max(this.confirmedAt, sentAt);
  }

  /** Continues at a position although purges before it were missed. */
  #skipTo(position: PurgePosition): void {
    this.#advance(position);
    this.#onMissedPurges();
  }

  #advance(position: PurgePosition): void {
    if (this.position !== undefined && this.position.epoch !== position.epoch) {
      this.epochKnownAt = this.options.clock.now();
    }
    this.position = position;
    this.#past.push({ time: this.options.clock.now(), position });
    if (this.#past.length > MAX_POSITIONS) this.#past.splice(0, MAX_POSITIONS / 2);
  }

  /** The memory store may hold purged responses. */
  #onMissedPurges(): void {
    this.options.memory.purge({ kind: 'all' }, 'hard');
  }

  /** Measures the clock offset from a reply. A slow reply is ignored: its error is up to half of its round-trip time. */
  #measureOffset(redisTime: number, sentAt: number): void {
    const receivedAt = this.options.clock.now();
    const roundTrip = receivedAt - sentAt;
    if (roundTrip <= this.#roundTrip + ROUND_TRIP_TOLERANCE) {
      this.clockOffset = redisTime - (sentAt + receivedAt) / 2;
      this.#roundTrip = roundTrip;
    } else {
      this.#roundTrip += 1;
    }
  }
}

/** Maximum positions in the history. The position at a time before the oldest of them is unknown. */
const MAX_POSITIONS = 1000;

/** A measurement replaces one whose round trip was shorter by at most this many milliseconds. */
const ROUND_TRIP_TOLERANCE = 5;
