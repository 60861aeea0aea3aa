import { ErrorReply } from '@redis/client';
import type { Purge } from './codec.ts';
import { InvalidationFeed, type InvalidationFeedOptions } from './invalidation-feed.ts';
import { PendingPurges } from './pending-purges.ts';
import { encodePurgeMessage, marksOf } from './purge-message.ts';
import { GET_MISSED_PURGES, OPEN_EPOCH, RECORD_PURGE, START_EPOCH } from './scripts.ts';
import { openRedisSession, type RedisSession } from './session.ts';

export interface RedisConnectionOptions extends Pick<InvalidationFeedOptions, 'onPurge' | 'onMissedPurges'> {
  readonly url: string;
  readonly prefix: string;
  /** Milliseconds for a command. */
  readonly timeout: number;
  /** Between two questions for purges that were missed, and before a lost connection is tried again. */
  readonly heartbeat: number;
  /** How long what memory holds is believed after the last word from Redis. */
  readonly maxStaleness: number;
  readonly clock: { now(): number; after(delay: number, task: () => void): () => void };
  readonly log: { info(facts: object, message: string): void; warn(facts: object, message: string): void };
  readonly random: () => string;
}

/**
 * The connection to the shared tier, opened again for as long as it takes, and what is heard and told over it.
 *
 * Purges come by publish/subscribe; a question every `heartbeat` brings those that were missed, and each reply of Redis
 * says up to which number it is. What memory holds is `current` while the last such word is less than `trust` old. An
 * instance whose purge could not be delivered lets that time pass before it says that it is done, and delivers it before
 * it reads anything again; the others, who have seen the fault as well, read nothing for {@link GRACE} after it.
 */
export class RedisConnection {
  readonly #options: RedisConnectionOptions;
  /** What is known over it of purges. */
  readonly feed: InvalidationFeed;
  readonly #pending = new PendingPurges();
  /** This instance, among those that publish. */
  readonly #origin: string;
  #session: RedisSession | undefined;
  #closed = false;
  #failing = false;
  #downSince: number | undefined;
  #graceUntil = Number.NEGATIVE_INFINITY;
  /** Counts the purges of this instance, told to others or not. */
  #purges = 0;
  #cancel = (): void => {};

