import { isJsonObject, type Json } from '../json.ts';
import { findJsonError, MAX_JSON_DEPTH, PHP_JSON_ERRORS, type PhpJsonError } from './json-error.ts';

/** Result of `json_decode( $body, true )`: a value, or the error of `json_last_error()`. */
export type PhpJsonResult =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly error: PhpJsonError };

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes JSON as PHP does. PHP and JavaScript accept the same texts, with two exceptions: PHP limits the depth to 511,
 * and refuses an escape that is half of a surrogate pair. Both keep the last value of a repeated name.
 *
 * @param mayBeTooDeep whether the text may nest too deep, if that is known
 */
export function decodePhpJson(bytes: Uint8Array, mayBeTooDeep?: boolean): PhpJsonResult {
  let text: string;
  let value: Json;
  try {
    text = UTF8.decode(bytes);
    value = JSON.parse(text);
  } catch {
    return { ok: false, error: findJsonError(bytes) ?? PHP_JSON_ERRORS.syntax };
  }
  // Only a text with many brackets can be too deep, and only an escape can be an unpaired surrogate.
  if ((mayBeTooDeep ?? canExceedMaxDepth(text)) || /\\u[dD][89a-fA-F]/.test(text)) {
    const error = findJsonError(bytes);
    if (error !== null) return { ok: false, error };
  }
  return { ok: true, value };
}

/** `(array)` of a decoded value: a scalar becomes the element `0`. */
export function castJsonToArray(value: Json): ReadonlyMap<string, Json> {
  if (value === null) return new Map();
  return new Map(isJsonObject(value) || Array.isArray(value) ? Object.entries<Json>(value) : [['0', value]]);
}

function canExceedMaxDepth(text: string): boolean {
  if (text.length <= 2 * MAX_JSON_DEPTH) return false;
  let open = 0;
  for (let at = 0; at < text.length && open <= MAX_JSON_DEPTH; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x5b || unit === 0x7b) open += 1;
  }
  return open > MAX_JSON_DEPTH;
}
