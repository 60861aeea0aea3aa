import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import type { RedisOptions } from '../../../generated/option-types.d.ts';
import { createCacheStore, type OpenCacheStore } from '../../../src/cache/stores/create-store.ts';
import { createCertificate } from '../../support/certificates.ts';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { useFolder } from '../../support/folder.ts';
import { type RunningGateway, startNodeGateway } from '../../support/gateway.ts';
import { type RedisServer, redisCli, startRedisServer } from '../../support/redis-server.ts';
import { findFreePort, startServer } from '../../support/server.ts';
import { waitUntil } from '../../support/wait.ts';

/** Each form of `redis` with real servers, and two gateways under load while the servers fail in the ways that operators see. */

const folder = useFolder();
const table: object[] = [];
afterAll(() => console.table(table));

interface Instance {
  readonly store: OpenCacheStore;
  readonly gateway: RunningGateway;
  readonly logged: string[];
}

async function openStore(redis: string | RedisOptions, logged: string[] = []): Promise<OpenCacheStore> {
  const write = (facts: object, message: string): void =>
    void logged.push(`${message} ${JSON.stringify(facts)}`);
  const log = { info: write, warn: write, error: write };
  const store = await createCacheStore(redis, { log });
  closeAfterTest(() => store.close());
  return store;
}

async function startInstance(siteUrl: string, redis: string | RedisOptions): Promise<Instance> {
  const logged: string[] = [];
  const store = await openStore(redis, logged);
  const gateway = await startNodeGateway({
    sites: [{ url: siteUrl, discovery: 'off', passthrough: true, breaker: false }],
    cache: store,
    publicUrl: 'http://gateway.example.com',
  });
  closeAfterTest(() => gateway.stop());
  return { store, gateway, logged };
}

const PATHS: readonly string[] = Array.from({ length: 12 }, (_, at) => `/${at}`);

/** Starts a site whose responses are the number of writes to their path, and fresh for a minute. */
async function startSite(padding = ''): Promise<string> {
  const versions = new Map<string, number>();
  const { close, origin } = await startServer((request, response) => {
    request.resume();
    const path = request.url ?? '';
    const version = (versions.get(path) ?? 0) + (request.method === 'POST' ? 1 : 0);
    versions.set(path, version);
    response.writeHead(200, { 'cache-control': 'max-age=60' }).end(`${version} ${padding}`);
  });
  closeAfterTest(close);
  return origin;
}

/** Milliseconds, on a machine that other tests share. */
const RECOVERY_LIMIT = 30_000;

/**
 * Requests pages of two gateways and writes to them, injects a fault meanwhile, and waits until both use Redis again.
 * A read that begins after the response to a write must show it, at both gateways.
 *
 * @returns what they have logged
 */
