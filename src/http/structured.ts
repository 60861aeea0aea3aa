/** A bare item of a structured field (RFC 9651 §3.3), as far as cache directives need to tell them apart. */
export type BareItem =
  | { readonly kind: 'integer' | 'decimal' | 'date'; readonly value: number }
  | { readonly kind: 'string' | 'token' | 'bytes' | 'display'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean };

export type Member = BareItem | { readonly kind: 'list'; readonly items: readonly BareItem[] };

/**
 * A dictionary (RFC 9651 §4.2.2), its parameters read over; `null` where it is not one: "If parsing fails, […] the
 * entire field value MUST be ignored".
 */
export function parseDictionary(field: string): ReadonlyMap<string, Member> | null {
  const members = new Map<string, Member>();
  const text = new Reader(field.replace(/^ +| +$/g, ''));
  while (!text.done()) {
    const key = text.take(KEY);
    if (key === null) return null;
    const member = text.take(/=/y) === null ? { kind: 'boolean' as const, value: true } : readMember(text);
    if (member === null || !skipParameters(text)) return null;
    // "If dictionary already contains a key this_key, overwrite its value": the last one counts, at its own place.
    members.delete(key);
    members.set(key, member);
    text.take(SPACE);
    if (text.done()) return members;
    if (text.take(/,/y) === null) return null;
    text.take(SPACE);
    // "If input_string is empty, there is a trailing comma; fail parsing."
    if (text.done()) return null;
  }
  return members;
}

const KEY = /[a-z*][a-z0-9_\-.*]*/y;
const SPACE = /[ \t]*/y;

/** Each kind of bare item: how it is written, and what it means; `null` where it cannot mean anything. */
const ITEMS: readonly (readonly [RegExp, (text: string) => BareItem | null])[] = [
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

function readMember(text: Reader): Member | null {
  if (text.take(/\(/y) === null) return readItem(text);
  const items: BareItem[] = [];
  for (;;) {
    text.take(/ */y);
    if (text.take(/\)/y) !== null) return { kind: 'list', items };
    const item = readItem(text);
    if (item === null || !skipParameters(text) || !text.sees(/[ )]/y)) return null;
    items.push(item);
  }
}

function readItem(text: Reader): BareItem | null {
  for (const [pattern, read] of ITEMS) {
    const found = text.take(pattern);
    if (found !== null) return read(found);
  }
  return null;
}

function skipParameters(text: Reader): boolean {
  while (text.take(/; */y) !== null) {
    if (text.take(KEY) === null) return false;
    if (text.take(/=/y) !== null && readItem(text) === null) return false;
  }
  return true;
}

/** A text and a place in it. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  done(): boolean {
    return this.#at >= this.#text.length;
  }

  sees(sticky: RegExp): boolean {
    sticky.lastIndex = this.#at;
    return sticky.test(this.#text);
  }

  /** What a sticky pattern matches here, read past; `null` where it does not. */
  take(sticky: RegExp): string | null {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }
}
