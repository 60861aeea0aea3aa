import { type createClient, ErrorReply, RESP_TYPES } from '@redis/client';
import type { RedisOptions } from '../../../../generated/option-types.d.ts';
import type { Clock } from '../../../ports.ts';
import type { Lease } from '../../store.ts';
import { createRedisClient } from './client.ts';
import { EXTEND_LEASE, LUA_SCRIPTS, RELEASE_LEASE } from './scripts.ts';

interface RedisSessionOptions {
  readonly servers: RedisOptions;
  /** What all keys begin with. In a cluster, the node that has it is connected to. */
  readonly prefix: string;
  /** Milliseconds for a command, and for connecting. */
  readonly timeout: number;
  /** Called at most once: when connecting fails (which also throws), the connection is lost or a command exceeds its timeout. */
  readonly onLost: (cause: unknown) => void;
  /** Receives the messages of each channel, by the channel's name. */
  readonly channels: Readonly<Record<string, (message: Uint8Array) => void>>;
  readonly after: Clock['after'];
  /** See `RedisTierOptions.onReply`. */
  readonly onReply?: ((milliseconds: number) => void) | undefined;
}

/** What is said of a server that {@link RedisSession.mayBeSecondMaster}. */
export const SECOND_MASTER_WARNING =
  'Redis may have two masters for a while, and reads may be outdated then: with two replicas, set min-replicas-to-write 1 and min-replicas-max-lag 2';

export type RedisArgument = string | Uint8Array;

/** The strings in a script's reply, as bytes. */
export type ScriptReply = readonly Uint8Array[];

/** Milliseconds that a command has beyond its timeout, in which replies that have already arrived are read. */
const TIMEOUT_GRACE = 25;

/** One connection to Redis, with the scripts loaded. It ends at the first failure or timeout, and does not reconnect. */
export class RedisSession {
  /** Redis's `run_id`, which changes with each start of the server. */
  runId = '';
  /** The `maxmemory_policy` of the server; `noeviction` if it has no `maxmemory`, `undefined` if the server does not state it. */
  evictionPolicy: string | undefined;
  /** Whether another server may take the place of this one while it goes on to take writes, as far as the server states it. */
  mayBeSecondMaster = false;
  readonly #options: RedisSessionOptions;
  readonly #client: ReturnType<typeof createClient>;
  readonly #sendCommand: (words: (string | Buffer)[]) => Promise<unknown>;
  /** By the source of the script. */
  readonly #hashes = new Map<string, string>();
  #isOver = false;

  private constructor(options: RedisSessionOptions, client: ReturnType<typeof createClient>) {
    this.#options = options;
    this.#client = client;
    const binaryClient = this.#client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
    this.#sendCommand = (words) => binaryClient.sendCommand(words);
    this.#client.on('error', (cause: unknown) => this.#fail(cause));
    this.#client.on('end', () => this.#fail(new Error('the connection was closed')));
  }

  /**
   * Connects to Redis, loads the scripts and subscribes to the channels.
   *
   * @throws the cause when a step fails or exceeds the timeout
   */
  static async open(options: RedisSessionOptions): Promise<RedisSession> {
    const { prefix, servers, timeout } = options;
    const session = new RedisSession(options, await createRedisClient(servers, prefix, timeout));
    try {
      await session.#withTimeout(session.#client.connect());
      await session.#readServerInfo();
      for (const script of LUA_SCRIPTS) {
        session.#hashes.set(script, toReplyText(await session.#send(['SCRIPT', 'LOAD', script])));
      }
      for (const [channel, onMessage] of Object.entries(options.channels)) {
        await session.#withTimeout(session.#client.subscribe(channel, onMessage, true));
      }
    } catch (cause) {
      session.#fail(cause);
      throw cause;
    }
    return session;
  }

