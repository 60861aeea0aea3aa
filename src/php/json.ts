import { isJsonObject, type Json } from '../json.ts';
import { faultOf, JSON_FAULTS, type JsonFault, MAX_JSON_DEPTH } from './json-fault.ts';

/** What `json_decode( $body, true )` makes of bytes: a value, or what `json_last_error()` says. */
export type JsonReading =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly fault: JsonFault };

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads JSON as PHP does. The two agree on what is JSON but for two things: PHP nests no deeper than 511, and refuses an
 * escape that is half of a surrogate pair. Of a name that stands twice both keep the last value.
 */
export function readJson(bytes: Uint8Array): JsonReading {
  let text: string;
  let value: Json;
  try {
    text = UTF8.decode(bytes);
    value = JSON.parse(text);
  } catch {
    return { ok: false, fault: faultOf(bytes) ?? JSON_FAULTS.syntax };
  }
  // What nests too deeply has that many brackets at both ends; what is no pair is an escape.
  if ((text.length > 2 * MAX_JSON_DEPTH && mayBeDeep(text)) || /\\u[dD][89a-fA-F]/.test(text)) {
    const fault = faultOf(bytes);
    if (fault !== null) return { ok: false, fault };
  }
  return { ok: true, value };
}

/** `(array)` of what was decoded: a scalar is the first item of a list. */
export function asVariables(value: Json): ReadonlyMap<string, Json> {
  if (value === null) return new Map();
  return new Map(isJsonObject(value) || Array.isArray(value) ? Object.entries<Json>(value) : [['0', value]]);
}

function mayBeDeep(text: string): boolean {
  let open = 0;
  for (let at = 0; at < text.length && open <= MAX_JSON_DEPTH; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x5b || unit === 0x7b) open += 1;
  }
  return open > MAX_JSON_DEPTH;
}
