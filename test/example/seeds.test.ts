import { describe, expect, test } from 'vitest';
import { boardSite, contentSite } from '../../src/example/index.ts';
import { generate } from '../../src/generate.ts';
import type { JsonObject } from '../../src/json.ts';
import { readDocumentedOperations, toList, toObject } from './support/documented-operations.ts';
import { BOARD_OPERATIONS, CONTENT_OPERATIONS } from './support/seed-operations.ts';
import { BOARD_PARAMETERS, CONTENT_PARAMETERS } from './support/seed-parameters.ts';

const SITES = [
  {
    name: 'Site A',
    start: contentSite,
    operations: CONTENT_OPERATIONS,
    count: 67,
    parameters: CONTENT_PARAMETERS,
  },
  {
    name: 'Site B',
    start: boardSite,
    operations: BOARD_OPERATIONS,
    count: 163,
    parameters: BOARD_PARAMETERS,
  },
] as const;

describe.each(SITES)('$name', async ({ start, operations, count, parameters }) => {
  const url = 'https://site.example.com/';
  const site = start({ base: url });
  const index: JsonObject = await (await site.request(`${url}index.php?rest_route=/`)).json();
  const { files } = await generate(url, {
    name: 'site',
    fetch: async (input, init) => site.fetch(new Request(input, init)),
  });
  const document: JsonObject = JSON.parse(files.get('site.openapi.json') ?? '');
  const indexed = readIndexedOperations(index);
  const documented = readDocumentedOperations(document);
  const stated = Object.entries(parameters).map(([operation, args]) => ({ operation, args }));

  test('the documentation has the stated number of operations', () => {
    expect(new Set(operations).size).toBe(count);
  });

  test('the index has exactly the documented operations', () => {
    expect([...indexed.keys()].sort()).toEqual([...operations].sort());
  });

  test('each route of the index links to itself', () => {
    const base = `${url}index.php?rest_route=`;
    for (const [pattern, route] of Object.entries(toObject(index['routes']))) {
      const [link] = toList(toObject(toObject(route)['_links'])['self']).map(toObject);
      expect(decodeURIComponent(String(link?.['href']))).toBe(base + pattern);
    }
  });

  test('the document has exactly the documented operations', () => {
    expect([...documented.keys()].sort()).toEqual([...operations].sort());
  });

  test.each(operations)('%s has the parameters of its path in the document', (operation) => {
    const names = [...operation.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const name of names) expect(documented.get(operation)?.get(String(name))?.['required']).toBe(true);
  });

  test.each(stated)('$operation states its parameters in the index', ({ operation, args }) => {
    const own = indexed.get(operation) ?? {};
    for (const [name, want] of Object.entries(args)) {
      const { default: normally, ...rest } = want;
      expect({ [name]: own[name] }).toMatchObject({ [name]: rest });
      expect({ [name]: toObject(own[name])['default'] ?? null }).toEqual({ [name]: normally ?? null });
    }
  });

  test.each(stated)('$operation states its parameters in the document', ({ operation, args }) => {
    for (const [name, want] of Object.entries(args)) {
      const shown = documented.get(operation)?.get(name);
      // A default that violates its own schema is in `x-waygate-default` (`status`: a string for a list).
      const { default: normally, ...rest } = want;
      expect({ [name]: withStatedType(shown) }).toMatchObject({ [name]: withoutReadOnly(shown, rest) });
      const shownDefault = shown?.['default'] ?? shown?.['x-waygate-default'] ?? null;
      expect({ [name]: shownDefault }).toEqual({ [name]: normally ?? null });
    }
  });
});

/** Returns a schema with the type that the site states: the document corrects it where WordPress takes other types. */
function withStatedType(schema: JsonObject | undefined): JsonObject {
  const stated = schema?.['x-waygate-type'];
  return { ...schema, ...(stated === undefined ? {} : { type: stated }) };
}

/** Keeps only `raw` of a field that takes a text or `{ raw }`: the other members, such as `rendered`, are read-only. */
function withoutReadOnly(shown: JsonObject | undefined, want: object): object {
  const properties: unknown = Object.entries(want).find(([keyword]) => keyword === 'properties')?.[1];
  const isText = toList(shown?.['type']).includes('string') && shown?.['x-waygate-type'] === 'object';
  if (!isText || typeof properties !== 'object' || properties === null) return want;
  const kept = Object.entries(properties).filter(([name]) => name === 'raw');
  return { ...want, properties: Object.fromEntries(kept) };
}

/** The operations of an index with their arguments. Pattern groups are written as `{name}`. */
function readIndexedOperations(index: JsonObject): ReadonlyMap<string, JsonObject> {
  const operations = new Map<string, JsonObject>();
  for (const [pattern, route] of Object.entries(toObject(index['routes']))) {
    const path = pattern.replace(/\(\?P<(\w+)>(?:\[[^\]]*\]|[^()])*\)/g, '{$1}');
    for (const endpoint of toList(toObject(route)['endpoints'])) {
      for (const method of toList(toObject(endpoint)['methods'])) {
        operations.set(`${method} ${path}`, toObject(toObject(endpoint)['args']));
      }
    }
  }
  return operations;
}
