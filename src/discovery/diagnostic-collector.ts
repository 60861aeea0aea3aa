import type { Diagnostic } from '../diagnostics.ts';
import { DISCOVERY_RULES, type DiscoveryRuleName } from './rules.ts';

/** The position at which a rule applied, and texts that are specific to this occurrence. */
export interface RuleOccurrence {
  /** JSON pointer into the root index. */
  readonly pointer: string;
  /** The route pattern, if the occurrence belongs to a route. */
  readonly route?: string;
  /** A sentence that follows the rule's message. */
  readonly detail?: string;
  /** Replaces the rule's action. */
  readonly action?: string;
}

/** Reports that a rule applied. */
export type RuleReporter = (rule: DiscoveryRuleName, occurrence: RuleOccurrence) => void;

/** Collects the diagnostics of one discovery. */
export interface DiagnosticCollector {
  readonly report: RuleReporter;
  /** Returns the diagnostics in the order of their reports. */
  readonly list: () => readonly Diagnostic[];
}

/** Maximum number of diagnostics of one rule. A hostile index can cause one diagnostic per three bytes. */
const MAX_PER_RULE = 10_000;

/** Creates a collector of discovery diagnostics. It counts the diagnostics of a rule beyond 10,000 without keeping them. */
export function createDiagnosticCollector(): DiagnosticCollector {
  const diagnostics: Diagnostic[] = [];
  const counts = new Map<DiscoveryRuleName, number>();
  return {
    report: (rule, occurrence) => {
      const count = (counts.get(rule) ?? 0) + 1;
      counts.set(rule, count);
      if (count <= MAX_PER_RULE) diagnostics.push(toDiagnostic(rule, occurrence));
    },
    list: () => [
      ...diagnostics,
      ...[...counts]
        .filter(([, count]) => count > MAX_PER_RULE)
        .map(([rule, count]) =>
          toDiagnostic('more-findings', { pointer: '', detail: `${rule}: ${count - MAX_PER_RULE} more.` }),
        ),
    ],
  };
}

function toDiagnostic(
  rule: DiscoveryRuleName,
  { pointer, route, detail, action }: RuleOccurrence,
): Diagnostic {
  const { severity, message, action: defaultAction } = DISCOVERY_RULES[rule];
  return {
    rule,
    severity,
    ...(route === undefined ? {} : { route }),
    pointer,
    message: detail === undefined ? message : `${message} ${detail}`,
    action: action ?? defaultAction,
  };
}
