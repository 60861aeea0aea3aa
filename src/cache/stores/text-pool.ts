/** Longer texts are rarely met twice. */
const LONGEST = 128;
/** Texts of one generation. */
const MOST = 4096;

/**
 * One copy of each text that many answers have: the names of headers, and most of their values. What has not been met
 * for a while is forgotten.
 */
export class TextPool {
  #young = new Map<string, string>();
  #old = new Map<string, string>();

  intern(texts: readonly string[]): readonly string[] {
    return texts.map((text) => (text.length > LONGEST ? text : this.#one(text)));
  }

  #one(text: string): string {
    const young = this.#young.get(text);
    if (young !== undefined) return young;
    const known = this.#old.get(text) ?? text;
    if (this.#young.size >= MOST) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(known, known);
    return known;
  }
}
