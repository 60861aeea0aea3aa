import { childrenOf, type PcreNode } from '../pcre/ast.ts';
import { complementCharSet, countCharacters, isSameCharSet, MAX_BYTE } from '../pcre/charset.ts';

/** A piece of a path: literal bytes, or a node whose value varies, with the name of its group. */
export type PathPiece =
  | { readonly kind: 'text'; readonly bytes: readonly number[] }
  | { readonly kind: 'value'; readonly name?: string; readonly node: PcreNode };

/** One path that a pattern matches, as a sequence of pieces. */
export type ExpandedPath = readonly PathPiece[];

/** The paths of a pattern, with remarks on the parts of the pattern that the paths do not express. */
export interface PathExpansion {
  readonly paths: readonly ExpandedPath[];
  readonly notes: readonly string[];
}

/** Maximum number of paths of one route. */
const MAX_PATHS = 16;
/** Maximum number of literal options of one alternation or character class. */
const MAX_OPTIONS = 8;

/** Expands the top level of a pattern into paths: with and without each optional part, one for each alternative. */
export function expandToPaths(root: PcreNode): PathExpansion {
  const notes = new Set<string>();
  const paths = new Expander(notes).expand(root);
  if (paths.length > MAX_PATHS) {
    notes.add(`only ${MAX_PATHS} of the paths with optional parts are listed`);
  }
  return { paths: paths.slice(0, MAX_PATHS).map(mergeNeighbours), notes: [...notes] };
}

const TOO_MANY_NOTE = `not all of the paths with optional parts are listed; the limit is ${MAX_PATHS}`;

/** The character set of an unescaped `.`: every byte except the line feed. */
const DOT = complementCharSet([[10, 10]], MAX_BYTE);

class Expander {
  readonly #notes: Set<string>;

  constructor(notes: Set<string>) {
    this.#notes = notes;
  }

  expand(node: PcreNode): readonly ExpandedPath[] {
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

  #sequence(items: readonly PcreNode[]): readonly ExpandedPath[] {
    let paths: PathPiece[][] = [[]];
    for (const item of items) {
      const tails = this.#limitTails(this.expand(item), item, Math.floor(MAX_PATHS / paths.length));
      const [only] = tails;
      if (only !== undefined && tails.length === 1) for (const path of paths) path.push(...only);
      else paths = paths.flatMap((path) => tails.map((tail) => [...path, ...tail]));
    }
    return paths;
  }

  /**
   * Limits the alternatives of an item. An item without named groups becomes one value. Of any other item, the alternatives
   * with the most pieces are kept.
   */
  #limitTails(tails: readonly ExpandedPath[], item: PcreNode, maxTails: number): readonly ExpandedPath[] {
    if (tails.length <= Math.max(maxTails, 1)) return tails;
    if (listGroupNames(item).length === 0) return [[{ kind: 'value', node: item }]];
    this.#notes.add(TOO_MANY_NOTE);
    return [...tails].sort((a, b) => b.length - a.length).slice(0, Math.max(maxTails, 1));
  }

  #set(node: PcreNode & { kind: 'set' }): readonly ExpandedPath[] {
    if (node.literal !== undefined) return [[{ kind: 'text', bytes: [node.literal] }]];
    if (isSameCharSet(node.set, DOT)) {
      this.#notes.add('an unescaped . is read as a dot; the site accepts any character there');
      return [[{ kind: 'text', bytes: [0x2e] }]];
    }
    const options = countCharacters(node.set) <= 2 * MAX_OPTIONS ? listBytes(node) : [];
    if (options.length === 0 || options.length > MAX_OPTIONS) return [[{ kind: 'value', node }]];
    return options.map((byte) => [{ kind: 'text', bytes: [byte] }]);
  }

  #alternation(node: PcreNode & { kind: 'alternation' }): readonly ExpandedPath[] {
    const options = node.options.map((option) => this.expand(option));
    const expanded = options.flat();
    const isLiteral = expanded.every((path) => path.every((piece) => piece.kind === 'text'));
    if (listGroupNames(node).length > 0 || (isLiteral && expanded.length <= MAX_OPTIONS)) return expanded;
    return [[{ kind: 'value', node }]];
  }

  #group(node: PcreNode & { kind: 'group' }): readonly ExpandedPath[] {
    if (node.name === undefined) return this.expand(node.body);
    for (const inner of listGroupNames(node.body)) {
      this.#notes.add(`the group ${inner} is part of the group ${node.name}`);
    }
    return [[{ kind: 'value', name: node.name, node }]];
  }

  #repeat(node: PcreNode & { kind: 'repeat' }): readonly ExpandedPath[] {
    if (node.max === 0) return [[]];
    if (node.min === 1 && node.max === 1) return this.expand(node.body);
    const isText = literalLength(node.body) > 0;
    if (node.max === 1) {
      // An optional part without named groups, such as `\w?`, is one parameter instead of two paths.
      const isUnnamed = !isText && listGroupNames(node).length === 0 && !startsWithSlash(node.body);
      return isUnnamed ? [[{ kind: 'value', node }]] : [[], ...this.expand(node.body)];
    }
    if (isText && node.min === node.max && node.max <= MAX_OPTIONS) {
      const [once = []] = this.expand(node.body);
      return [Array.from({ length: node.max }, () => once).flat()];
    }
    const [name] = listGroupNames(node.body);
    if (name === undefined) return [[{ kind: 'value', node }]];
    this.#notes.add(
      `the group ${name} repeats: its parameter is the whole repetition, the site reads the last one`,
    );
    return [[{ kind: 'value', name, node }]];
  }
}

