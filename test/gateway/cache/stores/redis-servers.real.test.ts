import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RedisOptions } from '../../../../src/base/option-types.ts';
import { createCertificate } from '../../../support/certificates.ts';
import { useFolder } from '../../../support/folder.ts';
import { redisCli, startRedisServer } from '../../../support/redis-server.ts';
import { findFreePort } from '../../../support/server.ts';
import { waitUntil } from '../../../support/wait.ts';
import {
  ask,
  openLoggedStore,
  runFault,
  type Served,
  startInstance,
  startVersionedSite,
  waitUntilConnected,
} from './shared-gateways.ts';

/** Each form of `redis` with real servers, and two gateways under load while the servers fail in the ways that operators see. */

const folder = useFolder();

async function runFaultOf(
  redis: string | RedisOptions,
  inject: (served: Served) => Promise<unknown>,
  padding?: string,
): Promise<readonly string[]> {
  const { url } = await startVersionedSite(padding);
  return runFault(expect.getState().currentTestName ?? '', () => startInstance(url, redis), inject);
}

/** Asserts that one store finds what another has stored. */
async function expectShared(redis: string | RedisOptions): Promise<void> {
  const site = await startVersionedSite();
  const instances = [await startInstance(site.url, redis), await startInstance(site.url, redis)] as const;
  // On a busy machine a gateway may connect later than it starts.
  await waitUntilConnected(instances);
  // A client has its response before Redis has stored it.
  await waitUntil(async () => (await ask(instances[0].url, '/shared')).cacheStatus.includes('; hit'));
  expect((await ask(instances[1].url, '/shared')).cacheStatus).toContain('; hit');
}

async function writeCertificates(): Promise<Record<'ca' | 'cert' | 'key', string>> {
  const authority = createCertificate({ name: 'authority', isAuthority: true });
  const { cert, key } = createCertificate({ name: '127.0.0.1', issuer: authority });
  const files = { ca: authority.cert, cert, key };
  const write = async (name: 'ca' | 'cert' | 'key'): Promise<string> => {
    const path = join(folder(), `${name}.pem`);
    await writeFile(path, files[name]);
    return path;
  };
  return { ca: await write('ca'), cert: await write('cert'), key: await write('key') };
}

describe('two gateways share what is stored', () => {
  test('over a unix socket, in a database', async () => {
    const path = join(folder(), 'redis.sock');
    const server = await startRedisServer('--unixsocket', path);
    await expectShared(`unix://${path}?db=3`);
    expect(await redisCli(server.port, 'INFO', 'keyspace')).toMatch(/^db3:/m);
    expect(await redisCli(server.port, '-n', '3', 'KEYS', '*')).toMatch(/^waygate:responses:/m);
  });

  test('over TLS with an authority of its own and the certificate of a client', async () => {
    const { ca, cert, key } = await writeCertificates();
    const port = String(await findFreePort());
    const files = ['--tls-ca-cert-file', ca, '--tls-cert-file', cert, '--tls-key-file', key];
    await startRedisServer('--tls-port', port, ...files);
    const url = `rediss://127.0.0.1:${port}`;
    await expectShared({ url, ca, cert, key, prefix: 'shop:' });
    const logged: string[] = [];
    const store = await openLoggedStore({ url, ca }, logged);
    expect(store.report().shared?.state).toBe('bypassed');
    expect(logged).toEqual([expect.stringContaining('not reachable')]);
  });
});

describe('no request fails and no read is outdated', () => {
  test('when a password is rotated', async () => {
    const server = await startRedisServer();
    const passwordFile = join(folder(), 'password');
    const setUser = (...rules: readonly string[]): Promise<string> =>
      redisCli(server.port, 'ACL', 'SETUSER', 'gateway', ...rules);
    await setUser('on', '>first', '~waygate:*', '+@all', '-@dangerous', '+info');
    await writeFile(passwordFile, 'first\n');
    const redis = { url: server.url.replace('//', '//gateway@'), passwordFile };
    const logged = await runFaultOf(redis, async (served) => {
      await setUser('resetpass', '>second');
      await redisCli(server.port, 'CLIENT', 'KILL', 'USER', 'gateway');
      await served(20);
      await writeFile(passwordFile, 'second\n');
    });
    expect(logged.filter((line) => line.includes('WRONGPASS')).length).toBeGreaterThanOrEqual(2);
    expect(logged.join()).not.toMatch(/first|second/);
  });

  test('when the server becomes a read-only replica', async () => {
    const [server, other] = [await startRedisServer(), await startRedisServer()];
    const logged = await runFaultOf(server.url, async (served) => {
      await redisCli(server.port, 'REPLICAOF', '127.0.0.1', String(other.port));
      await served(40);
      await redisCli(server.port, 'REPLICAOF', 'NO', 'ONE');
    });
    expect(logged.join('\n')).toMatch(/READONLY|replica/);
  });

  test.each(['volatile-lru', 'allkeys-random'])('when responses are evicted (%s)', async (policy) => {
    const server = await startRedisServer('--maxmemory-policy', policy);
    const padding = 'x'.repeat(50_000);
    const used = Number(/used_memory:(\d+)/.exec(await redisCli(server.port, 'INFO', 'memory'))?.[1]);
    await redisCli(server.port, 'CONFIG', 'SET', 'maxmemory', String(used + 1_000_000));
    const fill = async (): Promise<void> => {
      for (let count = 0; count < 40; count += 1)
        await redisCli(server.port, 'SET', `other${count}`, padding, 'PX', '60000');
    };
    await runFaultOf(server.url, fill, padding);
    const evicted = /evicted_keys:(\d+)/.exec(await redisCli(server.port, 'INFO', 'stats'))?.[1];
    expect(Number(evicted)).toBeGreaterThan(0);
  });
});
