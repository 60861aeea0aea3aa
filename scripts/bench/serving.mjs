// @ts-check
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { samplePaths } from './index-document.mjs';
import { measure, warmUp } from './load.mjs';
import { isInstalled, start, startRedis } from './processes.mjs';

/** @typedef {Pick<import('./processes.mjs').Server, 'url' | 'cpuTime' | 'stop'>} Server */
/** @typedef {import('./load.mjs').Requests} Requests */
/** @typedef {import('./main.mjs').Build} Build */
/** @typedef {import('./main.mjs').Row} Row */

const COLLECTION = '/wp-json/shop/v1/thing0s';
const MANY_URLS = 20_000;
const FEW_ROUTES = 10;
const MANY_ROUTES = 10_000;

/** @type {Requests} */
const ONE_URL = { method: 'GET', paths: [`${COLLECTION}?per_page=5`] };
/** @type {Requests} */
const MANY = {
  method: 'GET',
  paths: Array.from({ length: MANY_URLS }, (_, page) => `${COLLECTION}?page=${page + 1}`),
};
/** @type {Requests} */
const PASSED = {
  method: 'GET',
  paths: Array.from({ length: 100 }, (_, page) => `${COLLECTION}?per_page=10&page=${page + 1}`),
};
/** @type {Requests} */
const WRITES = {
  method: 'POST',
  paths: [COLLECTION],
  body: JSON.stringify({
    field_0: 'x'.repeat(880),
    field_1: 1,
    field_2: [{ key: 'a' }, { key: 'b' }],
    field_4: '2026-01-02T03:04:05Z',
  }).padEnd(1024),
};
/** @param {number} routes @returns {Requests} */
const routed = (routes) => ({
  method: 'GET',
  paths: samplePaths(routes, 100).map((path) => `/wp-json${path}`),
});

/** Configurations of `waygate serve`, by name. All have metrics and an access log. */
const CONFIGURATIONS = {
  caching: { mode: 'enforce', store: 'memory', site: 'shop' },
  writing: { mode: 'enforce', store: 'memory', site: 'shop' },
  validating: { mode: 'enforce', store: 'off', site: 'shop' },
  plain: { mode: 'off', store: 'off', site: 'shop' },
  sharing: { mode: 'enforce', store: 'redis', site: 'shop' },
  few: { mode: 'enforce', store: 'off', site: 'few' },
  many: { mode: 'enforce', store: 'off', site: 'many' },
};

/** Servers that waygate is compared with: their files. */
const BASELINES = {
  'bare Hono': 'bare-hono.mjs',
  'node:http': 'node-http.mjs',
  'undici dispatch': 'undici-dispatch.mjs',
};

/**
 * Requests to a configuration of each build, compared with those to a baseline or to another configuration of the same build.
 *
 * @typedef {object} Comparison
 * @property {string} row
 * @property {string} goal
 * @property {keyof typeof CONFIGURATIONS} server
 * @property {Requests} requests
 * @property {keyof typeof BASELINES | keyof typeof CONFIGURATIONS} base
 * @property {Requests} baseRequests
 * @property {'rate' | 'p99'} [by] what is compared
 */

/** @type {readonly Comparison[]} */
const COMPARISONS = [
  {
    row: 'hit, of bare Hono with the same fields',
    goal: '≥ 1.1',
    server: 'caching',
    requests: ONE_URL,
    base: 'bare Hono',
    baseRequests: ONE_URL,
  },
  {
    row: 'hit, of node:http with the same fields',
    goal: '',
    server: 'caching',
    requests: ONE_URL,
    base: 'node:http',
    baseRequests: ONE_URL,
  },
  {
    row: 'p99 of hits, of bare Hono with the same fields',
    goal: '≤ 1',
    server: 'caching',
    requests: ONE_URL,
    base: 'bare Hono',
    baseRequests: ONE_URL,
    by: 'p99',
  },
  {
    row: `hits over ${MANY_URLS} URLs, of hits on one`,
    goal: '≥ 0.80',
    server: 'caching',
    requests: MANY,
    base: 'caching',
    baseRequests: ONE_URL,
  },
  {
    row: 'validated GET, of undici dispatch',
    goal: '≥ 0.70',
    server: 'validating',
    requests: PASSED,
    base: 'undici dispatch',
    baseRequests: PASSED,
  },
  {
    row: 'p99 of validated GETs, of undici dispatch',
    goal: '≤ 1.5',
    server: 'validating',
    requests: PASSED,
    base: 'undici dispatch',
    baseRequests: PASSED,
    by: 'p99',
  },
  {
    row: 'validated POST of 1 KB, of undici dispatch',
    goal: '≥ 0.6',
    server: 'writing',
    requests: WRITES,
    base: 'undici dispatch',
    baseRequests: WRITES,
  },
  {
    row: 'POST of 1 KB with a store in Redis, of one with a store in memory',
    goal: '',
    server: 'sharing',
    requests: WRITES,
    base: 'writing',
    baseRequests: WRITES,
  },
  {
    row: 'POST without validation and store, of undici dispatch',
    goal: '',
    server: 'plain',
    requests: WRITES,
    base: 'undici dispatch',
    baseRequests: WRITES,
  },
  {
    row: `GET with ${MANY_ROUTES} routes, of ${FEW_ROUTES}`,
    goal: '≥ 0.90',
    server: 'many',
    requests: routed(MANY_ROUTES),
    base: 'few',
    baseRequests: routed(FEW_ROUTES),
  },
];

