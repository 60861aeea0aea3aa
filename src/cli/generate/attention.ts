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
  'pattern-matches-nothing': 'patterns of --include or --exclude that match nothing: {count}',
  'overlay-target-gone': 'overlay actions that match nothing now: {count}; run waygate reconcile again',
  'overlay-target-unreadable': 'overlay actions that are not readable: {count}',
  'overlay-incompatible':
    'overlay actions that do not fit the document: {count}; run waygate reconcile again',
  'help-refused': 'the site refuses its response schemas; try --schemas options, or waygate reconcile',
  'no-schemas': 'the index has no response schemas; try --schemas options, or waygate reconcile',
  'options-failed': 'routes without a response schema: {count}; try --auth, or waygate reconcile',
  'route-pattern-unreadable': 'routes whose patterns cannot be read: {count}',
  'route-not-an-object': 'routes that are no objects, and are left out: {count}',
  'endpoint-not-an-object': 'endpoints that are no objects, and are left out: {count}',
  'endpoints-missing': 'routes without endpoints, whose arguments are unknown: {count}',
  'methods-missing': 'endpoints that do not state their methods: {count}',
  'too-deep': 'schemas that nest too deeply, and are left open: {count}',
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
