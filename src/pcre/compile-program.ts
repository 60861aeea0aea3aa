import type { PcreNode, RepeatNode } from './ast.ts';
import { type CharSet, complementCharSet } from './charset.ts';
import { estimateInstructions, MAX_INSTRUCTIONS } from './instruction-count.ts';
import { getMatchLengths } from './lengths.ts';
import { ASSERTIONS, type MatchProgram, OP } from './program.ts';
import { isStartAnchored } from './start-anchor.ts';

/** Maximum nesting in which empty iterations are tracked. Deeper ones affect captures only, not acceptance. */
const MAX_EMPTY_DEPTH = 4;

/** Compiles a search for `root` in a subject of characters up to `max`. */
export function compileProgram(root: PcreNode, groups: number, max: number): MatchProgram {
  const writer = new ProgramCompiler(2 * (groups + 1), max);
  if (!isStartAnchored(root)) writer.emitSearchLoop();
  writer.emitSave(0);
  writer.emitNode(root);
  writer.emitSave(1);
  writer.emit(OP.done);
  return writer.finish();
}

class ProgramCompiler {
  readonly #code: [op: number, a: number, b: number, c: number][] = [];
  readonly #sets: CharSet[] = [];
  readonly #setNumbers = new Map<string, number>();
  readonly #rounds = new Map<number, readonly number[]>();
  readonly #widened = new Set<string>();
  readonly #max: number;
  #open: readonly number[] = [];
  #registers: number;
  #spans = 0;
  #marks = 0;

  constructor(registers: number, max: number) {
    this.#registers = registers;
    this.#max = max;
  }

  finish(): MatchProgram {
    return {
      opcodes: Uint8Array.from(this.#code, ([op]) => op),
      a: Int32Array.from(this.#code, ([, a]) => a),
      b: Int32Array.from(this.#code, ([, , b]) => b),
      c: Int32Array.from(this.#code, ([, , , c]) => c),
      sets: this.#sets,
      registerCount: this.#registers,
      spanCount: this.#spans,
      markCount: this.#marks,
      iterationRegisters: this.#rounds,
      wideningReasons: [...this.#widened],
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
        this.emit(OP.assert, ASSERTIONS.indexOf(node.at));
        break;
      case 'look':
        this.#emitLookaround(node);
        break;
      case 'atomic':
        this.#emitIsolated(OP.atomic, () => this.emitNode(node.body));
        break;
      case 'backreference':
        this.#emitWildcard('a backreference');
        break;
      case 'opaque':
        this.#emitWildcard(node.what);
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
    const instruction = this.#code[at];
    if (instruction === undefined) return;
    instruction[1] = first;
    instruction[2] = second;
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
      this.#widened.add('a repetition that is too long');
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

  #emitWildcard(what: string): void {
    this.#widened.add(what);
    const body: PcreNode = { kind: 'set', set: complementCharSet([], this.#max) };
    this.#emitCopies({ kind: 'repeat', body, min: 0, max: Number.POSITIVE_INFINITY, greed: 'greedy' });
  }
}

function byPreference(onward: number, out: number, lazy: boolean): [number, number] {
  return lazy ? [out, onward] : [onward, out];
}
