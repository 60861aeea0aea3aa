import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pinned } from './processes.mjs';

/**
 * @typedef {object} Load
 * @property {'GET' | 'POST'} method
 * @property {readonly string[]} paths asked in turn
 * @property {string} [body] JSON of every POST, without single quotes; 1 KB of a title and a text unless given
 * @property {number} [fresh] makes every address one that was not asked for before: a number that no other run has
 * @property {number} connections
 * @property {number} seconds
 */

/**
 * Runs wrk against an address.
 *
 * @param {string} url
 * @param {Load} load
 * @returns {Promise<{ rate: number, requests: number }>} requests a second, and in all
 */
export async function measure(url, load) {
  const folder = await mkdtemp(join(tmpdir(), 'waygate-bench-'));
  const script = join(folder, 'load.lua');
  try {
    await writeFile(script, lua(load));
    const [program, args] = pinned('load', [
      'wrk',
      ...[
        '-t',
        '1',
        '-c',
        String(load.connections),
        '-d',
        `${load.seconds}s`,
        '--latency',
        '-s',
        script,
        url,
      ],
    ]);
    const { stdout } = await promisify(execFile)(program, args);
    const failures = /Non-2xx or 3xx responses: \d+|Socket errors: .*/.exec(stdout);
    if (failures !== null) process.stderr.write(`${url}: ${failures[0]}\n`);
    const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
    if (!Number.isFinite(rate)) throw new Error(`wrk said nothing of its rate:\n${stdout}`);
    return { rate, requests: Number(/(\d+) requests in/.exec(stdout)?.[1]) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @param {Load} load */
function lua({ fresh, method, paths, body = JSON.stringify({ title: 'bench', text: 'x'.repeat(997) }) }) {
  return [
    `local paths = {${paths.map((path) => JSON.stringify(path)).join(', ')}}`,
    'local made = {}',
    'local at = 0',
    `local headers = {["Accept"] = "application/json"${method === 'POST' ? ', ["Content-Type"] = "application/json"' : ''}}`,
    'init = function(args)',
    `  for i, path in ipairs(paths) do made[i] = wrk.format("${method}", path, headers, ${method === 'POST' ? `'${body}'` : 'nil'}) end`,
    'end',
    'request = function()',
    ...(fresh === undefined
      ? ['  at = at % #made + 1', '  return made[at]']
      : [
          '  at = at + 1',
          `  return wrk.format("${method}", paths[at % #paths + 1] .. "&fresh=${fresh}-" .. at, headers)`,
        ]),
    'end',
    '',
  ].join('\n');
}
