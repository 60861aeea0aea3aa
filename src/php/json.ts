import { isJsonObject, type Json } from '../json.ts';
import { findJsonError, MAX_JSON_DEPTH, PHP_JSON_ERRORS, type PhpJsonError } from './json-error.ts';

/** What `json_decode( $body, true )` makes of bytes: a value, or what `json_last_error()` says. */
export type PhpJsonResult =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly error: PhpJsonError };

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads JSON as PHP does. The two agree on what is JSON but for two things: PHP nests no deeper than 511, and refuses an
 * escape that is half of a surrogate pair. Of a name that stands twice both keep the last value.
 */
export function decodePhpJson(bytes: Uint8Array): PhpJsonResult {
  let text: string;
  let value: Json;
  try {
    text = UTF8.decode(bytes);
    value = JSON.parse(text);
  } catch {
    return { ok: false, error: findJsonError(bytes) ?? PHP_JSON_ERRORS.syntax };
  }
  // What nests too deeply has that many brackets at both ends; what is no pair is an escape.
  if ((text.length > 2 * MAX_JSON_DEPTH && canExceedMaxDepth(text)) || /\\u[dD][89a-fA-F]/.test(text)) {
    const error = findJsonError(bytes);
    if (error !== null) return { ok: false, error };
  }
  return { ok: true, value };
}

/** `(array)` of what was decoded: a scalar is the first item of a list. */
export function toJsonVariables(value: Json): ReadonlyMap<string, Json> {
  if (value === null) return new Map();
  return new Map(isJsonObject(value) || Array.isArray(value) ? Object.entries<Json>(value) : [['0', value]]);
}

function canExceedMaxDepth(text: string): boolean {
  let open = 0;
  for (let at = 0; at < text.length && open <= MAX_JSON_DEPTH; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x5b || unit === 0x7b) open += 1;
  }
  return open > MAX_JSON_DEPTH;
}
