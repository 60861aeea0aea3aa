/** A bare item of a structured field (RFC 9651 §3.3). */
export type BareItem =
  | { readonly kind: 'integer' | 'decimal' | 'date'; readonly value: number }
  | { readonly kind: 'string' | 'token' | 'bytes' | 'display'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean };

/** A member of a dictionary, without its parameters. */
export type DictionaryMember = BareItem | { readonly kind: 'list'; readonly items: readonly BareItem[] };

/**
 * Parses a dictionary (RFC 9651 §4.2.2) and drops its parameters; `null` if it is invalid: "If parsing fails, […] the
 * entire field value MUST be ignored".
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
    // "If dictionary already contains a key this_key, overwrite its value": the last one counts, at its own position.
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

/** Pattern and conversion of each kind of bare item; `null` if the text has no value. */
const ITEMS: readonly (readonly [RegExp, (reader: string) => BareItem | null])[] = [
  [/-?\d{1,12}\.\d{1,3}(?![\d.])/y, (reader) => ({ kind: 'decimal', value: Number(reader) })],
  [/-?\d{1,15}(?![\d.])/y, (reader) => ({ kind: 'integer', value: Number(reader) })],
  [
    /"(?:[ !#-[\]-~]|\\["\\])*"/y,
    (reader) => ({ kind: 'string', value: reader.slice(1, -1).replace(/\\(.)/g, '$1') }),
  ],
  [/[A-Za-z*][!#$%&'*+\-.^_`|~0-9A-Za-z:/]*/y, (reader) => ({ kind: 'token', value: reader })],
  [/:[A-Za-z0-9+/=]*:/y, (reader) => ({ kind: 'bytes', value: reader.slice(1, -1) })],
  [/\?[01]/y, (reader) => ({ kind: 'boolean', value: reader === '?1' })],
  [/@-?\d{1,15}(?![\d.])/y, (reader) => ({ kind: 'date', value: Number(reader.slice(1)) })],
  [/%"(?:[ !#$&-~]|%[0-9a-f]{2})*"/y, (reader) => ({ kind: 'display', value: reader.slice(2, -1) })],
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

  constructor(reader: string) {
    this.#text = reader;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  lookingAt(sticky: RegExp): boolean {
    sticky.lastIndex = this.#at;
    return sticky.test(this.#text);
  }

  /** Matches a sticky pattern at the position and advances; `null` if it does not match. */
  consume(sticky: RegExp): string | null {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }
}
