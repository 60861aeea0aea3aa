import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { closeAfterTest } from '../support/close-after-test.ts';
import { useEchoSite } from '../support/echo-site.ts';
import { useFolder } from '../support/folder.ts';
import { redisCli, startRedisServer, useRedisServer } from '../support/redis-server.ts';
import { runStubSite, sendRaw } from '../support/run.ts';
import { waitUntil } from '../support/wait.ts';
import { runCommand } from './run-command.ts';
import { useReadyProcesses } from './serve-process.ts';

const serve = useReadyProcesses();
const folder = useFolder();
const redis = useRedisServer();
const site = useEchoSite();

test('a configuration names the server, its user and a prefix', async () => {
  const path = join(folder(), 'waygate.yaml');
  const user = 'ACL SETUSER gateway on >secret ~shop:* +@all -@dangerous +info';
  await redis().command(...user.split(' '));
  await writeFile(join(folder(), 'password'), 'secret\n');
  await writeFile(
    path,
    `redis: { url: "${redis().url.replace('//', '//gateway@')}", passwordFile: password, prefix: "shop:" }
sites: [{ url: "${site.origin}" }]
`,
  );
  const { url } = await serve('--config', path);
  const names = async (): Promise<string> => redis().command('KEYS', 'shop:*');
  await waitUntil(async () => {
    await cacheStatus(`${url}/core/v2/posts?page=4`);
    return (await names()).includes('shop:responses:');
  });
});

test('check asks a server: the password, its file and the role', async () => {
  /** Checks a configuration with a value of `redis`. @returns the lines about it */
  const check = async (value: object | string): Promise<readonly string[]> => {
    const sites = [{ url: site.origin, discovery: 'off' }];
    await writeFile(join(folder(), 'waygate.json'), JSON.stringify({ redis: value, sites }));
    const { out } = await runCommand(['check', 'waygate.json'], { cwd: folder(), env: {} });
    return out.split('\n').flatMap((line) => /(?:error|warning): (?:redis|cache).*/.exec(line) ?? []);
  };
  await redis().command(...'ACL SETUSER checker on >right ~waygate:* +@all'.split(' '));
  await writeFile(join(folder(), 'right'), 'right\n');
  await writeFile(join(folder(), 'wrong'), 'wrong');
  const url = redis().url.replace('//', '//checker@');
  const checkFile = (passwordFile: string) => check({ url, passwordFile });
  expect(await checkFile('right')).toEqual([]);
  expect(await checkFile('wrong')).toEqual([expect.stringMatching(/^error: redis: .*: WRONGPASS/)]);
  expect(await checkFile('none')).toEqual([
    expect.stringMatching(/^error: redis\.passwordFile .*no such file/),
  ]);
  expect(await check({ url, passwordFile: 'right', prefix: 'shop:' })).toEqual([
    expect.stringMatching(/^error: redis: .*NOPERM .*keys/),
  ]);
  const replica = await startRedisServer('--replicaof', '127.0.0.1', String(redis().port));
  await waitUntil(async () => (await redisCli(replica.port, 'INFO')).includes('master_link_status:up'));
  expect(await check(replica.url)).toEqual([expect.stringMatching(/^error: redis: .*read only replica/)]);
});

test('a gateway that starts after one that was killed purges what that one might have changed', async () => {
  await redis().command('FLUSHALL');
  const args = ['--site', site.origin, '--cache', redis().url];
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
  await redis().command('FLUSHALL');
  let content = 'old';
  const wordpress = await runStubSite({
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
  const args = ['--site', wordpress.url, '--passthrough', '--cache', redis().url];
  const read = async (url: string) => (await fetch(`${url}/a/`)).text();
  const before = await serve(...args);
  await waitUntil(async () => /hit/.test(String(await cacheStatus(`${before.url}/a/`))));
  await fetch(`${before.url}/wp-cron.php?doing_wp_cron`);
  expect(await read(before.url)).toBe('<p>old</p>');
  content = 'new';
  before.child.kill('SIGTERM');
  await before.exitCode;
  expect(await read((await serve(...args)).url)).toBe('<p>new</p>');
}, 60_000);

test('a full Redis that evicts nothing is reported with the remedy, and what it has is served', async () => {
  await redis().command('FLUSHALL');
  const file = join(folder(), 'waygate.json');
  const token = 'a-token-of-the-tests';
  const sites = [{ url: site.origin }];
  await writeFile(file, JSON.stringify({ redis: redis().url, admin: { token }, sites }));
  const { logLines, url } = await serve('--config', file);
  const read = async (page: number) => String(await cacheStatus(`${url}/core/v2/posts?page=${page}`));
  await waitUntil(async () => (await read(1)).startsWith('waygate; hit'));
  closeAfterTest(() => redis().command('CONFIG', 'SET', 'maxmemory', '0'));
  await redis().command('CONFIG', 'SET', 'maxmemory', '1mb');
  const remedy = expect.stringContaining('maxmemory-policy');
  const ready = async (): Promise<unknown> => (await fetch(`${url}/-/ready`)).json();
  let page = 1;
  await waitUntil(async () => {
    page += 1;
    // The first request of an address is not stored.
    for (let count = 0; count < 2; count += 1) await read(page);
    return JSON.stringify(await ready()).includes('cache-full');
  });
  expect(await ready()).toEqual({ status: 'ready', details: [{ state: 'cache-full', message: remedy }] });
  const env = { WAYGATE_ADMIN_TOKEN: token };
  expect((await runCommand(['status', url], { env })).out).toContain('maxmemory-policy');
  const headers = { authorization: `Bearer ${token}` };
  const metrics = await (await fetch(`${url}/-/metrics`, { headers })).text();
  expect(metrics).toContain('waygate_cache_shared_state{state="full"} 1');
  const refusals = () => logLines.filter(({ cause }) => String(cause).includes('OOM'));
  await waitUntil(() => refusals().length > 0);
  expect(refusals()).toMatchObject([{ remedy }]);
  expect(await read(1)).toMatch(/^waygate; hit/);
  expect(await read(page)).not.toMatch(/^waygate; hit/);
});

test.each<[string, string, readonly string[]]>([
  ['MISCONF', 'free its disk', []],
  ['READONLY', 'primary', ['REPLICAOF', '127.0.0.1', '1']],
])('a Redis that takes no writes (%s) is reported with the remedy', async (word, remedy, command) => {
  // It saves each second, into a folder that takes no files.
  const broken = await startRedisServer('--dir', '/proc', '--save', '1 1');
  const { logLines, url } = await serve('--site', site.origin, '--cache', broken.url);
  if (command.length > 0) await broken.command(...command);
  await waitUntil(async () => {
    await cacheStatus(`${url}/core/v2/posts`);
    return (await (await fetch(`${url}/-/ready`)).text()).includes(remedy);
  });
  await waitUntil(() =>
    logLines.some((line) => String(line['cause']).includes(word) && String(line['remedy']).includes(remedy)),
  );
});

/** Requests a URL with a fixed `Host`, because responses contain the URL of the gateway. @returns `Cache-Status` */
async function cacheStatus(url: string): Promise<unknown> {
  const { origin, pathname, search } = new URL(url);
  const response = await sendRaw(origin, pathname + search, { headers: { Host: 'api.example.com' } });
  return response.headers['cache-status'];
}
