import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { jsonItems, toJsonObject } from '../../../src/base/json.ts';
import { generate } from '../../../src/generate.ts';
import { boardSite, contentSite } from '../../../src/sites/example/index.ts';
import { listDocumentedOperations } from './support/documented-operations.ts';

describe.each([
  ['content', contentSite(), 67],
  ['boards', boardSite(), 163],
] as const)('the %s site', async (name, site, count) => {
  const url = `https://${name}.example.com/`;
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
  const documented = listDocumentedOperations(JSON.parse(text));
  const indexed = routes.flatMap(({ pattern, endpoints }) => {
    const path = pattern.replace(/\(\?P<(\w+)>(?:\[[^\]]*\]|[^()])*\)/g, '{$1}');
    return endpoints.flatMap(({ methods }) => jsonItems(methods).map((method) => `${method} ${path}`));
  });

  test('has the document that is published', () => {
    const published = new URL(`../../../openapi/${name}.openapi.json`, import.meta.url);
    expect(text === readFileSync(published, 'utf8')).toBe(true);
  });

  test('has the operations of its index in the document, and no others', () => {
    expect(indexed.sort()).toEqual([...documented].sort());
    expect(documented.length).toBe(count);
  });

  test('links each route of its index to itself', () => {
    const links = routes.flatMap(({ route }) =>
      jsonItems(toJsonObject(route['_links'])['self']).map(toJsonObject),
    );
    expect(links.map(({ href }) => decodeURIComponent(String(href)))).toEqual(
      routes.map(({ pattern }) => `${url}index.php?rest_route=${pattern}`),
    );
  });
});
