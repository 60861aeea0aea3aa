/** Why a pattern could not be read. `unsupported`: PCRE may well take it, this parser does not. */
export type PcreFailureReason = 'invalid' | 'unsupported' | 'too-large';

/** Thrown inside the parser only; `parsePcre` gives it back as a value. */
export class PcreSyntaxError extends Error {
  override readonly name = 'PcreSyntaxError';
  readonly offset: number;
  readonly reason: PcreFailureReason;

  constructor(message: string, offset: number, reason: PcreFailureReason = 'invalid') {
    super(message);
    this.offset = offset;
    this.reason = reason;
  }
}

/** Reads a pattern character by character: bytes or code points, as the site reads it. */
export class Cursor {
  readonly characters: readonly number[];
  at = 0;

  constructor(characters: readonly number[]) {
    this.characters = characters;
  }

  get done(): boolean {
    return this.at >= this.characters.length;
  }

  /** The character at a distance from here, as text; empty past the end. */
  peek(distance = 0): string {
    const point = this.characters[this.at + distance];
    return point === undefined ? '' : String.fromCodePoint(point);
  }

  next(): number {
    const point = this.characters[this.at];
    if (point === undefined) throw this.fault('the pattern ends too early');
    this.at += 1;
    return point;
  }

  /** Steps over `text` if it stands here. */
  take(text: string): boolean {
    for (let i = 0; i < text.length; i += 1) {
      if (this.characters[this.at + i] !== text.charCodeAt(i)) return false;
    }
    this.at += text.length;
    return true;
  }

  /** Reads as many characters as `accept` allows, at most `limit`. */
  takeWhile(accept: RegExp, limit: number = Number.POSITIVE_INFINITY): string {
    let text = '';
    while (text.length < limit && accept.test(this.peek())) {
      text += this.peek();
      this.at += 1;
    }
    return text;
  }

  /** Reads up to `end` and steps over it. */
  takeUntil(end: string): string {
    const start = this.at;
    let text = '';
    while (!this.take(end)) {
      if (this.done) throw new PcreSyntaxError(`missing ${end}`, start);
      text += String.fromCodePoint(this.next());
    }
    return text;
  }

  fault(message: string, reason: PcreFailureReason = 'invalid'): PcreSyntaxError {
    return new PcreSyntaxError(message, this.at, reason);
  }
}
