import type { Json } from '../json.ts';

/** Maximum nesting of a document that is compared. Those of waygate nest less than 100 levels. */
const MAX_DOCUMENT_DEPTH = 500;

/** Whether a document nests so little that recursive functions can read it. Runs in linear time, without recursion. */
export function isComparable(document: Json): boolean {
  let level: readonly Json[] = [document];
  for (let depth = 0; depth < MAX_DOCUMENT_DEPTH; depth += 1) {
    const next: Json[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      for (const member of Object.values(value)) next.push(member);
    }
    if (next.length === 0) return true;
    level = next;
  }
  return false;
}
