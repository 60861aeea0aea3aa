/** The reason why a pattern does not parse. `unsupported`: PCRE may accept the pattern, this parser does not. */
export type PcreErrorReason = 'invalid' | 'unsupported' | 'too-large';

/** Thrown inside the parser only. `parsePcre` returns it as a value. */
export class PcreSyntaxError extends Error {
  override readonly name = 'PcreSyntaxError';
  readonly offset: number;
  readonly reason: PcreErrorReason;

  constructor(message: string, offset: number, reason: PcreErrorReason = 'invalid') {
    super(message);
    this.offset = offset;
    this.reason = reason;
  }
}

/** A reading position in the characters of a pattern, which are bytes or code points. */
export class PatternCursor {
  readonly characters: readonly number[];
  position = 0;

  constructor(characters: readonly number[]) {
    this.characters = characters;
  }

  get isAtEnd(): boolean {
    return this.position >= this.characters.length;
  }

  /** The character at this distance from the position, as text; empty past the end. */
  peek(distance = 0): string {
    const point = this.characters[this.position + distance];
    return point === undefined ? '' : String.fromCodePoint(point);
  }

  takeCharacter(): number {
    const point = this.characters[this.position];
    if (point === undefined) throw this.createError('the pattern ends too early');
    this.position += 1;
    return point;
  }

  /** Consumes `text` if it follows; returns whether it did. */
  takeIf(text: string): boolean {
    for (let i = 0; i < text.length; i += 1) {
      if (this.characters[this.position + i] !== text.charCodeAt(i)) return false;
    }
    this.position += text.length;
    return true;
  }

  /** Consumes and returns up to `limit` characters that `accept` matches. */
  takeWhile(accept: RegExp, limit: number = Number.POSITIVE_INFINITY): string {
    let text = '';
    while (text.length < limit && accept.test(this.peek())) {
      text += this.peek();
      this.position += 1;
    }
    return text;
  }

  /** Consumes the text up to `end`, and `end`. Returns the text without `end`. */
  takeUntil(end: string): string {
    const start = this.position;
    let text = '';
    while (!this.takeIf(end)) {
      if (this.isAtEnd) throw new PcreSyntaxError(`missing ${end}`, start);
      text += String.fromCodePoint(this.takeCharacter());
    }
    return text;
  }

  createError(message: string, reason: PcreErrorReason = 'invalid'): PcreSyntaxError {
    return new PcreSyntaxError(message, this.position, reason);
  }
}

/** Converts characters of a cursor back to text. */
export function charactersToText(characters: readonly number[], unicode: boolean): string {
  if (!unicode) return new TextDecoder().decode(Uint8Array.from(characters));
  return characters.map((point) => String.fromCodePoint(point)).join('');
}
