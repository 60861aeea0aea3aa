import type { Diagnostic } from '../../diagnostics.ts';

/**
 * What a person should do about the findings that change what is generated, by rule, the most important first. `{count}` is the
 * number of findings. Rules that are not here are normalisations, or limits that nobody can act on.
 */
const ADVICE: Readonly<Record<string, string>> = {
  'not-an-index': 'the site returned no root index',
  'no-routes': 'the index lists no routes',
  'routes-as-list': 'the index lists its routes without their patterns',
  'namespace-index': 'the URL is the index of one namespace; give the URL of the site',
  'credentials-unused': 'the site ignores the credentials; check the user and the application password',
  'credentials-withheld':
    'the interface is at another origin, so the credentials were not sent; give its URL',
  'status-of-index': 'the site sends the index with an error status',
  'routes-limit': 'the index has more routes than --max-routes',
  'pattern-matches-nothing': '{count} patterns of --include or --exclude match nothing',
  'overlay-target-gone': '{count} overlay actions match nothing now; run waygate reconcile again',
  'overlay-target-unreadable': '{count} overlay actions are not readable',
  'overlay-incompatible': '{count} overlay actions do not fit the document; run waygate reconcile again',
  'help-refused': 'the site refuses its response schemas; try --schemas options, or waygate reconcile',
  'no-schemas': 'the index has no response schemas; try --schemas options, or waygate reconcile',
  'options-failed': '{count} routes have no response schema; try --auth, or waygate reconcile',
  'route-pattern-unreadable': '{count} routes have patterns that cannot be read',
  'route-not-an-object': '{count} routes are no objects, and are left out',
  'endpoint-not-an-object': '{count} endpoints are no objects, and are left out',
  'endpoints-missing': '{count} routes state no endpoints, so their arguments are unknown',
  'methods-missing': '{count} endpoints do not state their methods',
  'too-deep': '{count} schemas nest too deeply, and are left open',
};

/** How much a finding matters: `attention` for a person, `loss` of information, or a `harmless` normalisation. */
export type Significance = 'attention' | 'loss' | 'harmless';

export function significanceOf({ rule, severity }: Pick<Diagnostic, 'rule' | 'severity'>): Significance {
  if (Object.hasOwn(ADVICE, rule)) return 'attention';
  return severity === 'warning' ? 'loss' : 'harmless';
}

/** Lists in words what a person should look at, the most important first. */
export function listAdvice(diagnostics: readonly Diagnostic[]): readonly string[] {
  return Object.entries(ADVICE).flatMap(([rule, text]) => {
    const count = diagnostics.filter((diagnostic) => diagnostic.rule === rule).length;
    return count === 0 ? [] : [text.replace('{count}', String(count))];
  });
}
