import { describe, expect, test } from 'vitest';
import { contentSite } from '../../../src/example/index.ts';
import { discover, toOpenApi } from '../../../src/index.ts';
import { isJsonObject } from '../../../src/json.ts';
import { createSchemaCompiler } from '../../support/document-schemas.ts';
import { createContentClient } from './client.ts';
import { OPERATIONS } from './operations.ts';

const own = contentSite({ base: 'http://content.example.com' });
const discovered = await discover('http://content.example.com/', {
  fetch: async (input, init) => own.fetch(new Request(input, init)),
});
const { document } = toOpenApi(discovered);

const compile = createSchemaCompiler(document, { allErrors: true, validateFormats: false });

/** Finds the JSON pointer to the schema of a response in the document. */
function findSchemaPointer(method: string, route: string, status: number): string | undefined {
  const names = /\{\w+\}/g;
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    if (path.replace(names, '{}') !== route.replace(names, '{}')) continue;
    const steps = [
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      'application/json',
      'schema',
    ];
    let found: unknown = { paths: { [path]: item } };
    for (const step of steps) found = isJsonObject(found) ? found[step] : undefined;
    if (found === undefined) return undefined;
    return `#${steps.map((step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;
  }
  throw new Error(`the document lacks ${method} ${route}`);
}

describe('the response schemas of the content site', () => {
  test.each(OPERATIONS.map((operation) => [`${operation.method} ${operation.route}`, operation] as const))(
    'match the responses of %s',
    async (name, { method, route, path, cases }) => {
      const client = createContentClient();
      const values = (await path?.(client)) ?? {};
      const filled = route.replace(/\{(\w+)\}/g, (_, parameter: string) => String(values[parameter]));
      for (const [{ query, ...call }, status] of cases) {
        const { body } = await client.call({
          ...call,
          method,
          route: query === undefined ? filled : `${filled}?${query}`,
        });
        if (status >= 300) continue;
        const schema = findSchemaPointer(method, route, status);
        expect(schema, `${name} ${status}`).toBeDefined();
        const validate = compile({ $ref: schema });
        validate(body);
        expect(
          validate.errors?.map(({ instancePath, message, params }) => [instancePath, message, params]) ?? [],
        ).toEqual([]);
      }
    },
  );
});
