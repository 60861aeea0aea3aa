/** A bare item of a structured field (RFC 9651 §3.3). */
export type BareItem =
  | { readonly kind: 'integer' | 'decimal' | 'date'; readonly value: number }
  | { readonly kind: 'string' | 'token' | 'bytes' | 'display'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean };

/** The value of a dictionary member, without parameters: an item or an inner list. */
export type DictionaryMember = BareItem | { readonly kind: 'list'; readonly items: readonly BareItem[] };

/**
 * Parses a dictionary (RFC 9651 §4.2.2) and drops its parameters. Returns `null` if it is invalid: "If parsing fails, […]
 * the entire field value MUST be ignored".
 */
export function parseDictionary(field: string): ReadonlyMap<string, DictionaryMember> | null {
  const members = new Map<string, DictionaryMember>();
  const reader = new StructuredFieldReader(field.replace(/^ +| +$/g, ''));
  while (!reader.isAtEnd()) {
    const key = reader.consume(KEY);
    if (key === null) return null;
    const member =
      reader.consume(/=/y) === null ? { kind: 'boolean' as const, value: true } : readMember(reader);
    if (member === null || !skipParameters(reader)) return null;
    // "If dictionary already contains a key this_key, overwrite its value": the last value is used, at the last position.
    members.delete(key);
    members.set(key, member);
    reader.consume(SPACE);
    if (reader.isAtEnd()) return members;
    if (reader.consume(/,/y) === null) return null;
    reader.consume(SPACE);
    // "If input_string is empty, there is a trailing comma; fail parsing."
    if (reader.isAtEnd()) return null;
  }
  return members;
}

const KEY = /[a-z*][a-z0-9_\-.*]*/y;
const SPACE = /[ \t]*/y;

/** The pattern of each kind of bare item, with the conversion of the matched text. */
const ITEMS: readonly (readonly [RegExp, (text: string) => BareItem])[] = [
  [/-?\d{1,12}\.\d{1,3}(?![\d.])/y, (text) => ({ kind: 'decimal', value: Number(text) })],
  [/-?\d{1,15}(?![\d.])/y, (text) => ({ kind: 'integer', value: Number(text) })],
  [
    /"(?:[ !#-[\]-~]|\\["\\])*"/y,
    (text) => ({ kind: 'string', value: text.slice(1, -1).replace(/\\(.)/g, '$1') }),
  ],
  [/[A-Za-z*][!#$%&'*+\-.^_`|~0-9A-Za-z:/]*/y, (text) => ({ kind: 'token', value: text })],
  [/:[A-Za-z0-9+/=]*:/y, (text) => ({ kind: 'bytes', value: text.slice(1, -1) })],
  [/\?[01]/y, (text) => ({ kind: 'boolean', value: text === '?1' })],
  [/@-?\d{1,15}(?![\d.])/y, (text) => ({ kind: 'date', value: Number(text.slice(1)) })],
  [/%"(?:[ !#$&-~]|%[0-9a-f]{2})*"/y, (text) => ({ kind: 'display', value: text.slice(2, -1) })],
];

function readMember(reader: StructuredFieldReader): DictionaryMember | null {
  if (reader.consume(/\(/y) === null) return readItem(reader);
  const items: BareItem[] = [];
  for (;;) {
    reader.consume(/ */y);
    if (reader.consume(/\)/y) !== null) return { kind: 'list', items };
    const item = readItem(reader);
    if (item === null || !skipParameters(reader) || !reader.lookingAt(/[ )]/y)) return null;
    items.push(item);
  }
}

function readItem(reader: StructuredFieldReader): BareItem | null {
  for (const [pattern, read] of ITEMS) {
    const found = reader.consume(pattern);
    if (found !== null) return read(found);
  }
  return null;
}

function skipParameters(reader: StructuredFieldReader): boolean {
  while (reader.consume(/; */y) !== null) {
    if (reader.consume(KEY) === null) return false;
    if (reader.consume(/=/y) !== null && readItem(reader) === null) return false;
  }
  return true;
}

/** A field value with a current position. */
class StructuredFieldReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  lookingAt(sticky: RegExp): boolean {
    sticky.lastIndex = this.#at;
    return sticky.test(this.#text);
  }

  /** Matches a sticky pattern at the position and advances past the match. Returns `null` if it does not match. */
  consume(sticky: RegExp): string | null {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }
}
