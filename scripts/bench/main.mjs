// npm run bench -- [--rounds 5] [--seconds 3] [--connections 32] [--only waygate,'undici dispatch'] [--json]
//
// Runs every contender in front of (or instead of) one stub site, interleaved in rounds, so that what else the machine
// does strikes all alike, and prints the medians as ratios to bare Hono and to undici dispatch.
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

/** What is asked of everyone, and of those that know routes. */
const CASES = [
  { name: 'GET', method: /** @type {const} */ ('GET'), routes: FEW, routed: false },
  { name: 'POST 1 KB', method: /** @type {const} */ ('POST'), routes: FEW, routed: false },
  { name: `GET, ${MANY} routes`, method: /** @type {const} */ ('GET'), routes: MANY, routed: true },
];

const chosen = CONTENDERS.filter(({ name, needs }) => {
  if (values.only !== undefined && ![...values.only.split(','), ...BASELINES].includes(name)) return false;
  if (needs === undefined || existsSync(needs)) return true;
  process.stderr.write(`${name} is left out: ${needs} is missing (npm run build)\n`);
  return false;
});

/** @type {Map<string, Map<string, number[]>>} rates by case and contender */
const rates = new Map(CASES.map(({ name }) => [name, new Map()]));
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
      servers.push({ ...server, name: contender.name, routes });
    }
  }
  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const { name, method, routes } of CASES) {
      for (const server of servers.filter((one) => one.routes === routes)) {
        const paths = samplePaths(routes, 100).map((path) => `/wp-json${path}`);
        const { rate } = await measure(server.url, { method, paths, ...load });
        const byContender = rates.get(name) ?? new Map();
        byContender.set(server.name, [...(byContender.get(server.name) ?? []), rate]);
        rates.set(name, byContender);
      }
    }
    if (process.stderr.isTTY) process.stderr.write(`round ${round} of ${values.rounds}\n`);
  }
} finally {
  for (const process of [...servers, ...sites]) await process.stop();
}

const results = CASES.map(({ name, routed }) => {
  const medians = new Map([...(rates.get(name) ?? [])].map(([contender, all]) => [contender, median(all)]));
  const base = routed
    ? new Map([...(rates.get('GET') ?? [])].map(([contender, all]) => [contender, median(all)]))
    : medians;
  return {
    case: name,
    contenders: [...medians].map(([contender, rate]) => ({
      contender,
      rate: Math.round(rate),
      spread: spread(rates.get(name)?.get(contender) ?? []),
      ...Object.fromEntries(BASELINES.map((baseline) => [`of ${baseline}`, ratio(rate, base.get(baseline))])),
      ...(routed ? { [`of ${FEW} routes`]: ratio(rate, base.get(contender)) } : {}),
    })),
  };
});

/** @param {number} rate @param {number | undefined} base */
function ratio(rate, base) {
  return base === undefined ? null : Number((rate / base).toFixed(2));
}

/** @param {readonly number[]} all */
function spread(all) {
  return all.length === 0 ? 0 : Number(((Math.max(...all) - Math.min(...all)) / median(all)).toFixed(2));
}

process.stdout.write(values.json ? `${JSON.stringify(results, null, 2)}\n` : results.map(asTable).join('\n'));
