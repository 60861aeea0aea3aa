// node scripts/bench/generate.mjs [--operations 10000] [--index <file>] [--modules <folder>] [--types]
//
// Measures time and peak memory from a received index to the printed document, one line per step. CPU time includes all
// threads; that of `all` starts with the process and includes loading the modules.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { importerOf } from '../build/modules.mjs';
import { shop } from './shop.mjs';

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '10000' },
    index: { type: 'string' },
    modules: { type: 'string' },
    types: { type: 'boolean', default: false },
  },
});

const load = await importerOf(values.modules);
const { readIndex } = await load('discovery/read-index');
const { toSiteModel } = await load('model/index');
const { toOpenApi, readServedApi, stringifyDocument, toYaml } = await load('openapi/index');

const text = values.index
  ? readFileSync(values.index, 'utf8')
  : JSON.stringify(shop(Number(values.operations)));
const address = {
  base: 'https://example.com/',
  root: 'https://example.com/wp-json/',
  spelling: 'pretty',
  prefix: 'wp-json',
};

let previousUsage = process.cpuUsage();
const startTime = performance.now();
const read = step('read the index', () => readIndex(JSON.parse(text)));
const model = step('model', () => toSiteModel({ address, ...read }));
const { document, report } = step('document', () => toOpenApi(model));
const json = step('JSON', () => stringifyDocument(document));
const yaml = step('YAML', () => toYaml(document));
step('report', () => JSON.stringify(report, null, 2));
step('read back', () => readServedApi(document));
if (values.types) {
  const { toTypes } = await load('types/index');
  const typesStart = performance.now();
  await toTypes(document);
  printStep('types', typesStart);
}
previousUsage = { user: 0, system: 0 };
printStep('all', startTime);
const { operations, arguments: args } = report.counts;
console.log(`${operations} operations, ${args.carried} of ${args.declared} arguments`);
console.log(
  `index ${toMegabytes(text.length)}, JSON ${toMegabytes(json.length)}, YAML ${toMegabytes(yaml.length)}`,
);

/**
 * Runs a step and prints its line.
 *
 * @template T
 * @param {string} name
 * @param {() => T} work
 * @returns {T}
 */
function step(name, work) {
  const start = performance.now();
  const result = work();
  printStep(name, start);
  return result;
}

/**
 * Prints the elapsed and CPU time since a step began, and the peak memory of the process.
 *
 * @param {string} name
 * @param {number} start from performance.now()
 */
function printStep(name, start) {
  // On a busy machine only CPU time is comparable between runs.
  const usage = process.cpuUsage(previousUsage);
  const cpuTime = Math.round((usage.user + usage.system) / 1000);
  previousUsage = process.cpuUsage();
  const time = `${Math.round(performance.now() - start)} ms (${cpuTime} ms of CPU time)`;
  const peak = toMegabytes(process.resourceUsage().maxRSS * 1024);
  console.log(`${name.padEnd(16)} ${time.padStart(32)}  peak ${peak}`);
}

/** @param {number} bytes */
function toMegabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
