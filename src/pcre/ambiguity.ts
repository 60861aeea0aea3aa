import type { PcreNode } from './ast.ts';

/** How many ways a backtracking engine may have to try, by the length of the subject. */
export type Ambiguity = 'none' | 'polynomial' | 'exponential' | 'unknown';

export function ambiguityOf(_root: PcreNode, _options: { readonly anchored: boolean }): Ambiguity {
  return 'unknown';
}
