// npm run bench:hung -- [--dist dist] [--sites 200] [--seconds 20] [--rate 200] [--hung-rate 100] [--json]
//
// Starts a gateway with many sites in one process, of which one accepts every request and never responds. Clients request
// pages of the other sites at a constant rate, whether the last ones have been answered or not; the time of a response counts
// from the time at which its request was due. Measured are that time for the other sites, and the memory of the gateway:
// without requests for the hung site, with them, and with them but without a limit of concurrent requests.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readOptions } from '../options.mjs';
import { asTable } from './table.mjs';

const { values: flags } = readOptions(import.meta.url, {
  options: {
    dist: { type: 'string', default: 'dist' },
    sites: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '20' },
    rate: { type: 'string', default: '200' },
    'hung-rate': { type: 'string', default: '100' },
    json: { type: 'boolean', default: false },
  },
});
const SITES = Number(flags.sites);
const SECONDS = Number(flags.seconds);
/** Milliseconds that a site takes to respond. */
const LATENCY = 25;

/** @typedef {{ p50: number, p99: number, slowest: number, failed: number, answered: number, memory: number, hung: string }} Measurement */

/** @type {Record<string, { hungRate: number, concurrency: object }>} */
const CASES = {
  'no requests for the hung site': { hungRate: 0, concurrency: {} },
  'one site hangs': { hungRate: Number(flags['hung-rate']), concurrency: {} },
  'one site hangs, no limit': {
    hungRate: Number(flags['hung-rate']),
    concurrency: { max: 1_000_000, queue: 1_000_000, wait: '1h' },
  },
};

const site = await listen((_request, response) => {
  setTimeout(() => response.end('<!doctype html><p>A page.</p>'), LATENCY);
});
const hungSite = await listen(() => {});

/** @type {Record<string, Measurement>} */
const results = {};
for (const [name, { concurrency, hungRate }] of Object.entries(CASES)) {
  results[name] = await measure(concurrency, hungRate);
}
if (flags.json) console.log(JSON.stringify(results, null, 2));
else {
  const contenders = Object.entries(results).map(([name, measured]) => ({
    '': name,
    answered: measured.answered,
    failed: measured.failed,
    'p50, ms': measured.p50.toFixed(1),
    'p99, ms': measured.p99.toFixed(1),
    'slowest, ms': measured.slowest.toFixed(1),
    'memory, MiB': Math.round(measured.memory / 1024 ** 2),
    'hung site': measured.hung,
  }));
  console.log(asTable({ case: `${SITES} sites in one process`, contenders }));
}
site.close();
hungSite.close();
process.exit(0);

/** @param {http.RequestListener} listener */
async function listen(listener) {
  const server = http.createServer(listener);
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/**
 * @param {object} concurrency
 * @param {number} hungRate
 * @returns {Promise<Measurement>}
 */
async function measure(concurrency, hungRate) {
  const folder = await mkdtemp(join(tmpdir(), 'waygate-hung-'));
  const config = join(folder, 'waygate.json');
  const sites = Array.from({ length: SITES }, (_, at) => ({
    name: at === 0 ? 'hung' : `site${at}`,
    url: at === 0 ? hungSite.url : site.url,
    discovery: 'off',
    passthrough: true,
    concurrency,
  }));
  await writeFile(config, JSON.stringify({ port: 0, cache: { store: 'memory' }, sites }));
  const main = resolve(flags.dist, 'cli/main.js');
  const gateway = spawn(process.execPath, [main, 'serve', '--config', config], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = await readUrl(gateway);
    await load(url, Number(flags.rate), 3, (at) => `/site${1 + (at % (SITES - 1))}/warm?${at}`, []);
    /** @type {number[]} */
    const times = [];
    /** @type {Record<string, number>} */
    const hungStatuses = {};
    let highest = 0;
    const sampling = setInterval(() => {
      highest = Math.max(highest, readMemory(gateway.pid ?? 0));
    }, 250);
    const hung = load(url, hungRate, SECONDS, (at) => `/hung/${at}`, [], hungStatuses);
    const statuses = await load(
      url,
      Number(flags.rate),
      SECONDS,
      (at) => `/site${1 + (at % (SITES - 1))}/page?${at}`,
      times,
    );
    clearInterval(sampling);
    void hung;
    times.sort((one, other) => one - other);
    const percentile = (/** @type {number} */ share) => times[Math.floor(times.length * share)] ?? 0;
    return {
      p50: percentile(0.5),
      p99: percentile(0.99),
      slowest: times.at(-1) ?? 0,
      failed: Object.entries(statuses).reduce((sum, [status, n]) => sum + (status === '200' ? 0 : n), 0),
      answered: times.length,
      memory: highest,
      hung: hungRate === 0 ? '-' : describe(hungStatuses, hungRate * SECONDS),
    };
  } finally {
    gateway.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {Record<string, number>} statuses @param {number} all */
function describe(statuses, all) {
  const answered = Object.entries(statuses).map(([status, n]) => `${n} × ${status}`);
  const count = Object.values(statuses).reduce((sum, n) => sum + n, 0);
  return [...answered, `${all - count} waiting`].join(', ');
}

/** @param {import('node:child_process').ChildProcess} gateway @returns {Promise<string>} */
function readUrl(gateway) {
  return new Promise((done, fail) => {
    let text = '';
    gateway.stdout?.on('data', (chunk) => {
      if (text.length < 1_000_000) text += chunk;
      const url = /"url":"(http:[^"]*)"[^\n]*"msg":"listening"/.exec(text)?.[1];
      if (url !== undefined) done(url);
    });
    gateway.once('exit', () => fail(new Error('the gateway ended')));
  });
}

/** Resident memory in bytes. @param {number} pid */
function readMemory(pid) {
  return Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
}

/**
 * Sends requests at a constant rate.
 *
 * @param {string} url
 * @param {number} rate requests a second
 * @param {number} seconds
 * @param {(at: number) => string} toPath
 * @param {number[]} times receives the milliseconds of each response
 * @param {Record<string, number>} statuses receives the number of responses by status
 */
async function load(url, rate, seconds, toPath, times, statuses = {}) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const start = performance.now();
  const pending = [];
  for (let at = 0; at < rate * seconds; at += 1) {
    const due = start + (at * 1000) / rate;
    if (performance.now() < due) await sleep(due - performance.now());
    pending.push(
      new Promise((done) => {
        const finish = (/** @type {string} */ status) => {
          times.push(performance.now() - due);
          statuses[status] = (statuses[status] ?? 0) + 1;
          done(undefined);
        };
        http
          .get(url + toPath(at), { agent }, (response) => {
            response.resume();
            response.on('end', () => finish(String(response.statusCode)));
          })
          .on('error', () => finish('error'));
      }),
    );
  }
  await Promise.all(pending);
  return statuses;
}
