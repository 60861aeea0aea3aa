// @ts-check
import { createRandom } from '../fuzz/random.mjs';
import { json, urlencoded } from '../fuzz/spelling.mjs';

/**
 * @typedef {import('../../src/openapi/index.ts').Operation} Operation
 * @typedef {import('../../src/json.ts').Json} Json
 * @typedef {import('../../src/example-values/example-value.ts').ExampleFactory} ExampleFactory
 *
 * @typedef {object} Known what requests are drawn from
 * @property {readonly Operation[]} operations
 * @property {ExampleFactory} examples
 * @property {import('../../src/reconcile/path-expander.ts').PathExpander} items of the site
 */

/**
 * Draws a request that a person would send by the document: a path of an item that is there, the required parameters, and some
 * optional ones, with examples of the document, or ids that the site's responses have.
 *
 * @param {Known} known
 * @param {number} seed
 * @param {number} position of the request: the operations take turns
 * @param {number} [most] number of optional parameters on average
 * @returns {import('../fuzz/draw.mjs').DrawnRequest & { readonly source: Operation }}
 */
export function drawPlausible({ operations, examples, items }, seed, position, most = 3) {
  const source = operations[position % operations.length];
  if (source === undefined) throw new Error('no operation to request');
  const random = createRandom(seed, position);
  const { bodySchema, method, parameters, path: template } = source;
  /** @param {string} name @param {import('../../src/json.ts').JsonObject} schema @returns {Json} */
  const createValue = (name, schema) => {
    const ids = /(?:^|_)ids?$|^(?:include|exclude|parent|post|author)$/.test(name)
      ? items.valuesOf(name.replace(/s$/, ''), template)
      : [];
    const type = examples.flatten(schema)['type'];
    if (ids.length > 0 && type !== 'array' && schema['enum'] === undefined && random.chance(0.8))
      return random.pick(ids);
    return examples.create(schema, [name], undefined, String(seed * 100_003 + position));
  };
  const paths = items.expand(template, 5);
  const path =
    paths.length > 0 && random.chance(0.9)
      ? random.pick(paths)
      : template.replace(/\{([^{}]+)\}/g, (_, name) =>
          encodeURIComponent(
            String(
              createValue(
                name,
                parameters.find((each) => each.name === name && each.in === 'path')?.schema ?? {},
              ),
            ),
          ),
        );
  /** @param {readonly { name: string, isRequired: boolean, schema: any }[]} all @returns {[string, Json][]} */
  const choose = (all) => {
    const optional = all.filter(({ isRequired, name }) => !isRequired && !name.startsWith('_'));
    const chosen = new Set(random.some(optional, Math.min(0.5, most / Math.max(1, optional.length))));
    return all
      .filter((each) => each.isRequired || chosen.has(each))
      .map(({ name, schema }) => [name, createValue(name, schema)]);
  };
  const query = choose(
    parameters
      .filter((each) => each.in === 'query')
      .map(({ name, required, schema }) => ({ name, isRequired: required, schema })),
  );
  const body = bodySchema === undefined ? {} : examples.flatten(bodySchema);
  const required = new Set(Array.isArray(body['required']) ? body['required'] : []);
  const fields = choose(
    Object.entries(body['properties'] ?? {})
      .filter(([, schema]) => examples.flatten(schema)['readOnly'] !== true)
      .map(([name, schema]) => ({ name, isRequired: required.has(name), schema })),
  );
  const text = urlencoded(query, random);
  const isForm = random.chance(0.3);
  return {
    position,
    source,
    operation: { route: source.pattern ?? template, method, args: {} },
    method,
    path: `{prefix}${path}${text && `?${text}`}`,
    headers:
      fields.length === 0
        ? []
        : ['Content-Type', isForm ? 'application/x-www-form-urlencoded' : 'application/json'],
    body:
      fields.length === 0 ? null : Buffer.from(isForm ? urlencoded(fields, random) : json(fields, random)),
    privileged: true,
  };
}
