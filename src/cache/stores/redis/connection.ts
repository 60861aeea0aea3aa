import { ErrorReply } from '@redis/client';
import type { RedisOptions } from '../../../config/option-types.ts';
import { messageOf } from '../../../errors.ts';
import type { Clock, Log } from '../../../ports.ts';
import { PURGE_MODES, type PurgeMode, type PurgeSelection, type SharedStoreState } from '../../store.ts';
import type { MemoryStore } from '../memory-store.ts';
import { toPurgedName } from './codec.ts';
import { MAX_NEW_NAMES, OPEN, PURGE } from './scripts.ts';
import { type RedisArgument, RedisSession, toReplyText } from './session.ts';

export interface RedisStoreOptions {
  readonly servers: RedisOptions;
  /**
   * Milliseconds for which the memory store is used while Redis is unreachable, and other gateways' writes go
   * unnoticed. @default 0
   */
  readonly maxAway?: number | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with the time of each reply. */
  readonly onReply?: ((milliseconds: number) => void) | undefined;
}

const RETRY_DELAY = 100;
/** Milliseconds without Redis after which writes no longer wait for their purges. */
const MAX_HOLD = 30_000;
/** More unconfirmed purges than this are replaced by one purge of everything. */
const MAX_UNCONFIRMED = 1_000;
/** Errors that show that no server is running for other gateways either. */
const NO_SERVER: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOENT']);

interface UnconfirmedPurge {
  readonly mode: PurgeMode;
  /** Empty: everything. */
  readonly names: readonly string[];
  readonly release: () => void;
}

/**
 * The connection to Redis and this gateway's purges. It is reopened until it succeeds, and used once its
 * purges are confirmed.
 */
export class RedisConnection {
  session: RedisSession | undefined;
  /** Generation and number of the last purge that the memory store knows. */
  generation = '';
  seq = '0';
  readonly #options: RedisStoreOptions;
  readonly #memory: MemoryStore;
  readonly #purgesKey: string;
  readonly #unconfirmed = new Set<UnconfirmedPurge>();
  #opening: Promise<void> | undefined;
  /** When the last request was sent that has a reply. */
  #knownAt = Number.NEGATIVE_INFINITY;
  #downSince: number | undefined;
  losses = 0;
  #loggedState: SharedStoreState = 'connected';
  /** The first word of Redis's error, such as `WRONGPASS`. */
  #loggedError = '';
  #isClosed = false;
  #cancelRetry = (): void => {};

  constructor(options: RedisStoreOptions, prefix: string, memory: MemoryStore) {
    this.#options = options;
    this.#memory = memory;
    this.#purgesKey = `${prefix}purges`;
  }

  get state(): SharedStoreState {
    if (this.session !== undefined) return 'connected';
    const { clock, maxAway = 0 } = this.#options;
    return !this.#isClosed && clock.now() - this.#knownAt <= maxAway ? 'memory' : 'bypassed';
  }

