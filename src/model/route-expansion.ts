import { childrenOf, type PcreNode } from '../pcre/ast.ts';
import { complement, MAX_BYTE, sameSet, sizeOf } from '../pcre/charset.ts';

/** One piece of a path: bytes that stand as they are, or a stretch that varies. */
export type Piece =
  | { readonly kind: 'text'; readonly bytes: readonly number[] }
  | { readonly kind: 'value'; readonly name?: string; readonly node: PcreNode };

export type Path = readonly Piece[];

export interface Expansion {
  readonly paths: readonly Path[];
  readonly notes: readonly string[];
}

/** So many paths at most come of one route, and so many options of one alternation or class. */
const MAX_PATHS = 16;
const MAX_OPTIONS = 8;

/** All paths that a pattern's own top level spells: optional parts with and without, alternatives each. */
export function expandPaths(root: PcreNode): Expansion {
  const notes = new Set<string>();
  const paths = new Expander(notes).expand(root);
  if (paths.length > MAX_PATHS)
    notes.add(`only ${MAX_PATHS} of the paths that the optional parts make are listed`);
  return { paths: paths.slice(0, MAX_PATHS).map(joined), notes: [...notes] };
}

const TOO_MANY = `not all of the paths that the optional parts make are listed, but ${MAX_PATHS} at most`;

const DOT = complement([[10, 10]], MAX_BYTE);

class Expander {
  readonly #notes: Set<string>;

  constructor(notes: Set<string>) {
    this.#notes = notes;
  }

  expand(node: PcreNode): readonly Path[] {
    switch (node.kind) {
      case 'set':
        return this.#set(node);
      case 'sequence':
        return this.#sequence(node.items);
      case 'alternation':
        return this.#alternation(node);
      case 'group':
        return this.#group(node);
      case 'repeat':
        return this.#repeat(node);
      case 'atomic':
        return this.expand(node.body);
      case 'assert':
        return [[]];
      case 'look':
        this.#notes.add('a lookaround between the parameters is not shown in the path');
        return [[]];
      case 'backreference':
      case 'opaque':
        return [[{ kind: 'value', node }]];
    }
  }

  #sequence(items: readonly PcreNode[]): readonly Path[] {
    let paths: Piece[][] = [[]];
    for (const item of items) {
      const tails = this.#within(this.expand(item), item, Math.floor(MAX_PATHS / paths.length));
      const [only] = tails;
      if (only !== undefined && tails.length === 1) for (const path of paths) path.push(...only);
      else paths = paths.flatMap((path) => tails.map((tail) => [...path, ...tail]));
    }
    return paths;
  }

  /** As many ways on as there is room for: a stretch without names is one value then, else the longest are kept. */
  #within(tails: readonly Path[], item: PcreNode, room: number): readonly Path[] {
    if (tails.length <= Math.max(room, 1)) return tails;
    if (namesIn(item).length === 0) return [[{ kind: 'value', node: item }]];
    this.#notes.add(TOO_MANY);
    return [...tails].sort((a, b) => b.length - a.length).slice(0, Math.max(room, 1));
  }

  #set(node: PcreNode & { kind: 'set' }): readonly Path[] {
    if (node.literal !== undefined) return [[{ kind: 'text', bytes: [node.literal] }]];
    if (sameSet(node.set, DOT)) {
      this.#notes.add('an unescaped . is read as a dot; the site takes any character there');
      return [[{ kind: 'text', bytes: [0x2e] }]];
    }
    const spelled = sizeOf(node.set) <= 2 * MAX_OPTIONS ? spellings(node) : [];
    if (spelled.length === 0 || spelled.length > MAX_OPTIONS) return [[{ kind: 'value', node }]];
    return spelled.map((byte) => [{ kind: 'text', bytes: [byte] }]);
  }

  #alternation(node: PcreNode & { kind: 'alternation' }): readonly Path[] {
    const options = node.options.map((option) => this.expand(option));
    const spelledOut = options.flat();
    const literal = spelledOut.every((path) => path.every((piece) => piece.kind === 'text'));
    if (namesIn(node).length > 0 || (literal && spelledOut.length <= MAX_OPTIONS)) return spelledOut;
    return [[{ kind: 'value', node }]];
  }

  #group(node: PcreNode & { kind: 'group' }): readonly Path[] {
    if (node.name === undefined) return this.expand(node.body);
    for (const inner of namesIn(node.body))
      this.#notes.add(`the group ${inner} is part of the group ${node.name}`);
    return [[{ kind: 'value', name: node.name, node }]];
  }

  #repeat(node: PcreNode & { kind: 'repeat' }): readonly Path[] {
    if (node.max === 0) return [[]];
    if (node.min === 1 && node.max === 1) return this.expand(node.body);
    const isText = sizeOfText(node.body) > 0;
    if (node.max === 1) {
      // An optional stretch without names, such as `\w?`, is one parameter rather than two paths.
      const anonymous = !isText && namesIn(node).length === 0 && !startsPath(node.body);
      return anonymous ? [[{ kind: 'value', node }]] : [[], ...this.expand(node.body)];
    }
    if (isText && node.min === node.max && node.max <= MAX_OPTIONS) {
      const [once = []] = this.expand(node.body);
      return [Array.from({ length: node.max }, () => once).flat()];
    }
    const [name] = namesIn(node.body);
    if (name === undefined) return [[{ kind: 'value', node }]];
    this.#notes.add(
      `the group ${name} repeats: its parameter holds the whole repetition, the site sees the last`,
    );
    return [[{ kind: 'value', name, node }]];
  }
}

