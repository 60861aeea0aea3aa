/*
 * Estimates of the time that parsing a body takes, in nanoseconds on a server of 2024. They depend on the bytes alone, so
 * the same body always has the same cost, however busy the machine is. `npm run bench:attacks` measures what they promise.
 */

/** UTF-8 decoding, a pass of the parser, and the garbage collection of the copies. */
const NS_PER_BYTE = 8;
/** Of a character outside of ASCII, in addition. */
const NS_PER_NON_ASCII_BYTE = 11;
/** An escape makes the parser leave its fast path. */
const NS_PER_ESCAPE = 25;
/** Of a comma or an opening bracket, which begins a value. */
const NS_PER_VALUE = 300;
/** Of a colon: a member of an object with many members is an entry of a hash table. */
const NS_PER_MEMBER = 900;
/** A name of an urlencoded form: decoding, mangling, and an entry of a map. */
const NS_PER_VARIABLE = 2000;
const NS_PER_FORM_BYTE = 7;

/** What a byte means outside of strings. `PLAIN` costs nothing anywhere. */
const PLAIN = 0;
const TEXT_END = 1;
const ESCAPE = 2;
const OPEN = 3;
const CLOSE = 4;
const SEPARATOR = 5;
const NAME_END = 6;
const NON_ASCII = 7;

/** Kinds of all bytes. A lookup is faster than comparisons. */
const JSON_BYTE_KINDS: Uint16Array = createByteTable(PLAIN, NON_ASCII, {
  '"': TEXT_END,
  '\\': ESCAPE,
  '[': OPEN,
  '{': OPEN,
  ']': CLOSE,
  '}': CLOSE,
  ',': SEPARATOR,
  ':': NAME_END,
});

const FORM_BYTE_COSTS: Uint16Array = createByteTable(
  NS_PER_FORM_BYTE,
  NS_PER_FORM_BYTE + NS_PER_NON_ASCII_BYTE,
  { '%': NS_PER_FORM_BYTE + NS_PER_ESCAPE, '&': NS_PER_FORM_BYTE + NS_PER_VARIABLE },
);

/** @param values values of single ASCII characters */
function createByteTable(
  ascii: number,
  nonAscii: number,
  values: Readonly<Record<string, number>>,
): Uint16Array {
  const table = new Uint16Array(256).fill(ascii, 0, 0x80).fill(nonAscii, 0x80);
  for (const [character, value] of Object.entries(values)) table[character.charCodeAt(0)] = value;
  return table;
}

interface TooDeepNesting {
  /** Index in the text. */
  readonly at: number;
  /** Estimated cost of decoding the text before it, in nanoseconds. */
  readonly cost: number;
}

/** Estimates the cost of decoding a JSON text, and finds nesting that is too deep. It reads the text in chunks, once. */
export class JsonScanner {
  /** Nanoseconds. */
  cost = 0;
  /** The first bracket that nests too deep; `null` if there is none. */
  tooDeep: TooDeepNesting | null = null;
  readonly #maxDepth: number;
  #length = 0;
  #depth = 0;
  #isString = false;
  /** Whether the next byte belongs to an escape. */
  #isEscaped = false;

  /** @param maxDepth number of open brackets that do not nest too deep */
  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
  }

  /** @param chunk not retained */
  write(chunk: Uint8Array): void {
    const { length } = chunk;
    let cost = length * NS_PER_BYTE;
    let depth = this.#depth;
    let isString = this.#isString;
    let at = this.#isEscaped ? 1 : 0;
    for (; at < length; at++) {
      const kind = JSON_BYTE_KINDS[chunk[at] ?? 0];
      if (kind === PLAIN) continue;
      if (kind === TEXT_END) isString = !isString;
      else if (kind === NON_ASCII) cost += NS_PER_NON_ASCII_BYTE;
      else if (isString) {
        if (kind !== ESCAPE) continue;
        at += 1;
        cost += NS_PER_ESCAPE;
      } else if (kind === OPEN) {
        cost += NS_PER_VALUE;
        depth += 1;
        if (depth > this.#maxDepth) {
          const costOfRest = (length - at) * NS_PER_BYTE;
          this.tooDeep ??= { at: this.#length + at, cost: this.cost + cost - costOfRest };
        }
      } else if (kind === CLOSE) depth -= 1;
      else if (kind === SEPARATOR) cost += NS_PER_VALUE;
      else if (kind === NAME_END) cost += NS_PER_MEMBER;
    }
    this.#isEscaped = at > length;
    this.#isString = isString;
    this.#depth = depth;
    this.cost += cost;
    this.#length += length;
  }
}

/**
 * Estimates the cost of decoding a JSON text.
 *
 * @returns nanoseconds
 */
export function estimateJsonCost(bytes: Uint8Array): number {
  const scanner = new JsonScanner(Number.POSITIVE_INFINITY);
  scanner.write(bytes);
  return scanner.cost;
}

/**
 * Estimates the cost of parsing an urlencoded form, or a part of one: the cost of a form is the sum of its parts.
 *
 * @returns nanoseconds
 */
export function estimateFormCost(bytes: Uint8Array): number {
  let cost = 0;
  for (let at = 0; at < bytes.length; at++) cost += FORM_BYTE_COSTS[bytes[at] ?? 0] ?? 0;
  return cost;
}

/** Estimates the cost of decoding the fields of a multipart form. @param length bytes of names and values */
export function estimateFieldsCost(length: number): number {
  return length * (NS_PER_FORM_BYTE + NS_PER_NON_ASCII_BYTE);
}
