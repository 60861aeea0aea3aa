import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useEchoSite } from '../support/echo-site.ts';
import { useFolder } from '../support/folder.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { sendRaw } from '../support/run.ts';
import { startStubSite } from '../support/stub-site.ts';
import { waitUntil } from '../support/wait.ts';
import { useReadyProcesses } from './serve-process.ts';

const serve = useReadyProcesses();
const folder = useFolder();
let redis: RedisServer;
const site = useEchoSite();

beforeAll(async () => {
  redis = await startRedisServer();
});
afterAll(() => redis.stop());

test('a configuration names the server, its user and a prefix', async () => {
  const path = join(folder(), 'waygate.yaml');
  const user = 'ACL SETUSER gateway on >secret ~shop:* +@all -@dangerous +info';
  await redis.command(...user.split(' '));
  await writeFile(join(folder(), 'password'), 'secret\n');
  await writeFile(
    path,
    `redis: { url: "${redis.url.replace('//', '//gateway@')}", passwordFile: password, prefix: "shop:" }
sites: [{ url: "${site.origin}" }]
`,
  );
  const { url } = await serve('--config', path);
  const names = async (): Promise<string> => redis.command('KEYS', 'shop:*');
  await waitUntil(async () => {
    await cacheStatus(`${url}/core/v2/posts?page=4`);
    return (await names()).includes('shop:responses:');
  });
});

test('a gateway that starts after one that was killed purges what that one might have changed', async () => {
  await redis.command('FLUSHALL');
  const args = ['--site', site.origin, '--cache', redis.url];
  const other = await serve(...args);
  const read = async () => String(await cacheStatus(`${other.url}/core/v2/posts?page=5`));
  await waitUntil(async () => (await read()).startsWith('waygate; hit'));
  const crashing = await serve(...args, '--state', folder());
  crashing.child.kill('SIGKILL');
  await crashing.exitCode;
  expect(await read()).toMatch(/^waygate; hit/);
  await serve(...args, '--state', folder());
  await waitUntil(async () => !(await read()).startsWith('waygate; hit'));
}, 60_000);

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

/** Requests a URL with a fixed `Host`, because responses contain the URL of the gateway. @returns `Cache-Status` */
async function cacheStatus(url: string): Promise<unknown> {
  const { origin, pathname, search } = new URL(url);
  const response = await sendRaw(origin, pathname + search, { headers: { Host: 'api.example.com' } });
  return response.headers['cache-status'];
}
