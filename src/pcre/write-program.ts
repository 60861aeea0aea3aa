import type { PcreNode, RepeatNode } from './ast.ts';
import { type CharSet, complement } from './charset.ts';
import { startsAtStart } from './facts.ts';
import { lengthsOf } from './lengths.ts';
import { ASSERTIONS, OP, type Program } from './program.ts';

/** A repetition that would make the program longer than this is taken for unbounded. */
const MAX_CODE = 2000;
/** In deeper nests of loops whose rounds may be empty the empty rounds are not told apart: no verdict hangs on it. */
const MAX_EMPTY_DEPTH = 4;

/** Writes the program of a search for `root` in a subject of characters up to `max`. */
export function writeProgram(root: PcreNode, groups: number, max: number): Program {
  const writer = new Writer(2 * (groups + 1), max);
  if (!startsAtStart(root)) writer.searching();
  writer.save(0);
  writer.write(root);
  writer.save(1);
  writer.emit(OP.done);
  return writer.finish();
}

class Writer {
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

  finish(): Program {
    return {
      op: Uint8Array.from(this.#code, ([op]) => op),
      a: Int32Array.from(this.#code, ([, a]) => a),
      b: Int32Array.from(this.#code, ([, , b]) => b),
      c: Int32Array.from(this.#code, ([, , , c]) => c),
      sets: this.#sets,
      registers: this.#registers,
      spans: this.#spans,
      marks: this.#marks,
      rounds: this.#rounds,
      widened: [...this.#widened],
    };
  }

  emit(op: number, a = 0, b = 0, c = 0): number {
    return this.#code.push([op, a, b, c]) - 1;
  }

  save(register: number): void {
    this.emit(OP.save, register);
  }

  /** Lets the match begin anywhere, the earliest place first. */
  searching(): void {
    const loop = this.#choice();
    this.#branch(loop, loop + 3, loop + 1);
    this.emit(OP.set, this.#set(complement([], this.#max)));
    this.emit(OP.jump, loop);
  }

  write(node: PcreNode): void {
    switch (node.kind) {
      case 'set':
        this.emit(OP.set, this.#set(node.set));
        break;
      case 'sequence':
        for (const item of node.items) this.write(item);
        break;
      case 'alternation':
        this.#firstOf(node.options.map((option) => () => this.write(option)));
        break;
      case 'group':
        this.save(2 * node.index);
        this.write(node.body);
        this.save(2 * node.index + 1);
        break;
      case 'repeat':
        this.#repeat(node);
        break;
      case 'assert':
        this.emit(OP.assert, ASSERTIONS.indexOf(node.at));
        break;
      case 'look':
        this.#look(node);
        break;
      case 'atomic':
        this.#apart(OP.atomic, () => this.write(node.body));
        break;
      case 'backreference':
        this.#anything('a backreference');
        break;
      case 'opaque':
        this.#anything(node.what);
        break;
    }
  }

  #set(set: CharSet): number {
    const key = set.join(';');
    const number = this.#setNumbers.get(key) ?? this.#sets.push(set) - 1;
    this.#setNumbers.set(key, number);
    return number;
  }

  #choice(): number {
    const at = this.emit(OP.choice, 0, 0, this.#marks);
    this.#marks += this.#open.length + 1;
    if (this.#open.length > 0) this.#rounds.set(at, this.#open);
    return at;
  }

  #branch(at: number, first: number, second: number): void {
    const instruction = this.#code[at];
    if (instruction === undefined) return;
    instruction[1] = first;
    instruction[2] = second;
  }

  /** The first of several ways that leads on to a match. */
  #firstOf(writes: readonly (() => void)[]): void {
    const ends: number[] = [];
    for (const [i, write] of writes.entries()) {
      const last = i === writes.length - 1;
      const choice = last ? -1 : this.#choice();
      write();
      if (last) break;
      ends.push(this.emit(OP.jump));
      this.#branch(choice, choice + 1, this.#code.length);
    }
    for (const end of ends) this.#aim(end, 1, this.#code.length);
  }

  #aim(at: number, operand: 1 | 2, to: number): void {
    const instruction = this.#code[at];
    if (instruction !== undefined) instruction[operand] = to;
  }

  #repeat(node: RepeatNode): void {
    const { body, min, max, greed } = node;
    if (greed !== 'possessive') this.#copies(node);
    else if (body.kind === 'set' && max === Number.POSITIVE_INFINITY && min <= 1) {
      if (min === 1) this.write(body);
      this.emit(OP.span, this.#set(body.set), this.#spans);
      this.#spans += 1;
    } else this.#apart(OP.atomic, () => this.#copies({ ...node, greed: 'greedy' }));
  }

  #copies(node: RepeatNode): void {
    const { body, greed } = node;
    let { min, max } = node;
    const start = this.#code.length;
    const copies = max === Number.POSITIVE_INFINITY ? Math.max(min, 1) : max;
    if (copies > 1 && copies * sizeOf(body) + start > MAX_CODE) {
      this.#widened.add('a repetition too long to write out');
      min = Math.min(min, 1);
      max = Number.POSITIVE_INFINITY;
    }
    const optional: number[] = [];
    const option = (): void => {
      optional.push(this.#choice());
    };
    for (let i = 1; i < min; i += 1) this.write(body);
    if (max === Number.POSITIVE_INFINITY) {
      if (min === 0) option();
      this.#loop(body, greed === 'lazy');
    } else {
      if (min > 0) this.write(body);
      for (let i = min; i < max; i += 1) {
        option();
        this.write(body);
      }
    }
    const end = this.#code.length;
    for (const at of optional) this.#branch(at, ...ordered(at + 1, end, greed === 'lazy'));
  }

  /** `X+`. A round that read nothing is the last, as in PCRE. */
  #loop(body: PcreNode, lazy: boolean): void {
    const start = this.#code.length;
    const open = this.#open;
    const mayBeEmpty = open.length < MAX_EMPTY_DEPTH && lengthsOf(body).min === 0;
    const register = this.#registers;
    if (mayBeEmpty) {
      this.#registers += 1;
      this.save(register);
      this.#open = [...open, register];
    }
    this.write(body);
    this.#open = open;
    const round = mayBeEmpty ? this.emit(OP.round, register) : -1;
    const leave = mayBeEmpty ? this.emit(OP.jump) : -1;
    const again = this.#choice();
    this.#branch(again, ...ordered(start, this.#code.length, lazy));
    if (!mayBeEmpty) return;
    this.#aim(round, 2, again);
    this.#aim(leave, 1, this.#code.length);
  }

  #look(node: PcreNode & { kind: 'look' }): void {
    const look = (body: PcreNode, back: number): void =>
      this.#apart(OP.look, () => this.write(body), Number(node.negative), back + 1);
    if (node.ahead) {
      look(node.body, 0);
      return;
    }
    // The branches of a lookbehind have a length each: PCRE steps back by it and matches forwards.
    const branches = node.body.kind === 'alternation' ? node.body.options : [node.body];
    const writes = branches.map((branch) => () => look(branch, lengthsOf(branch).max));
    if (node.negative) for (const write of writes) write();
    else this.#firstOf(writes);
  }

  /** A part that is matched on its own, outside of whose loops it stands. */
  #apart(op: number, write: () => void, a = 0, c = 0): void {
    const at = this.emit(op, a, 0, c);
    const open = this.#open;
    this.#open = [];
    write();
    this.#open = open;
    this.emit(OP.done);
    this.#aim(at, 2, this.#code.length);
  }

  #anything(what: string): void {
    this.#widened.add(what);
    const body: PcreNode = { kind: 'set', set: complement([], this.#max) };
    this.#copies({ kind: 'repeat', body, min: 0, max: Number.POSITIVE_INFINITY, greed: 'greedy' });
  }
}

function ordered(onward: number, out: number, lazy: boolean): [number, number] {
  return lazy ? [out, onward] : [onward, out];
}

/** About how many instructions a node takes. */
function sizeOf(node: PcreNode): number {
  switch (node.kind) {
    case 'sequence':
      return node.items.reduce((sum, item) => sum + sizeOf(item), 0);
    case 'alternation':
      return node.options.reduce((sum, option) => sum + sizeOf(option) + 2, 0);
    case 'group':
    case 'look':
    case 'atomic':
      return sizeOf(node.body) + 2;
    case 'repeat': {
      const copies = node.max === Number.POSITIVE_INFINITY ? Math.max(node.min, 1) : Math.max(node.max, 1);
      return Math.min(copies * (sizeOf(node.body) + 1) + 3, 2 * MAX_CODE);
    }
    default:
      return 1;
  }
}
