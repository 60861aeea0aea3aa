import { createHash } from 'node:crypto';
import { createClient, ErrorReply, RESP_TYPES } from '@redis/client';
import { readUserFile } from '../../../builtin-modules.ts';
import type { RedisOptions } from '../../../config/option-types.ts';
import { memoizeByString } from '../../../memoize.ts';
import { omitUndefined } from '../../../omit-undefined.ts';
import type { Clock } from '../../../ports.ts';

interface RedisSessionOptions {
  readonly servers: RedisOptions;
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

export type RedisArgument = string | Uint8Array;

/** Milliseconds that a command has beyond its timeout, in which replies that have already arrived are read. */
const TIMEOUT_GRACE = 25;

const SECOND_MASTER =
  'Redis can have two masters for a while, so reads can be outdated: with two replicas, set min-replicas-to-write 1 and min-replicas-max-lag 2';

/** One connection to Redis. It ends at the first failure or timeout, and does not reconnect: another server can be there by then. */
export class RedisSession {
  /** Redis's `run_id`, which changes with each start of the server. `unknown` if the server does not state it. */
  runId = 'unknown';
  /** Whether the server can evict keys that do not expire, as far as it states its policy. */
  mayEvictPurges = false;
  /** Changes that an operator should make at the server. */
  readonly warnings: string[] = [];
  readonly #options: RedisSessionOptions;
  readonly #client: ReturnType<typeof createClient>;
  readonly #sendCommand: (words: (string | Buffer)[]) => Promise<unknown>;
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
   * Connects to Redis, and subscribes to the channels.
   *
   * @throws the cause when a file cannot be read, or a step fails or exceeds the timeout
   */
  static async open(options: RedisSessionOptions): Promise<RedisSession> {
    const session = new RedisSession(options, await createRedisClient(options));
    try {
      await session.#withTimeout(session.#client.connect());
      await session.#readServerInfo();
      for (const [channel, onMessage] of Object.entries(options.channels)) {
        await session.#withTimeout(session.#client.subscribe(channel, onMessage, true));
      }
    } catch (cause) {
      session.#fail(cause);
      throw cause;
    }
    return session;
  }

  /**
   * Runs a script that replies with strings, and returns them as bytes. Rejects when Redis replies with an error, the connection is
   * lost, or the timeout is over.
   */
  async runScript(
    script: string,
    keys: readonly string[],
    values: readonly RedisArgument[],
  ): Promise<readonly Uint8Array[]> {
    const rest = [String(keys.length), ...keys, ...values];
    const reply = await this.send(['EVALSHA', hashScript(script), ...rest]).catch((cause: unknown) => {
      if (!(cause instanceof ErrorReply) || !cause.message.startsWith('NOSCRIPT')) throw cause;
      return this.send(['EVAL', script, ...rest]);
    });
    return Array.isArray(reply) ? reply.filter((part): part is Uint8Array => part instanceof Uint8Array) : [];
  }

  /** Sends a command. Rejects as {@link runScript} does. */
  async send(words: readonly RedisArgument[]): Promise<unknown> {
    if (this.#isOver) throw new Error('the connection is closed');
    const sentAt = performance.now();
    const reply = await this.#withTimeout(this.#sendCommand(words.map(toCommandArgument)));
    this.#options.onReply?.(performance.now() - sentAt);
    return reply;
  }

  /** Ends the connection without a report. */
  close(): void {
    this.#isOver = true;
    if (this.#client.isOpen) this.#client.destroy();
  }

  /** Reads what the server states of itself. */
  async #readServerInfo(): Promise<void> {
    // Managed servers refuse `CONFIG`, and some users cannot send `INFO`. Redis 6 takes one section or all.
    const reply = await this.send(['INFO']).catch((cause: unknown) => {
      if (cause instanceof ErrorReply) return '';
      throw cause;
    });
    const info = toReplyText(reply);
    const read = (name: string): string | undefined => new RegExp(`^${name}:([\\w-]+)`, 'm').exec(info)?.[1];
    this.runId = read('run_id') ?? this.runId;
    if (read('role') === 'slave') throw new Error('the server is a replica, which takes no writes');
    const policy = read('maxmemory_policy') ?? '';
    this.mayEvictPurges = read('maxmemory') !== '0' && policy.startsWith('allkeys-');
    if (this.mayEvictPurges) {
      const risk = `Redis can evict the record of purges (maxmemory-policy ${policy}), and with it everything stored`;
      this.warnings.push(`${risk}: use volatile-lru or noeviction`);
    }
    // This number is stated only if both settings are above 0.
    const needsReplica = read('min_slaves_good_slaves') !== undefined;
    if (!needsReplica && (read('connected_slaves') ?? '0') !== '0') this.warnings.push(SECOND_MASTER);
  }

  /** Ends the connection and reports the cause, unless it has ended already. */
  #fail(cause: unknown): void {
    if (this.#isOver) return;
    this.close();
    this.#options.onLost(cause);
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
      // If this process was busy, the reply might have arrived without having been read.
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

async function createRedisClient({
  servers,
  timeout,
}: RedisSessionOptions): Promise<ReturnType<typeof createClient>> {
  const { password, passwordFile, tls, url = '', username } = servers;
  const files = [tls?.ca, tls?.cert, tls?.key, passwordFile];
  const [ca, cert, key, secret] = files.map((path) => path && readUserFile(path));
  return createClient({
    url,
    ...omitUndefined({ username, password: secret?.replace(/\r?\n$/, '') ?? password }),
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    // Bounds the commands that wait for a server that does not reply.
    commandsQueueMaxLength: 10_000,
    socket: {
      ...omitUndefined({ ca, cert, key, servername: tls?.servername }),
      connectTimeout: timeout,
      reconnectStrategy: false,
    },
  });
}

const hashScript = memoizeByString((script) => createHash('sha1').update(script).digest('hex'));

function toCommandArgument(word: RedisArgument): string | Buffer {
  return typeof word === 'string' ? word : Buffer.from(word.buffer, word.byteOffset, word.byteLength);
}

/** Decodes a part of a reply; empty if it is no text. */
export function toReplyText(reply: unknown): string {
  if (typeof reply === 'string') return reply;
  return reply instanceof Uint8Array ? new TextDecoder().decode(reply) : '';
}
