import type { PcreNode } from './ast.ts';
import { type CharSet, MAX_CODE_POINT, union } from './charset.ts';

/**
 * A pattern over UTF-8 bytes as one over code points. PHP matches routes without the `u` flag, so `[^\/]` is one
 * byte there; whoever reads the document matches characters. `[^\/]+` says the same about both, `[^\/]{3}` doesn't.
 */
export interface Lifted {
  /** Each byte a character: right for ASCII, and where there is no `loose`, for any text. */
  readonly root: PcreNode;
  /** Accepts more than the bytes do, for texts with other characters; `root` may refuse some that the site accepts. */
  readonly loose?: PcreNode;
}

export function liftBytes(root: PcreNode): Lifted {
  const decoded = decode(root);
  const strict = rewrite(decoded, false);
  return borders(decoded).whole ? { root: strict } : { root: strict, loose: rewrite(decoded, true) };
}

/** Runs of bytes above ASCII that spell characters become those characters, marked by a code point above 0xFF. */
function decode(node: PcreNode): PcreNode {
  if (node.kind !== 'sequence') return mapChildren(node, decode);
  const items: PcreNode[] = [];
  for (let i = 0; i < node.items.length; ) {
    const run: number[] = [];
    while (run.length < 4) {
      const item = node.items[i + run.length];
      if (item?.kind !== 'set' || item.literal === undefined || item.literal < 0x80) break;
      run.push(item.literal);
    }
    const character = firstCharacter(run);
    const item = node.items[i];
    if (character !== null) {
      items.push({ kind: 'set', set: [[character.point, character.point]], literal: character.point });
      i += character.bytes;
    } else {
      if (item !== undefined) items.push(decode(item));
      i += 1;
    }
  }
  return { kind: 'sequence', items };
}

function firstCharacter(bytes: readonly number[]): { point: number; bytes: number } | null {
  for (let count = 2; count <= bytes.length; count += 1) {
    try {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
        Uint8Array.from(bytes.slice(0, count)),
      );
      // Characters up to U+00FF would be taken for bytes: they are shifted out of the way until `rewrite`.
      return { point: (text.codePointAt(0) ?? 0) + SHIFT, bytes: count };
    } catch {
      // Not a whole character yet.
    }
  }
  return null;
}

/** Decoded characters are kept apart from bytes by this much. */
const SHIFT = MAX_CODE_POINT + 1;

interface Borders {
  /** Whether every character above ASCII stays within one loop, so that bytes and characters cannot disagree. */
  readonly whole: boolean;
  /** Whether a match may begin, or end, with a byte that is part of a character. */
  readonly first: boolean;
  readonly last: boolean;
  readonly nullable: boolean;
}

function borders(node: PcreNode): Borders {
  switch (node.kind) {
    case 'set':
      return isPartial(node.set)
        ? { whole: false, first: true, last: true, nullable: false }
        : { whole: true, first: false, last: false, nullable: false };
    case 'repeat':
      return repeated(node);
    case 'alternation': {
      const options = node.options.map(borders);
      return {
        whole: options.every((o) => o.whole),
        first: options.some((o) => o.first),
        last: options.some((o) => o.last),
        nullable: options.some((o) => o.nullable),
      };
    }
    case 'sequence':
      return node.items.map(borders).reduce(joined, NOTHING);
    case 'group':
    case 'atomic':
      return borders(node.body);
    case 'look':
      return { ...NOTHING, whole: borders(node.body).whole };
    default:
      return NOTHING;
  }
}

const NOTHING: Borders = { whole: true, first: false, last: false, nullable: true };

function joined(a: Borders, b: Borders): Borders {
  return {
    whole: a.whole && b.whole && !(a.last && b.first),
    first: a.first || (a.nullable && b.first),
    last: b.last || (b.nullable && a.last),
    nullable: a.nullable && b.nullable,
  };
}

function repeated(node: PcreNode & { kind: 'repeat' }): Borders {
  const loops = node.max === Number.POSITIVE_INFINITY && node.min <= 1;
  if (loops && node.body.kind === 'set' && isEveryByte(node.body.set)) {
    return { whole: true, first: true, last: true, nullable: node.min === 0 };
  }
  const body = borders(node.body);
  const once = node.max <= 1;
  return {
    ...body,
    whole: body.whole && (once || !(body.last && body.first)),
    nullable: body.nullable || node.min === 0,
  };
}

function isPartial(set: CharSet): boolean {
  const last = set.at(-1)?.[1] ?? 0;
  return last >= 0x80 && last < SHIFT;
}

/** Whether the set holds all bytes above ASCII, so that it cannot cut a character in two. */
function isEveryByte(set: CharSet): boolean {
  return set.some(([low, high]) => low <= 0x80 && high >= 0xff);
}

function rewrite(node: PcreNode, loosely: boolean): PcreNode {
  switch (node.kind) {
    case 'set': {
      const set = liftSet(node.set);
      const lifted: PcreNode =
        node.literal === undefined || node.literal < 0x80
          ? { ...node, set }
          : { kind: 'set', set, literal: node.literal - SHIFT };
      return loosely && isPartial(node.set)
        ? { kind: 'repeat', body: { kind: 'set', set }, min: 0, max: 1, greed: 'greedy' }
        : lifted;
    }
    case 'repeat':
      if (loosely && node.body.kind === 'set' && isPartial(node.body.set)) {
        return { ...node, min: 0, body: { kind: 'set', set: liftSet(node.body.set) } };
      }
      return mapChildren(node, (child) => rewrite(child, loosely));
    case 'look':
      // What looks around must not see more than it does at the site: loosely, it is left out.
      return loosely ? { kind: 'sequence', items: [] } : mapChildren(node, (child) => rewrite(child, false));
    default:
      return mapChildren(node, (child) => rewrite(child, loosely));
  }
}

function liftSet(set: CharSet): CharSet {
  const [first] = set;
  if (first !== undefined && first[0] >= SHIFT)
    return set.map(([low, high]) => [low - SHIFT, high - SHIFT] as const);
  if (!isPartial(set)) return set;
  const ascii = set.filter(([low]) => low < 0x80);
  return union(ascii, [[0x80, MAX_CODE_POINT]]);
}

/** The node with each of its children replaced. */
export function mapChildren(node: PcreNode, replace: (child: PcreNode) => PcreNode): PcreNode {
  switch (node.kind) {
    case 'sequence':
      return { kind: 'sequence', items: node.items.map(replace) };
    case 'alternation':
      return { kind: 'alternation', options: node.options.map(replace) };
    case 'group':
    case 'repeat':
    case 'look':
    case 'atomic':
      return { ...node, body: replace(node.body) };
    default:
      return node;
  }
}
