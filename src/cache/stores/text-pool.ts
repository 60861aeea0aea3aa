import { memoizeByString } from '../../memoize.ts';

/** Texts that are met again and again: the names of headers, and most of their values. */
const MOST = 4096;

/** One copy of each text that many answers have. */
export class TextPool {
  readonly #one: (text: string) => string = memoizeByString((text) => text, MOST);

  intern(texts: readonly string[]): readonly string[] {
    return texts.map(this.#one);
  }
}
