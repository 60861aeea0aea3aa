import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useReadyProcesses } from '../../cli/serve-process.ts';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { useFolder } from '../../support/folder.ts';
import { type RedisServer, redisCli, startRedisServer, useRedisServer } from '../../support/redis-server.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { waitUntil } from '../../support/wait.ts';
import {
  askVersion,
  expectFaultUnseen,
  type Instance,
  runFault,
  type Served,
  startInstance,
  startVersionedSite,
} from './stores/shared-gateways.ts';

const redis = useRedisServer();

/** Rounds of reads that are under way during a write, with seven reads after each: 2,858 are 20,000 reads. */
const ROUNDS = Number(process.env['TWO_GATEWAYS_ROUNDS'] ?? 20);
/** Requests that each gateway answers while a gateway or Redis is stopped or cut off, about a hundred in a second. */
const DURING_FAULT = Number(process.env['TWO_GATEWAYS_DURING_FAULT'] ?? 100);

type FaultStep = number | 'kill' | 'start' | 'pause' | 'resume' | readonly string[];
const repeat = (times: number, ...steps: readonly FaultStep[]): readonly FaultStep[] =>
  Array.from({ length: times }, () => steps).flat();

/** Faults of Redis while two gateways serve reads and writes: methods of the server, commands, and numbers of requests meanwhile. */
const FAULTS: readonly (readonly [name: string, steps: readonly FaultStep[]])[] = [
  ['killed and restarted', ['kill', DURING_FAULT, 'start']],
  ['rolled back to a snapshot', [['SAVE'], 50, 'kill', 'start']],
  ['suspended', ['pause', DURING_FAULT, 'resume']],
  ['pausing all clients (CLIENT PAUSE)', [['CLIENT', 'PAUSE', '1000', 'ALL'], 120]],
  ['emptied ten times (FLUSHALL)', repeat(10, ['FLUSHALL'], 6)],
  ['out of memory', [['CONFIG', 'SET', 'maxmemory', '1'], 60, ['CONFIG', 'SET', 'maxmemory', '0']]],
];

async function inject(redis: RedisServer, steps: readonly FaultStep[], served: Served): Promise<void> {
  for (const step of steps) {
    if (typeof step === 'number') await served(step);
    else await (typeof step === 'string' ? redis[step]() : redis.command(...step));
  }
}

async function prepareGateways() {
  const site = await startVersionedSite();
  const prefix = `${randomUUID()}:`;
  const start = (url = redis().url): Promise<Instance> => startInstance(site.url, { url, prefix });
  return { site, start };
}

describe('gateways with one Redis', () => {
  test.each([2, 4])(
    'no read after a write is outdated at any of %d, whatever they are reading meanwhile',
    async (count) => {
      const { site, start } = await prepareGateways();
      const [a, ...others] = await Promise.all(Array.from({ length: count }, () => start()));
      const times: number[] = [];
      let [reads, outdated] = [0, 0];
      for (let round = 0; round < ROUNDS; round += 1) {
        const target = others[round % others.length] ?? a;
        if (a === undefined || target === undefined) throw new Error('they were started');
        await askVersion(target.url, '/one');
        const underWay = Array.from({ length: 8 }, (_, at) =>
          askVersion(target.url, at % 2 === 0 ? '/one' : `/${round}-${at}`),
        );
        const started = performance.now();
        const version = await askVersion(a.url, '/one', 'POST');
        times.push(performance.now() - started);
        const versions = await Promise.all(Array.from({ length: 7 }, () => askVersion(target.url, '/one')));
        reads += versions.length;
        outdated += versions.filter((each) => each < version).length;
        await Promise.all(underWay);
      }
      times.sort((left, right) => left - right);
      const slowest = [times[times.length >> 1], times.at(-1)].map((time) => time?.toFixed(1));
      console.info(
        `${count} gateways: ${reads} reads after writes, ${outdated} outdated; a write: ${slowest} ms`,
      );
      expect(outdated).toBe(0);
      expect(site.reads.get('/one')).toBeLessThanOrEqual(2 * ROUNDS + 1);
    },
  );
});

