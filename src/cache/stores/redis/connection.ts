import { ErrorReply } from '@redis/client';
import type { Clock, Log } from '../../../ports.ts';
import type { PurgeSelection, SharedStoreState } from '../../store.ts';
import {
  encodePurgeMessage,
  listGroups,
  listTagsOrKeys,
  type PurgeOperation,
  type PurgePosition,
  parsePurgeMessage,
  purgeKeyForCacheKey,
  purgeKeyForTag,
} from './codec.ts';
import type { RedisKeys } from './scripts.ts';
import {
  GET_MISSED_PURGES,
  OPEN_EPOCH,
  RECORD_PURGE,
  REMOVE_INSTANCE,
  RENEW_INSTANCE,
  START_EPOCH,
} from './scripts.ts';
import { RedisSession, type ScriptReply } from './session.ts';

interface RedisConnectionOptions {
  readonly url: string;
  readonly keys: RedisKeys;
  /** Milliseconds for a command. */
  readonly timeout: number;
  /** Milliseconds between two requests for missed purges, and before the next attempt to connect. */
  readonly heartbeatInterval: number;
  /** Milliseconds for which the memory store may be used after the feed's last confirmation. */
  readonly maxStaleness: number;
  /** Milliseconds for which the memory store may be used after that while Redis cannot be reached. */
  readonly maxAway: number;
  /** Milliseconds for which the other instances wait for one that is cut off. */
  readonly forgetInstanceAfter: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Identifies this instance of the gateway. */
  readonly instanceId: string;
  /** Receives the purges of other instances. */
  readonly onPurge: (purge: PurgeOperation) => void;
  /** Purges may have been missed, so the memory store may hold purged responses. */
  readonly onMissedPurges: () => void;
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
 *
 * The only instance goes on with its memory store while Redis refuses connections: no server is there that another instance
 * could have published a purge to. After a timeout it does not, because the others may still reach Redis.
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
  /** When the last request was sent whose reply showed, before the failure, that no purge was missing. */
  #knownAt = Number.NEGATIVE_INFINITY;
  /** Whether the last attempt to connect was refused. */
  #isRefused = false;
  #isUsingMemory = false;
  #graceUntil = Number.NEGATIVE_INFINITY;
  /** Cancels the next heartbeat or attempt to connect. */
  #cancelTimer = (): void => {};

  constructor(options: RedisConnectionOptions) {
    const { instanceId } = options;
    this.#options = options;
    this.feed = new InvalidationFeed(instanceId, options);
    this.#publisher = new PurgePublisher(instanceId, options, this.feed);
    this.#instances = new InstanceRegistry(instanceId, options, this.feed);
  }

  get session(): RedisSession | undefined {
    return this.#session;
  }

