import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/diagnostics.ts';
import { readIndex } from '../../src/discovery/read-index.ts';
import { analyzeRoute, createEarlierFinder } from '../../src/model/analyze-route.ts';
import { toSiteModel } from '../../src/model/index.ts';
import { toOpenApi } from '../../src/openapi/index.ts';
import { listOperations } from '../../src/openapi/operations.ts';
import { runSteps } from '../../src/steps.ts';
import { readRecorded, readShopIndex } from '../support/recorded-indexes.ts';
import { createDiscoveredSite } from '../support/site.ts';

const routeDiagnostics = (pattern: string): readonly Diagnostic[] =>
  runSteps(toSiteModel(createDiscoveredSite({ [pattern]: 'GET' }))).diagnostics.filter(({ rule }) =>
    rule.startsWith('route-'),
  );

describe('a route', () => {
  test('beyond ASCII has readable names, and says that a pretty permalink does not find it', () => {
    const site = createDiscoveredSite({ '/x/v1/отзывы': 'GET' });
    const [operation] = listOperations(toOpenApi(site).document);
    expect(operation).toMatchObject({
      id: 'getXОтзывы',
      path: '/x/v1/%D0%BE%D1%82%D0%B7%D1%8B%D0%B2%D1%8B',
      shared: { summary: 'Get the отзывы' },
    });
    const [hindi] = listOperations(toOpenApi(createDiscoveredSite({ '/x/v1/हिन्दी': 'GET' })).document);
    expect(hindi?.id).toBe('getXहिन्दी');
    const message = expect.stringContaining('`?rest_route=` only');
    expect(routeDiagnostics('/x/v1/отзывы')).toMatchObject([{ rule: 'route-encoded', message }]);
  });

  test.each<[string, string]>([
    ['/x/v1/(?P<id>\\d+', 'The pattern cannot be read (unmatched (, at 13).'],
    [
      '/x/v1/(?P<id>\\d+)(?P<id>\\w+)',
      'The site cannot compile the pattern (two groups are named id) and never handles the route.',
    ],
  ])(
    'that PCRE rejects is reported once as route-dead, and stays in the document: %s',
    (pattern, message) => {
      expect(routeDiagnostics(pattern)).toMatchObject([
        { rule: 'route-dead', severity: 'warning', route: pattern, message },
      ]);
      expect(runSteps(toSiteModel(createDiscoveredSite({ [pattern]: 'GET' }))).counts.operations).toBe(1);
    },
  );

  test('that PCRE accepts and waygate cannot parse is not route-dead', () => {
    const [only, ...others] = routeDiagnostics('/x/v1/(?P<id>(?(?=a)a|b))');
    expect(only).toMatchObject({ rule: 'route-pattern-unreadable', severity: 'warning' });
    expect(others).toEqual([]);
  });
});

const TEMPLATES = '/wp/v2/templates/(?P<id>[\\/\\w-]+)';
/** WordPress 6.0 to 6.3. */
const THEMED = '/wp/v2/templates/(?P<id>([^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/:<>\\*\\?"\\|]+)?)[\\/\\w%-]+)';
const REVISIONS = '/wp/v2/templates/(?P<parent>[\\d]+)/revisions';

describe('a route whose paths an earlier one answers', () => {
  const shadowed = (routes: Readonly<Record<string, string>>): readonly string[] =>
    runSteps(toSiteModel(createDiscoveredSite(routes))).paths.flatMap(({ operations }) =>
      operations.flatMap(({ routes: [{ method, pattern, shadowedBy }] }) =>
        shadowedBy === undefined ? [] : [`${method} ${pattern} ${shadowedBy}`],
      ),
    );

  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['is marked', { [TEMPLATES]: 'GET', [REVISIONS]: 'GET' }, [`GET ${REVISIONS} /wp/v2/templates/{id}`]],
    [
      'is marked below a theme, for the shared method only',
      { [THEMED]: 'GET', [`${REVISIONS}/(?P<id>[\\d]+)`]: 'GET, DELETE' },
      [`GET ${REVISIONS}/(?P<id>[\\d]+) /wp/v2/templates/{id}`],
    ],
    ['is reached if it comes first', { [REVISIONS]: 'GET', [TEMPLATES]: 'GET' }, []],
    ['is reached by another method', { [TEMPLATES]: 'GET', [REVISIONS]: 'POST' }, []],
    ['is reached by a dot', { [TEMPLATES]: 'GET', [`${REVISIONS}.json`]: 'GET' }, []],
    ['is reached by a group of dots', { [TEMPLATES]: 'GET', [`${REVISIONS}/(?P<x>[\\w.]+)`]: 'GET' }, []],
    ['is reached without the slash', { [TEMPLATES.replace('\\/', '')]: 'GET', [REVISIONS]: 'GET' }, []],
    [
      'is reached below a longer path',
      { [TEMPLATES.replace('s/(', 's/a/(')]: 'GET', [REVISIONS]: 'GET' },
      [],
    ],
    ['is reached by one digit', { [THEMED]: 'GET', '/wp/v2/templates/(?P<n>[\\d]+)': 'GET' }, []],
    ['is reached in another namespace', { [TEMPLATES.replace('wp', 'x')]: 'GET', [REVISIONS]: 'GET' }, []],
  ])('%s', (_name, routes, expected) => {
    expect(shadowed(routes)).toEqual(expected);
  });

  test('stays in the document, which names the earlier one', () => {
    const routes = { [TEMPLATES]: 'GET', [REVISIONS]: 'GET' };
    const { document } = toOpenApi(createDiscoveredSite(routes));
    const { description } = Object(document.paths)['/wp/v2/templates/{parent}/revisions'].get;
    expect(description).toBe(
      `Route: \`${REVISIONS}\`. An earlier route, \`/wp/v2/templates/{id}\`, answers every path of this one.`,
    );
  });

  test.each([
    ['shop', readShopIndex()],
    ['simple-history', readRecorded('simple-history-index.json')],
    ['WordPress 7.1', readRecorded('wordpress-7.1-index.json')],
  ])('does not occur at %s', (_name, index) => {
    const findEarlier = createEarlierFinder();
    const routes = readIndex(index).index.routes.map((route) => findEarlier(analyzeRoute(route, () => {})));
    expect(routes.length).toBeGreaterThan(10);
    expect(routes.filter(({ earlier }) => earlier !== undefined)).toEqual([]);
  });
});
