import { describe, expect, test } from 'vitest';
import type { RouteSelection } from '../../../src/generator/discovery/options.ts';
import { readIndex } from '../../../src/generator/discovery/read-index.ts';

const ROUTES: readonly (readonly [string, string])[] = [
  ['/', ''],
  ['/wp/v2', 'wp/v2'],
  ['/wp/v2/posts', 'wp/v2'],
  ['/wp/v2/posts/(?P<id>[\\d]+)', 'wp/v2'],
  ['/wp/v2/pages', 'wp/v2'],
  ['/wc/v2/orders', 'wc/v2'],
  ['/wc/v3/orders', 'wc/v3'],
  ['/wc/v3/orders/(?P<id>([a-z)]+(?:\\/x)?)[\\w%-]+)/notes', 'wc/v3'],
];
const endpoints = [{ methods: ['GET'], args: {} }];
const raw = {
  namespaces: ['wp/v2', 'wc/v2', 'wc/v3'],
  routes: Object.fromEntries(ROUTES.map(([pattern, namespace]) => [pattern, { namespace, endpoints }])),
};
const selected = (selection: RouteSelection): readonly number[] =>
  readIndex(raw, selection).index.routes.map(({ pattern }) => ROUTES.findIndex(([one]) => one === pattern));

describe('include and exclude', () => {
  test.each<[string, RouteSelection, readonly number[]]>([
    ['select all routes when both are empty', { include: [], exclude: [] }, [0, 1, 2, 3, 4, 5, 6, 7]],
    ['select several namespaces by a star', { include: ['wc/*'] }, [5, 6, 7]],
    ['do not select a namespace by its beginning', { include: ['wc'] }, []],
    ['select one route', { include: ['/wp/v2/posts'] }, [2]],
    ['select a route and all below', { include: ['/wp/v2/posts*'] }, [2, 3]],
    ['select a route by its template', { include: ['/wp/v2/posts/{id}'] }, [3]],
    ['select a nested group by its template', { include: ['/wc/v3/orders/{id}/notes'] }, [7]],
    ['are case-sensitive', { include: ['/WP/v2/posts'] }, []],
    ['exclude routes', { exclude: ['wc/*', '/'] }, [1, 2, 3, 4]],
    ['exclude routes from the included ones', { include: ['wp/v2'], exclude: ['/wp/v2/posts/*'] }, [1, 2, 4]],
    ['do not let pieces overlap', { include: ['/wp/v2/posts*posts'] }, []],
  ])('%s', (_, selection, want) => {
    expect(selected(selection)).toEqual(want);
  });

  test('do not change the list of namespaces, by which the site selects routes', () => {
    expect(readIndex(raw, { include: ['wc/v2'] }).index.namespaces).toEqual(raw.namespaces);
  });

  test('report each pattern that matches nothing', () => {
    const { diagnostics } = readIndex(raw, { include: ['wp/v2', 'wp/v9'], exclude: ['/none'] });
    expect(diagnostics).toMatchObject([
      { rule: 'pattern-matches-nothing', message: expect.stringContaining('"wp/v9" of include') },
      { rule: 'pattern-matches-nothing', message: expect.stringContaining('"/none" of exclude') },
    ]);
  });

  test('are compared in linear time', () => {
    const pattern = `/${'ab'.repeat(50_000)}`;
    const include = [`/${'*a'.repeat(1_000)}*c`];
    expect(readIndex({ routes: { [pattern]: {} }, namespaces: [] }, { include }).index.routes).toEqual([]);
  });
});
