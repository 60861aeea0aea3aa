import type { Assertion } from './ast.ts';
import type { CharSet } from './charset.ts';

/** Sets of a program, ready to be asked; the last is that of the characters of a word. */
export interface Tests {
  /** 256 places for each set: 1 where it holds the character. */
  readonly small: Uint8Array;
  readonly sets: readonly CharSet[];
}

export function testsOf(sets: readonly CharSet[]): Tests {
  const small = new Uint8Array(256 * sets.length);
  for (const [i, set] of sets.entries()) {
    for (const [low, high] of set)
      if (low < 256) small.fill(1, i * 256 + low, i * 256 + Math.min(high, 255) + 1);
  }
  return { small, sets };
}

/** What is matched, by code points or by UTF-16 units; positions are in UTF-16 units either way. */
export class Subject {
  readonly length: number;
  readonly #text: string;
  readonly #tests: Tests;
  readonly #unicode: boolean;

  constructor(text: string, tests: Tests, unicode: boolean) {
    this.length = text.length;
    this.#text = text;
    this.#tests = tests;
    this.#unicode = unicode;
  }

  /** The width of the character at a position if the set holds it, else 0. */
  read(set: number, position: number): number {
    if (position >= this.length) return 0;
    const unit = this.#text.charCodeAt(position);
    if (unit < 256) return this.#tests.small[set * 256 + unit] ?? 0;
    const character = this.#unicode ? (this.#text.codePointAt(position) ?? unit) : unit;
    return holds(this.#tests.sets[set] ?? [], character) ? (character > 0xffff ? 2 : 1) : 0;
  }

  /** The position so many characters before; -1 where there are not as many. */
  back(position: number, count: number): number {
    let at = position;
    for (let i = 0; i < count && at >= 0; i += 1) {
      at -= 1;
      const isLow = this.#unicode && at > 0 && (this.#text.charCodeAt(at) & 0xfc00) === 0xdc00;
      if (isLow && (this.#text.charCodeAt(at - 1) & 0xfc00) === 0xd800) at -= 1;
    }
    return at;
  }

  holds(assertion: Assertion, position: number): boolean {
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
        return this.#isWord(this.back(position, 1)) !== this.#isWord(position);
      case 'no-boundary':
        return this.#isWord(this.back(position, 1)) === this.#isWord(position);
    }
  }

  #isNewline(position: number): boolean {
    return this.#text.charCodeAt(position) === 10;
  }

  #isWord(position: number): boolean {
    return position >= 0 && this.read(this.#tests.sets.length - 1, position) > 0;
  }
}

function holds(set: CharSet, character: number): boolean {
  let from = 0;
  for (let to = set.length; from < to; ) {
    const middle = (from + to) >> 1;
    if ((set[middle]?.[1] ?? 0) < character) from = middle + 1;
    else to = middle;
  }
  return character >= (set[from]?.[0] ?? Number.POSITIVE_INFINITY);
}
