import type { Json } from '../json.ts';
import type { PhpArray, PhpValue } from './variables.ts';

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** A byte string as the UTF-8 that it is; what is no UTF-8 becomes U+FFFD. */
export function decodeByteString(bytes: string): string {
  return isAscii(bytes) ? bytes : UTF8.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

/** A text as its UTF-8 bytes, one code unit each. */
export function encodeByteString(text: string): string {
  return isAscii(text) ? text : toByteString(new TextEncoder().encode(text));
}

/** Bytes as a byte string. */
export function toByteString(bytes: Uint8Array): string {
  let text = '';
  // In pieces: the arguments of a call are on the stack.
  for (let at = 0; at < bytes.length; at += 0x2000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x2000));
  }
  return text;
}

/** PHP's variables as JSON has them: an array whose keys count from 0 is a list, any other an object. */
export function phpArrayToJson(variables: PhpArray): ReadonlyMap<string, Json> {
  return new Map([...variables].map(([name, value]) => [decodeByteString(name), phpValueToJson(value)]));
}

function phpValueToJson(value: PhpValue): Json {
  if (typeof value === 'string') return decodeByteString(value);
  const keys = [...value.keys()];
  if (keys.every((key, index) => key === String(index))) return [...value.values()].map(phpValueToJson);
  return Object.fromEntries(
    [...value].map(([key, member]) => [decodeByteString(key), phpValueToJson(member)]),
  );
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}