async function runFault(
  name: string,
  redis: string | RedisOptions,
  inject: () => Promise<unknown>,
  padding?: string,
): Promise<readonly string[]> {
  const url = await startSite(padding);
  const instances = [await startInstance(url, redis), await startInstance(url, redis)];
  const written = new Map<string, number>();
  let [requests, failed, stale, hits, byPassed, longest] = [0, 0, 0, 0, 0, 0];
  let isRunning = true;
  const ask = async ({ gateway }: Instance, path: string, method: string): Promise<number> => {
    requests += 1;
    const response = await gateway.request(path, { method });
    const version = Number.parseInt(await response.text(), 10);
    if (response.status !== 200) failed += 1;
    if (response.headers.get('cache-status')?.includes('hit') === true) hits += 1;
    return version;
  };
  const reader = async (instance: Instance): Promise<void> => {
    for (let round = 0; isRunning; round += 1) {
      const path = PATHS[round % PATHS.length] ?? '';
      const least = written.get(path) ?? 0;
      if ((await ask(instance, path, 'GET')) < least) stale += 1;
      await sleep(25);
    }
  };
  const writer = async (instance: Instance, paths: readonly string[]): Promise<void> => {
    for (let round = 0; isRunning; round += 1) {
      const path = paths[round % paths.length] ?? '';
      written.set(path, await ask(instance, path, 'POST'));
      await sleep(60);
    }
  };
  /** Counts the milliseconds in which at least one gateway uses nothing stored. */
  const watcher = async (): Promise<void> => {
    let [last, current] = [performance.now(), 0];
    while (isRunning) {
      await sleep(5);
      const now = performance.now();
      const isByPassed = instances.some(({ store }) => store.report().shared?.state !== 'connected');
      current = isByPassed ? current + now - last : 0;
      byPassed += isByPassed ? now - last : 0;
      longest = Math.max(longest, current);
      last = now;
    }
  };
  const load = Promise.all([
    ...[...instances, ...instances].map(reader),
    ...instances.map((instance, at) => writer(instance, at === 0 ? PATHS.slice(0, 4) : PATHS.slice(4, 8))),
    watcher(),
  ]);
  await waitUntil(() => hits > 50);
  byPassed = 0;
  await inject();
  await waitUntil(
    () => instances.every(({ store }) => store.report().shared?.state === 'connected'),
    RECOVERY_LIMIT,
  );
  const before = hits;
  await waitUntil(() => hits > before + 50, RECOVERY_LIMIT);
  isRunning = false;
  await load;
  const logged = instances.flatMap((instance) => instance.logged);
  table.push({
    name,
    requests,
    failed,
    stale,
    hits,
    byPassed: Math.round(byPassed),
    longest: Math.round(longest),
    lines: logged.length,
  });
  if (process.env['WAYGATE_LOGGED'] !== undefined) console.info(name, logged);
  expect({ failed, stale }).toEqual({ failed: 0, stale: 0 });
  return logged;
}

/** Asserts that one store finds what another has stored. */
async function expectShared(redis: string | RedisOptions): Promise<void> {
  const url = await startSite();
  const [one, two] = [await startInstance(url, redis), await startInstance(url, redis)];
  const areConnected = (): boolean =>
    [one, two].every(({ store }) => store.report().shared?.state === 'connected');
  // On a busy machine a gateway may connect later than it starts, and lose its connection again.
  await waitUntil(areConnected, RECOVERY_LIMIT);
  await (await one.gateway.request('/shared')).text();
  await waitUntil(async () => {
    const response = await two.gateway.request('/shared');
    return (await response.text()) !== '' && response.headers.get('cache-status')?.includes('hit') === true;
  }, RECOVERY_LIMIT);
}

async function useServer(...options: readonly string[]): Promise<RedisServer> {
  const server = await startRedisServer(...options);
  closeAfterTest(() => server.stop());
  return server;
}

/** Writes the files of a certificate authority, a server and a client. */
async function writeCertificates(): Promise<Record<'ca' | 'cert' | 'key', string>> {
  const authority = { name: 'authority', ...createCertificate({ name: 'authority', isAuthority: true }) };
  const { cert, key } = createCertificate({ name: '127.0.0.1', issuer: authority });
  const paths = {
    ca: join(folder(), 'ca.pem'),
    cert: join(folder(), 'cert.pem'),
    key: join(folder(), 'key.pem'),
  };
  await Promise.all([
    writeFile(paths.ca, authority.cert),
    writeFile(paths.cert, cert),
    writeFile(paths.key, key),
  ]);
  return paths;
}

describe('two gateways share what is stored', () => {
  test('over a unix socket, in a database', async () => {
    const path = join(folder(), 'redis.sock');
    const server = await useServer('--unixsocket', path);
    await expectShared(`unix://${path}?db=3`);
    expect(await redisCli(server.port, 'INFO', 'keyspace')).toMatch(/^db3:/m);
    expect(await redisCli(server.port, '-n', '3', 'KEYS', '*')).toMatch(/^waygate:responses:/m);
  });

  test('over TLS with an authority of its own and the certificate of a client', async () => {
    const { ca, cert, key } = await writeCertificates();
    const port = String(await findFreePort());
    const files = ['--tls-ca-cert-file', ca, '--tls-cert-file', cert, '--tls-key-file', key];
    await useServer('--tls-port', port, ...files);
    const url = `rediss://127.0.0.1:${port}`;
    await expectShared({ url, tls: { ca, cert, key }, prefix: 'shop:' });
    const logged: string[] = [];
    const store = await openStore({ url, tls: { ca } }, logged);
    expect(store.report().shared?.state).toBe('bypassed');
    expect(logged).toEqual([expect.stringContaining('not reachable')]);
  });
});

