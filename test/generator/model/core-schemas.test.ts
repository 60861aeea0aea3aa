import { describe, expect, test } from 'vitest';
import {
  isJsonObject,
  type JsonObject,
  jsonMembers,
  jsonTexts,
  memberAt,
  toJsonObject,
} from '../../../src/base/json.ts';
import { formOf } from '../../../src/generator/openapi/document-objects.ts';
import { listOperations } from '../../../src/generator/openapi/operations.ts';
import { readRecorded, readShopIndex } from '../../support/recorded-indexes.ts';
import { generateFrom } from '../../support/site.ts';

const WORDPRESS_71 = readRecorded('wordpress-7.1-index-help.json');
const isCore = (namespace: string): boolean => /^(?:wp\/v2|wp-[\w-]+\/v1)$/.test(namespace);

/** An index without response schemas, as a request without `context=help` gets it, and without some routes. */
function plain(index: JsonObject, isLeftOut: (route: string) => boolean = () => false): JsonObject {
  const routes = jsonMembers(index['routes']).flatMap(([pattern, route]) => {
    const { schema: _, ...rest } = toJsonObject(route);
    return isLeftOut(pattern) ? [] : [[pattern, rest] as const];
  });
  return { ...index, routes: Object.fromEntries(routes) };
}

/** The members of the item that each read responds with, and those that are always there. */
function membersByRead(
  index: JsonObject,
): ReadonlyMap<string, readonly [names: string[], required: string[]]> {
  const { document } = generateFrom(index);
  const schemas = toJsonObject(document.components?.schemas as never);
  return new Map(
    listOperations(document).flatMap(({ method, path, responseSchema }) => {
      const { item } = formOf(isJsonObject(responseSchema) ? responseSchema : {});
      const name = String(memberAt(item, '$ref')).replace('#/components/schemas/', '');
      const { properties, required } = toJsonObject(schemas[name]);
      const names = jsonMembers(properties).map(([each]) => each);
      return method === 'GET' ? [[path, [names.sort(), [...jsonTexts(required)].sort()]] as const] : [];
    }),
  );
}

describe("WordPress's own routes without response schemas", () => {
  test('have the types of version 7.1', () => {
    const own = membersByRead(WORDPRESS_71);
    const stated = membersByRead(plain(WORDPRESS_71));
    for (const [path, members] of own) expect([path, stated.get(path)]).toEqual([path, members]);
    expect(stated.get('/wp/v2/posts')?.[1]).toContain('class_list');
  });

  test('have the types of version 6.9.1, with the taxonomies of plugins', () => {
    const index = readShopIndex(isCore);
    const own = membersByRead(index);
    const stated = membersByRead(plain(index));
    for (const [path, [names, required]] of stated) {
      expect([path, names.filter((name) => !own.get(path)?.[0].includes(name))]).toEqual([path, []]);
      expect([path, required.filter((name) => !own.get(path)?.[1].includes(name))]).toEqual([path, []]);
    }
    for (const path of [
      '/wp/v2/posts',
      '/wp/v2/pages',
      '/wp/v2/comments',
      '/wp/v2/users',
      '/wp/v2/categories',
    ])
      expect([path, stated.get(path)]).toEqual([path, own.get(path)]);
  });

  test('have no members that came after their version', () => {
    const stated = membersByRead(
      plain(WORDPRESS_71, (route) => /abilities|icons|templates|plugins/.test(route)),
    );
    expect(stated.get('/wp/v2/posts')?.[0]).not.toContain('class_list');
    expect(stated.get('/wp/v2/media')?.[0]).not.toContain('missing_image_sizes');
    expect(stated.get('/wp/v2/media')?.[0]).toContain('source_url');
  });
});
