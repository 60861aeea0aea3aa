import { readFile } from 'node:fs/promises';
import { createClient, createCluster, createSentinel, type RedisSentinelOptions } from '@redis/client';
import type { RedisOptions } from '../../../../generated/option-types.d.ts';
import { messageOf } from '../../../errors.ts';
import { omitUndefined } from '../../../omit-undefined.ts';
import { toAddress } from './servers.ts';

type RedisClient = ReturnType<typeof createClient>;
type LookupOptions = NonNullable<RedisSentinelOptions['nodeClientOptions']>;

/**
 * Creates a client for the server that takes writes: that of the URL, the master that the sentinels know, or the node of the cluster
 * that has a key. The client never connects again by itself, because another server may have taken the place of this one by then.
 *
 * @param timeout milliseconds to connect, and for each reply that tells where the server is
 * @throws the cause when the server is not found, or a file cannot be read
 */
export async function createRedisClient(
  servers: RedisOptions,
  key: string,
  timeout: number,
): Promise<RedisClient> {
  const { password, passwordFile, sentinels, tls, url, username } = servers;
  const [ca, cert, privateKey, secret] = await Promise.all(
    [tls?.ca, tls?.cert, tls?.key, passwordFile].map((path) => path && readFile(path, 'utf8')),
  );
  const socket = {
    ...omitUndefined({ ca, cert, key: privateKey, servername: tls?.servername }),
    ...{ connectTimeout: timeout, reconnectStrategy: false as const },
    // A URL says it by its scheme.
    ...(tls !== undefined && url === undefined && { tls: true as const }),
  };
  const options = {
    ...omitUndefined({ username, password: secret?.replace(/\r?\n$/, '') ?? password }),
    ...{ disableOfflineQueue: true, disableClientInfo: true, maintNotifications: 'disabled' as const },
    // Bounds the commands that wait for a server that does not reply.
    commandsQueueMaxLength: 10_000,
  };
  if (url !== undefined) return createClient({ ...options, url, socket });
  const lookup = { ...options, socket: { ...socket, socketTimeout: timeout } };
  const address = await (sentinels === undefined
    ? findNode(servers, key, lookup)
    : findMaster(servers, lookup));
  const { database = 0 } = servers;
  return createClient({ ...options, database, socket: { ...socket, ...address } });
}

async function findMaster(
  { master = '', sentinelPassword, sentinels = [], sentinelUsername }: RedisOptions,
  options: LookupOptions,
): Promise<object | undefined> {
  const { password: _, username: __, ...others } = options;
  const sentinel = createSentinel({
    name: master,
    sentinelRootNodes: sentinels.flatMap((each) => toAddress(each, 26_379) ?? []),
    // The store tries again.
    maxCommandRediscovers: 0,
    nodeClientOptions: options,
    sentinelClientOptions: {
      ...others,
      ...omitUndefined({ username: sentinelUsername, password: sentinelPassword }),
    },
  });
  return explainFailure(sentinel, async () => {
    await sentinel.connect();
    const node = sentinel.getMasterNode();
    await sentinel.destroy();
    return node;
  });
}

async function findNode(
  { cluster: nodes = [] }: RedisOptions,
  key: string,
  defaults: LookupOptions,
): Promise<object> {
  const cluster = createCluster({
    rootNodes: nodes.map((node) => ({ socket: { ...toAddress(node, 6379) } })),
    defaults,
    minimizeConnections: true,
  });
  return explainFailure(cluster, async () => {
    await cluster.connect();
    const findClient = async () => cluster.getNodeClientForKey(key);
    const { options } = await findClient().catch((cause: unknown) => {
      // The client reads a node that is not there.
      throw cause instanceof TypeError
        ? new Error('no node of the cluster serves the slot of the keys')
        : cause;
    });
    cluster.destroy();
    const { socket = {} } = options;
    return 'host' in socket ? { host: socket.host, port: socket.port } : {};
  });
}

/** Says of a failure, such as that none of the sentinels are available, why the last server that was asked is not. */
async function explainFailure<T>(
  emitter: { on(event: 'error', listener: (error: unknown) => void): unknown },
  find: () => Promise<T>,
): Promise<T> {
  let reason: unknown;
  emitter.on('error', (error) => {
    reason = error;
  });
  try {
    return await find();
  } catch (cause) {
    if (!(reason instanceof Error) || reason === cause) throw cause;
    throw new Error(`${messageOf(cause)}: ${messageOf(reason)}`, { cause: reason });
  }
}
