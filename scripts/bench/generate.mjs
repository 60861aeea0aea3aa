// node scripts/bench/generate.mjs [--operations 10000] [--index <file>] [--dist dist] [--types]
//
// How long it takes from an index that has arrived to the texts of the document, and how much memory: one line a step.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '10000' },
    index: { type: 'string' },
    dist: { type: 'string', default: 'dist' },
    types: { type: 'boolean', default: false },
  },
});

/** What most collections take. */
const LIST = {
  page: { description: 'Current page of the collection.', type: 'integer', default: 1, minimum: 1 },
  per_page: {
    description: 'Maximum number of items.',
    type: 'integer',
    default: 10,
    minimum: 1,
    maximum: 100,
  },
  search: { description: 'Limit results to those matching a string.', type: 'string' },
  after: { description: 'Limit response to posts after a date.', type: 'string', format: 'date-time' },
  exclude: { type: 'array', items: { type: 'integer' }, default: [] },
  include: { type: 'array', items: { type: 'integer' }, default: [] },
  offset: { type: 'integer' },
  order: { type: 'string', enum: ['asc', 'desc'], default: 'desc' },
  orderby: { type: 'string', enum: ['date', 'id', 'title'], default: 'date' },
};

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
step('read back', () => readOperations(document));
if (values.types) {
  const { toTypes } = await room('types/index.js');
  const types = performance.now();
  await toTypes(document);
  say('types', types);
}
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

/**
 * A shop: each resource has a list and an item, seven operations together, about ten arguments each, and a schema.
 *
 * @param {number} operations
 */
function shop(operations) {
  /** @type {Record<string, object>} */
  const routes = {};
  const namespaces = ['shop/v1', 'shop/v2', 'boards/v1', 'wp/v2'];
  for (let number = 0; number * 7 < operations; number++) {
    const namespace = namespaces[number % namespaces.length] ?? 'shop/v1';
    const noun = `thing${number}`;
    const fields = fieldsOf(number);
    const id = { description: 'Unique identifier for the resource.', type: 'integer', required: false };
    const context = { type: 'string', enum: ['view', 'embed', 'edit'], default: 'view', required: false };
    const schema = { title: noun, type: 'object', properties: propertiesOf(number) };
    routes[`/${namespace}/${noun}s`] = {
      namespace,
      methods: ['GET', 'POST'],
      schema,
      endpoints: [
        { methods: ['GET'], args: { context, ...LIST }, allow_batch: { v1: true } },
        { methods: ['POST'], args: fields },
      ],
    };
    routes[`/${namespace}/${noun}s/(?P<id>[\\d]+)`] = {
      namespace,
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      schema,
      endpoints: [
        { methods: ['GET'], args: { id, context } },
        { methods: ['POST', 'PUT', 'PATCH'], args: { id, ...fields } },
        { methods: ['DELETE'], args: { id, force: { type: 'boolean', default: false } } },
      ],
    };
  }
  return { name: 'Shop', description: '', url: '', home: '', namespaces, authentication: [], routes };
}

/** @param {number} number */
function fieldsOf(number) {
  return Object.fromEntries(
    Array.from({ length: 10 }, (_, field) => [
      `field_${field}`,
      [
        { description: `Field ${field} of thing ${number}.`, type: 'string', required: field === 0 },
        { description: 'A whole number.', type: 'integer', minimum: 0, exclusiveMinimum: true },
        { type: 'array', items: { type: 'object', properties: { key: { type: 'string', required: true } } } },
        { type: 'object', properties: [], default: [] },
        { type: ['string', 'null'], format: 'date-time', readonly: false },
      ][field % 5] ?? {},
    ]),
  );
}

/** @param {number} number */
function propertiesOf(number) {
  const context = ['view', 'edit', 'embed'];
  return Object.fromEntries(
    Array.from({ length: 20 }, (_, field) => [
      `property_${field}`,
      {
        description: `Property ${field} of thing ${number}.`,
        type: field % 4 === 0 ? 'object' : 'string',
        context: context.slice(0, 1 + (field % 3)),
        readonly: true,
        ...(field % 4 === 0
          ? {
              properties: {
                rendered: { type: 'string', context },
                raw: { type: 'string', context: ['edit'] },
              },
            }
          : {}),
      },
    ]),
  );
}