/**
 * Measures servers under load. Each comparison runs with all builds in each round.
 *
 * @param {readonly Build[]} builds
 * @param {{ rounds: number, seconds: number, warm: number, isWanted: (row: string) => boolean, report: (text: string) => void }} options
 * @returns {Promise<Row[]>}
 */
export async function benchServing(builds, { isWanted, report, rounds, seconds, warm }) {
  const comparisons = COMPARISONS.filter(
    ({ row, server }) => isWanted(row) && (server !== 'sharing' || isInstalled('redis-server')),
  );
  if (comparisons.length === 0) return [];
  /** @type {Map<string, Promise<Server>>} */
  const servers = new Map();
  /** @param {string} name @param {() => Promise<Server>} create */
  const once = (name, create) => {
    const known = servers.get(name) ?? create();
    servers.set(name, known);
    return known;
  };
  const folder = mkdtempSync(join(tmpdir(), 'waygate-bench-'));
  /** @param {string} site */
  const startSite = (site) => {
    const size = { few: ['--routes', `${FEW_ROUTES}`], many: ['--routes', `${MANY_ROUTES}`] }[site];
    const args = size ?? ['--operations', '230'];
    return once(site, () => start('load', ['scripts/bench/servers/stub.mjs', '--port', '{port}', ...args]));
  };
  /** @param {string} name of a baseline or a configuration @param {Build} build @returns {Promise<Server>} */
  const serverOf = (name, build) => {
    const baseline = BASELINES[/** @type {keyof typeof BASELINES} */ (name)];
    if (baseline !== undefined)
      return once(name, async () => {
        const site = name === 'undici dispatch' ? ['--site', (await startSite('shop')).url] : [];
        return start('server', [`scripts/bench/servers/${baseline}`, '--port', '{port}', ...site]);
      });
    return once(`${name} of ${build.name}`, async () => {
      const { mode, site, store } = CONFIGURATIONS[/** @type {keyof typeof CONFIGURATIONS} */ (name)];
      const url = `${(await startSite(site)).url}/`;
      const file = join(folder, `${name}-${site}.json`);
      const publicUrl = 'http://gateway.example.com';
      const shared =
        store === 'redis' ? { store: (await once(`redis of ${build.name}`, startRedis)).url } : {};
      const cache = { store, maxBytes: '1GiB', ...shared };
      // The gateway does not know the namespace of the site, so a rule says that its reads are everyone's.
      const rules = [{ match: '/shop/v1/*', ttl: '30s' }];
      const sites = [{ url, validation: { mode }, cache: { rules } }];
      writeFileSync(file, JSON.stringify({ publicUrl, cache, sites }));
      const command = [build.command, 'serve', '--config', file, '--port', '{port}'];
      if (store === 'redis') {
        await once(`another ${name} of ${build.name}`, () => start('load', command, '/-/ready'));
      }
      return start('server', command, '/-/ready');
    });
  };
  /** @type {Map<string, { rate: number[], cost: number[], text: string[] }>} */
  const ratios = new Map(
    comparisons.flatMap(({ row }) =>
      builds.map(({ name }) => [`${row}\n${name}`, { rate: [], cost: [], text: [] }]),
    ),
  );
  try {
    const warmed = new Set();
    for (const { base, baseRequests, requests, row, server } of comparisons) {
      report(`warming up: ${row}`);
      for (const build of builds) {
        for (const [name, sent] of /** @type {const} */ ([
          [base, baseRequests],
          [server, requests],
        ])) {
          const running = await serverOf(name, build);
          const key = `${running.url} ${sent.method} ${sent.paths.length}`;
          if (!warmed.has(key)) await warmUp(running, sent, Math.max(warm, sent.paths.length));
          warmed.add(key);
        }
      }
    }
    for (let round = 1; round <= rounds; round++) {
      report(`round ${round} of ${rounds}`);
      for (const { base, baseRequests, by = 'rate', requests, row, server } of comparisons) {
        for (const build of builds) {
          const theirs = await measure(await serverOf(base, build), baseRequests, seconds);
          const ours = await measure(await serverOf(server, build), requests, seconds);
          const entry = ratios.get(`${row}\n${build.name}`);
          entry?.rate.push(ours[by] / theirs[by]);
          if (by === 'rate') entry?.cost.push(theirs.cost / ours.cost);
          entry?.text.push(
            by === 'p99'
              ? `${ours.p99.toFixed(1)} ms`
              : `${Math.round(ours.rate)}/s, ${ours.cost.toFixed(1)} µs`,
          );
        }
      }
    }
  } finally {
    for (const server of servers.values()) await server.then(({ stop }) => stop()).catch(() => {});
    rmSync(folder, { recursive: true });
  }
  return comparisons.flatMap(({ goal, row }) =>
    builds.map(({ name }) => {
      const { cost = [], rate = [], text = [] } = ratios.get(`${row}\n${name}`) ?? {};
      return { row, goal, build: name, values: rate, costs: cost, detail: text[text.length >> 1] ?? '' };
    }),
  );
}