  /** Whether this instance knows every purge that another has completed, or may use its memory store without. */
  get mayUseMemory(): boolean {
    return (
      (this.isReadable && this.feed.isConfirmedWithin(this.#options.maxStaleness)) || this.#usesMemoryAlone
    );
  }

  get state(): SharedStoreState {
    if (this.isReadable) return 'connected';
    return this.#usesMemoryAlone ? 'memory' : 'bypassed';
  }

  get #usesMemoryAlone(): boolean {
    if (this.#downSince === undefined) return false;
    const { clock, maxAway } = this.#options;
    return this.#isAlone || clock.now() - this.#knownAt <= maxAway;
  }

  /** Whether no other instance can have published a purge. */
  get #isAlone(): boolean {
    return this.#isRefused && this.#instances.isOnly;
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
    if (this.#isAlone) return;
    // The others notice when the lease of this instance expires, or when their confirmation does.
    const wait = start + INSTANCE_LEASE + maxStaleness + heartbeatInterval - clock.now();
    if (wait > 0 && !this.#isClosed) await new Promise<void>((resolve) => clock.after(wait, resolve));
  }

  /** Stops waiting for an instance that has ended. Called after a purge of all that it may have left unpurged. */
  async forgetInstance(id: string): Promise<void> {
    if (this.#session !== undefined) await this.#instances.remove(this.#session, id);
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
      opened = await RedisSession.open({
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
    this.#isRefused = false;
    this.#isUsingMemory = false;
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
    const { clock, heartbeatInterval, log } = this.#options;
    if (this.#downSince === undefined) {
      this.#downSince = clock.now();
      this.#knownAt = Math.min(this.feed.confirmedAt, this.#instances.completeAt);
    }
    this.#isRefused = isConnectionRefused(cause);
    this.feed.unconfirm();
    if (this.#isClosed) return;
    if (!this.#isFailing) {
      const message = 'the shared cache store is not reachable: responses come from the sites';
      log.warn({ cause: toMessage(cause) }, message);
    }
    this.#isFailing = true;
    if (this.#isAlone && !this.#isUsingMemory) {
      this.#isUsingMemory = true;
      log.warn({}, 'no other gateway shares the cache store: its own memory is used until it is back');
    }
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

/** Whether nothing listens at the address of the server. A host name may have several addresses. */
function isConnectionRefused(cause: unknown): boolean {
  if (cause instanceof AggregateError) return cause.errors.every(isConnectionRefused);
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}

/** Socket errors name the server's host and port; no error contains the credentials of the URL. */
function toMessage(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/**
 * The instances of the gateway that share one Redis, each with a lease.
 *
 * An instance that is cut off from Redis cannot publish what its writes purge. Its lease expires then, and no instance uses
 * stored responses until it is back and has published its purges, or has signed off, or is forgotten. When it is forgotten,
 * everything stored before counts as purged.
 */
class InstanceRegistry {
  readonly #instanceId: string;
  readonly #options: RedisConnectionOptions;
  readonly #feed: InvalidationFeed;
  /** When the request was sent whose reply showed that no instance was lost. */
  #completeAt = Number.NEGATIVE_INFINITY;
  #isOneLost = false;
  #isOnly = false;

  constructor(instanceId: string, options: RedisConnectionOptions, feed: InvalidationFeed) {
    this.#instanceId = instanceId;
    this.#options = options;
    this.#feed = feed;
  }

  /** When the request was sent whose reply showed that no instance was lost. */
  get completeAt(): number {
    return this.#completeAt;
  }

  /** Whether no other instance had a lease, not even an expired one, when this one was renewed last. */
  get isOnly(): boolean {
    return this.#isOnly;
  }

  /** Whether no instance was lost within the last `milliseconds`, as far as Redis knows. */
  isCompleteWithin(milliseconds: number): boolean {
    const elapsed = this.#options.clock.now() - this.#completeAt;
    return elapsed >= 0 && elapsed <= milliseconds;
  }

  /** Renews the lease of this instance. Called only after its purges are published. */
  async renew(session: RedisSession): Promise<void> {
    const { clock, forgetInstanceAfter, keys } = this.#options;
    const sentAt = clock.now();
    const reply = await session.runScript(
      RENEW_INSTANCE,
      [...keys.purgeStateKeys, keys.instancesKey],
      [session.runId, this.#instanceId, String(INSTANCE_LEASE), String(forgetInstanceAfter)],
    );
    const [lost, count] = this.#feed.applyReply(reply, sentAt)?.values ?? [];
    const isOneLost = lost === undefined || toText(lost) !== '0';
    this.#isOnly = count !== undefined && toText(count) === '1';
    this.#completeAt = isOneLost ? Number.NEGATIVE_INFINITY : sentAt;
    if (isOneLost !== this.#isOneLost) this.#logChange(isOneLost);
    this.#isOneLost = isOneLost;
  }

  #logChange(isOneLost: boolean): void {
    const { forgetInstanceAfter: forgottenAfter, log } = this.#options;
    if (isOneLost) {
      const message =
        'a gateway that shares the cache store is cut off from it: responses come from the sites';
      log.warn({ forgottenAfter }, message);
    } else {
      log.info({}, 'no gateway that shares the cache store is cut off from it any more');
    }
  }

  /** Removes an instance, this one by default, so that the others do not wait for it. */
  async remove(session: RedisSession, id: string = this.#instanceId): Promise<void> {
    const { keys } = this.#options;
    await session.runScript(REMOVE_INSTANCE, [keys.instancesKey], [id]).catch(() => {});
  }
}

/** More unpublished purges than this are replaced by one purge of everything. */
const MAX_PENDING_PURGES = 1000;
/** So are unpublished purges that select more tags and keys than this. */
const MAX_PENDING_NAMES = 20_000;

/** Publishes this instance's purges to the others, and keeps those that could not be published yet. */
class PurgePublisher {
  readonly #instanceId: string;
  readonly #options: RedisConnectionOptions;
  readonly #feed: InvalidationFeed;
  #pending: PurgeOperation[] = [];
  #pendingNameCount = 0;
  #purgeCount = 0;

  constructor(instanceId: string, options: RedisConnectionOptions, feed: InvalidationFeed) {
    this.#instanceId = instanceId;
    this.#options = options;
    this.#feed = feed;
  }

  /** Number of purges of this instance, published or not. */
  get purgeCount(): number {
    return this.#purgeCount;
  }

  /** Whether a purge of this instance is not published yet. */
  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** Adds a purge that is to be published. */
  add(purge: PurgeOperation): void {
    this.#purgeCount += 1;
    this.#pending.push(purge);
    this.#pendingNameCount += countNames(purge);
    if (this.#pending.length <= MAX_PENDING_PURGES && this.#pendingNameCount <= MAX_PENDING_NAMES) return;
    this.#pending = [{ selection: { kind: 'all' }, mode: 'hard' }];
    this.#pendingNameCount = 0;
  }

  /** Records a purge in Redis and publishes it to the other instances. Rejects when the command fails. */
  async publish(session: RedisSession, purge: PurgeOperation): Promise<void> {
    const { clock, keys } = this.#options;
    const feed = this.#feed;
    const { mode, selection } = purge;
    const message = encodePurgeMessage(this.#instanceId, purge);
    const sentAt = clock.now();
    try {
      const reply = await session.runScript(
        RECORD_PURGE,
        [...keys.purgeStateKeys, keys.purgeChannel],
        [session.runId, mode === 'hard' ? 'h' : 's', message, ...encodeSelection(selection)],
      );
      feed.applyReply(reply, sentAt);
      this.#remove(purge);
    } catch (cause) {
      // A server that is out of memory records no purge but can still delete: a new epoch discards all responses.
      if (cause instanceof ErrorReply) await feed.startEpoch(session).catch(() => {});
      throw cause;
    }
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
  const groups = listGroups(selection);
  return groups.reduce((sum, { exceptKinds }) => sum + exceptKinds.length, listTagsOrKeys(selection).length);
}

/** Encodes a selection as the arguments of {@link RECORD_PURGE}. */
function encodeSelection(selection: PurgeSelection): readonly string[] {
  if (selection.kind === 'all') return ['-1'];
  const toPurgeKey = selection.kind === 'keys' ? purgeKeyForCacheKey : purgeKeyForTag;
  const purgeKeys = listTagsOrKeys(selection).map(toPurgeKey);
  const groups = listGroups(selection).flatMap(({ exceptKinds, name }) => [
    name,
    String(exceptKinds.length),
    ...exceptKinds,
  ]);
  return [String(purgeKeys.length), ...purgeKeys, ...groups];
}

/** A script's reply without its first three values. */
interface FeedReply {
  /** The last purge at the time of the reply. */
  readonly position: PurgePosition;
  readonly values: ScriptReply;
}

/**
 * The purges of all instances, in the order in which Redis numbers them. Purges arrive as published messages. Every reply
 * of a script carries the number of the last purge, which shows whether a message was missed.
 */
class InvalidationFeed {
  readonly #instanceId: string;
  readonly #options: RedisConnectionOptions;
  readonly #history = new PurgePositionHistory();
  readonly #offset = new ClockOffset();
  /** When the request was sent whose reply showed that no purge was missing. */
  #confirmedAt = Number.NEGATIVE_INFINITY;

  /** @param instanceId this instance, whose own purges come back in the feed */
  constructor(instanceId: string, options: RedisConnectionOptions) {
    this.#instanceId = instanceId;
    this.#options = options;
  }

  /** Milliseconds by which Redis's clock is ahead of the local one. */
  get clockOffset(): number {
    return this.#offset.milliseconds;
  }

  /** The last purge that this instance knows. */
  get position(): PurgePosition | undefined {
    return this.#history.current;
  }

  positionBefore(time: number): PurgePosition | undefined {
    return this.#history.before(time);
  }

  /** When the request was sent whose reply showed last that no purge was missing. */
  get confirmedAt(): number {
    return this.#confirmedAt;
  }

  /** Whether Redis has confirmed within the last `milliseconds` that this instance misses no purge. */
  isConfirmedWithin(milliseconds: number): boolean {
    const elapsed = this.#options.clock.now() - this.#confirmedAt;
    return elapsed >= 0 && elapsed <= milliseconds;
  }

  /** Forgets the last confirmation, so that a new one is needed. */
  unconfirm(): void {
    this.#confirmedAt = Number.NEGATIVE_INFINITY;
  }

  /** Begins to follow the server of a session, which starts a new epoch if it was restarted. */
  async open(session: RedisSession): Promise<void> {
    const reply = await session.runScript(OPEN_EPOCH, this.#options.keys.purgeStateKeys, [session.runId]);
    this.applyReply(reply, this.#options.clock.now());
  }

  /** Starts a new epoch, in which every earlier response in Redis is treated as purged. */
  async startEpoch(session: RedisSession): Promise<ScriptReply> {
    return session.runScript(START_EPOCH, this.#options.keys.purgeStateKeys, [session.runId]);
  }

  /** Fetches the purges that were missed. */
  async catchUp(session: RedisSession): Promise<void> {
    const { clock, keys } = this.#options;
    const sentAt = clock.now();
    const known = this.position;
    const reply = await session.runScript(GET_MISSED_PURGES, keys.purgeStateKeys, [
      session.runId,
      known?.epoch ?? '',
      String(known?.seq ?? 0),
    ]);
    const head = this.applyReply(reply, sentAt);
    if (head === undefined) throw new Error('the reply to a script has an unknown format');
    // A message that was published since the request has been applied already, and is skipped here.
    for (const message of head.values) this.applyMessage(message);
    const { position } = head;
    const reached = this.position;
    if (reached === undefined || reached.epoch !== position.epoch) return;
    if (position.seq < (known?.seq ?? 0)) {
      // The sequence went back: a replica has taken the server's place, and may lack its last purges.
      this.applyReply(await this.startEpoch(session), clock.now());
    } else if (position.seq > reached.seq) {
      // More purges were missed than Redis keeps messages.
      this.#skipTo(position);
    }
    this.#confirm(sentAt);
  }

  /** Applies the clock and the position at the head of a script's reply. */
  applyReply(reply: ScriptReply, sentAt: number): FeedReply | undefined {
    const [epoch, seq, time, ...values] = reply;
    if (epoch === undefined || seq === undefined || time === undefined) return undefined;
    const position = { epoch: toText(epoch), seq: Number(toText(seq)) };
    this.#offset.measure(Number(toText(time)), sentAt, this.#options.clock.now());
    const known = this.#history.current;
    if (known === undefined || known.epoch !== position.epoch) {
      // The server has lost its data or started a new epoch, with all purges that it had not published.
      this.#skipTo(position);
    } else if (position.seq === known.seq) {
      this.#confirm(sentAt);
    }
    return { position, values };
  }

  /** Applies a published purge of this or another instance. */
  applyMessage(message: Uint8Array): void {
    const parsed = parsePurgeMessage(message);
    const known = this.#history.current;
    if (parsed === undefined || known === undefined) return;
    const { position, instanceId, purge } = parsed;
    if (position.epoch === known.epoch && position.seq <= known.seq) return;
    const isNext = position.epoch === known.epoch && position.seq === known.seq + 1;
    if (!isNext) {
      // A new epoch, or a message before this one was missed.
      this.#options.onMissedPurges();
    } else if (instanceId !== this.#instanceId && purge !== undefined) {
      this.#options.onPurge(purge);
    } else if (purge === undefined) {
      this.#options.onMissedPurges();
    }
    this.#history.advance(position, this.#options.clock.now());
  }

  /** Records that no purge was missing when a request was sent. */
  #confirm(sentAt: number): void {
    this.#confirmedAt = Math.max(this.#confirmedAt, sentAt);
  }

  /** Continues at a position although purges before it were missed. */
  #skipTo(position: PurgePosition): void {
    this.#history.advance(position, this.#options.clock.now());
    this.#options.onMissedPurges();
  }
}

function toText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Maximum positions in the history. The position at a time before the oldest of them is unknown. */
const MAX_POSITIONS = 1000;

/**
 * The positions that this gateway has known, with their times. A response is stored with the position at the time of its
 * request. A later purge of the response then has a higher number, so no clocks of different gateways are compared.
 */
class PurgePositionHistory {
  #current: PurgePosition | undefined;
  readonly #past: { readonly time: number; readonly position: PurgePosition }[] = [];

  /** The position that this gateway knows now; undefined before the first reply of Redis. */
  get current(): PurgePosition | undefined {
    return this.#current;
  }

  /** Sets the current position and adds it to the history. */
  advance(position: PurgePosition, time: number): void {
    this.#current = position;
    this.#past.push({ time, position });
    if (this.#past.length > MAX_POSITIONS) this.#past.splice(0, MAX_POSITIONS / 2);
  }

  /**
   * Returns the position that was known before `time`; undefined if unknown. Positions of the same millisecond are
   * excluded, because they may be later.
   */
  before(time: number): PurgePosition | undefined {
    return this.#past.findLast((entry) => entry.time < time)?.position;
  }
}

/** A measurement replaces one whose round trip was shorter by at most this many milliseconds. */
const ROUND_TRIP_TOLERANCE = 5;

/** Estimates by how much Redis's clock is ahead of the local one, from the times in Redis's replies. */
class ClockOffset {
  #milliseconds = 0;
  /** Round-trip time of the reply that the estimate comes from. Grows, so that a newer reply replaces it eventually. */
  #roundTrip = Number.POSITIVE_INFINITY;

  get milliseconds(): number {
    return this.#milliseconds;
  }

  /** Measures the offset from a reply. A slow reply is ignored: its error is up to half of its round-trip time. */
  measure(redisTime: number, sentAt: number, receivedAt: number): void {
    const roundTrip = receivedAt - sentAt;
    if (roundTrip <= this.#roundTrip + ROUND_TRIP_TOLERANCE) {
      this.#milliseconds = redisTime - (sentAt + receivedAt) / 2;
      this.#roundTrip = roundTrip;
    } else {
      this.#roundTrip += 1;
    }
  }
}
