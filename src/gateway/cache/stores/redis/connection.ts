import { createClient, ErrorReply, RESP_TYPES } from '@redis/client';
import { messageOf } from '../../../../base/errors.ts';
import { digest } from '../../../../base/hash.ts';
import { matchesExample, parseJson } from '../../../../base/json.ts';
import { omitUndefined } from '../../../../base/omit-undefined.ts';
import type { RedisOptions } from '../../../../base/option-types.ts';
import type { Clock, Log } from '../../../../base/ports.ts';
import { readUserFile } from '../../../../base/read-file.ts';
import {
  PURGE_MODES,
  type PurgeMode,
  type PurgeSelection,
  type SharedStoreState,
  type StoredResponse,
} from '../../store.ts';
import type { MemoryStore } from '../memory-store.ts';
import { MAX_NEW_NAMES, OPEN, PURGE, type RedisScript } from './scripts.ts';

export interface RedisStoreOptions {
  readonly servers: RedisOptions;
  readonly clock: Clock;
  readonly log: Log;
}

const MAX_EMPTIED = 100;
const RETRY_DELAY = 100;
const MAX_HOLD = 30_000;
/** Milliseconds after a refused write for which Redis counts as full: it has room now and then. */
const MAX_FULL = 60_000;
/** By the first word of an error of Redis. */
const REMEDIES: Readonly<Record<string, string>> = {
  OOM: 'Redis is full: set maxmemory-policy to volatile-lfu, or raise maxmemory.',
  MISCONF: 'Redis cannot save its data, so it takes no writes: free its disk, or switch its snapshots off.',
  READONLY: 'This Redis is a replica: the URL must lead to the primary.',
};
/** Errors showing that no server runs for other gateways either, so it can't have purged data. */
const NO_SERVER: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOENT']);

interface UnconfirmedPurge {
  readonly members: readonly string[];
  readonly release: () => void;
}

/** Reopened until it succeeds, and used once its purges are confirmed. */
export class RedisConnection {
  session: RedisSession | undefined;
  generation = '';
  seq = 0;
  losses = 0;
  /** Times at which the purges in Redis were gone, in milliseconds since the epoch. */
  readonly emptied: number[] = [];
  #error = '';
  #fullAt = Number.NEGATIVE_INFINITY;
  readonly #options: RedisStoreOptions;
  readonly #memory: MemoryStore;
  readonly #purgesKey: string;
  readonly #unconfirmed = new Set<UnconfirmedPurge>();
  #downSince: number | undefined;
  /** First words of Redis's errors, e.g. `WRONGPASS`, since the connection was lost; empty for other failures. */
  readonly #logged = new Set<string>();
  #isClosed = false;
  #cancelRetry = (): void => {};

  constructor(options: RedisStoreOptions, prefix: string, memory: MemoryStore) {
    this.#options = options;
    this.#memory = memory;
    this.#purgesKey = `${prefix}purges`;
  }

  get state(): SharedStoreState {
    if (this.session === undefined) return 'bypassed';
    return this.#options.clock.now() - this.#fullAt < MAX_FULL ? 'full' : 'connected';
  }

