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
  return { diagnostics, report: (...found) => add(toDiagnostic(...found)) };
}

function toDiagnostic(
  rule: DiscoveryRuleName,
  { pointer, route }: IndexPosition,
  detail?: string | undefined,
  declaredAction?: string | undefined,
): Diagnostic {
  const [severity, finding, action] = readRule(RULES[rule]);
  const message = detail === undefined ? finding : `${finding} ${detail}`;
  const place = route === undefined ? { pointer } : { route, pointer };
  return { rule, severity, ...place, message, action: declaredAction ?? action };
}

function readRule(
  text: string,
): readonly [severity: Diagnostic['severity'], finding: string, action: string] {
  const [, severity, finding = '', action = ''] = /^(\w+): (.*) → (.*)$/.exec(text) ?? [];
  return [severity === 'info' ? 'info' : 'warning', finding, action];
}

export type DiscoveryRuleName = keyof typeof RULES;
