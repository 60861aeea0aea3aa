import type { AssertionKind } from './ast.ts';
import type { CharSet } from './charset.ts';

/** Opcodes of instructions with the operands `a`, `b` and `c`. Most continue with the next instruction. */
export const OP = {
  /** Reads one character of the set `a`. */
  set: 0,
  /** Continues at `a`, and at `b` if that fails. `c` is its mark: see `MatchProgram.markCount`. */
  choice: 1,
  jump: 2,
  /** Saves the position in register `a`. */
  save: 3,
  /** Ends an iteration: continues at `b`, or leaves the loop if nothing was read since register `a`. */
  round: 4,
  /** Reads as many characters of set `a` as follow, without backtracking. `b` is the number of the span. */
  span: 5,
  /** Fails unless the assertion holds. `a` is its index in `ASSERTIONS`. */
  assert: 6,
  /**
   * Continues at `b` if the lookaround holds: the instructions up to `done` match (`a` = 0) or do not match (`a` = 1),
   * from `c` - 1 characters before the position.
   */
  look: 7,
  /** Runs the instructions up to `done` once, without backtracking into them. Continues at `b` after a match. */
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

/** A pattern as instructions, which try alternatives in PCRE's order. The first registers are two for each group. */
export interface MatchProgram {
  readonly opcodes: Uint8Array;
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly c: Int32Array;
  readonly sets: readonly CharSet[];
  readonly registerCount: number;
  readonly spanCount: number;
  /** Number of marks: one for each choice, and one more for each surrounding loop with possibly empty iterations. */
  readonly markCount: number;
  /**
   * Registers with the start of the current iteration of each surrounding loop, the outermost first, by choice. Only
   * loops with possibly empty iterations are listed.
   */
  readonly iterationRegisters: ReadonlyMap<number, readonly number[]>;
  /** Reasons why the program accepts more than the pattern; empty if it accepts the same. */
  readonly wideningReasons: readonly string[];
}
