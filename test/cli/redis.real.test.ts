import { writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EchoSite, startEchoSite } from '../support/echo-site.ts';
import { useFolder } from '../support/folder.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { startServer } from '../support/server.ts';
import { startStubSite } from '../support/stub-site.ts';
import { waitUntil } from '../support/wait.ts';
import { useReadyProcesses } from './serve-process.ts';

const serve = useReadyProcesses();
const folder = useFolder();
let redis: RedisServer;
let site: EchoSite;

beforeAll(async () => {
  redis = await startRedisServer();
  site = await startEchoSite();
});
afterAll(async () => {
  await site.close();
  await redis.stop();
});

test('two processes share stored responses through Redis', async () => {
  const statuses: unknown[] = [];
  for (let count = 0; count < 2; count++) {
    const { url } = await serve('--site', site.origin, '--cache', redis.url);
    statuses.push(await cacheStatus(`${url}/core/v2/posts?page=2`));
  }
  // `storable`: Redis had not confirmed yet when the head of the response was sent.
  expect(statuses).toEqual([
    expect.stringMatching(/stored|detail=storable/),
    expect.stringMatching(/^waygate; hit/),
  ]);
});

test('a configuration names the server, its user and a prefix, also for rate limits', async () => {
  const path = join(folder(), 'waygate.yaml');
  await redis.command(
    'ACL',
    'SETUSER',
    'gateway',
    'on',
    '>secret',
    '~shop:*',
    '&shop:*',
    '+@all',
    '-@dangerous',
    '+info',
  );
  await writeFile(join(folder(), 'password'), 'secret\n');
  await writeFile(
    path,
    `redis: { url: "${redis.url}", username: gateway, passwordFile: password, prefix: "shop:" }
limits: { client: 100/m }
sites: [{ url: "${site.origin}" }]
`,
  );
  const { url } = await serve('--config', path);
  const names = async (): Promise<string> => redis.command('KEYS', 'shop:*');
  await waitUntil(async () => {
    await cacheStatus(`${url}/core/v2/posts?page=4`);
    return /shop:responses:/.test(await names()) && /shop:limit:60:/.test(await names());
  });
});

test('a gateway that is killed again and again is signed off by its successor, and the other goes on with what is stored', async () => {
  await redis.command('FLUSHALL');
  const args = ['--site', site.origin, '--cache', redis.url];
  const other = await serve(...args);
  const isHit = async (): Promise<boolean> =>
    String(await cacheStatus(`${other.url}/core/v2/posts?page=5`)).startsWith('waygate; hit');
  await waitUntil(isHit);
  const [stateKey = ''] = (await redis.command('KEYS', '*purge-state')).split(/\s+/);
  const readEpoch = (): Promise<string> => redis.command('ZSCORE', stateKey, '#epoch');
  const epoch = await readEpoch();
  let crashing = await serve(...args, '--state', folder());
  for (let crash = 0; crash < 2; crash++) {
    crashing.child.kill('SIGKILL');
    await crashing.exitCode;
    crashing = await serve(...args, '--state', folder());
    await waitUntil(isHit, 60_000);
  }
  // A gateway that is forgotten, after half a minute, begins another epoch: nothing that was stored before is used.
  expect(await readEpoch()).toBe(epoch);
}, 120_000);

test('a gateway that is restarted after WP-Cron keeps nothing that was read before the tasks were done', async () => {
  await redis.command('FLUSHALL');
  let content = 'old';
  const wordpress = await startStubSite({
    intercept({ url }, response) {
      if (url.startsWith('/wp-json')) return false;
      response.writeHead(200, {
        'content-type': 'text/html',
        'cache-control': 'max-age=600, stale-while-revalidate=60',
      });
      response.end(`<p>${content}</p>`);
      return true;
    },
  });
  const args = ['--site', wordpress.url, '--passthrough', '--cache', redis.url];
  const read = async (url: string) => (await fetch(`${url}/a/`)).text();
  try {
    const before = await serve(...args);
    await waitUntil(async () => /hit/.test(String(await cacheStatus(`${before.url}/a/`))));
    await fetch(`${before.url}/wp-cron.php?doing_wp_cron`);
    expect(await read(before.url)).toBe('<p>old</p>');
    content = 'new';
    before.child.kill('SIGTERM');
    await before.exitCode;
    expect(await read((await serve(...args)).url)).toBe('<p>new</p>');
  } finally {
    await wordpress.close();
  }
}, 60_000);

test('two gateways use a stale response while one request revalidates it', async () => {
  await redis.command('FLUSHALL');
  let reads = 0;
  /** Whether responses wait until {@link release}. */
  let isHeld = false;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = await startServer((_, response) => {
    reads += 1;
    response.setHeader('Cache-Control', `max-age=${isHeld ? 600 : 5}, stale-while-revalidate=600`);
    void (isHeld ? released : Promise.resolve()).then(() => response.end(String(reads)));
  });
  try {
    const plain = ['--discovery', 'off', '--passthrough'];
    const urls: string[] = [];
    for (let count = 0; count < 2; count++)
      urls.push((await serve('--site', slow.origin, '--cache', redis.url, ...plain)).url);
    const askAll = () =>
      Promise.all(Array.from({ length: 40 }, (_, at) => cacheStatus(`${urls[at % 2]}/page`)));
    const isFresh = (status: unknown): boolean => /^waygate; hit; ttl=[1-9]/.test(String(status));
    // Each gateway has it in its memory.
    await waitUntil(async () => (await askAll()).every(isFresh), 60_000);
    await waitUntil(async () => (await askAll()).every(isFresh), 60_000);
    isHeld = true;
    const before = reads;
    // A process backs off when another has the lease.
    const isStale = (status: unknown): boolean =>
      /stale-while-revalidate|ttl=0; detail="refresh backoff"/.test(String(status));
    await waitUntil(async () => (await askAll()).every(isStale) && reads > before);
    release();
    await waitUntil(async () => (await askAll()).every(isFresh));
    expect(reads).toBe(before + 1);
  } finally {
    await slow.close();
  }
});

/** Requests a URL with a fixed `Host`, because responses contain the URL of the gateway. @returns `Cache-Status` */
function cacheStatus(url: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { Host: 'api.example.com' } }, (response) => {
      response.resume().once('end', () => resolve(response.headers['cache-status']));
    }).once('error', reject);
  });
}
