import { createClient, ErrorReply, RESP_TYPES } from '@redis/client';
import { omitUndefined } from '../../../../base/omit-undefined.ts';
import type { RedisOptions } from '../../../../base/option-types.ts';
import { readUserFile } from '../../../../base/read-file.ts';
import type { RedisScript } from './scripts.ts';

export type RedisArgument = string | Buffer;

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

export async function runScript(
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
