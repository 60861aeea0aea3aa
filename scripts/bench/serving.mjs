// @ts-check
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { samplePaths } from './index-document.mjs';
import { BROWSER_FIELDS, measure, warmUp } from './load.mjs';
import { isInstalled, start, startRedis } from './processes.mjs';

/** @typedef {Pick<import('./processes.mjs').Server, 'url' | 'cpuTime' | 'stop'>} Server */
/** @typedef {import('./load.mjs').Requests} Requests */
/** @typedef {import('./main.mjs').Build} Build */
/** @typedef {import('./main.mjs').Row} Row */

const COLLECTION = '/wp-json/shop/v1/thing0s';
const MANY_URLS = 20_000;
const FEW_ROUTES = 10;
const MANY_ROUTES = 10_000;
/** A path is stored with its second request. The third makes the head that a hit sends. */
const WARM_PASSES = 3;
/** Connections of a busy gateway. */
const BUSY = 500;

/** @type {Requests} */
const ONE_URL = {
  method: 'GET',
  paths: [`${COLLECTION}?per_page=5`],
  headers: { Accept: 'application/json' },
};
/** @type {Requests} */
const BROWSER_HITS = { ...ONE_URL, headers: BROWSER_FIELDS };
/** @type {Requests} */
const BUSY_HITS = { ...BROWSER_HITS, connections: BUSY };
/** @type {Requests} */
const MANY = {
  ...BROWSER_HITS,
  paths: Array.from({ length: MANY_URLS }, (_, page) => `${COLLECTION}?page=${page + 1}`),
};
/** @type {Requests} */
const PASSED = {
  ...BROWSER_HITS,
  paths: Array.from({ length: 100 }, (_, page) => `${COLLECTION}?per_page=10&page=${page + 1}`),
};
/** @type {Requests} */
const WRITES = {
  method: 'POST',
  paths: [COLLECTION],
  headers: BROWSER_FIELDS,
  body: JSON.stringify({
    field_0: 'x'.repeat(880),
    field_1: 1,
    field_2: [{ key: 'a' }, { key: 'b' }],
    field_4: '2026-01-02T03:04:05Z',
  }).padEnd(1024),
};
/** @param {number} routes @returns {Requests} */
const routed = (routes) => ({
  ...BROWSER_HITS,
  paths: samplePaths(routes, 100).map((path) => `/wp-json${path}`),
});

/**
 * Configurations of `waygate serve`, by name. All have metrics and an access log, which goes to `/dev/null` unless `isLogged` says
 * that a file gets it.
 *
 * @typedef {object} Configuration
 * @property {'memory' | 'redis' | 'off'} store
 * @property {'shop' | 'few' | 'many'} [site] `shop` by default
 * @property {boolean} [isLogged]
 * @property {string} [app] source of the middleware of a gateway.config.mjs
 */
/** @satisfies {Readonly<Record<string, Configuration>>} */
const CONFIGURATIONS = {
  caching: { store: 'memory' },
  filling: { store: 'memory' },
  logging: { store: 'memory', isLogged: true },
  extended: { store: 'memory', app: "app.use(async (c, next) => { await next(); c.header('X-App', '1'); })" },
  sharing: { store: 'redis' },
  validating: { store: 'off' },
  few: { store: 'off', site: 'few' },
  many: { store: 'off', site: 'many' },
};

/** Servers that waygate is compared with: their files and options. */
const BASELINES = {
  'bare Hono': ['bare-hono.mjs'],
  'Hono with middleware': ['bare-hono.mjs', '--middleware'],
  'undici dispatch': ['undici-dispatch.mjs'],
};

/**
 * Requests to a configuration of each build, compared with those to a baseline or to another configuration of the same build. Without
 * either, the value is the CPU time of a request in microseconds.
 *
 * @typedef {object} Comparison
 * @property {string} row
 * @property {string} goal by CPU
 * @property {keyof typeof CONFIGURATIONS} server
 * @property {Requests} requests
 * @property {'warm' | 'purge' | 'fill'} [prepare] before each run: `warm`, all paths are requested until they are hits; `purge`, all is
 *   purged, and the run takes one second; `fill`, the same, and each path is stored again
 * @property {keyof typeof BASELINES | keyof typeof CONFIGURATIONS} [base]
 * @property {Requests} [baseRequests] the same by default
 */

