import { ASSERTIONS, OP, type Program } from './program.ts';
import { Subject, type Tests } from './subject.ts';

/**
 * Where the registers of a program stand after the first match that PCRE would find; -1 for those not reached. Null
 * where there is none.
 */
export type LinearMatcher = (subject: string) => Int32Array | null;

/** Instructions that lookarounds and atomic groups may take for one subject; PHP stops at a million, too. */
const MAX_STEPS_APART = 1_000_000;

/**
 * A backtracking matcher that remembers where it has failed: no choice is tried twice at one position, so that the
 * time is at most the length of the program times that of the subject, and the order of trying, and with it every
 * group, is PCRE's (the memoised form of Davis, Servant and Lee, "Using Selective Memoization to Defeat Regular
 * Expression Denial of Service", 2021). `unicode`: the subject is read by code points, else by UTF-16 units.
 */
export function linearMatcher(program: Program, tests: Tests, unicode: boolean): LinearMatcher {
  return (text) => {
    const run = new Run(program, new Subject(text, tests, unicode));
    return run.from(0, 0, null) < 0 ? null : run.registers;
  };
}

class Run {
  readonly registers: Int32Array;
  readonly #program: Program;
  readonly #subject: Subject;
  readonly #failed: Uint32Array;
  /** The last span that each `span` read, [from, to]. */
  readonly #spans: Int32Array;
  /** What to do on failure: go on at [instruction, position], or put back [-1 - register, value]. */
  readonly #back: number[] = [];
  #steps = 0;

  constructor(program: Program, subject: Subject) {
    this.#program = program;
    this.#subject = subject;
    this.registers = new Int32Array(program.registers).fill(-1);
    this.#failed = new Uint32Array(((program.marks * (subject.length + 1)) >>> 5) + 1);
    this.#spans = new Int32Array(2 * program.spans).fill(-1);
  }

  /** Runs from an instruction to its `done`; the position there, or -1. `seen`: what failed, in a part of its own. */
  from(start: number, at: number, seen: Set<number> | null): number {
    const { op, a, b } = this.#program;
    const subject = this.#subject;
    const registers = this.registers;
    const back = this.#back;
    const base = back.length;
    let pc = start;
    let position = at;
    for (;;) {
      if (seen !== null && this.#isExhausted()) return -1;
      const first = a[pc] ?? 0;
      let next = pc + 1;
      switch (op[pc]) {
        case OP.set: {
          const width = subject.read(first, position);
          if (width === 0) next = -1;
          else position += width;
          break;
        }
        case OP.choice:
          if (this.#isKnown(pc, position, seen)) next = -1;
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
          if (!subject.holds(ASSERTIONS[first] ?? 'end', position)) next = -1;
          break;
        case OP.look:
          next = this.#looks(pc, position) ? (b[pc] ?? 0) : -1;
          break;
        case OP.atomic:
          position = this.#apart(pc + 1, position);
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

  #isExhausted(): boolean {
    this.#steps += 1;
    return this.#steps > MAX_STEPS_APART;
  }

  /** Whether a choice was made here before, in loops that had come as far; notes it if not. */
  #isKnown(pc: number, position: number, seen: Set<number> | null): boolean {
    const { c, rounds, marks } = this.#program;
    let mark = c[pc] ?? 0;
    if (rounds.size > 0) {
      // Where a round has read nothing yet it will end otherwise than where it has: these are two states.
      for (const register of rounds.get(pc) ?? []) if ((this.registers[register] ?? 0) < position) mark += 1;
    }
    const bit = position * marks + mark;
    if (seen !== null) {
      const known = seen.has(bit);
      seen.add(bit);
      return known;
    }
    const word = this.#failed[bit >>> 5] ?? 0;
    const flag = 1 << (bit & 31);
    this.#failed[bit >>> 5] = word | flag;
    return (word & flag) !== 0;
  }

  /** Reads on from a place; what a span read before from a place on the way is not read again. */
  #span(set: number, span: number, from: number): number {
    const known = this.#spans[2 * span] ?? -1;
    let position = from;
    for (let width = 1; width > 0 && position !== known; position += width)
      width = this.#subject.read(set, position);
    if (position === known) position = this.#spans[2 * span + 1] ?? position;
    this.#spans[2 * span] = from;
    this.#spans[2 * span + 1] = position;
    return position;
  }

  /** Runs a part of its own. What it leaves in the registers stays, until a failure puts it back. */
  #apart(start: number, at: number): number {
    const back = this.#back;
    const base = back.length;
    const end = this.from(start, at, new Set());
    if (end < 0) {
      // It may have been out of steps, and then has put nothing back itself.
      this.#undo(base);
      return -1;
    }
    const noted = back.splice(base);
    for (let i = 0; i < noted.length; i += 2) {
      const register = noted[i] ?? 0;
      if (register < 0) back.push(register, noted[i + 1] ?? -1);
    }
    return end;
  }

  #undo(base: number): void {
    const back = this.#back;
    while (back.length > base) {
      const value = back.pop() ?? 0;
      const register = back.pop() ?? 0;
      if (register < 0) this.registers[-1 - register] = value;
    }
  }

  #looks(pc: number, position: number): boolean {
    const { a, c } = this.#program;
    const negative = a[pc] === 1;
    const from = this.#subject.back(position, (c[pc] ?? 1) - 1);
    if (from < 0) return negative;
    const base = this.#back.length;
    const found = this.#apart(pc + 1, from) >= 0;
    if (found && negative) this.#undo(base);
    return found !== negative;
  }
}
