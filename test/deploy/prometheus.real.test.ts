import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { useServeProcesses } from '../cli/serve-process.ts';
import { ROOT } from '../project/source-files.ts';
import { closeAfterTest } from '../support/close-after-test.ts';
import { useEchoSite } from '../support/echo-site.ts';
import { useFolder } from '../support/folder.ts';
import { useRedisServer } from '../support/redis-server.ts';
import { findFreePort } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const run = promisify(execFile);
const FOLDER = join(ROOT, 'deploy/prometheus');
const RULES = join(FOLDER, 'waygate.rules.yaml');
const DASHBOARD: {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
} = JSON.parse(readFileSync(join(ROOT, 'deploy/grafana/waygate.json'), 'utf8'));
const token = 'the-token-of-the-tests';
const authorization = `Bearer ${token}`;

const folder = useFolder();
const startServe = useServeProcesses({ WAYGATE_ADMIN_TOKEN: token });
const redis = useRedisServer();
const site = useEchoSite(({ url }, response) => {
  if (!url.includes('broken')) return false;
  if (url.includes('head')) response.writeHead(200, { 'content-length': '10' }).write('x');
  setImmediate(() => response.destroy());
  return true;
});

/** Starts a gateway of which every part has something to tell. */
async function startBusyGateway(): Promise<string> {
  const config = join(folder(), 'waygate.json');
  const limits = { rules: [{ match: '/core/v2/limited', client: '1/m' }] };
  // Only a rule says that a namespace of a plugin is everyone's.
  const rules = [{ match: '/core/v2/*', ttl: '30s' }];
  const settings = {
    cache: { store: redis().url },
    sites: [
      {
        name: 'shop',
        url: site.origin,
        limits,
        cache: { rules },
        passthrough: true,
        validation: { mode: 'strict' },
      },
    ],
  };
  writeFileSync(config, JSON.stringify(settings));
  const { url } = await startServe(['--config', config]);
  await waitUntil(async () => (await fetch(`${url}/-/ready`)).ok);
  return url;
}

async function sendRequests(url: string): Promise<void> {
  const posts = `${url}/shop/wp-json/core/v2/posts`;
  const cookie = 'wordpress_logged_in_1=a';
  const requests: readonly (readonly [target: string, init?: RequestInit])[] = [
    [posts],
    [posts],
    [`${posts}?page=x`],
    [posts, { method: 'POST' }],
    [posts, { headers: { cookie } }],
    [`${url}/shop/wp-json/core/v2/limited`],
    [`${url}/shop/wp-json/core/v2/limited`],
    [`${url}/shop/broken`],
    [`${url}/shop/broken-head`],
  ];
  for (const [target, init] of requests)
    await fetch(target, init).then(
      (response) => response.text().catch(() => ''),
      () => '',
    );
  await waitUntil(async () => /hit/.test((await fetch(posts)).headers.get('cache-status') ?? ''));
}

const listNames = (expression: string): readonly string[] =>
  expression.match(/\b(?:waygate|http_server|http_client|process|nodejs)_[a-z_]+/g) ?? [];

test('a scrape passes promtool, and has each metric that alerts and dashboard name; Prometheus evaluates both', async () => {
  const url = await startBusyGateway();
  await sendRequests(url);
  const scrape = async (): Promise<string> => {
    const response = await fetch(`${url}/-/metrics`, { headers: { authorization } });
    return response.text();
  };
  await waitUntil(async () => (await scrape()).includes('process_open_fds'));
  const text = await scrape();
  const lint = spawn('promtool', ['check', 'metrics'], { stdio: ['pipe', 'inherit', 'inherit'] });
  lint.stdin.end(text);
  expect((await once(lint, 'exit'))[0]).toBe(0);

  const queries = DASHBOARD.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(queries.length).toBeGreaterThan(40);
  const scraped = new Set(text.match(/^[a-z_]+/gm));
  const named = [...queries, readFileSync(RULES, 'utf8').replace(/summary:.*/g, '')].flatMap(listNames);
  expect(named.filter((name) => !scraped.has(name))).toEqual([]);

  const prometheus = await startPrometheus(url);
  const query = async (expression: string): Promise<readonly unknown[]> => {
    const response = await fetch(`${prometheus}/api/v1/query?query=${encodeURIComponent(expression)}`);
    const { data, error }: { data?: { result: readonly unknown[] }; error?: string } = await response.json();
    if (error !== undefined) throw new Error(`${expression}: ${error}`);
    return data?.result ?? [];
  };
  await waitUntil(async () => (await query('count_over_time(up{job="waygate"}[1m]) > 3')).length > 0);
  await sendRequests(url);
  // On a busy machine a scrape can take too long. What it lacks is there again after the next one.
  for (const each of queries) {
    const expression = each
      .replaceAll('$__rate_interval', '1m')
      .replaceAll('$instance', '.*')
      .replaceAll('$site', '.*');
    await expect.poll(() => query(expression), { message: each }).not.toEqual([]);
  }
  // Each rule is evaluated, and none of the alerts is wrong here.
  const readHealth = async (): Promise<ReadonlySet<string>> => {
    const { data }: { data: { groups: readonly { rules: readonly { health: string }[] }[] } } = await (
      await fetch(`${prometheus}/api/v1/rules`)
    ).json();
    return new Set(data.groups.flatMap(({ rules }) => rules.map(({ health }) => health)));
  };
  await expect.poll(readHealth).toEqual(new Set(['ok']));
  expect(await query('ALERTS{severity="critical",alertname!="WaygateSiteFailing"}')).toEqual([]);
});

/** Starts Debian's Prometheus with the shipped files. @returns its URL */
async function startPrometheus(url: string): Promise<string> {
  const tokenFile = join(folder(), 'token');
  writeFileSync(tokenFile, token);
  const config = readFileSync(join(FOLDER, 'prometheus.yaml'), 'utf8')
    .replace('15s', '1s\n  evaluation_interval: 1s')
    .replace('- waygate.rules.yaml', `- ${RULES}`)
    .replace('/etc/waygate/admin-token', tokenFile)
    .replace('127.0.0.1:8080', new URL(url).host);
  const file = join(folder(), 'prometheus.yaml');
  writeFileSync(file, config);
  const address = `127.0.0.1:${await findFreePort()}`;
  const flags = [`--config.file=${file}`, `--storage.tsdb.path=${folder()}/data`];
  const prometheus = spawn('prometheus', [...flags, `--web.listen-address=${address}`], { stdio: 'ignore' });
  closeAfterTest(async () => {
    prometheus.kill();
    await once(prometheus, 'exit');
  });
  await waitUntil(() =>
    fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return `http://${address}`;
}

test('promtool accepts configuration and rules, and the tests of the rules pass', async () => {
  await run('promtool', ['check', 'config', '--syntax-only', join(FOLDER, 'prometheus.yaml')]);
  await run('promtool', ['check', 'rules', RULES]);
  await run('promtool', ['test', 'rules', join(FOLDER, 'waygate.rules.test.yaml')]);
});
