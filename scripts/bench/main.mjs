// npm run bench -- [--rounds 5] [--seconds 3] [--connections 32] [--only waygate,'undici dispatch'] [--cases hit,cold] [--json]
//
// Runs every contender in front of (or instead of) one stub site, interleaved in rounds, so that what else the machine
// does strikes all alike, and prints the medians as ratios to bare Hono and to undici dispatch; in parentheses the ratio
// of what a request costs the server in processor time, which holds on a busy machine too.
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
  process.stderr.write('wrk makes the load and is not installed: apt-get install wrk, or brew install wrk\n');
  process.exit(2);
}

const load = { connections: Number(values.connections), seconds: Number(values.seconds) };
const FEW = 10;
const MANY = 10_000;

/**
 * What is asked, and of whom: `pass` of those that pass everything on, `routes` of those of them that know routes, `hit`
 * and `cold` of those that keep answers; all of the baselines.
 */
const CASES = [
  { name: 'GET', method: /** @type {const} */ ('GET'), routes: FEW, kind: 'pass' },
  { name: 'POST 1 KB', method: /** @type {const} */ ('POST'), routes: FEW, kind: 'pass' },
  { name: `GET, ${MANY} routes`, method: /** @type {const} */ ('GET'), routes: MANY, kind: 'routes' },
  { name: 'GET, from the store', method: /** @type {const} */ ('GET'), routes: FEW, kind: 'hit' },
  { name: 'GET, each address once', method: /** @type {const} */ ('GET'), routes: FEW, kind: 'cold' },
].filter(({ kind }) => values.cases.split(',').includes(kind));

/** @param {import('./contenders.mjs').Contender} contender @param {string} kind */
function takesPart({ name, routed = false, stores = false }, kind) {
  if (kind === 'routes') return routed;
  if (kind === 'pass') return !stores;
  return stores || BASELINES.includes(name) || (kind === 'cold' && routed);
}

const chosen = CONTENDERS.filter(({ name, needs }) => {
  if (values.only !== undefined && ![...values.only.split(','), ...BASELINES].includes(name)) return false;
  if (needs === undefined || existsSync(needs)) return true;
  process.stderr.write(`${name} is left out: ${needs} is missing (npm run build)\n`);
  return false;
});

/**
 * Requests a second, and what each cost the server in microseconds of processor time.
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
    for (const contender of chosen.filter(({ routed }) => routed === true || routes === FEW)) {
      const port = await freePort();
      const args = contender.command.map((part) =>
        part.replace('{site}', site.url).replace('{port}', String(port)),
      );
      const server = await start('server', args, { ready: contender.ready, port });
      servers.push({ ...server, contender, name: contender.name, routes });
    }
  }
  // What is compiled on first use, and by the engine on much use, is no matter of the rounds.
  for (const server of servers) {
    const paths = samplePaths(server.routes, 100).map((path) => `/wp-json${path}`);
    await measure(server.url, { method: 'GET', paths, ...load });
    const isCold =
      server.routes === FEW && CASES.some(({ kind }) => kind === 'cold' && takesPart(server.contender, kind));
    if (isCold) await measure(server.url, { method: 'GET', paths, ...load, fresh: 0 });
  }
  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const [position, { name, method, routes, kind }] of CASES.entries()) {
      const asked = servers.filter((one) => one.routes === routes && takesPart(one.contender, kind));
      for (const server of asked) {
        const paths = samplePaths(routes, 100).map((path) => `/wp-json${path}`);
        const before = await server.cpuTime();
        const { rate, requests } = await measure(server.url, {
          method,
          paths,
          ...load,
          ...(kind === 'cold' ? { fresh: round * CASES.length + position } : {}),
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

/** @param {string} name @param {string} contender @returns {Sample | undefined} */
function typical(name, contender) {
  const all = samples.filter((one) => one.case === name && one.contender === contender);
  if (all.length === 0) return undefined;
  return {
    rate: median(all.map(({ sample }) => sample.rate)),
    cost: median(all.map(({ sample }) => sample.cost)),
  };
}

/** @param {Sample} one @param {Sample | undefined} base its share of the rate, and of the rate that its cost allows */
function ratio(one, base) {
  if (base === undefined) return null;
  return `${(one.rate / base.rate).toFixed(2)} (${(base.cost / one.cost).toFixed(2)})`;
}

const results = CASES.map(({ name, kind }) => ({
  case: name,
  contenders: chosen.flatMap(({ name: contender }) => {
    const one = typical(name, contender);
    if (one === undefined) return [];
    return [
      {
        contender,
        'requests/s': Math.round(one.rate),
        'µs/request': Math.round(one.cost),
        ...Object.fromEntries(
          BASELINES.map((base) => [
            `of ${base}`,
            ratio(one, typical(kind === 'routes' ? 'GET' : name, base)),
          ]),
        ),
        ...(kind === 'routes' ? { [`of ${FEW} routes`]: ratio(one, typical('GET', contender)) } : {}),
      },
    ];
  }),
}));

process.stdout.write(values.json ? `${JSON.stringify(results, null, 2)}\n` : results.map(asTable).join('\n'));