  constructor(options: RedisConnectionOptions) {
    this.#options = options;
    this.#origin = options.random();
    const { clock, onMissedPurges, onPurge } = options;
    this.feed = new InvalidationFeed({ instanceId: this.#origin, clock, onMissedPurges, onPurge });
  }

  get session(): RedisSession | undefined {
    return this.#session;
  }

  get stateKeys(): readonly [string, string] {
    return [`${this.#options.prefix}purges`, `${this.#options.prefix}told`];
  }

  /** Whether a purge that was told before now is known here. */
  get current(): boolean {
    return this.readable && this.feed.isConfirmedWithin(this.#options.maxStaleness);
  }

  /** Whether what Redis holds may be believed. */
  get readable(): boolean {
    // A purge on its way is no hindrance: what is asked for after it is answered after it.
    return this.#session !== undefined && this.#options.clock.now() >= this.#graceUntil;
  }

  /** What is asked for over it must be asked again where this has changed by then. */
  get stamp(): string {
    const { epoch, seq } = this.feed.position ?? { epoch: '', seq: 0 };
    return `${epoch} ${seq} ${this.#purges}`;
  }

  /** Opens the first session; a failure is tried again in the background. */
  start(): Promise<void> {
    return this.#open();
  }

  /** @returns when the others know, or can no longer believe what they hold */
  async purge(purge: Purge): Promise<void> {
    this.#purges += 1;
    this.#pending.add(purge);
    const { clock, maxStaleness, heartbeat } = this.#options;
    const began = this.#downSince ?? clock.now();
    const session = this.#session;
    if (session !== undefined && (await this.#deliver(session, purge))) return;
    const wait = began + maxStaleness + heartbeat - clock.now();
    if (wait > 0 && !this.#closed) await new Promise<void>((resolve) => clock.after(wait, resolve));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel();
    this.#session?.close();
    this.#session = undefined;
  }

  async #open(): Promise<void> {
    const { url, timeout, prefix, clock } = this.#options;
    let lost = false;
    let opened: RedisSession | undefined;
    try {
      opened = await openRedisSession({
        url,
        timeout,
        channel: `${prefix}purged`,
        after: clock.after,
        onMessage: (message) => this.feed.applyMessage(message),
        onLost: (cause) => {
          lost = true;
          if (opened !== undefined && opened === this.#session) this.#lose(cause);
        },
      });
      await this.#enter(opened);
      if (lost) throw new Error('the connection was lost');
      if (this.#closed) return opened.close();
      this.#begin(opened);
    } catch (cause) {
      opened?.close();
      this.#lose(cause);
    }
  }

  /** What is to be said and heard before anything is read. */
  async #enter(session: RedisSession): Promise<void> {
    this.feed.applyReply(
      await session.runScript(OPEN_EPOCH, this.stateKeys, [session.runId]),
      this.#options.clock.now(),
    );
    for (const purge of [...this.#pending.all]) {
      if (!(await this.#deliver(session, purge))) throw new Error('a purge could not be delivered');
    }
    await this.#catchUp(session);
  }

  #begin(session: RedisSession): void {
    const { clock, log } = this.#options;
    this.#session = session;
    this.#downSince = undefined;
    if (this.#failing) {
      this.#graceUntil = clock.now() + GRACE;
      log.info({}, 'the shared store is back');
    }
    this.#failing = false;
    this.#beat();
  }

  #lose(cause: unknown): void {
    this.#session?.close();
    this.#session = undefined;
    this.feed.unconfirm();
    if (this.#closed) return;
    const { clock, heartbeat, log } = this.#options;
    this.#downSince ??= clock.now();
    if (!this.#failing)
      log.warn({ cause: reasonOf(cause) }, 'the shared store is gone: answers come from the site');
    this.#failing = true;
    this.#cancel();
    this.#cancel = clock.after(heartbeat, () => void this.#open());
  }

  #beat(): void {
    const { clock, heartbeat } = this.#options;
    this.#cancel = clock.after(heartbeat, async () => {
      const session = this.#session;
      if (session === undefined) return;
      try {
        await this.#catchUp(session);
        if (session === this.#session) this.#beat();
      } catch (cause) {
        if (session === this.#session) this.#lose(cause);
      }
    });
  }

  async #catchUp(session: RedisSession): Promise<void> {
    const { clock } = this.#options;
    const sentAt = clock.now();
    const known = this.feed.position;
    const reply = await session.runScript(GET_MISSED_PURGES, this.stateKeys, [
      session.runId,
      known?.epoch ?? '',
      String(known?.seq ?? 0),
    ]);
    // What was published meanwhile has been heard before: it is not told twice.
    const heard = this.feed.applyReply(reply, sentAt);
    if (heard === undefined) throw new Error('the reply is of another kind');
    for (const message of heard.rest) this.feed.applyMessage(message);
    const { position } = heard;
    const reached = this.feed.position;
    if (reached === undefined || reached.epoch !== position.epoch) return;
    if (position.seq < (known?.seq ?? 0)) {
      // Numbers that were given are gone: a copy of the server has taken its place, and may lack purges.
      this.feed.applyReply(
        await session.runScript(START_EPOCH, this.stateKeys, [session.runId]),
        clock.now(),
      );
    } else if (position.seq > reached.seq) {
      // More than is told again.
      this.feed.skipTo(position);
    }
    this.feed.confirm(sentAt);
  }

  async #deliver(session: RedisSession, purge: Purge): Promise<boolean> {
    const { prefix, clock } = this.#options;
    const payload = encodePurgeMessage(this.#origin, purge);
    const sentAt = clock.now();
    try {
      const reply = await session.runScript(
        RECORD_PURGE,
        [...this.stateKeys, `${prefix}purged`],
        [session.runId, purge.mode === 'hard' ? 'h' : 's', payload, ...marksOf(purge)],
      );
      this.feed.applyReply(reply, sentAt);
      this.#pending.delivered(purge);
      return true;
    } catch (cause) {
      // A server that is full notes no purge, but forgets: then nothing counts that was kept.
      if (cause instanceof ErrorReply)
        await session.runScript(START_EPOCH, this.stateKeys, [session.runId]).catch(() => {});
      if (session === this.#session) this.#lose(cause);
      return false;
    }
  }
}

/** How long after a fault nothing is read: the others deliver in it what they could not tell. Milliseconds. */
const GRACE = 1000;

/** Errors of sockets name the server; none names what the address holds besides. */
function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
