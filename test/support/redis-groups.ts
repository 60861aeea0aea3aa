import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RedisServer, startRedisServer } from './redis-server.ts';
import { findFreePort } from './server.ts';
import { waitUntil } from './wait.ts';

const run = promisify(execFile);

/** Sends a command with `redis-cli`. @returns what it prints */
export async function redisCli(port: number, ...words: readonly string[]): Promise<string> {
  return (await run('redis-cli', ['-p', String(port), ...words])).stdout.trim();
}

/** A master, a replica that may take its place, one that may not, and three sentinels that watch them. */
export interface SentinelGroup {
  readonly master: RedisServer;
  readonly replica: RedisServer;
  readonly sentinels: readonly RedisServer[];
  /** `host:port` of each sentinel. */
  readonly addresses: readonly string[];
  stop(): Promise<void>;
}

/**
 * A master takes writes only while a replica follows it, as the documentation of Redis demands against two masters at a time ("Example 2:
 * basic setup with three boxes").
 */
const WITH_REPLICA = [
  ...['--min-replicas-to-write', '1', '--min-replicas-max-lag', '2'],
  ...['--repl-diskless-sync-delay', '0'],
];

/** Starts a group whose master has the name `shop`, and is taken for dead after 300 ms. */
export async function startSentinelGroup(): Promise<SentinelGroup> {
  const folder = await mkdtemp(join(tmpdir(), 'waygate-sentinel-'));
  const master = await startRedisServer(...WITH_REPLICA);
  const follow = ['--replicaof', '127.0.0.1', String(master.port), ...WITH_REPLICA];
  const replica = await startRedisServer(...follow);
  const spare = await startRedisServer(...follow, '--replica-priority', '0');
  const sentinels = await Promise.all(
    [1, 2, 3].map(async (number) => {
      const file = join(folder, `${number}.conf`);
      const times = ['down-after-milliseconds shop 300', 'failover-timeout shop 2000'];
      const lines = [`monitor shop 127.0.0.1 ${master.port} 2`, ...times];
      await writeFile(file, lines.map((line) => `sentinel ${line}\n`).join(''));
      return startRedisServer(file, '--sentinel');
    }),
  );
  const knowsAll = async ({ port }: RedisServer): Promise<boolean> => {
    const facts = await redisCli(port, 'SENTINEL', 'MASTER', 'shop');
    return /num-slaves\n2\n/.test(facts) && /num-other-sentinels\n2\n/.test(facts);
  };
  await waitUntil(async () => (await Promise.all(sentinels.map(knowsAll))).every(Boolean));
  return {
    ...{ master, replica, sentinels },
    addresses: sentinels.map(({ port }) => `127.0.0.1:${port}`),
    async stop() {
      await Promise.all([...sentinels, spare, replica, master].map((server) => server.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A cluster of three nodes without replicas. */
export interface RedisCluster {
  readonly nodes: readonly RedisServer[];
  /** `host:port` of each node. */
  readonly addresses: readonly string[];
  /** Returns the node that has a key. */
  findNode(key: string): Promise<RedisServer>;
  /** Moves the slot of a key with all its keys to another node, as `redis-cli --cluster reshard` does, one key after the other. */
  moveSlot(key: string, onKeyMoved: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

export async function startRedisCluster(): Promise<RedisCluster> {
  const nodes = await Promise.all(
    [1, 2, 3].map(async () =>
      startRedisServer('--cluster-enabled', 'yes', '--cluster-port', String(await findFreePort())),
    ),
  );
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  await run('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes']);
  const isComplete = async ({ port }: RedisServer): Promise<boolean> =>
    (await redisCli(port, 'CLUSTER', 'INFO')).includes('cluster_state:ok');
  await waitUntil(async () => (await Promise.all(nodes.map(isComplete))).every(Boolean));
  const [first] = nodes;
  if (first === undefined) throw new Error('three nodes were started');
  const findNode = async (key: string): Promise<RedisServer> => {
    const slot = Number(await redisCli(first.port, 'CLUSTER', 'KEYSLOT', key));
    for (const node of nodes) {
      const [own = ''] = (await redisCli(node.port, 'CLUSTER', 'NODES'))
        .split('\n')
        .filter((line) => line.includes('myself'));
      const ranges = own.split(' ').slice(8);
      const has = (range: string): boolean => {
        const [from = '', to = from] = range.split('-');
        return slot >= Number(from) && slot <= Number(to);
      };
      if (ranges.some(has)) return node;
    }
    throw new Error(`no node has the slot ${slot}`);
  };
  return {
    nodes,
    addresses,
    findNode,
    async moveSlot(key, onKeyMoved) {
      const slot = await redisCli(first.port, 'CLUSTER', 'KEYSLOT', key);
      const source = await findNode(key);
      const target = nodes.find((node) => node !== source) ?? first;
      const idOf = ({ port }: RedisServer): Promise<string> => redisCli(port, 'CLUSTER', 'MYID');
      const [from, to] = [await idOf(source), await idOf(target)];
      await redisCli(target.port, 'CLUSTER', 'SETSLOT', slot, 'IMPORTING', from);
      await redisCli(source.port, 'CLUSTER', 'SETSLOT', slot, 'MIGRATING', to);
      for (;;) {
        const moved = await redisCli(source.port, 'CLUSTER', 'GETKEYSINSLOT', slot, '1');
        if (moved === '') break;
        await redisCli(source.port, 'MIGRATE', '127.0.0.1', String(target.port), moved, '0', '1000');
        await onKeyMoved();
      }
      for (const { port } of [target, source, ...nodes])
        await redisCli(port, 'CLUSTER', 'SETSLOT', slot, 'NODE', to);
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}
