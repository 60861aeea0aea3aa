import type { AssertionKind } from './ast.ts';
import type { CharSet } from './charset.ts';

/** Instructions and their operands `a`, `b` and `c`. Most continue with the next instruction. */
export const OP = {
  /** Reads one character of the set `a`. */
  set: 0,
  /** Continues at `a`, and at `b` if that fails. `c` is its mark: see `Program.marks`. */
  choice: 1,
  jump: 2,
  /** Saves the position in register `a`. */
  save: 3,
  /** Ends an iteration: continues at `b`, or leaves the loop if nothing was read since register `a`. */
  round: 4,
  /** Reads all following characters of set `a` possessively. `b` is the number of the span. */
  span: 5,
  /** Fails unless the assertion holds. `a` is its index in `ASSERTIONS`. */
  assert: 6,
  /** Lookaround: the instructions up to `done` match (`a` = 0) or not (1), `c` - 1 characters back. Then `b`. */
  look: 7,
  /** Matches the instructions up to `done` once, without backtracking into them. Then `b`. */
  atomic: 8,
  done: 9,
} as const;

export const ASSERTIONS: readonly AssertionKind[] = [
  'start',
  'end',
  'last-line-end',
  'line-start',
  'line-end',
  'boundary',
  'no-boundary',
];

/** A pattern as instructions in PCRE's order of attempts. The first registers are two for each group. */
export interface Program {
  readonly op: Uint8Array;
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly c: Int32Array;
  readonly sets: readonly CharSet[];
  readonly registers: number;
  readonly spans: number;
  /** Number of marks: one for each choice, and one more for each surrounding loop with possibly empty iterations. */
  readonly marks: number;
  /** For each choice inside such loops: the registers with the start of the current iterations, outermost first. */
  readonly rounds: ReadonlyMap<number, readonly number[]>;
  /** Reasons why the program accepts more than the pattern; empty if it accepts the same. */
  readonly widened: readonly string[];
}
