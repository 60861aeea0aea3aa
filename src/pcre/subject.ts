import type { AssertionKind } from './ast.ts';
import type { CharSet } from './charset.ts';

/** The character sets of a program, prepared for lookup. The last set contains the word characters. */
export interface CharSetTable {
  /** 256 entries for each set: 1 if the set contains the character. */
  readonly lowCharacterFlags: Uint8Array;
  readonly sets: readonly CharSet[];
}

export function createCharSetTable(sets: readonly CharSet[]): CharSetTable {
  const lowCharacterFlags = new Uint8Array(256 * sets.length);
  for (const [i, set] of sets.entries()) {
    for (const [low, high] of set)
      if (low < 256) lowCharacterFlags.fill(1, i * 256 + low, i * 256 + Math.min(high, 255) + 1);
  }
  return { lowCharacterFlags, sets };
}

/** A subject, read by code points or by UTF-16 units. Positions are always in UTF-16 units. */
export class MatchSubject {
  readonly length: number;
  readonly #text: string;
  readonly #tests: CharSetTable;
  readonly #unicode: boolean;

  constructor(text: string, tests: CharSetTable, unicode: boolean) {
    this.length = text.length;
    this.#text = text;
    this.#tests = tests;
    this.#unicode = unicode;
  }

  /** Returns the width of the character at a position if the set contains it, otherwise 0. */
  characterWidth(set: number, position: number): number {
    if (position >= this.length) return 0;
    const unit = this.#text.charCodeAt(position);
    if (unit < 256) return this.#tests.lowCharacterFlags[set * 256 + unit] ?? 0;
    const character = this.#unicode ? (this.#text.codePointAt(position) ?? unit) : unit;
    return includesCharacter(this.#tests.sets[set] ?? [], character) ? (character > 0xffff ? 2 : 1) : 0;
  }

  /** Returns the position `count` characters before; -1 if it is before the start. */
  stepBack(position: number, count: number): number {
    let at = position;
    for (let i = 0; i < count && at >= 0; i += 1) {
      at -= 1;
      const isLow = this.#unicode && at > 0 && (this.#text.charCodeAt(at) & 0xfc00) === 0xdc00;
      if (isLow && (this.#text.charCodeAt(at - 1) & 0xfc00) === 0xd800) at -= 1;
    }
    return at;
  }

  satisfies(assertion: AssertionKind, position: number): boolean {
    const { length } = this;
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
        return this.#isWord(this.stepBack(position, 1)) !== this.#isWord(position);
      case 'no-boundary':
        return this.#isWord(this.stepBack(position, 1)) === this.#isWord(position);
    }
  }

  #isNewline(position: number): boolean {
    return this.#text.charCodeAt(position) === 10;
  }

  #isWord(position: number): boolean {
    return position >= 0 && this.characterWidth(this.#tests.sets.length - 1, position) > 0;
  }
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
