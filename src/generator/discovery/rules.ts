import { createBoundedReporter, type Diagnostic } from '../../base/diagnostics.ts';
/** In the order of discovery's steps. `warning`: the document can state less, or more, than the site does. */
import RULES from './rules.json' with { type: 'json' };

export interface IndexPosition {
  readonly pointer: string;
  readonly route?: string | undefined;
}

/** @param detail follows the rule's message @param action replaces the rule's */
export type RuleReporter = (
  rule: DiscoveryRuleName,
  position: IndexPosition,
  detail?: string | undefined,
  action?: string | undefined,
) => void;

export function collectDiagnostics(): {
  readonly diagnostics: readonly Diagnostic[];
  readonly report: RuleReporter;
} {
  const diagnostics: Diagnostic[] = [];
  const add = createBoundedReporter(diagnostics);
  const report: RuleReporter = (rule, { pointer, route }, detail, declaredAction) => {
    const [, level, finding = '', action = ''] = /^(\w+): (.*) → (.*)$/.exec(RULES[rule]) ?? [];
    const severity = level === 'info' ? 'info' : 'warning';
    const message = detail === undefined ? finding : `${finding} ${detail}`;
    const place = route === undefined ? { pointer } : { route, pointer };
    add({ rule, severity, ...place, message, action: declaredAction ?? action });
  };
  return { diagnostics, report };
}

export type DiscoveryRuleName = keyof typeof RULES;
