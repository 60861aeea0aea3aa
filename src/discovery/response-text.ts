import type { BodyBuffer } from '../http/chunks.ts';
import { isJsonObject } from '../json.ts';
import type { Steps } from '../steps.ts';
import { quoteExcerpt } from './index-values.ts';
import type { DiscoveryRuleName } from './rules.ts';

/** The text of a response and the repairs that were needed to decode it. */
interface DecodedText {
  readonly text: string;
  readonly repairs: readonly TextRepair[];
}

/**
 * Decodes the body of a response. JSON is UTF-8 (RFC 8259 §8.1), and WordPress writes UTF-8 whatever charset its header
 * names. So valid UTF-8 is decoded as UTF-8; other bytes are decoded by the header's charset, or as UTF-8 with
 * replacement characters. Each chunk is a step: joined first, tens of megabytes would take a while.
 *
 * @param charset The charset of the `Content-Type` field, if it has one.
 */
export function* decodeText(body: BodyBuffer, charset = 'utf-8'): Steps<DecodedText> {
  const text = yield* decode(body, 'utf-8', true);
  if (text !== undefined) return { text, repairs: [] };
  const foreign = isUtf8Label(charset) ? undefined : yield* decode(body, charset, false);
  if (foreign !== undefined) {
    const detail = `Its encoding is ${charset.slice(0, 40)}.`;
    return { text: foreign, repairs: [{ rule: 'foreign-charset', detail }] };
  }
  const replaced = (yield* decode(body, 'utf-8', false)) ?? '';
  const count = replaced.split('\ufffd').length - 1;
  return { text: replaced, repairs: [{ rule: 'invalid-utf8', detail: `${count} places.` }] };
}

function isUtf8Label(charset: string): boolean {
  return /^(?:unicode-1-1-)?utf-?8$/i.test(charset);
}

/** Decodes bytes, and keeps a byte order mark. Returns `undefined` for an unknown charset and, if `fatal` is set, for invalid bytes. */
function* decode(body: BodyBuffer, charset: string, fatal: boolean): Steps<string | undefined> {
  try {
    const decoder = new TextDecoder(charset, { fatal, ignoreBOM: true });
    let text = '';
    for (const chunk of body.chunks) {
      text += decoder.decode(chunk, { stream: true });
      yield;
    }
    return text + decoder.decode();
  } catch {
    return undefined;
  }
}

/** The JSON value of a text and the repairs that were needed, or the reason why no value was found. */
export type JsonExtractionResult =
  | { readonly ok: true; readonly value: unknown; readonly repairs: readonly TextRepair[] }
  | {
      readonly ok: false;
      readonly reason: 'empty' | 'truncated' | 'too-deep' | 'not-json';
      readonly detail: string;
    };

/** A repair that was needed to decode or parse a response. */
export interface TextRepair {
  readonly rule: DiscoveryRuleName;
  readonly detail: string;
}

/**
 * Finds the JSON value of a response. If the text is not one JSON value, the first object that looks like a WordPress
 * response is used and the text around it is ignored: PHP prints notices there. Every `{` is tried as the start, within
 * a total work that is linear in the length of the text. It is done in steps.
 */
export function* extractJson(text: string): Steps<JsonExtractionResult> {
  const start = text.search(/\S/);
  if (start === -1) return { ok: false, reason: 'empty', detail: 'The response is empty.' };
  const markRepairs: TextRepair[] = text.startsWith('\ufeff')
    ? [{ rule: 'byte-order-mark', detail: 'The mark is U+FEFF.' }]
    : [];
  yield;
  const parsed = yield* parseInSteps(text, start);
  if (parsed !== undefined && text.slice(parsed.end).trim() === '')
    return { ok: true, value: parsed.value, repairs: markRepairs };
  const whole = yield* scanJson(text, start);
  return (yield* findObject(text, start)) ?? toJsonError(text, start, whole);
}

const MAX_WORK_PER_CHARACTER = 4;

