import { createClient, ErrorReply, RESP_TYPES } from '@redis/client';
import type { RedisOptions } from '../../../config/option-types.ts';
import { omitUndefined } from '../../../omit-undefined.ts';
import type { Clock } from '../../../ports.ts';
import { readUserFile } from '../../../read-file.ts';
import type { RedisScript } from './scripts.ts';

interface RedisSessionOptions {
  readonly servers: RedisOptions;
  /** Called once, unless it was closed: connecting fails (which also throws), it is lost, or Redis is silent. */
  readonly onLost: (cause: unknown) => void;
  readonly after: Clock['after'];
  readonly onReply?: ((milliseconds: number) => void) | undefined;
}

export type RedisArgument = string | Buffer;

const DEADLINE = 1_000;
const TICKS = 10;

const SECOND_MASTER =
  'Redis can have two masters for a while, so reads can be outdated: with two replicas, set min-replicas-to-write 1 and min-replicas-max-lag 2';

/** One connection to Redis, which ends at the first failure: another server can be there by then. */
export class RedisSession {
  /** Changes with each start of the server, and when a replica becomes a primary. */
  serverId = 'unknown';
  readonly warnings: string[] = [];
  readonly #options: RedisSessionOptions;
  readonly #client: ReturnType<typeof createClient>;
  readonly #sendCommand: (words: RedisArgument[]) => Promise<unknown>;
  #isOver = false;
  #sent = 0;
  #answered = 0;
  #isTicking = false;

  private constructor(options: RedisSessionOptions, client: ReturnType<typeof createClient>) {
    this.#options = options;
    this.#client = client;
    const binaryClient = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
    this.#sendCommand = (words) => binaryClient.sendCommand(words);
    client.on('error', (cause: unknown) => this.fail(cause));
    client.on('end', () => this.fail(new Error('the connection was closed')));
  }

  /** @throws the cause when the server cannot be used, or a step exceeds the deadline */
  static async open(options: RedisSessionOptions): Promise<RedisSession> {
    const session = new RedisSession(options, createRedisClient(options.servers));
    try {
      await session.#watch(session.#client.connect());
      await session.#readServerInfo();
    } catch (cause) {
      session.fail(cause);
      throw cause;
    }
    return session;
  }

  /** Rejects when Redis replies with an error, the connection is lost, or the deadline is over. */
  async runScript(
    script: RedisScript,
    keys: readonly string[],
    values: readonly RedisArgument[],
  ): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...values];
    return this.send(['EVALSHA', script.hash, ...rest]).catch((cause: unknown) => {
      if (!(cause instanceof ErrorReply) || !cause.message.startsWith('NOSCRIPT')) throw cause;
      return this.send(['EVAL', script.text, ...rest]);
    });
  }

  send(words: RedisArgument[]): Promise<unknown> {
    if (this.#isOver) return Promise.reject(new Error('the connection is closed'));
    return this.#watch(this.#sendCommand(words), this.#options.onReply);
  }

  close(): void {
    this.#isOver = true;
    if (this.#client.isOpen) this.#client.destroy();
  }

  fail(cause: unknown): void {
    if (this.#isOver) return;
    this.close();
    this.#options.onLost(cause);
  }

  async #readServerInfo(): Promise<void> {
    // Managed servers refuse `CONFIG`, and some users cannot send `INFO`. Redis 6 takes one section or all.
    const reply = await this.send(['INFO']).catch((cause: unknown) => {
      if (cause instanceof ErrorReply && /^(?:ERR|NOPERM) /.test(cause.message)) return '';
      throw cause;
    });
    const info = String(reply);
    const read = (name: string): string | undefined => new RegExp(`^${name}:([\\w-]+)`, 'm').exec(info)?.[1];
    const ids = [read('run_id'), read('master_replid')].filter((id) => id !== undefined);
    if (ids.length > 0) this.serverId = ids.join('-');
    if (read('role') === 'slave') throw new Error('the server is a replica, which takes no writes');
    const policy = read('maxmemory_policy') ?? '';
    if (read('maxmemory') !== '0' && policy.startsWith('allkeys-')) {
      const risk = `Redis can evict the record of purges (maxmemory-policy ${policy}), and with it everything stored`;
      this.warnings.push(`${risk}: use volatile-lru`);
    }
    const needsReplica = read('min_slaves_good_slaves') !== undefined;
    if (!needsReplica && (read('connected_slaves') ?? '0') !== '0') this.warnings.push(SECOND_MASTER);
  }

  #watch<T>(reply: Promise<T>, onReply?: (milliseconds: number) => void): Promise<T> {
    const sentAt = performance.now();
    this.#sent += 1;
    if (!this.#isTicking) this.#tick(this.#sent, 1);
    return reply.finally(() => {
      this.#answered += 1;
      onReply?.(performance.now() - sentAt);
    });
  }

  /** Waits for the reply to command `due`; they come in order. A stall of this process counts as one tick. */
  #tick(due: number, ticks: number): void {
    this.#isTicking = true;
    this.#options.after(DEADLINE / TICKS, () => {
      this.#isTicking = false;
      if (this.#answered < due && ticks === TICKS) this.fail(new Error(`no reply within ${DEADLINE} ms`));
      else if (this.#answered < due) this.#tick(due, ticks + 1);
      else if (this.#answered < this.#sent) this.#tick(this.#sent, 1);
    });
  }
}

function createRedisClient(servers: RedisOptions): ReturnType<typeof createClient> {
  const { passwordFile, url = '' } = servers;
  const files = [servers.ca, servers.cert, servers.key, passwordFile];
  const [ca, cert, key, secret] = files.map((path) => path && readUserFile(path));
  const password = secret?.replace(/\r?\n$/, '');
  return createClient({
    // A user in the URL has the password in it, too: the client reads both from there.
    url:
      password === undefined ? url : url.replace(/^(\w+:\/\/[^/@]+)@/, `$1:${encodeURIComponent(password)}@`),
    ...omitUndefined({ password }),
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    commandsQueueMaxLength: 10_000,
    socket: { ...omitUndefined({ ca, cert, key }), connectTimeout: DEADLINE, reconnectStrategy: false },
  });
}