describe('no request fails and no read is outdated', () => {
  test.each(FAULTS)('while Redis is %s', async (name, steps) => {
    const server = await startRedisServer();
    const { start } = await prepareGateways();
    await runFault(
      name,
      () => start(server.url),
      (served) => inject(server, steps, served),
    );
  });

  test('while the replies of Redis take 300 ms', async () => {
    const proxy = await startTcpProxy(redis().port);
    closeAfterTest(proxy.close);
    const { start } = await prepareGateways();
    const delay = async (served: Served) => {
      proxy.delay(300);
      await served(20);
      proxy.delay(0);
    };
    await runFault('slow', () => start(`redis://127.0.0.1:${proxy.port}`), delay);
  });

  test('after a replica without the last purges has become the primary', async () => {
    const [primary, replica] = [await startRedisServer(), await startRedisServer()];
    const replication = await startTcpProxy(primary.port);
    const proxy = await startTcpProxy(primary.port);
    closeAfterTest(() => Promise.all([replication.close(), proxy.close()]));
    await redisCli(replica.port, 'REPLICAOF', '127.0.0.1', String(replication.port));
    await waitUntil(async () => /master_link_status:up/.test(await redisCli(replica.port, 'INFO')));
    const { start } = await prepareGateways();
    const failOver = async (served: Served) => {
      replication.block();
      await served(40);
      await redisCli(replica.port, 'REPLICAOF', 'NO', 'ONE');
      proxy.redirect(replica.port);
    };
    await runFault('failover', () => start(`redis://127.0.0.1:${proxy.port}`), failOver);
  });
});

describe('one of several gateways', () => {
  const serve = useReadyProcesses();
  const folder = useFolder();

  /** Starts processes, of which the last one reaches Redis through a proxy. */
  async function startProcesses() {
    const site = await startVersionedSite();
    const proxy = await startTcpProxy(redis().port);
    closeAfterTest(proxy.close);
    await redis().command('FLUSHALL');
    const config = join(folder(), 'waygate.json');
    await writeFile(config, '{ "publicUrl": "http://gateway.example.com" }');
    const start = async (port: number) => {
      const args = ['--discovery', 'off', '--passthrough', '--cache', `redis://127.0.0.1:${port}`];
      const { child, url } = await serve('--config', config, '--site', site.url, ...args);
      return { child, url };
    };
    const [one, two] = [await start(redis().port), await start(redis().port)];
    const victim = await start(proxy.port);
    return { site, proxy, victim, urls: [one.url, two.url, victim.url] };
  }

  /** Each write purges one page, which each of three gateways requests once, or twice if a request was under way. */
  function expectFewReads({ reads, writes }: Awaited<ReturnType<typeof startVersionedSite>>): void {
    for (const [path, count] of reads)
      expect([path, count <= 3 * (2 * (writes.get(path) ?? 0) + 1)]).toEqual([path, true]);
  }

  test('is killed: the others go on with what is stored', async () => {
    const { site, urls, victim } = await startProcesses();
    const kill = async (served: Served) => {
      victim.child.kill('SIGKILL');
      await served(DURING_FAULT);
    };
    await expectFaultUnseen('a gateway is killed', urls, kill, [victim.url]);
    expectFewReads(site);
  });

  test('is suspended, and continues', async () => {
    const { site, urls, victim } = await startProcesses();
    await expectFaultUnseen('a gateway is suspended', urls, async (served) => {
      victim.child.kill('SIGSTOP');
      await served(DURING_FAULT, victim.url);
      victim.child.kill('SIGCONT');
    });
    expectFewReads(site);
  });

  test('is cut off from Redis: its writes wait, and the others go on', async () => {
    const { proxy, urls } = await startProcesses();
    await expectFaultUnseen('a gateway is cut off from Redis', urls, async (served) => {
      proxy.block();
      await served(DURING_FAULT);
      proxy.restore();
    });
  });
});
