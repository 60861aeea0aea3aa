// npm run bench -- [--rounds 5] [--seconds 3] [--connections 32] [--only waygate,'undici dispatch'] [--cases hit,cold] [--json]
//
// Runs every contender in front of a stub site (or in its place), interleaved in rounds so that other load on the machine
// affects all alike. Prints medians and their ratios to bare Hono and to undici dispatch. The ratio in parentheses compares
// the server's CPU time per request, which is comparable on a busy machine too.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { BASELINES, CONTENDERS } from './contenders.mjs';
import { samplePaths } from './index-document.mjs';
import { measure } from './load.mjs';
import { freePort, isInstalled, start } from './processes.mjs';
import { asTable, median } from './table.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32' },
    only: { type: 'string' },
    cases: { type: 'string', default: 'pass,routes,hit,cold' },
    json: { type: 'boolean', default: false },
  },
});

if (!isInstalled('wrk')) {
  process.stderr.write(
    'wrk, the load generator, is not installed: apt-get install wrk, or brew install wrk\n',
  );
  process.exit(2);
}

const load = { connections: Number(values.connections), seconds: Number(values.seconds) };
const FEW = 10;
const MANY = 10_000;

/**
 * Cases of the benchmark. `pass` runs on contenders without a cache, `routes` on those of them that match routes, `hit`
 * and `cold` on contenders with a cache. The baselines run in `pass`, `hit` and `cold`.
 */
const CASES = [
  { name: 'GET', method: /** @type {const} */ ('GET'), routes: FEW, kind: 'pass' },
  { name: 'POST 1 KB', method: /** @type {const} */ ('POST'), routes: FEW, kind: 'pass' },
  { name: `GET, ${MANY} routes`, method: /** @type {const} */ ('GET'), routes: MANY, kind: 'routes' },
  { name: 'GET, from the store', method: /** @type {const} */ ('GET'), routes: FEW, kind: 'hit' },
  { name: 'GET, each address once', method: /** @type {const} */ ('GET'), routes: FEW, kind: 'cold' },
].filter(({ kind }) => values.cases.split(',').includes(kind));

/** Whether a contender runs in a kind of case. @param {import('./contenders.mjs').Contender} contender @param {string} kind */
function runsIn({ name, routed = false, caches = false }, kind) {
  if (kind === 'routes') return routed;
  if (kind === 'pass') return !caches;
  return caches || BASELINES.includes(name) || (kind === 'cold' && routed);
}

const selected = CONTENDERS.filter(({ name, requires }) => {
  if (values.only !== undefined && ![...values.only.split(','), ...BASELINES].includes(name)) return false;
  if (requires === undefined || existsSync(requires)) return true;
  process.stderr.write(`${name} is skipped: ${requires} is missing (npm run build)\n`);
  return false;
});

/**
 * Requests per second, and CPU time of the server per request in microseconds.
 *
 * @typedef {{ rate: number, cost: number }} Sample
 */

/** @type {{ case: string, contender: string, sample: Sample }[]} */
const samples = [];
const sites = [];
const servers = [];

try {
  for (const routes of [FEW, MANY]) {
    const site = await start('load', ['scripts/bench/servers/stub.mjs', '--routes', String(routes)]);
    sites.push(site);
    for (const contender of selected.filter(({ routed }) => routed === true || routes === FEW)) {
      const port = await freePort();
      const args = contender.command.map((part) =>
        part.replace('{site}', site.url).replace('{port}', String(port)),
      );
      const server = await start('server', args, { ready: contender.ready, port });
      servers.push({ ...server, contender, name: contender.name, routes });
    }
  }
  // Warm-up: lazy initialisation and JIT compilation happen before the rounds.
  for (const server of servers) {
    const paths = samplePaths(server.routes, 100).map((path) => `/wp-json${path}`);
    await measure(server.url, { method: 'GET', paths, ...load });
    const isPost =
      server.routes === FEW &&
      CASES.some(({ kind, method }) => method === 'POST' && runsIn(server.contender, kind));
    if (isPost) await measure(server.url, { method: 'POST', paths, ...load });
    const isCold =
      server.routes === FEW && CASES.some(({ kind }) => kind === 'cold' && runsIn(server.contender, kind));
    if (isCold) await measure(server.url, { method: 'GET', paths, ...load, runId: 0 });
  }
  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const [position, { name, method, routes, kind }] of CASES.entries()) {
      const running = servers.filter((server) => server.routes === routes && runsIn(server.contender, kind));
      for (const server of running) {
        const paths = samplePaths(routes, 100).map((path) => `/wp-json${path}`);
        const before = await server.cpuTime();
        const { rate, requests } = await measure(server.url, {
          method,
          paths,
          ...load,
          ...(kind === 'cold' ? { runId: round * CASES.length + position } : {}),
        });
        const cost = ((await server.cpuTime()) - before) / requests;
        samples.push({ case: name, contender: server.name, sample: { rate, cost } });
      }
    }
    if (process.stderr.isTTY) process.stderr.write(`round ${round} of ${values.rounds}\n`);
  }
} finally {
  for (const process of [...servers, ...sites]) await process.stop();
}

/** Returns the medians of a contender in a case. @param {string} name @param {string} contender @returns {Sample | undefined} */
function medianSample(name, contender) {
  const all = samples.filter((entry) => entry.case === name && entry.contender === contender);
  if (all.length === 0) return undefined;
  return {
    rate: median(all.map(({ sample }) => sample.rate)),
    cost: median(all.map(({ sample }) => sample.cost)),
  };
}

/** Prints the ratio of the rates and, in parentheses, that of the CPU times. @param {Sample} sample @param {Sample | undefined} base */
function ratio(sample, base) {
  if (base === undefined) return null;
  return `${(sample.rate / base.rate).toFixed(2)} (${(base.cost / sample.cost).toFixed(2)})`;
}

const results = CASES.map(({ name, kind }) => ({
  case: name,
  contenders: selected.flatMap(({ name: contender }) => {
    const sample = medianSample(name, contender);
    if (sample === undefined) return [];
    return [
      {
        contender,
        'requests/s': Math.round(sample.rate),
        'µs/request': Math.round(sample.cost),
        ...Object.fromEntries(
          BASELINES.map((base) => [
            `of ${base}`,
            ratio(sample, medianSample(kind === 'routes' ? 'GET' : name, base)),
          ]),
        ),
        ...(kind === 'routes' ? { [`of ${FEW} routes`]: ratio(sample, medianSample('GET', contender)) } : {}),
      },
    ];
  }),
}));

process.stdout.write(values.json ? `${JSON.stringify(results, null, 2)}\n` : results.map(asTable).join('\n'));
