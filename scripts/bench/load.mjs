// @ts-check
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pinned } from './processes.mjs';

/** Requests after which a server counts as warm. */
const WARM = 20_000;

/**
 * Requests that wrk sends.
 *
 * @typedef {object} Requests
 * @property {'GET' | 'POST'} method
 * @property {readonly string[]} paths requested in turn
 * @property {Readonly<Record<string, string>>} [headers] header fields of each request beside `Host`
 * @property {number} [connections] 32 by default
 * @property {string} [body] JSON body of every POST, without single quotes
 * @property {number} [runId] number that is unique to this run: makes the URL of every request unique
 * @property {number} [from] index of the path that is requested first, any number
 */

/**
 * What one run of wrk has measured.
 *
 * @typedef {object} Sample
 * @property {number} rate requests per second
 * @property {number} cost microseconds of the server's CPU time per request
 */

/** What Chrome sends with a `fetch` of a page: 15 fields with `Host`, and three cookies that the gateway ignores by its rules. */
export const BROWSER_FIELDS = {
  Connection: 'keep-alive',
  'sec-ch-ua-platform': '"Windows"',
  'User-Agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'sec-ch-ua': '"Chromium";v="140", "Not=A?Brand";v="24", "Google Chrome";v="140"',
  DNT: '1',
  'sec-ch-ua-mobile': '?0',
  Accept: '*/*',
  'Sec-Fetch-Site': 'same-origin',
  'Sec-Fetch-Mode': 'cors',
  'Sec-Fetch-Dest': 'empty',
  Referer: 'http://gateway.example.com/category/things/',
  'Accept-Encoding': 'gzip, deflate, br, zstd',
  'Accept-Language': 'en-US,en;q=0.9,de;q=0.8',
  Cookie:
    '_ga=GA1.1.1234567890.1764000000; _gid=GA1.1.987654321.1764000000; _fbp=fb.0.1764000000000.123456789',
};

/**
 * Runs wrk against a server.
 *
 * @param {Pick<import('./processes.mjs').Server, 'url' | 'cpuTime'>} server
 * @param {Requests} requests
 * @param {number} seconds
 * @returns {Promise<Sample & { count: number }>}
 */
export async function measure(server, requests, seconds) {
  const folder = await mkdtemp(join(tmpdir(), 'waygate-bench-'));
  const script = join(folder, 'load.lua');
  try {
    await writeFile(script, wrkScript(requests));
    const [program, args] = pinned('load', [
      'wrk',
      '--threads=1',
      `--connections=${requests.connections ?? 32}`,
      `--duration=${seconds}s`,
      `--script=${script}`,
      server.url,
    ]);
    const before = server.cpuTime();
    const { stdout } = await promisify(execFile)(program, args);
    const used = server.cpuTime() - before;
    const failures = /Non-2xx or 3xx responses: \d+|Socket errors: .*/.exec(stdout);
    if (failures !== null) process.stderr.write(`${server.url} ${requests.paths[0]}: ${failures[0]}\n`);
    const count = Number(/(\d+) requests in/.exec(stdout)?.[1]);
    const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
    if (!Number.isFinite(rate)) throw new Error(`wrk printed no rate:\n${stdout}`);
    return { rate, count, cost: used / count };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Sends requests until lazy initialisation and compilation are done.
 *
 * @param {Pick<import('./processes.mjs').Server, 'url' | 'cpuTime'>} server
 * @param {Requests} requests
 * @param {number} [wanted] number of requests
 * @returns {Promise<number>} number of requests sent
 */
export async function warmUp(server, requests, wanted = WARM) {
  let count = 0;
  for (let run = 0; count < wanted; run++) {
    const unique = requests.runId === undefined ? {} : { runId: requests.runId - run };
    // Each run continues with the next path, so that none is left out.
    count += (await measure(server, { ...requests, ...unique, from: count }, 2)).count;
  }
  return count;
}

/** Creates the Lua script of wrk. @param {Requests} requests */
function wrkScript({ from = 0, runId, method, paths, body, headers = {} }) {
  const type = method === 'POST' ? { 'Content-Type': 'application/json' } : {};
  const fields = Object.entries({ ...type, ...headers })
    .map(([name, value]) => `[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
    .join(', ');
  return [
    `local paths = {${paths.map((path) => JSON.stringify(path)).join(', ')}}`,
    'local made = {}',
    `local at = ${from % paths.length}`,
    `local headers = {${fields}}`,
    'init = function(args)',
    `  for i, path in ipairs(paths) do made[i] = wrk.format("${method}", path, headers, ${body === undefined ? 'nil' : `'${body}'`}) end`,
    'end',
    'request = function()',
    ...(runId === undefined
      ? ['  at = at % #made + 1', '  return made[at]']
      : [
          '  at = at + 1',
          `  return wrk.format("${method}", paths[at % #paths + 1] .. "&search=${runId}-" .. at, headers)`,
        ]),
    'end',
    '',
  ].join('\n');
}