  /** After a failure, attempts continue in the background. */
  async open(): Promise<void> {
    const { clock, log, onReply, servers } = this.#options;
    // A server that starts later has nothing that they purge.
    const waiting = [...this.#unconfirmed];
    let opened: RedisSession | undefined;
    try {
      const onLost = (cause: unknown): void => {
        if (opened !== undefined && opened === this.session) this.#onFailure(cause);
      };
      opened = await RedisSession.open({ servers, onReply, after: clock.after, onLost });
      await this.#openGeneration(opened, '1');
      for (const session = opened; this.#unconfirmed.size > 0; )
        await Promise.all(Array.from(this.#unconfirmed, (purge) => this.#record(session, purge)));
      if (this.#isClosed) return opened.close();
      this.session = opened;
    } catch (cause) {
      opened?.close();
      if (NO_SERVER.has(toCode(cause))) for (const { release } of waiting) release();
      return this.#onFailure(cause);
    }
    if (this.#downSince !== undefined)
      log.info(
        { away: clock.now() - this.#downSince },
        'the connection to the shared cache store is restored',
      );
    this.#downSince = undefined;
    this.#loggedState = 'connected';
    this.#loggedError = '';
  }

  /** Waits until purges are confirmed, if Redis replies. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry();
    const { session } = this;
    if (session !== undefined)
      await Promise.all(Array.from(this.#unconfirmed, (purge) => this.#record(session, purge))).catch(
        () => {},
      );
    this.session = undefined;
    session?.close();
  }

  /**
   * Runs a script, and applies other gateways' purges to the memory store.
   * @param use gets the rest of the reply, before the memory store knows of later purges
   * @returns what `use` does; `null` after a change of the generation. Rejects when Redis cannot be used
   */
  async run<T>(
    session: RedisSession,
    script: string,
    key: string,
    values: readonly RedisArgument[],
    use: (rest: readonly unknown[]) => T,
  ): Promise<T | null> {
    const { generation, seq } = this;
    const sentAt = this.#options.clock.now();
    try {
      const reply = await session.runScript(script, [this.#purgesKey, key], [generation, seq, ...values]);
      if (reply === 0) {
        this.#opening ??= this.#openGeneration(session, '0').finally(() => (this.#opening = undefined));
        await this.#opening;
        return null;
      }
      this.#knownAt = sentAt;
      if (reply === 1) return use([]);
      const [next, names, ...rest] = Array.isArray(reply) ? (reply as readonly unknown[]) : [];
      if (generation !== this.generation || !Array.isArray(names)) return null;
      const reached = toReplyText(next);
      if (Number(reached) > Number(this.seq)) this.#apply(reached, names);
      if (Number(reached) >= Number(seq)) return use(rest);
      // The server was a replica meanwhile, and can lack the last purges.
      await session.send(['DEL', this.#purgesKey]);
      return null;
    } catch (cause) {
      if (session === this.session) this.#onFailure(cause);
      throw cause;
    }
  }

  /** Resolves when Redis has confirmed the purge, or nobody can wait any longer. */
  purge(selection: PurgeSelection, mode: PurgeMode): Promise<void> {
    const names = selection.kind === 'all' ? [] : selection.tags.map(toPurgedName);
    if (this.#isClosed || (selection.kind === 'tags' && names.length === 0)) return Promise.resolve();
    return new Promise((release) => {
      const purge = { mode, names, release };
      this.#unconfirmed.add(purge);
      const { session } = this;
      if (session !== undefined) this.#record(session, purge).catch(() => {});
      else if (this.#isHoldOver) release();
      if (session === undefined && this.#unconfirmed.size > MAX_UNCONFIRMED) {
        const others = [...this.#unconfirmed];
        this.#unconfirmed.clear();
        const releaseAll = (): void => others.forEach((each) => void each.release());
        this.#unconfirmed.add({ mode: 'hard', names: [], release: releaseAll });
      }
    });
  }

  async #record(session: RedisSession, purge: UnconfirmedPurge): Promise<void> {
    const { mode, names, release } = purge;
    const values = [mode.charAt(0), ...names];
    while ((await this.run(session, PURGE, this.#purgesKey, values, () => true)) === null);
    this.#unconfirmed.delete(purge);
    release();
  }

  get #isHoldOver(): boolean {
    return this.#downSince !== undefined && this.#options.clock.now() - this.#downSince >= MAX_HOLD;
  }

  /**
   * Begins a generation if there is none. Nothing in memory is used in another one. @param isNew `1` if the
   * session is new
   */
  async #openGeneration(session: RedisSession, isNew: '0' | '1'): Promise<void> {
    const random = `-${Math.floor(Math.random() * Number.MAX_SAFE_INTEGER) + 1}`;
    const sentAt = this.#options.clock.now();
    const reply = await session.runScript(OPEN, [this.#purgesKey], [session.serverId, random, isNew]);
    if (!Array.isArray(reply)) throw new Error('the server has become another one');
    const [generation = '', seq = ''] = reply.map(toReplyText);
    this.#knownAt = sentAt;
    if (generation === this.generation) return;
    this.#memory.purge({ kind: 'all' }, 'hard');
    this.generation = generation;
    this.seq = seq;
  }

  /** @param purged each with its number */
  #apply(seq: string, purged: readonly unknown[]): void {
    const known = Number(this.seq);
    this.seq = seq;
    if (purged.length > 2 * MAX_NEW_NAMES) {
      this.#memory.purge({ kind: 'all' }, 'hard');
      return;
    }
    const texts = purged.map(toReplyText);
    for (const mode of PURGE_MODES) {
      const tags: string[] = [];
      for (let at = 0; at + 1 < texts.length; at += 2) {
        const [member = '', number] = [texts[at], texts[at + 1]];
        if (!member.startsWith(mode.charAt(0)) || Number(number) <= known) continue;
        if (member.length > 1) tags.push(member.slice(1));
        else this.#memory.purge({ kind: 'all' }, mode);
      }
      if (tags.length > 0) this.#memory.purge({ kind: 'tags', tags }, mode);
    }
  }

  #onFailure(cause: unknown): void {
    this.session?.close();
    this.session = undefined;
    if (this.#isClosed) return;
    const { clock } = this.#options;
    if (this.#downSince === undefined) {
      this.#downSince = clock.now();
      this.losses += 1;
    }
    if (this.#isHoldOver) for (const { release } of this.#unconfirmed) release();
    this.#logFailure(cause);
    this.#cancelRetry();
    this.#cancelRetry = clock.after(RETRY_DELAY, () => void this.open());
  }

  #logFailure(cause: unknown): void {
    const { state } = this;
    const error = cause instanceof ErrorReply ? (cause.message.split(' ', 1)[0] ?? '') : '';
    if (state === this.#loggedState && (error === '' || error === this.#loggedError)) return;
    this.#loggedState = state;
    this.#loggedError = error;
    const effect = state === 'memory' ? 'this gateway uses its own memory' : 'responses come from the sites';
    // Socket errors name host and port, but no error contains the credentials.
    this.#options.log.warn({ cause: messageOf(cause) }, `the shared cache store is not reachable: ${effect}`);
  }
}

function toCode(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
}