describe('no request fails and no read is outdated', () => {
  test('when a password is rotated', async () => {
    const server = await useServer();
    const passwordFile = join(folder(), 'password');
    const setUser = (...rules: readonly string[]): Promise<string> =>
      redisCli(server.port, 'ACL', 'SETUSER', 'gateway', ...rules);
    await setUser('on', '>first', '~waygate:*', '&waygate:*', '+@all', '-@dangerous', '+info');
    await writeFile(passwordFile, 'first\n');
    const redis = { url: server.url, username: 'gateway', passwordFile };
    const logged = await runFault('the password of an ACL user is rotated', redis, async () => {
      await setUser('resetpass', '>second');
      await redisCli(server.port, 'CLIENT', 'KILL', 'USER', 'gateway');
      await sleep(500);
      await writeFile(passwordFile, 'second\n');
    });
    expect(logged.filter((line) => line.includes('WRONGPASS')).length).toBeGreaterThanOrEqual(2);
    expect(logged.join()).not.toMatch(/first|second/);
  });

  test('when the memory of the server is full', async () => {
    const server = await useServer('--maxmemory-policy', 'noeviction');
    const logged = await runFault('maxmemory is reached (noeviction)', server.url, async () => {
      await redisCli(server.port, 'CONFIG', 'SET', 'maxmemory', '1');
      await sleep(1000);
      await redisCli(server.port, 'CONFIG', 'SET', 'maxmemory', '0');
    });
    expect(logged.filter((line) => line.includes('OOM')).length).toBeGreaterThanOrEqual(2);
  });

  test('when the server becomes a read-only replica', async () => {
    const [server, other] = [await useServer(), await useServer()];
    const logged = await runFault('the server becomes a read-only replica for 1 s', server.url, async () => {
      await redisCli(server.port, 'REPLICAOF', '127.0.0.1', String(other.port));
      await sleep(1000);
      await redisCli(server.port, 'REPLICAOF', 'NO', 'ONE');
    });
    expect(logged.join('\n')).toMatch(/READONLY|replica/);
  });

  test('when its scripts are flushed, and a script that runs too long is killed', async () => {
    const server = await useServer('--busy-reply-threshold', '100');
    await runFault('SCRIPT FLUSH', server.url, async () => {
      await redisCli(server.port, 'SCRIPT', 'FLUSH');
      await sleep(300);
    });
    await runFault('a script blocks the server for 1 s (SCRIPT KILL)', server.url, async () => {
      const blocked = redisCli(server.port, 'EVAL', 'while true do end', '0');
      await sleep(1000);
      await redisCli(server.port, 'SCRIPT', 'KILL');
      await blocked;
    });
  });

  test.each(['volatile-lru', 'allkeys-random'])('when responses are evicted (%s)', async (policy) => {
    const server = await useServer('--maxmemory-policy', policy);
    const padding = 'x'.repeat(50_000);
    const used = Number(/used_memory:(\d+)/.exec(await redisCli(server.port, 'INFO', 'memory'))?.[1]);
    await redisCli(server.port, 'CONFIG', 'SET', 'maxmemory', String(used + 1_000_000));
    await runFault(`evictions (${policy})`, server.url, () => sleep(1500), padding);
    const evicted = /evicted_keys:(\d+)/.exec(await redisCli(server.port, 'INFO', 'stats'))?.[1];
    expect(Number(evicted)).toBeGreaterThan(0);
  });
});