/** Lists the names of the groups at and below a node, in order. */
export function listGroupNames(node: PcreNode): readonly string[] {
  const ownName = node.kind === 'group' && node.name !== undefined ? [node.name] : [];
  return [...ownName, ...childrenOf(node).flatMap(listGroupNames)];
}

/** Lists the bytes of a character class. A letter in both cases is listed in lower case only. */
function listBytes(node: PcreNode & { kind: 'set' }): readonly number[] {
  const bytes = node.set.flatMap(([low, high]) => Array.from({ length: high - low + 1 }, (_, i) => low + i));
  return bytes.filter((byte) => !(byte >= 0x41 && byte <= 0x5a && bytes.includes(byte + 32)));
}

/** Returns the length of a literal text; 0 for any other node. */
function literalLength(node: PcreNode): number {
  if (node.kind === 'set') return node.literal === undefined ? 0 : 1;
  if (node.kind === 'group' && node.name !== undefined) return 0;
  if (node.kind !== 'sequence' && node.kind !== 'group') return 0;
  const sizes = childrenOf(node).map(literalLength);
  return sizes.every((size) => size > 0) ? sizes.reduce((sum, size) => sum + size, 0) : 0;
}

function startsWithSlash(node: PcreNode): boolean {
  if (node.kind === 'set') return node.literal === 0x2f;
  const [first] = childrenOf(node);
  return first !== undefined && node.kind !== 'repeat' && startsWithSlash(first);
}

/** Merges neighbouring texts, and neighbouring values without a name. */
function mergeNeighbours(path: ExpandedPath): ExpandedPath {
  const pieces: PathPiece[] = [];
  for (let i = 0; i < path.length; ) {
    const mergeable: PathPiece[] = [];
    for (
      let piece = path[i];
      piece !== undefined && (mergeable.length === 0 || canMerge(mergeable[0], piece));
      piece = path[i]
    ) {
      mergeable.push(piece);
      i += 1;
    }
    pieces.push(mergePieces(mergeable));
  }
  return pieces;
}

function canMerge(first: PathPiece | undefined, piece: PathPiece): boolean {
  if (piece.kind === 'text') return first?.kind === 'text';
  return piece.name === undefined && first?.kind === 'value' && first.name === undefined;
}

function mergePieces(mergeable: readonly PathPiece[]): PathPiece {
  const [first] = mergeable;
  if (first !== undefined && mergeable.length === 1) return first;
  const nodes = mergeable.flatMap((piece) => (piece.kind === 'value' ? [piece.node] : []));
  if (nodes.length > 0) return { kind: 'value', node: { kind: 'sequence', items: nodes } };
  return { kind: 'text', bytes: mergeable.flatMap((piece) => (piece.kind === 'text' ? piece.bytes : [])) };
}