/** Names of the groups below a node, in order. */
export function namesIn(node: PcreNode): readonly string[] {
  const own = node.kind === 'group' && node.name !== undefined ? [node.name] : [];
  return [...own, ...childrenOf(node).flatMap(namesIn)];
}

/** The characters of a class, one per letter whatever its case. */
function spellings(node: PcreNode & { kind: 'set' }): readonly number[] {
  const bytes = node.set.flatMap(([low, high]) => Array.from({ length: high - low + 1 }, (_, i) => low + i));
  return bytes.filter((byte) => !(byte >= 0x41 && byte <= 0x5a && bytes.includes(byte + 32)));
}

function sizeOfText(node: PcreNode): number {
  if (node.kind === 'set') return node.literal === undefined ? 0 : 1;
  if (node.kind === 'group' && node.name !== undefined) return 0;
  if (node.kind !== 'sequence' && node.kind !== 'group') return 0;
  const sizes = childrenOf(node).map(sizeOfText);
  return sizes.every((size) => size > 0) ? sizes.reduce((sum, size) => sum + size, 0) : 0;
}

function startsPath(node: PcreNode): boolean {
  if (node.kind === 'set') return node.literal === 0x2f;
  const [first] = childrenOf(node);
  return first !== undefined && node.kind !== 'repeat' && startsPath(first);
}

/** Neighbouring texts become one, and so do neighbouring stretches without a name. */
function joined(path: Path): Path {
  const pieces: Piece[] = [];
  for (let i = 0; i < path.length; ) {
    const run: Piece[] = [];
    for (
      let piece = path[i];
      piece !== undefined && (run.length === 0 || adjoins(run[0], piece));
      piece = path[i]
    ) {
      run.push(piece);
      i += 1;
    }
    pieces.push(merged(run));
  }
  return pieces;
}

function adjoins(first: Piece | undefined, piece: Piece): boolean {
  if (piece.kind === 'text') return first?.kind === 'text';
  return piece.name === undefined && first?.kind === 'value' && first.name === undefined;
}

function merged(run: readonly Piece[]): Piece {
  const [first] = run;
  if (first !== undefined && run.length === 1) return first;
  const nodes = run.flatMap((piece) => (piece.kind === 'value' ? [piece.node] : []));
  if (nodes.length > 0) return { kind: 'value', node: { kind: 'sequence', items: nodes } };
  return { kind: 'text', bytes: run.flatMap((piece) => (piece.kind === 'text' ? piece.bytes : [])) };
}
