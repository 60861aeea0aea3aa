import { createClient, ErrorReply, RESP_TYPES } from '@redis/client';
import { LUA_SCRIPTS, type LuaScript } from './scripts.ts';

export interface RedisSessionOptions {
  /** `redis://user:password@host:port/db`, `rediss://…` with TLS. Never printed. */
  readonly url: string;
  /** Milliseconds that a command, or the way to the server, may take. */
  readonly timeout: number;
  /** Called once: the connection is lost, or a command took too long. */
  readonly onLost: (cause: unknown) => void;
  /** What is published on the channel. */
  readonly onMessage: (message: Uint8Array) => void;
  readonly channel: string;
  readonly after: (delay: number, task: () => void) => () => void;
}

export type RedisArgument = string | Uint8Array;

/** What Redis answered, as far as scripts answer: texts and bytes. */
export type ScriptReply = readonly Uint8Array[];

/** One connection from its beginning to its end. It is not mended: who needs another opens another. */
export interface RedisSession {
  /** Tells this start of the server from others. */
  readonly runId: string;
  /** Runs a script. Rejects where the server says no, or is gone. */
  runScript(
    script: LuaScript,
    keys: readonly string[],
    values: readonly RedisArgument[],
  ): Promise<ScriptReply>;
  /** `SET key token NX PX milliseconds` */
  setIfAbsent(key: string, token: string, milliseconds: number): Promise<boolean>;
  close(): void;
}

/** How long after its time a command is given up: what has come meanwhile is read before. */
const LAST_LOOK = 25;

export async function openRedisSession(options: RedisSessionOptions): Promise<RedisSession> {
  const client = createClient({
    url: options.url,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    socket: { connectTimeout: options.timeout, reconnectStrategy: false },
    // A server that does not answer must not be given ever more to do.
    commandsQueueMaxLength: 10_000,
  });
  const proxy = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
  const destroy = (): void => {
    if (client.isOpen) client.destroy();
  };
  let over = false;
  const end = (cause: unknown): void => {
    if (over) return;
    over = true;
    destroy();
    options.onLost(cause);
  };
  client.on('error', end);
  client.on('end', () => end(new Error('the connection was closed')));

  /** The outcome, or the end of the session where there is none in time. */
  const inTime = async <T>(outcome: Promise<T>): Promise<T> => {
    let cancel = (): void => {};
    const late = new Promise<never>((_, reject) => {
      const giveUp = () => {
        const cause = new Error(`no answer within ${options.timeout} ms`);
        end(cause);
        reject(cause);
      };
      // Where this process itself was late, the answer may be there and not have been read.
      cancel = options.after(options.timeout, () => {
        cancel = options.after(LAST_LOOK, giveUp);
      });
    });
    try {
      return await Promise.race([outcome, late]);
    } finally {
      cancel();
    }
  };
  const send = (words: readonly RedisArgument[]): Promise<unknown> =>
    over
      ? Promise.reject(new Error('the connection is over'))
      : inTime(
          proxy.sendCommand(
            words.map((word) =>
              typeof word === 'string' ? word : Buffer.from(word.buffer, word.byteOffset, word.byteLength),
            ),
          ),
        );

  const hashes = new Map<LuaScript, string>();
  let runId = '';
  try {
    await inTime(client.connect());
    runId = await runOf(send);
    for (const script of LUA_SCRIPTS)
      hashes.set(script, textOf(await send(['SCRIPT', 'LOAD', script.source])));
    await inTime(client.subscribe(options.channel, options.onMessage, true));
  } catch (cause) {
    end(cause);
    throw cause;
  }

  const runScript: RedisSession['runScript'] = async (which, keys, values) => {
    const rest = [String(keys.length), ...keys, ...values];
    try {
      return replyOf(await send(['EVALSHA', hashes.get(which) ?? '', ...rest]));
    } catch (cause) {
      // The server forgets scripts where it is told to (SCRIPT FLUSH).
      if (!(cause instanceof ErrorReply) || !cause.message.startsWith('NOSCRIPT')) throw cause;
      return replyOf(await send(['EVAL', which.source, ...rest]));
    }
  };

  return {
    runId,
    runScript,
    async setIfAbsent(key, token, milliseconds) {
      return (await send(['SET', key, token, 'NX', 'PX', String(milliseconds)])) !== null;
    },
    close() {
      over = true;
      destroy();
    },
  };
}

/** Where the server does not say how it was started, every session counts as the same start. */
async function runOf(send: (words: readonly RedisArgument[]) => Promise<unknown>): Promise<string> {
  try {
    return /^run_id:(\w+)/m.exec(textOf(await send(['INFO', 'server'])))?.[1] ?? 'unknown';
  } catch (cause) {
    if (cause instanceof ErrorReply) return 'unknown';
    throw cause;
  }
}

function textOf(reply: unknown): string {
  if (typeof reply === 'string') return reply;
  return reply instanceof Uint8Array ? new TextDecoder().decode(reply) : '';
}

function replyOf(reply: unknown): ScriptReply {
  return Array.isArray(reply) ? reply.filter((part): part is Uint8Array => part instanceof Uint8Array) : [];
}
