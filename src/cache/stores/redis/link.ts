import { ErrorReply } from '@redis/client';
import { decodePurge, encodePurge, type Purge } from './frame.ts';
import { PendingPurges } from './pending.ts';
import { OPEN, PURGE, RENEW, SINCE } from './scripts.ts';
import { type Position, Sequence } from './sequence.ts';
import { openSession, type Reply, type Session } from './session.ts';

export interface LinkOptions {
  readonly url: string;
  readonly prefix: string;
  /** Milliseconds for a command. */
  readonly timeout: number;
  /** Between two questions for purges that were missed, and before a lost connection is tried again. */
  readonly heartbeat: number;
  /** How long what memory holds is believed after the last word from Redis. */
  readonly trust: number;
  readonly clock: { now(): number; after(delay: number, task: () => void): () => void };
  readonly log: { info(facts: object, message: string): void; warn(facts: object, message: string): void };
  readonly random: () => string;
  readonly onPurge: (purge: Purge) => void;
  /** Purges may have been missed: what memory holds is not to be believed. */
  readonly onGap: () => void;
}

/** Head of a script's reply. */
interface Heard {
  readonly position: Position;
  readonly rest: Reply;
}

/**
 * The connection to the shared tier, opened again for as long as it takes, and what is known over it of purges.
 *
 * Purges come by publish/subscribe; a question every `heartbeat` brings those that were missed, and each reply of Redis
 * says up to which number it is. What memory holds is `current` while the last such word is less than `trust` old. An
 * instance whose purge could not be delivered lets that time pass before it says that it is done, and delivers it before
 * it reads anything again; the others, who have seen the fault as well, read nothing for {@link GRACE} after it.
 */