function* findObject(text: string, first: number): Steps<JsonExtractionResult | undefined> {
  let work = 0;
  let from = text.indexOf('{', first);
  while (from !== -1 && work <= MAX_WORK_PER_CHARACTER * text.length) {
    const scan = yield* scanJson(text, from);
    const stop = scan.kind === 'complete' ? scan.end : scan.at;
    work += stop - from;
    if (scan.kind === 'truncated' || scan.kind === 'too-deep') {
      // A notice may contain a `{` that is never closed. A `{` followed by a member name is the start of the JSON.
      if (/^\{\s{0,20}"/.test(text.slice(from, from + 22))) return toJsonError(text, from, scan);
    } else if (scan.kind === 'complete') {
      const parsed = yield* parseInSteps(text, from);
      if (parsed !== undefined && isWordPressObject(parsed.value)) {
        return { ok: true, value: parsed.value, repairs: describeSurroundings(text, first, from, stop) };
      }
    }
    from = text.indexOf('{', scan.kind === 'complete' ? stop : from + 1);
  }
  return undefined;
}

/** Whether a value is an index or a WordPress error. An object nested in a broken index may have `routes` alone. */
function isWordPressObject(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const has = (name: string): boolean => Object.hasOwn(value, name);
  return has('routes') ? has('namespaces') || has('namespace') || has('name') : has('code') && has('message');
}

function describeSurroundings(text: string, first: number, start: number, end: number): TextRepair[] {
  const before = text.slice(first, start).trim();
  const after = text.slice(end).trim();
  const repairs: TextRepair[] = [];
  if (before !== '') {
    repairs.push({ rule: 'text-before-json', detail: `It begins with ${quoteExcerpt(stripTags(before))}.` });
  }
  if (after !== '') {
    repairs.push({ rule: 'text-after-json', detail: `It begins with ${quoteExcerpt(stripTags(after))}.` });
  }
  return repairs;
}

function stripTags(text: string): string {
  return text.slice(0, 1_000).replace(/<[^<>]{0,200}>/g, ' ');
}

function toJsonError(text: string, start: number, scan: JsonScanResult): JsonExtractionResult {
  if (scan.kind === 'truncated' && /[[{"]/.test(text[start] ?? '')) {
    const detail = `The JSON ends unexpectedly after ${text.length} characters, at ${quoteExcerpt(text.slice(-40))}.`;
    return { ok: false, reason: 'truncated', detail };
  }
  if (scan.kind === 'too-deep') {
    return {
      ok: false,
      reason: 'too-deep',
      detail: `The JSON exceeds the nesting limit at character ${scan.at}.`,
    };
  }
  const beginning = `It begins with ${quoteExcerpt(text.slice(start))}`;
  const at = scan.kind === 'complete' ? scan.end : scan.at;
  const error =
    at > start + 1 ? ` and is not valid JSON from character ${at}: ${quoteExcerpt(text.slice(at))}.` : '.';
  return { ok: false, reason: 'not-json', detail: beginning + error };
}

/**
 * Parses the JSON value that begins at `start`. The members of an object are parsed one by one, and those of these members: there a
 * root index has its routes. Returns `undefined` if it is not valid.
 *
 * @param levels of objects that are parsed member by member
 */
function* parseInSteps(
  text: string,
  start: number,
  levels = 2,
): Steps<{ readonly value: unknown; readonly end: number } | undefined> {
  if (levels === 0 || text[start] !== '{') {
    const scan = yield* scanJson(text, start);
    const parsed = scan.kind === 'complete' ? parse(text.slice(start, scan.end)) : undefined;
    return scan.kind === 'complete' && parsed !== undefined ? { ...parsed, end: scan.end } : undefined;
  }
  const members: (readonly [string, unknown])[] = [];
  let at = start;
  do {
    at = skipWhitespace(text, at + 1);
    if (members.length === 0 && text[at] === '}') break;
    const name = yield* parseInSteps(text, at, 0);
    if (typeof name?.value !== 'string') return undefined;
    at = skipWhitespace(text, name.end);
    if (text[at] !== ':') return undefined;
    const member = yield* parseInSteps(text, skipWhitespace(text, at + 1), levels - 1);
    if (member === undefined) return undefined;
    members.push([name.value, member.value]);
    yield;
    at = skipWhitespace(text, member.end);
  } while (text[at] === ',');
  return text[at] === '}' ? { value: Object.fromEntries(members), end: at + 1 } : undefined;
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    return undefined;
  }
}

/** The end of a JSON value, or the reason and the position at which the scan stopped. Positions are UTF-16 offsets. */
type JsonScanResult =
  | { readonly kind: 'complete'; readonly end: number }
  | { readonly kind: 'broken' | 'truncated' | 'too-deep'; readonly at: number };

/** Maximum nesting depth. `JSON.parse` keeps a stack frame for each open bracket: 64 MiB of `[` would need gigabytes. */
const MAX_DEPTH = 200_000;

const LITERAL = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const MAX_LITERAL_LENGTH = 'false'.length;

/** Characters of a step, which takes about a millisecond. */
const CHARACTERS_PER_STEP = 100_000;

/**
 * Finds the end of the JSON value that begins at `start`, in one pass and without recursion. Escapes are not checked;
 * `JSON.parse` does that.
 */
export function* scanJson(text: string, start: number): Steps<JsonScanResult> {
  const grammar = new JsonGrammar();
  let at = start;
  let stepEnd = start + CHARACTERS_PER_STEP;
  do {
    if (at >= stepEnd) {
      stepEnd = at + CHARACTERS_PER_STEP;
      yield;
    }
    at = skipWhitespace(text, at);
    const character = text[at];
    if (character === undefined) return { kind: 'truncated', at };
    const token = isStructural(character) ? character : character === '"' ? 'text' : 'value';
    if (!grammar.accept(token)) return { kind: 'broken', at };
    if (grammar.depth > MAX_DEPTH) return { kind: 'too-deep', at };
    if (token === 'text' || token === 'value') {
      const scalar = token === 'text' ? scanString(text, at) : scanLiteral(text, at);
      if (scalar.kind !== 'complete') return scalar;
      at = scalar.end;
    } else at += 1;
  } while (!grammar.isComplete);
  return { kind: 'complete', end: at };
}

function isStructural(character: string): character is '{' | '}' | '[' | ']' | ',' | ':' {
  return '{}[],:'.includes(character);
}

function skipWhitespace(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 32 || code === 10 || code === 13 || code === 9; ) {
    at += 1;
    code = text.charCodeAt(at);
  }
  return at;
}

function scanString(text: string, start: number): JsonScanResult {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return { kind: 'complete', end: at + 1 };
    if (code === 0x5c) at += 1;
    else if (code < 0x20) return { kind: 'broken', at };
  }
  return { kind: 'truncated', at: text.length };
}

function scanLiteral(text: string, start: number): JsonScanResult {
  LITERAL.lastIndex = start;
  if (LITERAL.test(text)) return { kind: 'complete', end: LITERAL.lastIndex };
  const rest = text.slice(start, start + MAX_LITERAL_LENGTH);
  const isCut =
    rest.length < MAX_LITERAL_LENGTH && ['true', 'false', 'null', '-'].some((word) => word.startsWith(rest));
  return isCut ? { kind: 'truncated', at: text.length } : { kind: 'broken', at: start };
}

/** A token of the grammar; `text` is a string, `value` a number or a literal. */
type JsonToken = '{' | '}' | '[' | ']' | ',' | ':' | 'text' | 'value';

/** The grammar of JSON (RFC 8259), token by token and without recursion. */
class JsonGrammar {
  /** The open brackets, outermost first. */
  readonly #open: ('{' | '[')[] = [];
  #expected: 'value' | 'value or ]' | 'name' | 'name or }' | ':' | 'more' = 'value';

  get depth(): number {
    return this.#open.length;
  }

  /** Whether the tokens so far are a whole value. */
  get isComplete(): boolean {
    return this.#expected === 'more' && this.#open.length === 0;
  }

  /** Takes the next token. @returns whether it can stand there */
  accept(token: JsonToken): boolean {
    const expected = this.#expected;
    const innermost = this.#open[this.#open.length - 1];
    const closes = expected === 'more' || expected === 'value or ]' || expected === 'name or }';
    if ((token === '}' || token === ']') && closes && innermost !== undefined) {
      if ((token === '}') !== (innermost === '{')) return false;
      this.#open.pop();
      this.#expected = 'more';
    } else if (token === ',' && expected === 'more' && innermost !== undefined) {
      this.#expected = innermost === '{' ? 'name' : 'value';
    } else if (token === ':' && expected === ':') {
      this.#expected = 'value';
    } else if (token === 'text' && (expected === 'name' || expected === 'name or }')) {
      this.#expected = ':';
    } else if (expected !== 'value' && expected !== 'value or ]') {
      return false;
    } else if (token === 'text' || token === 'value') {
      this.#expected = 'more';
    } else if (token === '{' || token === '[') {
      this.#open.push(token);
      this.#expected = token === '{' ? 'name or }' : 'value or ]';
    } else {
      return false;
    }
    return true;
  }
}
