import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pinned } from './processes.mjs';

/**
 * Requests that wrk sends.
 *
 * @typedef {object} Load
 * @property {'GET' | 'POST'} method
 * @property {readonly string[]} paths requested in turn
 * @property {string} [body] JSON body of every POST, without single quotes; 1 KB by default
 * @property {number} [runId] number that is unique to this run: makes the URL of every request unique
 * @property {number} connections
 * @property {number} seconds
 */

/**
 * Runs wrk against a server.
 *
 * @param {string} url
 * @param {Load} load
 * @returns {Promise<{ rate: number, requests: number }>} requests per second and in total
 */
export async function measure(url, load) {
  const folder = await mkdtemp(join(tmpdir(), 'waygate-bench-'));
  const script = join(folder, 'load.lua');
  try {
    await writeFile(script, wrkScript(load));
    const [program, args] = pinned('load', [
      'wrk',
      '--threads=1',
      `--connections=${load.connections}`,
      `--duration=${load.seconds}s`,
      '--latency',
      `--script=${script}`,
      url,
    ]);
    const { stdout } = await promisify(execFile)(program, args);
    const failures = /Non-2xx or 3xx responses: \d+|Socket errors: .*/.exec(stdout);
    if (failures !== null) process.stderr.write(`${url}: ${failures[0]}\n`);
    const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
    if (!Number.isFinite(rate)) throw new Error(`wrk printed no rate:\n${stdout}`);
    return { rate, requests: Number(/(\d+) requests in/.exec(stdout)?.[1]) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Creates the Lua script of wrk. @param {Load} load */
function wrkScript({
  runId,
  method,
  paths,
  body = JSON.stringify({ title: 'bench', text: 'x'.repeat(997) }),
}) {
  return [
    `local paths = {${paths.map((path) => JSON.stringify(path)).join(', ')}}`,
    'local made = {}',
    'local at = 0',
    `local headers = {["Accept"] = "application/json"${method === 'POST' ? ', ["Content-Type"] = "application/json"' : ''}}`,
    'init = function(args)',
    `  for i, path in ipairs(paths) do made[i] = wrk.format("${method}", path, headers, ${method === 'POST' ? `'${body}'` : 'nil'}) end`,
    'end',
    'request = function()',
    ...(runId === undefined
      ? ['  at = at % #made + 1', '  return made[at]']
      : [
          '  at = at + 1',
          `  return wrk.format("${method}", paths[at % #paths + 1] .. "&fresh=${runId}-" .. at, headers)`,
        ]),
    'end',
    '',
  ].join('\n');
}
