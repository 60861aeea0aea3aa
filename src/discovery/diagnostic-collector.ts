import type { Diagnostic } from '../diagnostics.ts';
import { DISCOVERY_RULES, type DiscoveryRuleName } from './rules.ts';

/** Where a rule applied, and details beyond its fixed texts. */
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

/** Limits the diagnostics of one rule: a hostile index can cause one with every three of its bytes. */
const MAX_PER_RULE = 10_000;

/** Creates a collector of discovery diagnostics. Beyond 10,000 of one rule it only counts. */
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
