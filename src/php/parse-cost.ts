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

const QUOTE = 0x22;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/**
 * Estimates the cost of decoding a JSON text. One pass over the bytes, which ends when the cost exceeds `limit`.
 *
 * @returns nanoseconds
 */
export function estimateJsonCost(bytes: Uint8Array, limit: number): number {
  const { length } = bytes;
  let cost = length * NS_PER_BYTE;
  let isString = false;
  for (let at = 0; at < length && cost <= limit; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) isString = !isString;
    else if (byte >= 0x80) cost += NS_PER_NON_ASCII_BYTE;
    else if (isString) {
      if (byte !== BACKSLASH) continue;
      at += 1;
      cost += NS_PER_ESCAPE;
    } else if (byte === COLON) cost += NS_PER_MEMBER;
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) cost += NS_PER_VALUE;
  }
  return cost;
}

/**
 * Estimates the cost of parsing an urlencoded form. One pass over the bytes, which ends when the cost exceeds `limit`.
 *
 * @returns nanoseconds
 */
export function estimateFormCost(bytes: Uint8Array, limit: number): number {
  const { length } = bytes;
  let cost = length * NS_PER_FORM_BYTE;
  for (let at = 0; at < length && cost <= limit; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === PERCENT) cost += NS_PER_ESCAPE;
    else if (byte === AMPERSAND) cost += NS_PER_VARIABLE;
    else if (byte >= 0x80) cost += NS_PER_NON_ASCII_BYTE;
  }
  return cost;
}

/** Estimates the cost of decoding the fields of a multipart form. @param length bytes of names and values */
export function estimateFieldsCost(length: number): number {
  return length * (NS_PER_FORM_BYTE + NS_PER_NON_ASCII_BYTE);
}