  get remedy(): string | null {
    return this.state === 'connected' ? null : (REMEDIES[this.#error] ?? null);
  }

  noteFull(error: string): void {
    const wasFull = this.state === 'full';
    this.#fullAt = this.#options.clock.now();
    this.#error = firstWord(error);
    const fields = { cause: error, remedy: this.remedy };
    if (!wasFull) this.#options.log.warn(fields, 'the shared cache store takes no new responses');
  }

  readonly open = async (): Promise<void> => {
    const { clock, log, servers } = this.#options;
    let session: RedisSession | undefined;
    try {
      session = await openSession(servers, this.#onFailure);
      await this.#openGeneration(session);
      while (this.#unconfirmed.size > 0) await this.#recordAll(session);
    } catch (cause) {
      session?.close();
      this.#onFailure(cause);
      return;
    }
    if (this.#isClosed) return session.close();
    this.session = session;
    this.#logged.clear();
    if (this.#downSince !== undefined)
      log.info(
        { away: clock.now() - this.#downSince },
        'the connection to the shared cache store is restored',
      );
    this.#downSince = undefined;
  };

  /** Waits until purges are confirmed, if Redis replies. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry();
    const { session } = this;
    if (session !== undefined) await this.#recordAll(session).catch(() => {});
    this.session = undefined;
    session?.close();
  }

  /**
   * Runs a script, and applies other gateways' purges to the memory store.
   * @returns what `use` does with the rest of the reply, or `null` for another generation @throws when Redis cannot be used
   */
  async run<T>(
    session: RedisSession,
    script: RedisScript,
    keys: readonly string[],
    values: readonly RedisArgument[],
    use: (rest: readonly unknown[]) => T,
  ): Promise<T | null> {
    const { generation, seq } = this;
    const sentAt = this.#options.clock.now();
    try {
      const known = [generation, String(seq), ...values];
      const reply = await runScript(session, script, [this.#purgesKey, ...keys], known);
      if (reply === 0) {
        if (await this.#openGeneration(session)) {
          this.emptied.push(sentAt);
          if (this.emptied.length > MAX_EMPTIED) this.emptied.shift();
        }
        return null;
      }
      if (reply === 1) return use([]);
      const [reached, names, ...rest]: readonly unknown[] = Array.isArray(reply) ? reply : [];
      if (generation !== this.generation || typeof reached !== 'number' || !Array.isArray(names)) return null;
      if (reached > this.seq) this.#apply(reached, names);
      if (reached >= seq) return use(rest);
      // The server was a replica meanwhile, and can lack the last purges.
      await session.send(['DEL', this.#purgesKey]);
      return null;
    } catch (cause) {
      session.fail(cause);
      throw cause;
    }
  }

  purge(selection: PurgeSelection, mode: PurgeMode): Promise<void> {
    const letter = mode.charAt(0);
    const members =
      selection.kind === 'all' ? [letter] : selection.tags.map((tag) => letter + toPurgedName(tag));
    if (this.#isClosed || members.length === 0) return Promise.resolve();
    return new Promise((release) => {
      const purge = { members, release };
      this.#unconfirmed.add(purge);
      if (this.session !== undefined) this.#record(this.session, purge).catch(() => {});
      else if (this.#isHoldOver) this.#releaseWrites();
    });
  }

  /** Everything is purged once Redis is back, in place of what these writes have changed. */
  #releaseWrites(): void {
    if (this.#unconfirmed.size === 0) return;
    for (const { release } of this.#unconfirmed) release();
    this.#unconfirmed.clear();
    this.#unconfirmed.add({ members: ['h'], release() {} });
  }

  async #recordAll(session: RedisSession): Promise<void> {
    await Promise.all(Array.from(this.#unconfirmed, (purge) => this.#record(session, purge)));
  }

  async #record(session: RedisSession, purge: UnconfirmedPurge): Promise<void> {
    while ((await this.run(session, PURGE, [], purge.members, () => true)) === null);
    this.#unconfirmed.delete(purge);
    purge.release();
  }

  get #isHoldOver(): boolean {
    return this.#downSince !== undefined && this.#options.clock.now() - this.#downSince >= MAX_HOLD;
  }

  /** @returns whether another generation has begun */
  async #openGeneration(session: RedisSession): Promise<boolean> {
    const random = `-${Math.floor(Math.random() * Number.MAX_SAFE_INTEGER) + 1}`;
    const reply = await runScript(session, OPEN, [this.#purgesKey], [random]);
    const [generation, seq] = Array.isArray(reply) ? reply : [];
    if (String(generation) === this.generation) return false;
    this.#memory.purge({ kind: 'all' }, 'hard');
    this.generation = String(generation);
    this.seq = Number(seq);
    return true;
  }

  #apply(seq: number, purged: readonly unknown[]): void {
    const known = this.seq;
    this.seq = seq;
    if (purged.length > 2 * MAX_NEW_NAMES) {
      this.#memory.purge({ kind: 'all' }, 'hard');
      return;
    }
    const members = purged.flatMap((member, at) =>
      at % 2 === 0 && Number(purged[at + 1]) > known ? String(member) : [],
    );
    for (const mode of PURGE_MODES) {
      const names = members.filter((each) => each.startsWith(mode.charAt(0))).map((each) => each.slice(1));
      if (names.includes('')) this.#memory.purge({ kind: 'all' }, mode);
      else if (names.length > 0) this.#memory.purge({ kind: 'tags', tags: names }, mode);
    }
  }

  readonly #onFailure = (cause: unknown): void => {
    this.session = undefined;
    if (this.#isClosed) return;
    const { clock } = this.#options;
    if (this.#downSince === undefined) {
      this.#downSince = clock.now();
      this.losses += 1;
    }
    const isGone = cause instanceof Error && 'code' in cause && NO_SERVER.has(cause.code);
    if (isGone || this.#isHoldOver) this.#releaseWrites();
    this.#logFailure(cause);
    this.#cancelRetry();
    this.#cancelRetry = clock.after(RETRY_DELAY, this.open);
  };

  #logFailure(cause: unknown): void {
    this.#error = cause instanceof ErrorReply ? firstWord(cause.message) : '';
    if (this.#logged.has(this.#error)) return;
    this.#logged.add(this.#error);
    // Socket errors name host and port, but no error contains the credentials.
    const fields = { cause: messageOf(cause), remedy: this.remedy ?? undefined };
    this.#options.log.warn(fields, 'the shared cache store is not reachable: responses come from the sites');
  }
}

function firstWord(text: string): string {
  return /\w+/.exec(text)?.[0] ?? '';
}

export function encodeMetadata(response: StoredResponse): string {
  return JSON.stringify({
    ...response,
    ...{ body: undefined, compressed: undefined, identity: undefined, usage: undefined },
  });
}

const METADATA = {
  ...{ status: 0, headers: [''], variantKey: '', vary: [''], isSoftPurged: false, tags: [''], revision: '' },
  ...{ requestTime: 0, responseTime: 0, initialAge: 0, freshnessLifetime: 0 },
  ...{ staleWhileRevalidate: 0, staleIfError: 0, staleIfUnreachable: 0 },
};

/** Returns null if the bytes aren't metadata. */
export function decodeStoredResponse(bytes: Uint8Array, body: Uint8Array): StoredResponse | null {
  const metadata = parseJson(bytes);
  return matchesExample(metadata, METADATA) ? { ...metadata, body } : null;
}

/** Longer tags are hashed: clients choose the addresses of writes. */
const MAX_TAG_LENGTH = 256;

/** The name of a tag or a cache key in the record of purges. UTF-8 has no lone surrogates. */
export function toPurgedName(tag: string): string {
  return tag.length <= MAX_TAG_LENGTH && !LONE_SURROGATE.test(tag)
    ? tag
    : `#${digest(tag).toString('base64url')}`;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

type RedisArgument = string | Buffer;

/** One connection to Redis, which ends at the first failure: another server can be there by then. */
export interface RedisSession {
  /** Rejects when Redis replies with an error, the connection is lost, or the deadline is over. */
  send(words: RedisArgument[]): Promise<unknown>;
  fail(cause: unknown): void;
  close(): void;
}

const DEADLINE = 1_000;
const TICKS = 10;

/** @param onLost called once if the session fails, also before it is open */
export async function openSession(
  servers: RedisOptions,
  onLost: (cause: unknown) => void,
): Promise<RedisSession> {
  const client = createRedisClient(servers);
  const binaryClient = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
  let isOver = false;
  const close = (): void => {
    isOver = true;
    if (client.isOpen) client.destroy();
  };
  const fail = (cause: unknown): void => {
    if (isOver) return;
    close();
    onLost(cause);
  };
  const watch = <T>(reply: Promise<T>): Promise<T> => {
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
      if (ticks === TICKS) fail(new Error(`no reply within ${DEADLINE} ms`));
    }, DEADLINE / TICKS).unref();
    return reply.finally(() => clearInterval(timer));
  };
  client.on('error', fail).on('end', () => fail(new Error('the connection was closed')));
  await watch(client.connect()).catch((cause: unknown) => {
    fail(cause);
    throw cause;
  });
  return {
    close,
    fail,
    async send(words) {
      if (isOver) throw new Error('the connection is closed');
      return watch(binaryClient.sendCommand(words));
    },
  };
}

async function runScript(
  session: RedisSession,
  { hash, text }: RedisScript,
  keys: readonly string[],
  values: readonly RedisArgument[],
): Promise<unknown> {
  const rest = [String(keys.length), ...keys, ...values];
  return session.send(['EVALSHA', hash, ...rest]).catch((cause: unknown) => {
    if (!(cause instanceof ErrorReply) || !cause.message.startsWith('NOSCRIPT')) throw cause;
    return session.send(['EVAL', text, ...rest]);
  });
}

function createRedisClient(servers: RedisOptions): ReturnType<typeof createClient> {
  const { passwordFile, url = '' } = servers;
  const files = [servers.ca, servers.cert, servers.key, passwordFile];
  const [ca, cert, key, secret] = files.map((path) => path && readUserFile(path));
  const password = secret?.replace(/\r?\n$/, '');
  return createClient({
    url:
      password === undefined ? url : url.replace(/^(\w+:\/\/[^/@]+)@/, `$1:${encodeURIComponent(password)}@`),
    ...omitUndefined({ password }),
    // `watch` has the only deadline: the client would create a signal and an error for each command.
    commandOptions: { timeout: 0 },
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    commandsQueueMaxLength: 10_000,
    socket: { ...omitUndefined({ ca, cert, key }), reconnectStrategy: false },
  });
}
