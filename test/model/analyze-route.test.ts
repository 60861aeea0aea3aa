import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/diagnostics.ts';
import { toSiteModel } from '../../src/model/index.ts';
import { runSteps } from '../../src/steps.ts';
import { createDiscoveredSite } from '../support/site.ts';

const routeDiagnostics = (pattern: string): readonly Diagnostic[] =>
  runSteps(toSiteModel(createDiscoveredSite({ [pattern]: 'GET' }))).diagnostics.filter(({ rule }) =>
    rule.startsWith('route-'),
  );

describe('a route', () => {
  test.each<[string, string]>([
    ['/x/v1/(?P<id>\\d+', 'The pattern cannot be read (unmatched (, at 13).'],
    [
      '/x/v1/(?P<id>\\d+)(?P<id>\\w+)',
      'The name id occurs twice in one path. ' +
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
