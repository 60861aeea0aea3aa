import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { JsonLocation } from '../openapi/json-path.ts';
import { decodePointerToken } from '../openapi/document-access.ts';

/** What a JSON pointer points at, with its tokens as names and indexes; null where there is nothing. */
export function locatePointer(
  document: JsonObject,
  pointer: string,
): { readonly location: JsonLocation; readonly value: Json } | null {
  let value: Json = document;
  const location: (string | number)[] = [];
  for (const escaped of pointer.split('/').slice(1)) {
    const token = decodePointerToken(escaped);
    let next: Json | undefined;
    if (Array.isArray(value)) {
      const list: readonly Json[] = value;
      next = /^(?:0|[1-9]\d*)$/.test(token) ? list[Number(token)] : undefined;
      location.push(Number(token));
    } else {
      next = isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
      location.push(token);
    }
    if (next === undefined) return null;
    value = next;
  }
  return { location, value };
}
