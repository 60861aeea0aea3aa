import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/base/diagnostics.ts';
import { runSteps } from '../../../src/base/steps.ts';
import { toSiteModel } from '../../../src/generator/model/index.ts';
import { toOpenApi } from '../../../src/generator/openapi/index.ts';
import { listOperations } from '../../../src/generator/openapi/operations.ts';
import { createDiscoveredSite } from '../../support/site.ts';

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
