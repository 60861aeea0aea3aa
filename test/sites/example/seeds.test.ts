import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type JsonObject, jsonItems, toJsonObject } from '../../../src/base/json.ts';
import { generate } from '../../../src/generate.ts';
import { boardSite, contentSite } from '../../../src/sites/example/index.ts';
import { readDocumentedOperations } from './support/documented-operations.ts';

describe.each([
  ['content', contentSite, 67],
  ['boards', boardSite, 163],
] as const)('the %s site', async (name, start, count) => {
  const url = `https://${name}.example.com/`;
  const site = start({ base: url });
  const index = await (await site.request(`${url}index.php?rest_route=/&context=help`)).json();
  const routes = Object.entries(toJsonObject(index.routes)).map(([pattern, route]) => ({
    pattern,
    route: toJsonObject(route),
    endpoints: jsonItems(toJsonObject(route)['endpoints']).map(toJsonObject),
  }));
  const { files } = await generate(url, {
    name,
    fetch: async (input, init) => site.fetch(new Request(input, init)),
  });
  const text = files.get(`${name}.openapi.json`) ?? '';
  const documented = readDocumentedOperations(JSON.parse(text));
  const indexed = routes.flatMap(({ pattern, endpoints }) => {
    const path = pattern.replace(/\(\?P<(\w+)>(?:\[[^\]]*\]|[^()])*\)/g, '{$1}');
    return endpoints.flatMap(({ args, methods }) =>
      jsonItems(methods).map((method) => ({ operation: `${method} ${path}`, args: toJsonObject(args) })),
    );
  });

  test('has the document that is published', () => {
    const published = new URL(`../../../openapi/${name}.openapi.json`, import.meta.url);
    expect(text === readFileSync(published, 'utf8')).toBe(true);
  });

  test('has the operations of its index in the document, and no others', () => {
    expect(indexed.map(({ operation }) => operation).sort()).toEqual([...documented.keys()].sort());
    expect(documented.size).toBe(count);
  });

  test.each(routes)('links $pattern to itself', ({ pattern, route }) => {
    const [link] = jsonItems(toJsonObject(route['_links'])['self']).map(toJsonObject);
    expect(decodeURIComponent(String(link?.['href']))).toBe(`${url}index.php?rest_route=${pattern}`);
  });

  test.each(indexed)('documents the arguments of $operation', ({ operation, args }) => {
    const shown = documented.get(operation);
    for (const [, parameter = ''] of operation.matchAll(/\{(\w+)\}/g))
      expect(shown?.get(parameter)?.['required']).toBe(true);
    for (const [argument, stated] of Object.entries(args))
      expect({ [argument]: asStated(shown?.get(argument)) }).toEqual({
        [argument]: asStated(toJsonObject(stated)),
      });
  });

  const own = routes.filter(({ pattern }) => pattern.startsWith('/boards/v2/'));

  test.runIf(name === 'boards').each(own)('describes $pattern and takes it in no batch', (each) => {
    expect(each.route['schema']).toMatchObject({ description: expect.any(String) });
    expect(JSON.stringify(each.route)).not.toContain('allow_batch');
    for (const argument of each.endpoints.flatMap(({ args }) => Object.values(toJsonObject(args)))) {
      expect(argument).toMatchObject({ description: expect.stringMatching(/\w/), type: expect.anything() });
    }
  });
});

/**
 * What the index states of an argument. The document corrects types where WordPress takes others, and a default that violates its own
 * schema (`status`: a string for a list).
 */
function asStated(schema: JsonObject | undefined): JsonObject {
  const {
    default: normally,
    enum: values = [],
    format = null,
    maximum = null,
    minimum = null,
    type,
  } = schema ?? {};
  return {
    default: schema?.['x-waygate-default'] ?? normally ?? null,
    type: schema?.['x-waygate-type'] ?? type ?? null,
    enum: values,
    format,
    minimum,
    maximum,
  };
}
