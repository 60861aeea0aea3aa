import type { Diagnostic } from '../diagnostics.ts';
/**
 * Every diagnostic that discovery can report, in the order of the steps of a discovery, by its `rule`: severity, what was found,
 * and what discovery did about it. `info`: no information was lost. `warning`: the document may state less, or more, than the
 * site does.
 */
import RULES from './rules.json' with { type: 'json' };

export interface IndexPosition {
  /** JSON pointer into the root index. */
  readonly pointer: string;
  /** The route pattern, if the position is in a route. */
  readonly route?: string | undefined;
}

/**
 * Reports that a rule applied.
 *
 * @param detail a sentence that follows the rule's message
 * @param action replaces the rule's action
 */
export type RuleReporter = (
  rule: DiscoveryRuleName,
  position: IndexPosition,
  detail?: string | undefined,
  action?: string | undefined,
) => void;

/** Maximum number of diagnostics of one rule. A hostile index can cause one diagnostic per three bytes. */
const MAX_PER_RULE = 10_000;

/** Collects the diagnostics of one discovery. It counts the diagnostics of a rule beyond 10,000 without keeping them. */
export class DiagnosticCollector {
  readonly #diagnostics: Diagnostic[] = [];
  readonly #counts: Map<DiscoveryRuleName, number> = new Map();

  readonly report: RuleReporter = (rule, position, detail, action) => {
    const count = (this.#counts.get(rule) ?? 0) + 1;
    this.#counts.set(rule, count);
    if (count <= MAX_PER_RULE) this.#diagnostics.push(toDiagnostic(rule, position, detail, action));
  };

  list(): readonly Diagnostic[] {
    const more = [...this.#counts].filter(([, count]) => count > MAX_PER_RULE);
    const describe = ([rule, count]: [string, number]): string => `${rule}: ${count - MAX_PER_RULE} more.`;
    return [
      ...this.#diagnostics,
      ...more.map((each) => toDiagnostic('more-findings', { pointer: '' }, describe(each))),
    ];
  }
}

function toDiagnostic(
  rule: DiscoveryRuleName,
  { pointer, route }: IndexPosition,
  detail?: string,
  statedAction?: string,
): Diagnostic {
  const [severity, finding, action] = readRule(RULES[rule]);
  const message = detail === undefined ? finding : `${finding} ${detail}`;
  const place = route === undefined ? { pointer } : { route, pointer };
  return { rule, severity, ...place, message, action: statedAction ?? action };
}

function readRule(
  text: string,
): readonly [severity: Diagnostic['severity'], finding: string, action: string] {
  const [, severity, finding = '', action = ''] = /^(\w+): (.*) → (.*)$/.exec(text) ?? [];
  return [severity === 'info' ? 'info' : 'warning', finding, action];
}

/** The `rule` of a diagnostic of the discovery. */
export type DiscoveryRuleName = keyof typeof RULES;
