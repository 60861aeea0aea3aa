import { describe, expect, it } from 'vitest';
import { readIndex } from '../../src/discovery/read-index.ts';
import type { RouteSelection } from '../../src/discovery/route-selection.ts';

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
const raw = {
  namespaces: ['wp/v2', 'wc/v2', 'wc/v3'],
  routes: Object.fromEntries(
    ROUTES.map(([pattern, namespace]) => [
      pattern,
      { namespace, endpoints: [{ methods: ['GET'], args: {} }] },
    ]),
  ),
};
const selected = (selection: RouteSelection): readonly number[] =>
  readIndex(raw, selection).index.routes.map(({ pattern }) => ROUTES.findIndex(([one]) => one === pattern));

describe('include and exclude', () => {
  it.each<[string, RouteSelection, readonly number[]]>([
    ['keep all where both are empty', { include: [], exclude: [] }, [0, 1, 2, 3, 4, 5, 6, 7]],
    ['take a namespace whole', { include: ['wp/v2'] }, [1, 2, 3, 4]],
    ['take a namespace written with a slash', { include: ['wp/v2/'] }, [1, 2, 3, 4]],
    ['take several namespaces by a star', { include: ['wc/*'] }, [5, 6, 7]],
    ['do not take a namespace for its beginning', { include: ['wc'] }, []],
    ['take one route', { include: ['/wp/v2/posts'] }, [2]],
    ['take a route and all below', { include: ['/wp/v2/posts*'] }, [2, 3]],
    ['take a route by its template', { include: ['/wp/v2/posts/{id}'] }, [3]],
    ['take a nested group by its template', { include: ['/wc/v3/orders/{id}/notes'] }, [7]],
    ['take a route by its own pattern', { include: ['/wp/v2/posts/(?P<id>[\\d]+)'] }, [3]],
    ['take stars in the middle', { include: ['/w*/v*/*o*s'] }, [2, 5, 6, 7]],
    ['take the root', { include: ['/'] }, [0]],
    ['compare in the case given', { include: ['/WP/v2/posts'] }, []],
    ['leave out', { exclude: ['wc/*', '/'] }, [1, 2, 3, 4]],
    ['leave out of what is taken', { include: ['wp/v2'], exclude: ['/wp/v2/posts/*'] }, [1, 2, 4]],
    ['do not let pieces overlap', { include: ['/wp/v2/posts*posts'] }, []],
  ])('%s', (_, selection, want) => {
    expect(selected(selection)).toEqual(want);
  });

  it('keep the list of namespaces whole, because the site goes by it', () => {
    expect(readIndex(raw, { include: ['wc/v2'] }).index.namespaces).toEqual(raw.namespaces);
  });

  it('say which pattern matches nothing', () => {
    const { diagnostics } = readIndex(raw, { include: ['wp/v2', 'wp/v9'], exclude: ['/none'] });
    expect(diagnostics).toMatchObject([
      { rule: 'pattern-matches-nothing', message: expect.stringContaining('"wp/v9" of include') },
      { rule: 'pattern-matches-nothing', message: expect.stringContaining('"/none" of exclude') },
    ]);
  });

  it('are compared in linear time', () => {
    const pattern = `/${'ab'.repeat(50_000)}`;
    const started = performance.now();
    readIndex({ routes: { [pattern]: {} }, namespaces: [] }, { include: [`/${'*a'.repeat(1_000)}*c`] });
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
