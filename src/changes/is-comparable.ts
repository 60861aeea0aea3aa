import type { Json } from '../json.ts';
import { runSteps, type Steps } from '../steps.ts';

/** Maximum nesting of a document that is compared. Those of waygate nest less than 100 levels. */
const MAX_DOCUMENT_DEPTH = 500;

/** Whether a document nests so little that recursive functions can read it. Runs in linear time, without recursion. */
export function isComparable(document: Json): boolean {
  return runSteps(isComparableInSteps(document));
}

/** Values of a step. To visit one value takes less time than a step costs. */
const STEP = 1_000;

/** Does the work of {@link isComparable} in steps. */
export function* isComparableInSteps(document: Json): Steps<boolean> {
  let visited = 0;
  let level: readonly Json[] = [document];
  for (let depth = 0; depth < MAX_DOCUMENT_DEPTH; depth += 1) {
    const next: Json[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      for (const member of Object.values(value)) next.push(member);
      visited += 1;
      if (visited % STEP === 0) yield;
    }
    if (next.length === 0) return true;
    level = next;
  }
  return false;
}
