import {
  ASSERTION_KINDS,
  type AssertionKind,
  childrenOf,
  getMatchLengths,
  isStartAnchored,
  type PcreNode,
  type RepeatNode,
} from './ast.ts';
import { type CharSet, complementCharSet, getCharClasses, MAX_BYTE } from './charset.ts';

/** Opcodes of instructions with the operands `a`, `b` and `c`. Most continue with the next instruction. */
const OP = {
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
  /** Fails unless the assertion holds. `a` is its index in `ASSERTION_KINDS`. */
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

/** A pattern as instructions, which try alternatives in PCRE's order. The first registers are two for each group. */
interface MatchProgram {
  readonly opcodes: Uint8Array;
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly c: Int32Array;
  /** The last set contains the word characters. */
  readonly sets: readonly CharSet[];
  /** 256 entries for each set: 1 if the set contains the character. */
  readonly lowCharacterFlags: Uint8Array;
  readonly registerCount: number;
  readonly spanCount: number;
  /** Number of marks: one for each choice, and one more for each surrounding loop with possibly empty iterations. */
  readonly markCount: number;
  /**
   * Registers with the start of the current iteration of each surrounding loop, the outermost first, by choice. Only
   * loops with possibly empty iterations are listed.
   */
  readonly iterationRegisters: ReadonlyMap<number, readonly number[]>;
  /** Whether it accepts what the pattern accepts; otherwise it accepts more. */
  readonly isExact: boolean;
}

/** Maximum number of instructions. A repetition that would exceed it becomes unbounded. */
const MAX_INSTRUCTIONS = 2000;

/** Estimates the number of instructions that a node compiles to. */
function estimateInstructions(node: PcreNode): number {
  const children = childrenOf(node);
  const below = children.reduce((sum, child) => sum + estimateInstructions(child), 0);
  if (node.kind === 'sequence') return below;
  if (node.kind !== 'repeat') return children.length === 0 ? 1 : below + 2 * children.length;
  const copies = node.max === Number.POSITIVE_INFINITY ? Math.max(node.min, 1) : Math.max(node.max, 1);
  return Math.min(copies * (below + 1) + 3, 2 * MAX_INSTRUCTIONS);
}

/** Maximum nesting in which empty iterations are tracked. Deeper ones affect captures only, not acceptance. */
const MAX_EMPTY_DEPTH = 4;

class ProgramCompiler {
  readonly #code: [op: number, a: number, b: number, c: number][] = [];
  readonly #sets: CharSet[] = [];
  readonly #setNumbers = new Map<string, number>();
  readonly #rounds = new Map<number, readonly number[]>();
  readonly #max: number;
  #open: readonly number[] = [];
  #registers: number;
  #spans = 0;
  #marks = 0;
  #isExact = true;

  constructor(registers: number, max: number) {
    this.#registers = registers;
    this.#max = max;
  }

  finish(): MatchProgram {
    // Only `\b` needs the word characters, which take milliseconds to compute.
    const boundaries = [ASSERTION_KINDS.indexOf('boundary'), ASSERTION_KINDS.indexOf('no-boundary')];
    const hasBoundary = this.#code.some(([op, a]) => op === OP.assert && boundaries.includes(a));
    const sets = [...this.#sets, hasBoundary ? getCharClasses(this.#max > MAX_BYTE).setsByEscape.w : []];
    const lowCharacterFlags = new Uint8Array(256 * sets.length);
    for (const [i, set] of sets.entries()) {
      for (const [low, high] of set)
        if (low < 256) lowCharacterFlags.fill(1, i * 256 + low, i * 256 + Math.min(high, 255) + 1);
    }
    return {
      opcodes: Uint8Array.from(this.#code, ([op]) => op),
      a: Int32Array.from(this.#code, ([, a]) => a),
      b: Int32Array.from(this.#code, ([, , b]) => b),
      c: Int32Array.from(this.#code, ([, , , c]) => c),
      sets,
      lowCharacterFlags,
      registerCount: this.#registers,
      spanCount: this.#spans,
      markCount: this.#marks,
      iterationRegisters: this.#rounds,
      isExact: this.#isExact,
    };
  }

  emit(op: number, a = 0, b = 0, c = 0): number {
    return this.#code.push([op, a, b, c]) - 1;
  }

  emitSave(register: number): void {
    this.emit(OP.save, register);
  }

  /** Emits the loop that tries each start position, the earliest first. */
  emitSearchLoop(): void {
    const loop = this.#emitChoice();
    this.#setTargets(loop, loop + 3, loop + 1);
    this.emit(OP.set, this.#setNumber(complementCharSet([], this.#max)));
    this.emit(OP.jump, loop);
  }

  emitNode(node: PcreNode): void {
    switch (node.kind) {
      case 'set':
        this.emit(OP.set, this.#setNumber(node.set));
        break;
      case 'sequence':
        for (const item of node.items) this.emitNode(item);
        break;
      case 'alternation':
        this.#emitAlternatives(node.options.map((option) => () => this.emitNode(option)));
        break;
      case 'group':
        this.emitSave(2 * node.index);
        this.emitNode(node.body);
        this.emitSave(2 * node.index + 1);
        break;
      case 'repeat':
        this.#emitRepeat(node);
        break;
      case 'assert':
        this.emit(OP.assert, ASSERTION_KINDS.indexOf(node.at));
        break;
      case 'look':
        this.#emitLookaround(node);
        break;
      case 'atomic':
        this.#emitIsolated(OP.atomic, () => this.emitNode(node.body));
        break;
      case 'backreference':
      case 'opaque':
        this.#emitWildcard();
        break;
    }
  }

  #setNumber(set: CharSet): number {
    const key = set.join(';');
    const number = this.#setNumbers.get(key) ?? this.#sets.push(set) - 1;
    this.#setNumbers.set(key, number);
    return number;
  }

  #emitChoice(): number {
    const at = this.emit(OP.choice, 0, 0, this.#marks);
    this.#marks += this.#open.length + 1;
    if (this.#open.length > 0) this.#rounds.set(at, this.#open);
    return at;
  }

  #setTargets(at: number, first: number, second: number): void {
    this.#setOperand(at, 1, first);
    this.#setOperand(at, 2, second);
  }

  /** Emits alternatives, tried in order. */
  #emitAlternatives(writes: readonly (() => void)[]): void {
    const ends: number[] = [];
    for (const [i, write] of writes.entries()) {
      const last = i === writes.length - 1;
      const choice = last ? -1 : this.#emitChoice();
      write();
      if (last) break;
      ends.push(this.emit(OP.jump));
      this.#setTargets(choice, choice + 1, this.#code.length);
    }
    for (const end of ends) this.#setOperand(end, 1, this.#code.length);
  }

  #setOperand(at: number, operand: 1 | 2, to: number): void {
    const instruction = this.#code[at];
    if (instruction !== undefined) instruction[operand] = to;
  }

  #emitRepeat(node: RepeatNode): void {
    const { body, min, max, greed } = node;
    if (greed !== 'possessive') this.#emitCopies(node);
    else if (body.kind === 'set' && max === Number.POSITIVE_INFINITY && min <= 1) {
      if (min === 1) this.emitNode(body);
      this.emit(OP.span, this.#setNumber(body.set), this.#spans);
      this.#spans += 1;
    } else this.#emitIsolated(OP.atomic, () => this.#emitCopies({ ...node, greed: 'greedy' }));
  }

  #emitCopies(node: RepeatNode): void {
    const { body, greed } = node;
    let { min, max } = node;
    const start = this.#code.length;
    const copies = max === Number.POSITIVE_INFINITY ? Math.max(min, 1) : max;
    if (copies > 1 && copies * estimateInstructions(body) + start > MAX_INSTRUCTIONS) {
      this.#isExact = false;
      min = Math.min(min, 1);
      max = Number.POSITIVE_INFINITY;
    }
    const optional: number[] = [];
    const option = (): void => {
      optional.push(this.#emitChoice());
    };
    for (let i = 1; i < min; i += 1) this.emitNode(body);
    if (max === Number.POSITIVE_INFINITY) {
      if (min === 0) option();
      this.#emitLoop(body, greed === 'lazy');
    } else {
      if (min > 0) this.emitNode(body);
      for (let i = min; i < max; i += 1) {
        option();
        this.emitNode(body);
      }
    }
    const end = this.#code.length;
    for (const at of optional) this.#setTargets(at, ...byPreference(at + 1, end, greed === 'lazy'));
  }

  /** Emits `X+`. The loop ends after an iteration that reads nothing, as in PCRE. */
  #emitLoop(body: PcreNode, lazy: boolean): void {
    const start = this.#code.length;
    const open = this.#open;
    const mayBeEmpty = open.length < MAX_EMPTY_DEPTH && getMatchLengths(body).min === 0;
    const register = this.#registers;
    if (mayBeEmpty) {
      this.#registers += 1;
      this.emitSave(register);
      this.#open = [...open, register];
    }
    this.emitNode(body);
    this.#open = open;
    const round = mayBeEmpty ? this.emit(OP.round, register) : -1;
    const leave = mayBeEmpty ? this.emit(OP.jump) : -1;
    const again = this.#emitChoice();
    this.#setTargets(again, ...byPreference(start, this.#code.length, lazy));
    if (!mayBeEmpty) return;
    this.#setOperand(round, 2, again);
    this.#setOperand(leave, 1, this.#code.length);
  }

  #emitLookaround(node: PcreNode & { kind: 'look' }): void {
    const look = (body: PcreNode, back: number): void =>
      this.#emitIsolated(OP.look, () => this.emitNode(body), Number(node.negative), back + 1);
    if (node.ahead) {
      look(node.body, 0);
      return;
    }
    // Each branch of a lookbehind has a fixed length. PCRE steps back by it and matches forwards.
    const branches = node.body.kind === 'alternation' ? node.body.options : [node.body];
    const writes = branches.map((branch) => () => look(branch, getMatchLengths(branch).max));
    if (node.negative) for (const write of writes) write();
    else this.#emitAlternatives(writes);
  }

  /** Emits instructions that run in isolation, outside of the surrounding loops. */
  #emitIsolated(op: number, write: () => void, a = 0, c = 0): void {
    const at = this.emit(op, a, 0, c);
    const open = this.#open;
    this.#open = [];
    write();
    this.#open = open;
    this.emit(OP.done);
    this.#setOperand(at, 2, this.#code.length);
  }

  #emitWildcard(): void {
    this.#isExact = false;
    const body: PcreNode = { kind: 'set', set: complementCharSet([], this.#max) };
    this.#emitCopies({ kind: 'repeat', body, min: 0, max: Number.POSITIVE_INFINITY, greed: 'greedy' });
  }
}

function byPreference(onward: number, out: number, lazy: boolean): [number, number] {
  return lazy ? [out, onward] : [onward, out];
}

function includesCharacter(set: CharSet, character: number): boolean {
  let from = 0;
  for (let to = set.length; from < to; ) {
    const middle = (from + to) >> 1;
    if ((set[middle]?.[1] ?? 0) < character) from = middle + 1;
    else to = middle;
  }
  return character >= (set[from]?.[0] ?? Number.POSITIVE_INFINITY);
}

/** Maximum number of instructions in lookarounds and atomic groups for one subject. PHP's limit is a million too. */
const MAX_ISOLATED_STEPS = 1_000_000;

/** Maximum number of marks. Time and memory of a match are proportional to marks times subject length. */
const MAX_MARKS = 1024;

/**
 * Creates a search for `root` in a subject of characters up to `max`: a backtracking matcher that remembers failed choices. No
 * choice is tried twice at one position, so the time is limited by the length of the program times that of the subject. The
 * order of attempts, and thus every group, is PCRE's (Davis, Servant and Lee, "Using Selective Memoization to Defeat Regular
 * Expression Denial of Service", 2021).
 *
 * @param groups the highest number of a group
 * @param max the highest character; above 0xFF the subject is read by code points instead of UTF-16 units
 * @returns `null` if the pattern is too large
 */
export function createLinearMatcher(
  root: PcreNode,
  groups: number,
  max: number,
): {
  readonly isExact: boolean;
  /** Returns the registers after the first match, two for each group, -1 for those not set; `null` without a match. */
  readonly exec: (subject: string) => Int32Array | null;
} | null {
  const compiler = new ProgramCompiler(2 * (groups + 1), max);
  if (!isStartAnchored(root)) compiler.emitSearchLoop();
  compiler.emitSave(0);
  compiler.emitNode(root);
  compiler.emitSave(1);
  compiler.emit(OP.done);
  const program = compiler.finish();
  if (program.markCount > MAX_MARKS) return null;
  const exec = (subject: string): Int32Array | null => {
    const run = new MatchRun(program, subject, max > MAX_BYTE);
    return run.runFrom(0, 0, null) < 0 ? null : run.registers;
  };
  return { isExact: program.isExact, exec };
}

/** A match of one subject, read by code points or by UTF-16 units. Positions are always in UTF-16 units. */
class MatchRun {
  readonly registers: Int32Array;
  readonly #program: MatchProgram;
  readonly #subject: string;
  readonly #unicode: boolean;
  readonly #tried: Uint32Array;
  /** The last range that each `span` instruction read: start, end. */
  readonly #spans: Int32Array;
  /** Stack of pairs: on failure, continue at [instruction, position] or restore [-1 - register, value]. */
  readonly #backtrack: number[] = [];
  #steps = 0;

  constructor(program: MatchProgram, subject: string, unicode: boolean) {
    this.#program = program;
    this.#subject = subject;
    this.#unicode = unicode;
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
          const width = this.#characterWidth(first, position);
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
          if (!this.#satisfies(ASSERTION_KINDS[first] ?? 'end', position)) next = -1;
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
      width = this.#characterWidth(set, position);
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
    const from = this.#stepBack(position, (c[pc] ?? 1) - 1);
    if (from < 0) return negative;
    const base = this.#backtrack.length;
    const found = this.#runIsolated(pc + 1, from) >= 0;
    if (found && negative) this.#undo(base);
    return found !== negative;
  }

  /** Returns the width of the character at a position if the set contains it, otherwise 0. */
  #characterWidth(set: number, position: number): number {
    if (position >= this.#subject.length) return 0;
    const unit = this.#subject.charCodeAt(position);
    if (unit < 256) return this.#program.lowCharacterFlags[set * 256 + unit] ?? 0;
    const character = this.#unicode ? (this.#subject.codePointAt(position) ?? unit) : unit;
    return includesCharacter(this.#program.sets[set] ?? [], character) ? (character > 0xffff ? 2 : 1) : 0;
  }

  /** Returns the position `count` characters before; -1 if it is before the start. */
  #stepBack(position: number, count: number): number {
    let at = position;
    for (let i = 0; i < count && at >= 0; i += 1) {
      at -= 1;
      const isLow = this.#unicode && at > 0 && (this.#subject.charCodeAt(at) & 0xfc00) === 0xdc00;
      if (isLow && (this.#subject.charCodeAt(at - 1) & 0xfc00) === 0xd800) at -= 1;
    }
    return at;
  }

  #satisfies(assertion: AssertionKind, position: number): boolean {
    const { length } = this.#subject;
    switch (assertion) {
      case 'start':
        return position === 0;
      case 'end':
        return position === length;
      case 'last-line-end':
        return position === length || (position === length - 1 && this.#isNewline(position));
      case 'line-start':
        return position === 0 || (position < length && this.#isNewline(position - 1));
      case 'line-end':
        return position === length || this.#isNewline(position);
      case 'boundary':
        return this.#isWord(this.#stepBack(position, 1)) !== this.#isWord(position);
      case 'no-boundary':
        return this.#isWord(this.#stepBack(position, 1)) === this.#isWord(position);
    }
  }

  #isNewline(position: number): boolean {
    return this.#subject.charCodeAt(position) === 10;
  }

  #isWord(position: number): boolean {
    return position >= 0 && this.#characterWidth(this.#program.sets.length - 1, position) > 0;
  }
}
