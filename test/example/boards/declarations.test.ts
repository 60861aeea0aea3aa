import { describe, expect, test } from 'vitest';
import { boardDefinition } from '../../../src/example/boards/index.ts';
import { createSite } from '../../../src/example/site/create-site.ts';
import { isJsonObject, type JsonObject } from '../../../src/json.ts';
import { memberAt } from './board-client.ts';
import { DOCUMENTED_OPERATIONS } from './documented-operations.ts';

const CLASSES: Readonly<Record<string, string>> = {
  int: '[\\d]+',
  str: '[^\\s/]+',
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
  test('the index lists the documented routes and methods in their order', () => {
    const methods = (route: unknown): string =>
      [memberAt(route as JsonObject, 'endpoints')]
        .flat()
        .flatMap((endpoint) => memberAt(endpoint as JsonObject, 'methods'))
        .join(' ');
    expect(own.map(([pattern, route]) => [methods(route), pattern])).toEqual(
      DOCUMENTED_OPERATIONS.map(([stated, route]) => [stated, `/boards/v2${patternOf(route)}`]),
    );
  });

  test('the site has 163 operations including the index, batch and oEmbed', () => {
    const operations = routes.flatMap(([, route]) => memberAt(route, 'endpoints') ?? []);
    expect(operations.flatMap((endpoint) => memberAt(endpoint, 'methods') ?? [])).toHaveLength(163);
  });

  test('no endpoint allows batch requests', () => {
    expect(JSON.stringify(own)).not.toContain('allow_batch');
  });

  test.each(own)('%s describes each argument and its response', (_, route) => {
    expect(memberAt(route, 'schema', 'description')).toEqual(expect.any(String));
    for (const endpoint of [memberAt(route, 'endpoints')].flat()) {
      const args = memberAt(endpoint, 'args');
      for (const arg of Object.values(isJsonObject(args) ? args : {})) {
        expect(memberAt(arg, 'description')).toMatch(/\w/);
        expect(memberAt(arg, 'type')).toBeDefined();
      }
    }
  });
});
