import { mapChildren, type PcreNode } from './ast.ts';
import { type CharSet, MAX_CODE_POINT, unionCharSets } from './charset.ts';

/**
 * A pattern over UTF-8 bytes, converted to code points. PHP matches routes without the `u` flag, so `[^\/]` is one byte
 * there, while readers of the document match characters. `[^\/]+` means the same for both, `[^\/]{3}` does not.
 */
export interface CodePointPattern {
  /** The pattern with one character for each byte. It is correct for ASCII, and for any text if `widerRoot` is absent. */
  readonly root: PcreNode;
  /** A wider pattern for texts that are not ASCII, because `root` may reject some that the site accepts. */
  readonly widerRoot?: PcreNode;
}

/** Converts a pattern over UTF-8 bytes to a pattern over code points. */
export function bytesToCodePoints(root: PcreNode): CodePointPattern {
  const decoded = decodeLiterals(root);
  const strict = toCodePoints(decoded, false);
  return byteBoundaries(decoded).whole
    ? { root: strict }
    : { root: strict, widerRoot: toCodePoints(decoded, true) };
}

/** Replaces runs of non-ASCII byte literals by the characters that they encode, offset by {@link DECODED_OFFSET}. */
function decodeLiterals(node: PcreNode): PcreNode {
  if (node.kind !== 'sequence') return mapChildren(node, decodeLiterals);
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
      if (item !== undefined) items.push(decodeLiterals(item));
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
      // Characters up to U+00FF would look like bytes. `toCodePoints` removes the offset.
      return { point: (text.codePointAt(0) ?? 0) + DECODED_OFFSET, bytes: count };
    } catch {
      // The bytes are not a complete character yet.
    }
  }
  return null;
}

/** Added to decoded characters, to distinguish them from bytes. */
const DECODED_OFFSET = MAX_CODE_POINT + 1;

interface ByteBoundaries {
  /** Whether bytes and characters give the same result, because no non-ASCII character can span two nodes. */
  readonly whole: boolean;
  /** Whether a match may begin with a byte inside a character. */
  readonly first: boolean;
  /** Whether a match may end with a byte inside a character. */
  readonly last: boolean;
  readonly nullable: boolean;
}

function byteBoundaries(node: PcreNode): ByteBoundaries {
  switch (node.kind) {
    case 'set':
      return containsNonAsciiBytes(node.set)
        ? { whole: false, first: true, last: true, nullable: false }
        : { whole: true, first: false, last: false, nullable: false };
    case 'repeat':
      return repeatBoundaries(node);
    case 'alternation': {
      const options = node.options.map(byteBoundaries);
      return {
        whole: options.every((o) => o.whole),
        first: options.some((o) => o.first),
        last: options.some((o) => o.last),
        nullable: options.some((o) => o.nullable),
      };
    }
    case 'sequence':
      return node.items.map(byteBoundaries).reduce(concatenateBoundaries, NOTHING);
    case 'group':
    case 'atomic':
      return byteBoundaries(node.body);
    case 'look':
      return { ...NOTHING, whole: byteBoundaries(node.body).whole };
    default:
      return NOTHING;
  }
}

const NOTHING: ByteBoundaries = { whole: true, first: false, last: false, nullable: true };

function concatenateBoundaries(a: ByteBoundaries, b: ByteBoundaries): ByteBoundaries {
  return {
    whole: a.whole && b.whole && !(a.last && b.first),
    first: a.first || (a.nullable && b.first),
    last: b.last || (b.nullable && a.last),
    nullable: a.nullable && b.nullable,
  };
}

function repeatBoundaries(node: PcreNode & { kind: 'repeat' }): ByteBoundaries {
  const loops = node.max === Number.POSITIVE_INFINITY && node.min <= 1;
  if (loops && node.body.kind === 'set' && containsAllNonAsciiBytes(node.body.set)) {
    return { whole: true, first: true, last: true, nullable: node.min === 0 };
  }
  const body = byteBoundaries(node.body);
  const once = node.max <= 1;
  return {
    ...body,
    whole: body.whole && (once || !(body.last && body.first)),
    nullable: body.nullable || node.min === 0,
  };
}

function containsNonAsciiBytes(set: CharSet): boolean {
  const last = set.at(-1)?.[1] ?? 0;
  return last >= 0x80 && last < DECODED_OFFSET;
}

/** Whether a set has all non-ASCII bytes. A repetition of such a set cannot split a character. */
function containsAllNonAsciiBytes(set: CharSet): boolean {
  return set.some(([low, high]) => low <= 0x80 && high >= 0xff);
}

function toCodePoints(node: PcreNode, loosely: boolean): PcreNode {
  switch (node.kind) {
    case 'set': {
      const set = setToCodePoints(node.set);
      const lifted: PcreNode =
        node.literal === undefined || node.literal < 0x80
          ? { ...node, set }
          : { kind: 'set', set, literal: node.literal - DECODED_OFFSET };
      return loosely && containsNonAsciiBytes(node.set)
        ? { kind: 'repeat', body: { kind: 'set', set }, min: 0, max: 1, greed: 'greedy' }
        : lifted;
    }
    case 'repeat':
      if (loosely && node.body.kind === 'set' && containsNonAsciiBytes(node.body.set)) {
        return { ...node, min: 0, body: { kind: 'set', set: setToCodePoints(node.body.set) } };
      }
      return mapChildren(node, (child) => toCodePoints(child, loosely));
    case 'look':
      // A lookaround must not see more than it does at the site, so the loose form omits it.
      return loosely
        ? { kind: 'sequence', items: [] }
        : mapChildren(node, (child) => toCodePoints(child, false));
    default:
      return mapChildren(node, (child) => toCodePoints(child, loosely));
  }
}

function setToCodePoints(set: CharSet): CharSet {
  const [first] = set;
  if (first !== undefined && first[0] >= DECODED_OFFSET)
    return set.map(([low, high]) => [low - DECODED_OFFSET, high - DECODED_OFFSET] as const);
  if (!containsNonAsciiBytes(set)) return set;
  const ascii = set.filter(([low]) => low < 0x80);
  return unionCharSets(ascii, [[0x80, MAX_CODE_POINT]]);
}
