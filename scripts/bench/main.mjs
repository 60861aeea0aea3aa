// @ts-check
// npm run bench [-- --against <folder>] [--node <binary>] [--rounds 3] [--seconds 3] [--warm 20000] [--only POST]… [--json]
//
// Measures this build, and in turns with it the build of another checkout (`--against`), or this build and the baselines on another
// binary of Node (`--node`). Each row is a median of the rounds. Rates are ratios to a baseline in the same round: Hono that responds
// from memory, or a proxy of node:http and undici's dispatch. The ratio of the servers' CPU times per request beside it is
// comparable on a busy machine too. Absolute values have the lines that the access log lost. Servers run on one core, the stub site
// and wrk on the other. Needs `npm run build`.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../read-options.mjs';
import { isInstalled } from './processes.mjs';
import { benchServing } from './serving.mjs';
import { asTable, median } from './table.mjs';
import { benchWorking } from './working.mjs';

/**
 * A built checkout.
 *
 * @typedef {object} Build
 * @property {string} name
 * @property {string} command path of the command
 * @property {string} node binary that runs it and its baselines
 */

/**
 * A row of one build.
 *
 * @typedef {object} Row
 * @property {string} row
 * @property {string} goal
 * @property {string} build
 * @property {number[]} values of the rounds
 * @property {number[]} costs of the rounds: the same ratio of CPU times
 * @property {string} detail absolute values of one round
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { values } = readOptions(import.meta.url, {
  options: {
    against: { type: 'string' },
    node: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    warm: { type: 'string', default: '20000' },
    only: { type: 'string', multiple: true, default: [''] },
    json: { type: 'boolean', default: false },
  },
});
process.chdir(ROOT);
if (!isInstalled('wrk')) {
  process.stderr.write(
    'wrk, the load generator, is not installed: apt-get install wrk, or brew install wrk\n',
  );
  process.exit(2);
}
await bench();

async function bench() {
  const builds = [
    ...(values.against === undefined ? [] : [readBuild('before', resolve(values.against))]),
    readBuild(values.against === undefined ? 'waygate' : 'after', ROOT),
    ...(values.node === undefined ? [] : [readBuild('other Node', ROOT, resolve(values.node))]),
  ];
  const options = {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    warm: Number(values.warm),
    isWanted: (/** @type {string} */ row) => values.only.some((part) => row.includes(part)),
    report: (/** @type {string} */ text) => void process.stderr.write(`${text}\n`),
  };
  const rows = [...(await benchServing(builds, options)), ...(await benchWorking(builds, options))];
  if (values.json) console.log(JSON.stringify(rows, null, 2));
  else
    console.log(asTable({ case: `median of ${options.rounds} rounds`, contenders: toCells(rows, builds) }));
}

/** @param {string} name @param {string} folder of the checkout @param {string} [node] @returns {Build} */
function readBuild(name, folder, node = process.execPath) {
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const command = join(folder, bin.waygate);
  if (!existsSync(command)) throw new Error(`${command} is missing: npm run build`);
  return { name, command, node };
}

/** @param {readonly Row[]} rows @param {readonly Build[]} builds */
function toCells(rows, builds) {
  return [...new Set(rows.map(({ row }) => row))].map((row) => {
    const own = builds.map(({ name }) => ({
      name,
      entry: rows.find((each) => each.row === row && each.build === name),
    }));
    return {
      row,
      goal: own[0]?.entry?.goal ?? '',
      ...Object.fromEntries(
        own.flatMap(({ entry, name }) => [
          [name, format(entry?.values)],
          [`${name}, by CPU`, format(entry?.costs)],
          [`${name}, absolute`, entry?.detail ?? ''],
        ]),
      ),
    };
  });
}

/** @param {readonly number[]} [numbers] */
function format(numbers = []) {
  if (numbers.length === 0) return '';
  const value = median(numbers);
  return value >= 20 ? String(Math.round(value)) : value.toFixed(2);
}
