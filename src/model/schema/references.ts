import { isJsonObject, type Json, type JsonObject, unescapePointerToken } from '../../json.ts';

/** The target of a reference, with its JSON pointer. */
export interface ResolvedReference {
  readonly pointer: string;
  readonly schema: JsonObject;
}

/** Resolves a reference within one schema (`#`, `#/definitions/x`; RFC 6901 §6). Returns `undefined` for all others. */
export function resolveLocalReference(root: JsonObject, reference: string): ResolvedReference | undefined {
  if (!reference.startsWith('#') || reference.length > 1000) return undefined;
  const pointer = decodeFragment(reference.slice(1));
  if (pointer === undefined || (pointer !== '' && !pointer.startsWith('/'))) return undefined;
  let value: Json | undefined = root;
  for (const token of pointer.split('/').slice(1)) {
    const name = unescapePointerToken(token);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = isJsonObject(value) ? value[name] : value[Number(name)];
  }
  return isJsonObject(value) ? { pointer, schema: value } : undefined;
}

function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}