/** @type {readonly Comparison[]} */
const COMPARISONS = [
  {
    row: "a browser's hit, of bare Hono with the same fields",
    goal: '≥ 0.95',
    server: 'caching',
    requests: BROWSER_HITS,
    base: 'bare Hono',
  },
  {
    row: "a browser's hit with an app, of Hono with the same middleware",
    goal: '',
    server: 'extended',
    requests: BROWSER_HITS,
    base: 'Hono with middleware',
  },
  {
    row: `a browser's hit at ${BUSY} connections, of bare Hono`,
    goal: '≥ 0.95',
    server: 'caching',
    requests: BUSY_HITS,
    base: 'bare Hono',
  },
  {
    row: `a browser's hit at ${BUSY} connections, log in a file, of bare Hono`,
    goal: '',
    server: 'logging',
    requests: BUSY_HITS,
    base: 'bare Hono',
  },
  {
    row: `CPU of a browser's hit at ${BUSY} connections, µs`,
    goal: '',
    server: 'caching',
    requests: BUSY_HITS,
  },
  {
    row: `hits over ${MANY_URLS} URLs, of hits on one`,
    goal: '≥ 0.85',
    server: 'caching',
    requests: MANY,
    prepare: 'warm',
    base: 'caching',
    baseRequests: BROWSER_HITS,
  },
  {
    row: 'first hit of an address, of later ones',
    goal: '≥ 0.33',
    server: 'filling',
    requests: MANY,
    prepare: 'fill',
    base: 'caching',
  },
  {
    row: 'miss that is stored, of a validated GET passed through',
    goal: '≥ 0.5',
    server: 'filling',
    requests: MANY,
    prepare: 'purge',
    base: 'validating',
    baseRequests: PASSED,
  },
  {
    row: 'hit with Redis at four connections, of a hit in memory',
    goal: '≥ 0.71',
    server: 'sharing',
    requests: { ...BROWSER_HITS, connections: 4 },
    base: 'caching',
  },
  {
    row: 'validated GET, of undici dispatch',
    goal: '≥ 0.68',
    server: 'validating',
    requests: PASSED,
    base: 'undici dispatch',
  },
  {
    row: `validated GET at ${BUSY} connections, of undici dispatch`,
    goal: '',
    server: 'validating',
    requests: { ...PASSED, connections: BUSY },
    base: 'undici dispatch',
  },
  {
    row: 'validated POST of 1 KB, of undici dispatch',
    goal: '≥ 0.62',
    server: 'caching',
    requests: WRITES,
    base: 'undici dispatch',
  },
  {
    row: `GET with ${MANY_ROUTES} routes, of ${FEW_ROUTES}`,
    goal: '≥ 0.95',
    server: 'many',
    requests: routed(MANY_ROUTES),
    base: 'few',
    baseRequests: routed(FEW_ROUTES),
  },
];

const TOKEN = 'the-token-of-the-bench';

/** Lines that the access log of a gateway has lost; `NaN` for another server. @param {Server} server */
async function countLost({ url }) {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const metrics = await (await fetch(`${url}/-/metrics`, { headers })).text();
  return Number(/^waygate_log_lost_lines_total (\d+)/m.exec(metrics)?.[1]);
}

