import { ASSERTIONS, type MatchProgram, OP } from './program.ts';
import { type CharSetTable, MatchSubject } from './subject.ts';

/** Returns the registers after the first match in PCRE's order, -1 for those not set; `null` without a match. */
export type LinearMatcher = (subject: string) => Int32Array | null;

/** Maximum number of instructions in lookarounds and atomic groups for one subject. PHP's limit is a million too. */
const MAX_ISOLATED_STEPS = 1_000_000;

/**
 * Creates a backtracking matcher that remembers failed choices. No choice is tried twice at one position, so the
 * time is limited by the length of the program times that of the subject. The order of attempts, and thus every group, is PCRE's (Davis,
 * Servant and Lee, "Using Selective Memoization to Defeat Regular Expression Denial of Service", 2021).
 *
 * @param unicode whether to read the subject by code points instead of UTF-16 units
 */
export function createLinearMatcher(
  program: MatchProgram,
  tests: CharSetTable,
  unicode: boolean,
): LinearMatcher {
  return (text) => {
    const run = new MatchRun(program, new MatchSubject(text, tests, unicode));
    return run.runFrom(0, 0, null) < 0 ? null : run.registers;
  };
}

class MatchRun {
  readonly registers: Int32Array;
  readonly #program: MatchProgram;
  readonly #subject: MatchSubject;
  readonly #tried: Uint32Array;
  /** The last range that each `span` instruction read: start, end. */
  readonly #spans: Int32Array;
  /** Stack of pairs: on failure, continue at [instruction, position] or restore [-1 - register, value]. */
  readonly #backtrack: number[] = [];
  #steps = 0;

  constructor(program: MatchProgram, subject: MatchSubject) {
    this.#program = program;
    this.#subject = subject;
    this.registers = new Int32Array(program.registerCount).fill(-1);
    this.#tried = new Uint32Array(((program.markCount * (subject.length + 1)) >>> 5) + 1);
    this.#spans = new Int32Array(2 * program.spanCount).fill(-1);
  }

  /**
   * Runs from an instruction to its `done`. Returns the position after the match; -1 without a match.
   *
   * @param seen the choices that an isolated run has tried; `null` for the main run
   */
  runFrom(start: number, at: number, seen: Set<number> | null): number {
    const { opcodes, a, b } = this.#program;
    const subject = this.#subject;
    const registers = this.registers;
    const back = this.#backtrack;
    const base = back.length;
    let pc = start;
    let position = at;
    for (;;) {
      if (seen !== null) this.#steps += 1;
      // As in PHP, an exceeded limit fails the whole match, also inside a negative lookaround.
      if (this.#steps > MAX_ISOLATED_STEPS) return -1;
      const first = a[pc] ?? 0;
      let next = pc + 1;
      switch (opcodes[pc]) {
        case OP.set: {
          const width = subject.characterWidth(first, position);
          if (width === 0) next = -1;
          else position += width;
          break;
        }
        case OP.choice:
          if (this.#isAlreadyTried(pc, position, seen)) next = -1;
          else {
            back.push(b[pc] ?? 0, position);
            next = first;
          }
          break;
        case OP.jump:
          next = first;
          break;
        case OP.save:
          back.push(-1 - first, registers[first] ?? -1);
          registers[first] = position;
          break;
        case OP.round:
          if (registers[first] !== position) next = b[pc] ?? 0;
          break;
        case OP.span:
          position = this.#span(first, b[pc] ?? 0, position);
          break;
        case OP.assert:
          if (!subject.satisfies(ASSERTIONS[first] ?? 'end', position)) next = -1;
          break;
        case OP.look:
          next = this.#evaluateLookaround(pc, position) ? (b[pc] ?? 0) : -1;
          break;
        case OP.atomic:
          position = this.#runIsolated(pc + 1, position);
          next = position < 0 ? -1 : (b[pc] ?? 0);
          break;
        default:
          return position;
      }
      while (next < 0) {
        if (back.length === base) return -1;
        position = back.pop() ?? 0;
        next = back.pop() ?? 0;
        if (next < 0) registers[-1 - next] = position;
      }
      pc = next;
    }
  }

  /** Whether a choice was tried in the same state before. A new choice is recorded. */
  #isAlreadyTried(pc: number, position: number, seen: Set<number> | null): boolean {
    const { c, iterationRegisters, markCount } = this.#program;
    let mark = c[pc] ?? 0;
    if (iterationRegisters.size > 0) {
      // An iteration that has read nothing ends differently from one that has, so they are different states.
      for (const register of iterationRegisters.get(pc) ?? [])
        if ((this.registers[register] ?? 0) < position) mark += 1;
    }
    const bit = position * markCount + mark;
    if (seen !== null) {
      const known = seen.has(bit);
      seen.add(bit);
      return known;
    }
    const word = this.#tried[bit >>> 5] ?? 0;
    const flag = 1 << (bit & 31);
    this.#tried[bit >>> 5] = word | flag;
    return (word & flag) !== 0;
  }

  /** Reads a span. A range that the same span read before is not read again. */
  #span(set: number, span: number, from: number): number {
    const known = this.#spans[2 * span] ?? -1;
    let position = from;
    for (let width = 1; width > 0 && position !== known; position += width)
      width = this.#subject.characterWidth(set, position);
    if (position === known) position = this.#spans[2 * span + 1] ?? position;
    this.#spans[2 * span] = from;
    this.#spans[2 * span + 1] = position;
    return position;
  }

  /** Runs instructions in isolation. Their register values stay until a later failure restores the old ones. */
  #runIsolated(start: number, at: number): number {
    const back = this.#backtrack;
    const base = back.length;
    const end = this.runFrom(start, at, new Set());
    if (end < 0) {
      // A run that exceeded the limit has restored nothing.
      this.#undo(base);
      return -1;
    }
    const recorded = back.splice(base);
    for (let i = 0; i < recorded.length; i += 2) {
      const register = recorded[i] ?? 0;
      if (register < 0) back.push(register, recorded[i + 1] ?? -1);
    }
    return end;
  }

  #undo(base: number): void {
    const back = this.#backtrack;
    while (back.length > base) {
      const value = back.pop() ?? 0;
      const register = back.pop() ?? 0;
      if (register < 0) this.registers[-1 - register] = value;
    }
  }

  #evaluateLookaround(pc: number, position: number): boolean {
    const { a, c } = this.#program;
    const negative = a[pc] === 1;
    const from = this.#subject.stepBack(position, (c[pc] ?? 1) - 1);
    if (from < 0) return negative;
    const base = this.#backtrack.length;
    const found = this.#runIsolated(pc + 1, from) >= 0;
    if (found && negative) this.#undo(base);
    return found !== negative;
  }
}
