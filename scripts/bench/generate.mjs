// node scripts/bench/generate.mjs [--operations 10000] [--index <file>] [--dist dist] [--types]
//
// How long it takes from an index that has arrived to the texts of the document, and how much memory: one line a step.
// Processor time counts all threads; that of `all` begins with the process, modules and all.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { shop } from './shop.mjs';

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '10000' },
    index: { type: 'string' },
    dist: { type: 'string', default: 'dist' },
    types: { type: 'boolean', default: false },
  },
});

/** @param {string} room */
const room = (room) => import(pathToFileURL(resolve(values.dist, room)).href);
const { readIndex } = await room('discovery/read-index.js');
const { toModel } = await room('model/index.js');
const { toOpenApi, stringifyDocument, toYaml, readOperations } = await room('openapi/index.js');

const text = values.index
  ? readFileSync(values.index, 'utf8')
  : JSON.stringify(shop(Number(values.operations)));
const address = {
  base: 'https://example.com/',
  root: 'https://example.com/wp-json/',
  spelling: 'pretty',
  prefix: 'wp-json',
};

let usedBefore = process.cpuUsage();
const began = performance.now();
const read = step('read the index', () => readIndex(JSON.parse(text)));
const model = step('model', () => toModel({ address, ...read }));
const { document, report } = step('document', () => toOpenApi(model));
const json = step('JSON', () => stringifyDocument(document));
const yaml = step('YAML', () => toYaml(document));
step('report', () => JSON.stringify(report, null, 2));
step('read back', () => readOperations(document));
if (values.types) {
  const { toTypes } = await room('types/index.js');
  const types = performance.now();
  await toTypes(document);
  say('types', types);
}
usedBefore = { user: 0, system: 0 };
say('all', began);
const { operations, arguments: args } = report.counts;
console.log(`${operations} operations, ${args.carried} of ${args.declared} arguments`);
console.log(`index ${mega(text.length)}, JSON ${mega(json.length)}, YAML ${mega(yaml.length)}`);

/**
 * @template T
 * @param {string} name
 * @param {() => T} work
 * @returns {T}
 */
function step(name, work) {
  const from = performance.now();
  const result = work();
  say(name, from);
  return result;
}

/**
 * @param {string} name
 * @param {number} from
 */
function say(name, from) {
  // Processor time beside the clock's: on a machine that does other things as well only the first can be compared.
  const used = process.cpuUsage(usedBefore);
  const work = Math.round((used.user + used.system) / 1000);
  usedBefore = process.cpuUsage();
  const time = `${Math.round(performance.now() - from)} ms (${work} ms of processor)`;
  console.log(`${name.padEnd(16)} ${time.padStart(32)}  peak ${mega(process.resourceUsage().maxRSS * 1024)}`);
}

/** @param {number} bytes */
function mega(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
