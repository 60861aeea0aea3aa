import type { Assertion } from './ast.ts';
import type { CharSet } from './charset.ts';

/** What an instruction does, with what `a`, `b` and `c` mean to it. Most go on to the instruction after. */
export const OP = {
  /** Reads one character of the set `a`. */
  set: 0,
  /** Goes on at `a`, and at `b` if that fails. `c` is its mark: see `Program.marks`. */
  choice: 1,
  jump: 2,
  /** Notes the position in the register `a`. */
  save: 3,
  /** Ends a round of a loop: goes on at `b`, or leaves the loop if nothing was read since the register `a`. */
  round: 4,
  /** Reads characters of the set `a` as long as there are any, and gives none back. `b` numbers the spans. */
  span: 5,
  /** Holds here, or fails: `a` is the place in `ASSERTIONS`. */
  assert: 6,
  /** Looks whether what follows, up to its `done`, matches (`a` = 0) or not (1), `c` - 1 characters back; then `b`. */
  look: 7,
  /** Matches what follows, up to its `done`, in the first way there is; then goes on at `b`. */
  atomic: 8,
  done: 9,
} as const;

export const ASSERTIONS: readonly Assertion[] = [
  'start',
  'end',
  'last-line-end',
  'line-start',
  'line-end',
  'boundary',
  'no-boundary',
];

/** A pattern as instructions, in the order in which PCRE would try them. Two registers a group come first. */
export interface Program {
  readonly op: Uint8Array;
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly c: Int32Array;
  readonly sets: readonly CharSet[];
  readonly registers: number;
  readonly spans: number;
  /** How many marks the choices need: one each, and one more for each loop around whose rounds may be empty. */
  readonly marks: number;
  /** By instruction, where it is a choice in such loops: the registers in which their rounds began, outermost first. */
  readonly rounds: ReadonlyMap<number, readonly number[]>;
  /** Why it accepts more than the pattern; empty where it accepts the same. */
  readonly widened: readonly string[];
}