export class Link {
  readonly #options: LinkOptions;
  readonly #sequence = new Sequence();
  readonly #pending = new PendingPurges();
  /** This instance, among those that publish. */
  readonly #origin: string;
  #session: Session | undefined;
  #closed = false;
  #failing = false;
  #downSince: number | undefined;
  #heardAt = Number.NEGATIVE_INFINITY;
  #graceUntil = Number.NEGATIVE_INFINITY;
  #offset = 0;
  /** How long the reply took that the offset was taken from. */
  #taken = Number.POSITIVE_INFINITY;
  /** Counts the purges of this instance, told to others or not. */
  #purges = 0;
  #cancel = (): void => {};

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#origin = options.random();
  }

  get session(): Session | undefined {
    return this.#session;
  }

  get run(): string {
    return this.#session?.run ?? '';
  }

  /** What Redis's clock is ahead of this one's, in milliseconds. */
  get offset(): number {
    return this.#offset;
  }

  get stateKeys(): readonly [string, string] {
    return [`${this.#options.prefix}purges`, `${this.#options.prefix}told`];
  }

  /** Whether a purge that was told before now is known here. */
  get current(): boolean {
    const since = this.#options.clock.now() - this.#heardAt;
    return this.readable && since >= 0 && since <= this.#options.trust;
  }

  /** Whether what Redis holds may be believed. */
  get readable(): boolean {
    // A purge on its way is no hindrance: what is asked for after it is answered after it.
    return this.#session !== undefined && this.#options.clock.now() >= this.#graceUntil;
  }

  /** What is asked for over it must be asked again where this has changed by then. */
  get stamp(): string {
    const { epoch, seq } = this.#sequence.current ?? { epoch: '', seq: 0 };
    return `${epoch} ${seq} ${this.#purges}`;
  }

  positionAt(time: number): Position | undefined {
    return this.#sequence.at(time);
  }

  /** Takes note of the head that each script replies. */
  hear(reply: Reply, sentAt: number): Heard | undefined {
    const [epoch, seq, time, ...rest] = reply;
    if (epoch === undefined || seq === undefined || time === undefined) return undefined;
    const position = { epoch: asText(epoch), seq: Number(asText(seq)) };
    const now = this.#options.clock.now();
    this.#measure(Number(asText(time)), sentAt, now);
    const known = this.#sequence.current;
    if (known === undefined || known.epoch !== position.epoch) {
      // The server was emptied, or began anew: what it would have told is lost.
      this.#sequence.move(position, now);
      this.#options.onGap();
    } else if (position.seq === known.seq) {
      this.#heardAt = Math.max(this.#heardAt, sentAt);
    }
    return { position, rest };
  }

  /** Opens the first session; a failure is tried again in the background. */
  start(): Promise<void> {
    return this.#open();
  }

  /** @returns when the others know, or can no longer believe what they hold */
  async purge(purge: Purge): Promise<void> {
    this.#purges += 1;
    this.#pending.add(purge);
    const { clock, trust, heartbeat } = this.#options;
    const began = this.#downSince ?? clock.now();
    const session = this.#session;
    if (session !== undefined && (await this.#deliver(session, purge))) return;
    const wait = began + trust + heartbeat - clock.now();
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
    let opened: Session | undefined;
    try {
      opened = await openSession({
        url,
        timeout,
        channel: `${prefix}purged`,
        after: clock.after,
        onMessage: (message) => this.#told(message),
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
  async #enter(session: Session): Promise<void> {
    this.hear(await session.script(OPEN, this.stateKeys, [session.run]), this.#options.clock.now());
    for (const purge of [...this.#pending.all]) {
      if (!(await this.#deliver(session, purge))) throw new Error('a purge could not be delivered');
    }
    await this.#catchUp(session);
  }

  #begin(session: Session): void {
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
    this.#heardAt = Number.NEGATIVE_INFINITY;
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

  async #catchUp(session: Session): Promise<void> {
    const { clock } = this.#options;
    const sentAt = clock.now();
    const known = this.#sequence.current;
    const reply = await session.script(SINCE, this.stateKeys, [
      session.run,
      known?.epoch ?? '',
      String(known?.seq ?? 0),
    ]);
    // What was published meanwhile has been heard before: it is not told twice.
    const heard = this.hear(reply, sentAt);
    if (heard === undefined) throw new Error('the reply is of another kind');
    for (const message of heard.rest) this.#told(message);
    const { position } = heard;
    const reached = this.#sequence.current;
    if (reached === undefined || reached.epoch !== position.epoch) return;
    if (position.seq < (known?.seq ?? 0)) {
      // Numbers that were given are gone: a copy of the server has taken its place, and may lack purges.
      this.hear(await session.script(RENEW, this.stateKeys, [session.run]), clock.now());
    } else if (position.seq > reached.seq) {
      // More than is told again.
      this.#sequence.move(position, clock.now());
      this.#options.onGap();
    }
    this.#heardAt = Math.max(this.#heardAt, sentAt);
  }

  /** Replies that took long say little of the other clock. */
  #measure(theirs: number, sentAt: number, now: number): void {
    const taken = now - sentAt;
    if (taken <= this.#taken + 5) {
      this.#offset = theirs - (sentAt + now) / 2;
      this.#taken = taken;
    } else {
      this.#taken += 1;
    }
  }

  /** A purge of this or another instance. */
  #told(message: Uint8Array): void {
    const told = readMessage(message);
    const known = this.#sequence.current;
    if (told === undefined || known === undefined) return;
    const { position, origin, purge } = told;
    if (position.epoch === known.epoch && position.seq <= known.seq) return;
    const next = position.epoch === known.epoch && position.seq === known.seq + 1;
    if (!next) {
      // Another epoch, or one before it was missed.
      this.#options.onGap();
    } else if (origin !== this.#origin && purge !== undefined) {
      this.#options.onPurge(purge);
    } else if (purge === undefined) {
      this.#options.onGap();
    }
    this.#sequence.move(position, this.#options.clock.now());
  }

  async #deliver(session: Session, purge: Purge): Promise<boolean> {
    const { prefix, clock } = this.#options;
    const payload = Buffer.concat([Buffer.from(`${this.#origin} `), encodePurge(purge)]);
    const sentAt = clock.now();
    try {
      const reply = await session.script(
        PURGE,
        [...this.stateKeys, `${prefix}purged`],
        [session.run, purge.mode === 'hard' ? 'h' : 's', payload, ...marksOf(purge)],
      );
      this.hear(reply, sentAt);
      this.#pending.delivered(purge);
      return true;
    } catch (cause) {
      // A server that is full notes no purge, but forgets: then nothing counts that was kept.
      if (cause instanceof ErrorReply)
        await session.script(RENEW, this.stateKeys, [session.run]).catch(() => {});
      if (session === this.#session) this.#lose(cause);
      return false;
    }
  }
}

/** How long after a fault nothing is read: the others deliver in it what they could not tell. Milliseconds. */
const GRACE = 1000;

/** The names by which purges strike answers. */
export const keyMark = (key: string): string => `k${key}`;
export const tagMark = (tag: string): string => `t${tag}`;

function marksOf({ selection }: Purge): readonly string[] {
  if (selection.kind === 'all') return [''];
  return selection.kind === 'tags' ? selection.tags.map(tagMark) : selection.keys.map(keyMark);
}

/** `epoch number origin` and the frame, as the script and {@link Link} write it. */
function readMessage(message: Uint8Array) {
  const head = /^(\d+) (\d+) ([\w-]+) /.exec(new TextDecoder('latin1').decode(message.subarray(0, 100)));
  if (head === null) return undefined;
  const [whole, epoch = '', seq = '', origin = ''] = head;
  return {
    position: { epoch, seq: Number(seq) },
    origin,
    purge: decodePurge(message.subarray(whole.length)),
  };
}

const asText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Errors of sockets name the server; none names what the address holds besides. */
function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