  /** Runs a script. Rejects when Redis replies with an error, the connection is lost, or the timeout is over. */
  async runScript(
    script: string,
    keys: readonly string[],
    values: readonly RedisArgument[],
  ): Promise<ScriptReply> {
    const rest = [String(keys.length), ...keys, ...values];
    try {
      return toScriptReply(await this.#send(['EVALSHA', this.#hashes.get(script) ?? '', ...rest]));
    } catch (cause) {
      // `SCRIPT FLUSH` removes the scripts from the server.
      if (!(cause instanceof ErrorReply) || !cause.message.startsWith('NOSCRIPT')) throw cause;
      return toScriptReply(await this.#send(['EVAL', script, ...rest]));
    }
  }

  /** Runs a script in the way of `@redis/client`, for rate-limiter-flexible. */
  eval(
    script: string,
    { arguments: values, keys }: { readonly keys: readonly string[]; readonly arguments: readonly string[] },
  ): Promise<unknown> {
    return this.#send(['EVAL', script, String(keys.length), ...keys, ...values]);
  }

  /** `SET key token NX PX milliseconds` */
  async setIfAbsent(key: string, token: string, milliseconds: number): Promise<boolean> {
    return (await this.#send(['SET', key, token, 'NX', 'PX', String(milliseconds)])) !== null;
  }

  /** Publishes a message. Nobody waits for it: a message that is lost is as one that arrives too late. */
  publish(channel: string, message: string): void {
    this.#send(['PUBLISH', channel, message]).catch(() => {});
  }

  /** Reads what the server states of itself. Its `run_id` may be `unknown`: a restart is then not noticed. */
  async #readServerInfo(): Promise<void> {
    // Managed servers refuse `CONFIG`. Redis 6 takes one section or all.
    const reply = await this.#send(['INFO']).catch((cause: unknown) => {
      if (cause instanceof ErrorReply) return '';
      throw cause;
    });
    const info = toReplyText(reply);
    const read = (name: string): string | undefined => new RegExp(`^${name}:([\\w-]+)`, 'm').exec(info)?.[1];
    this.runId = read('run_id') ?? 'unknown';
    if (read('role') === 'slave') throw new Error('the server is a replica, which takes no writes');
    const { cluster, sentinels } = this.#options.servers;
    const hasSuccessor = cluster === undefined ? sentinels !== undefined : read('connected_slaves') !== '0';
    // Stated only if both settings are above 0. `CONFIG` would need a permission more.
    const needsReplica = read('min_slaves_good_slaves') !== undefined;
    this.mayBeSecondMaster = read('role') === 'master' && hasSuccessor && !needsReplica;
    this.evictionPolicy = read('maxmemory') === '0' ? 'noeviction' : read('maxmemory_policy');
  }

  async #send(words: readonly RedisArgument[]): Promise<unknown> {
    if (this.#isOver) throw new Error('the connection is closed');
    const sentAt = performance.now();
    const reply = await this.#withTimeout(this.#sendCommand(words.map(toCommandArgument)));
    this.#options.onReply?.(performance.now() - sentAt);
    return reply;
  }

  /** Ends the connection and reports the cause, unless it has ended already. */
  #fail(cause: unknown): void {
    if (this.#isOver) return;
    this.close();
    this.#options.onLost(cause);
  }

  /** Ends the connection without a report. */
  close(): void {
    this.#isOver = true;
    if (this.#client.isOpen) this.#client.destroy();
  }

  /** Waits for a reply, and ends the connection when there is none in time. */
  async #withTimeout<T>(reply: Promise<T>): Promise<T> {
    const { after, timeout } = this.#options;
    let cancel = (): void => {};
    const timedOut = new Promise<never>((_, reject) => {
      const expire = (): void => {
        const cause = new Error(`no reply within ${timeout} ms`);
        this.#fail(cause);
        reject(cause);
      };
      // If this process was busy, the reply may have arrived without having been read.
      cancel = after(timeout, () => {
        cancel = after(TIMEOUT_GRACE, expire);
      });
    });
    try {
      return await Promise.race([reply, timedOut]);
    } finally {
      cancel();
    }
  }
}

function toCommandArgument(word: RedisArgument): string | Buffer {
  return typeof word === 'string' ? word : Buffer.from(word.buffer, word.byteOffset, word.byteLength);
}

/** Decodes a part of a reply; empty if it is no text. */
export function toReplyText(reply: unknown): string {
  if (typeof reply === 'string') return reply;
  return reply instanceof Uint8Array ? new TextDecoder().decode(reply) : '';
}

function toScriptReply(reply: unknown): ScriptReply {
  return Array.isArray(reply) ? reply.filter((part): part is Uint8Array => part instanceof Uint8Array) : [];
}

/** A lease expires in Redis after this time unless it is extended: its holder may have crashed or lost its connection. */
const EXPIRY = 1500;
const EXTENSION_INTERVAL = 500;

/** Granted without coordination when Redis is not reachable. */
const UNCOORDINATED_LEASE: Lease = { release() {} };

/**
 * Acquires the right to fetch a key from the site, and extends it until it is released.
 *
 * @param session undefined while there is no connection
 * @param token identifies this holder
 * @param maxDuration milliseconds after which the lease ends
 * @returns `null` when another gateway holds the lease
 */
export async function acquireRedisLease(
  session: RedisSession | undefined,
  leaseKey: string,
  token: string,
  maxDuration: number,
  clock: Clock,
): Promise<Lease | null> {
  if (session === undefined) return UNCOORDINATED_LEASE;
  const end = clock.now() + maxDuration;
  const expiry = (): number => Math.min(EXPIRY, end - clock.now());
  try {
    if (!(await session.setIfAbsent(leaseKey, token, Math.max(1, expiry())))) return null;
  } catch {
    return UNCOORDINATED_LEASE;
  }
  let isHeld = true;
  let cancel = (): void => {};
  const scheduleExtension = (): void => {
    if (!isHeld) return;
    cancel = clock.after(EXTENSION_INTERVAL, () => {
      if (expiry() <= 0) return;
      session
        .runScript(EXTEND_LEASE, [leaseKey], [token, String(expiry())])
        .then(scheduleExtension, () => {});
    });
  };
  scheduleExtension();
  return {
    release() {
      if (!isHeld) return;
      isHeld = false;
      cancel();
      session.runScript(RELEASE_LEASE, [leaseKey], [token]).catch(() => {});
    },
  };
}
