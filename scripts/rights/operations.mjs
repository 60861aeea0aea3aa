// @ts-check

/** Values of fields that a right depends on, or without which a request is not complete. @type {Record<string, (unique: number) => unknown>} */
const VALUES = {
  author: () => 1,
  content: (unique) => `Text ${unique}`,
  email: (unique) => `right-${unique}@example.com`,
  post: () => 1,
  roles: () => ['editor'],
  slug: (unique) => `slug-${unique}`,
  status: () => 'publish',
  sticky: () => true,
  username: (unique) => `right-${unique}`,
};
/** Not declared as required: a comment needs a post. @type {Record<string, readonly string[]>} */
const NEEDED = { 'POST /wp/v2/comments': ['post', 'content'] };

/**
 * The operations of WordPress in a document, with bodies.
 *
 * @param {import('../../src/base/json.ts').JsonObject} document
 * @param {object} modules
 * @param {typeof import('../../src/generator/openapi/operations.ts')['listOperations']} modules.listOperations
 * @param {typeof import('../../src/generator/openapi/document-objects.ts')['flattenSchema']} modules.flattenSchema
 * @param {typeof import('../../src/generator/example-values/document-examples.ts')['createBodyExample']} modules.createBodyExample
 * @returns {import('./run.mjs').ProbedOperation[]}
 */
export function listProbed(document, { createBodyExample, flattenSchema, listOperations }) {
  let unique = 0;
  return listOperations(document)
    .filter(({ method, path }) => /^(?:GET|POST|DELETE)$/.test(method) && path !== '/batch/v1')
    .map((operation) => {
      const { bodySchema, method, parameters, path } = operation;
      const { schema } = flattenSchema(bodySchema, document);
      const properties = Object(schema.properties);
      const required = [
        ...new Set([
          ...(Array.isArray(schema.required) ? schema.required : []),
          ...(NEEDED[`${method} ${path}`] ?? []),
        ]),
      ];
      return {
        method,
        path,
        query: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
        fields: Object.keys(properties).filter((name) => !required.includes(name) && !name.startsWith('_')),
        label: (name) =>
          name === 'status' && Array.isArray(properties.status?.enum) ? 'status=publish' : name,
        body: (names) => {
          unique += 1;
          const taken = [...required, ...names].filter((name) => Object.hasOwn(properties, name));
          const picked = Object.fromEntries(taken.map((name) => [name, properties[name]]));
          const example = createBodyExample(
            { type: 'object', properties: picked, required: taken },
            document,
            path,
          );
          const known = taken.filter((name) => Object.hasOwn(VALUES, name));
          return { ...example, ...Object.fromEntries(known.map((name) => [name, VALUES[name]?.(unique)])) };
        },
      };
    });
}
