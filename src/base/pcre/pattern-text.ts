import { ANYTHING, childrenOf, type PcreNode } from './ast.ts';

export interface PatternTextStyle {
  /** Ranges of characters, the preferred first. Others are written only where a pattern states them alone. */
  readonly characters: readonly (readonly [least: number, most: number])[];
  readonly repeat: (least: number, most: number) => number;
  /** Index of an option. @default the first */
  readonly pick?: (count: number) => number;
}

const MAX_CHARACTERS = 500;

/** Writes a text for a pattern. It ignores lookaround and assertions, so the text might not match. */
export function writePatternText(node: PcreNode, style: PatternTextStyle): string | null {
  const inside = (child: PcreNode): string | null => writePatternText(child, style);
  switch (node.kind) {
    case 'set':
      return node.literal === undefined
        ? chooseCharacter(node.set, style)
        : String.fromCodePoint(node.literal);
    case 'alternation': {
      const chosen = style.pick?.(node.options.length) ?? 0;
      const options = [...node.options.slice(chosen), ...node.options.slice(0, chosen)];
      for (const option of options) {
        const text = inside(option);
        if (text !== null) return text;
      }
      return null;
    }
    case 'repeat': {
      const times = style.repeat(node.min, node.max);
      const body = times === 0 ? '' : inside(node.body);
      return body === null || times > MAX_CHARACTERS ? null : join([body.repeat(times)]);
    }
    case 'widened':
      return node.body === ANYTHING ? null : inside(node.body);
    default:
      return join(childrenOf(node).map(inside));
  }
}

function join(texts: readonly (string | null)[]): string | null {
  return texts.includes(null) ? null : texts.join('').slice(0, MAX_CHARACTERS);
}

function chooseCharacter(
  set: readonly (readonly [number, number])[],
  { characters }: PatternTextStyle,
): string | null {
  for (const [least, most] of characters) {
    for (const [from, to] of set) {
      const character = Math.max(from, least);
      if (character <= Math.min(to, most)) return String.fromCodePoint(character);
    }
  }
  return null;
}
