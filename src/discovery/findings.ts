import type { Diagnostic } from '../diagnostics.ts';
import { RULES, type RuleName } from './rules.ts';

/** Where something was found, and what can be said about it beyond its rule's sentence. */
export interface Place {
  readonly pointer: string;
  readonly route?: string;
  /** Follows the rule's sentence. */
  readonly detail?: string;
  /** In place of the rule's action. */
  readonly action?: string;
}

/** Notes one finding. */
export type Note = (rule: RuleName, place: Place) => void;

export interface Findings {
  readonly note: Note;
  /** All that was noted, in order. */
  readonly list: () => readonly Diagnostic[];
}

/** A hostile index can hold a finding for every three of its bytes; nobody reads more of one kind than this. */
const LISTED_PER_RULE = 10_000;

export function collectFindings(): Findings {
  const listed: Diagnostic[] = [];
  const counts = new Map<RuleName, number>();
  return {
    note: (rule, place) => {
      const count = (counts.get(rule) ?? 0) + 1;
      counts.set(rule, count);
      if (count <= LISTED_PER_RULE) listed.push(toDiagnostic(rule, place));
    },
    list: () => [
      ...listed,
      ...[...counts]
        .filter(([, count]) => count > LISTED_PER_RULE)
        .map(([rule, count]) =>
          toDiagnostic('more-findings', { pointer: '', detail: `${rule}: ${count - LISTED_PER_RULE} more.` }),
        ),
    ],
  };
}

function toDiagnostic(rule: RuleName, { pointer, route, detail, action }: Place): Diagnostic {
  const { severity, sentence, action: usual } = RULES[rule];
  return {
    rule,
    severity,
    ...(route === undefined ? {} : { route }),
    pointer,
    message: detail === undefined ? sentence : `${sentence} ${detail}`,
    action: action ?? usual,
  };
}