/** Purges everything from the store of a gateway. @param {Server} server */
async function purge({ url }) {
  const headers = { authorization: `Bearer ${TOKEN}` };
  await fetch(`${url}/-/purge`, { method: 'POST', headers, body: '{"all":true}' });
}

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
  process.env['WAYGATE_ADMIN_TOKEN'] = TOKEN;
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
  /** @param {keyof typeof BASELINES} name @param {Build} build @returns {Promise<Server>} */
  const startBaseline = async (name, { node }) => {
    const site = (await startSite('shop')).url;
    const [file = '', ...options] = BASELINES[name];
    const script = `scripts/bench/servers/${file}`;
    return start('server', [script, '--port', '{port}', '--site', site, ...options], '/', node);
  };
  /** @param {keyof typeof CONFIGURATIONS} name @param {Build} build @returns {Promise<Server>} */
  const startGateway = async (name, build) => {
    const { app, isLogged, site = 'shop', store } = /** @type {Configuration} */ (CONFIGURATIONS[name]);
    const url = `${(await startSite(site)).url}/`;
    const shared = store === 'redis' ? { store: (await once(`redis of ${build.name}`, startRedis)).url } : {};
    const settings = {
      publicUrl: 'http://gateway.example.com',
      cache: { store, maxBytes: '1GiB', ...shared },
      // The gateway does not know the namespace of the site, so a rule says that its reads are everyone's.
      sites: [
        { url, validation: { mode: 'enforce' }, cache: { rules: [{ match: '/shop/v1/*', ttl: '30s' }] } },
      ],
    };
    const json = JSON.stringify(settings);
    const file = join(folder, `${name}-${site}.${app === undefined ? 'json' : 'mjs'}`);
    writeFileSync(file, app === undefined ? json : `export default { ...${json}, app(app) { ${app} } };`);
    const command = [build.command, 'serve', '--config', file, '--port', '{port}'];
    if (store === 'redis')
      await once(`another ${name} of ${build.name}`, () => start('load', command, '/-/ready', build.node));
    return start('server', command, '/-/ready', build.node, isLogged ? join(folder, 'log') : undefined);
  };
  /** @param {string} name of a baseline or a configuration @param {Build} build @returns {Promise<Server>} */
  const serverOf = (name, build) =>
    name in BASELINES
      ? once(`${name} on ${build.node}`, () =>
          startBaseline(/** @type {keyof typeof BASELINES} */ (name), build),
        )
      : once(`${name} of ${build.name}`, () =>
          startGateway(/** @type {keyof typeof CONFIGURATIONS} */ (name), build),
        );
  /** @type {Map<string, { rate: number[], cost: number[], text: string[] }>} */
  const ratios = new Map(
    comparisons.flatMap(({ row }) =>
      builds.map(({ name }) => [`${row}\n${name}`, { rate: [], cost: [], text: [] }]),
    ),
  );
  try {
    const warmed = new Set();
    for (const { base, requests, baseRequests = requests, row, server } of comparisons) {
      report(`warming up: ${row}`);
      for (const build of builds) {
        for (const [name, sent] of /** @type {const} */ ([
          [base, baseRequests],
          [server, requests],
        ])) {
          if (name === undefined) continue;
          const running = await serverOf(name, build);
          const key = `${running.url} ${sent.method} ${sent.paths.length} ${sent.connections} ${Object.keys(sent.headers ?? {}).length}`;
          if (!warmed.has(key)) await warmUp(running, sent, Math.max(warm, WARM_PASSES * sent.paths.length));
          warmed.add(key);
        }
      }
    }
    for (let round = 1; round <= rounds; round++) {
      report(`round ${round} of ${rounds}`);
      for (const { base, prepare, requests, baseRequests = requests, row, server } of comparisons) {
        for (const build of builds) {
          const theirs =
            base === undefined
              ? undefined
              : await measure(await serverOf(base, build), baseRequests, seconds);
          const measured = await serverOf(server, build);
          const isPurged = prepare === 'purge' || prepare === 'fill';
          if (isPurged) await purge(measured);
          const passes = prepare === 'fill' ? 1 : prepare === 'warm' ? WARM_PASSES : 0;
          const from = await warmUp(measured, requests, passes * requests.paths.length);
          const before = await countLost(measured);
          // Longer, and paths would be requested again.
          const ours = await measure(measured, { ...requests, from }, isPurged ? 1 : seconds);
          const lost = (await countLost(measured)) - before;
          const entry = ratios.get(`${row}\n${build.name}`);
          entry?.rate.push(theirs === undefined ? ours.cost : ours.rate / theirs.rate);
          if (theirs !== undefined) entry?.cost.push(theirs.cost / ours.cost);
          entry?.text.push(`${Math.round(ours.rate)}/s, ${ours.cost.toFixed(1)} µs, ${lost} lines lost`);
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
