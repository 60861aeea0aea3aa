import { describe, expect, test } from 'vitest';
import { boardDefinition } from '../../../src/example/boards/index.ts';
import { createSite } from '../../../src/example/site/create-site.ts';
import { isJsonObject, type JsonObject } from '../../../src/json.ts';
import { at } from './asking.ts';
import { STATED } from './stated.ts';

const CLASSES: Readonly<Record<string, string>> = {
  int: '[\\d]+',
  str: '[^\\s(?!/)]+',
  slug: '[a-zA-Z0-9_-]+',
};
const site = createSite(boardDefinition);
const index: JsonObject = await (await site.request('/index.php?rest_route=/&context=help')).json();
const routes = Object.entries(isJsonObject(index['routes']) ? index['routes'] : {});
const own = routes.filter(([route]) => route.startsWith('/boards/v2/'));

function patternOf(route: string): string {
  return route.replace(/\{(\w+):(\w+)\}/g, (_, name, kind) => `(?P<${name}>${CLASSES[kind]})`);
}

describe('the index of the board site', () => {
  test('has the stated routes with the stated methods, in the stated order', () => {
    const methods = (route: unknown): string =>
      [at(route as JsonObject, 'endpoints')]
        .flat()
        .flatMap((endpoint) => at(endpoint as JsonObject, 'methods'))
        .join(' ');
    expect(own.map(([pattern, route]) => [methods(route), pattern])).toEqual(
      STATED.map(([stated, route]) => [stated, `/boards/v2${patternOf(route)}`]),
    );
  });

  test('makes 163 operations together with the index, batch and oEmbed', () => {
    const operations = routes.flatMap(([, route]) => at(route, 'endpoints') ?? []);
    expect(operations.flatMap((endpoint) => at(endpoint, 'methods') ?? [])).toHaveLength(163);
  });

  test('names no endpoint for batches', () => {
    expect(JSON.stringify(own)).not.toContain('allow_batch');
  });

  test.each(own)('%s describes each argument and what it answers', (_, route) => {
    expect(at(route, 'schema', 'description')).toEqual(expect.any(String));
    for (const endpoint of [at(route, 'endpoints')].flat()) {
      const args = at(endpoint, 'args');
      for (const arg of Object.values(isJsonObject(args) ? args : {})) {
        expect(at(arg, 'description')).toMatch(/\w/);
        expect(at(arg, 'type')).toBeDefined();
      }
    }
  });
});
