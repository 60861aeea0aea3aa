// @ts-check
// npm run bench:workers [-- --workers 2] [--seconds 4] [--rounds 3]
//
// Compares the throughput that several workers can reach with that of one process, where the processor is the limit. The load
// generator and the site need processors too, so the request rate of a small machine says nothing. Instead the CPU time of each
// process per request is measured: a worker that has a core for itself serves 1 / (its CPU time per request of all workers). The
// slowest worker and the primary process are the limit, so an uneven distribution of the connections counts. Needs
// `npm run build`, wrk, and Linux.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measure } from './load.mjs';
import { cpuTime, freePort, start } from './processes.mjs';
import { median } from './table.mjs';

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
  },
});
const WORKERS = Number(values.workers);
const SECONDS = Number(values.seconds);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
process.chdir(ROOT);

const collection = '/wp-json/wp/v2/posts';
/** @type {Readonly<Record<string, import('./load.mjs').Requests>>} */
const LOADS = {
  'hits of one URL': { method: 'GET', paths: [`${collection}?per_page=5`] },
  'hits of 500 URLs': {
    method: 'GET',
    paths: Array.from({ length: 500 }, (_, page) => `${collection}?page=${page + 1}`),
  },
  misses: { method: 'GET', paths: [`${collection}?per_page=5`], runId: 1 },
};

/**
 * What the processes of one gateway have used per request, in microseconds of CPU time.
 *
 * @typedef {object} Cost
 * @property {number} total
 * @property {number} slowest of the process that has used most
 * @property {number} primary
 */

/** @param {string} site @param {number} workers */
async function startGateway(site, workers) {
  const port = await freePort();
  const args = ['dist/cli/main.js', 'serve', '--site', site, '--port', `${port}`, '--workers', `${workers}`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const url = `http://127.0.0.1:${port}`;
  while ((await fetch(`${url}/-/ready`).catch(() => null))?.status !== 200) {
    if (child.exitCode !== null) throw new Error('the gateway ended before it was ready');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { child, url };
}

/** @param {number} pid */
function listProcesses(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
  return [
    pid,
    ...children
      .split(' ')
      .filter((text) => text !== '')
      .map(Number),
  ];
}

/**
 * @param {{ child: import('node:child_process').ChildProcess, url: string }} gateway
 * @param {import('./load.mjs').Requests} requests
 * @returns {Promise<Cost>}
 */
async function measureCost({ child, url }, requests) {
  const pids = listProcesses(child.pid ?? 0);
  const before = pids.map(cpuTime);
  const { count } = await measure({ url, cpuTime: () => 0 }, requests, SECONDS);
  const costs = pids.map((pid, at) => (cpuTime(pid) - (before[at] ?? 0)) / count);
  return {
    total: costs.reduce((sum, cost) => sum + cost, 0),
    slowest: Math.max(...costs),
    primary: costs[0] ?? 0,
  };
}

const site = await start('load', ['scripts/bench/servers/stub.mjs', '--port', '{port}'], '/wp-json/');
const [one, several] = [await startGateway(site.url, 1), await startGateway(site.url, WORKERS)];
try {
  let runId = 0;
  for (const [name, requests] of Object.entries(LOADS)) {
    /** @type {{ ofOne: Cost, ofSeveral: Cost }[]} */
    const rounds = [];
    for (let round = 0; round <= Number(values.rounds); round += 1) {
      const unique = () => {
        runId += 1;
        return requests.runId === undefined ? requests : { ...requests, runId };
      };
      const ofOne = await measureCost(one, unique());
      const ofSeveral = await measureCost(several, unique());
      // The first round warms up.
      if (round > 0) rounds.push({ ofOne, ofSeveral });
    }
    /** @param {(round: { ofOne: Cost, ofSeveral: Cost }) => number} read */
    const of = (read) => median(rounds.map(read)).toFixed(2);
    process.stdout.write(
      `${name}: ${of(({ ofOne, ofSeveral }) => ofOne.total / ofSeveral.slowest)} times one process ` +
        `(evenly distributed: ${of(({ ofOne, ofSeveral }) => (WORKERS * ofOne.total) / ofSeveral.total)}); ` +
        `CPU time per request: ${of(({ ofOne }) => ofOne.total)} µs in one process; with ${WORKERS} workers ` +
        `${of(({ ofSeveral }) => ofSeveral.total)} µs in all, ${of(({ ofSeveral }) => ofSeveral.slowest)} µs in the busiest, ` +
        `${of(({ ofSeveral }) => ofSeveral.primary)} µs in the primary one\n`,
    );
  }
} finally {
  for (const { child } of [one, several]) {
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  }
  await site.stop();
}
