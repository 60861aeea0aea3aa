import { isJsonObject, type Json, type JsonObject } from '../json.ts';

/** What a JSON pointer (`#/components/schemas/Post`) points at in a document; undefined where there is nothing. */
export function resolveReference(document: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let at: Json | undefined = document;
  for (const escaped of reference.slice(2).split('/')) {
    const token = decodePointerToken(escaped);
    if (Array.isArray(at)) at = at[Number(token)];
    else if (isJsonObject(at) && Object.hasOwn(at, token)) at = at[token];
    else return undefined;
  }
  return at;
}

/** Every reference into the document that stands anywhere in a value. */
export function collectReferences(value: Json, found: Set<string> = new Set()): Set<string> {
  const pending: Json[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Array.isArray(next)) for (const item of next) pending.push(item);
    else if (isJsonObject(next)) {
      const reference = next['$ref'];
      if (typeof reference === 'string') found.add(reference);
      for (const name of Object.keys(next)) pending.push(next[name] ?? null);
    }
  }
  return found;
}

/** A reference's tokens are percent-encoded in the fragment and escaped as in a pointer (RFC 6901 §6). */
export function decodePointerToken(token: string): string {
  if (!/[%~]/.test(token)) return token;
  let text = token;
  try {
    text = decodeURIComponent(token);
  } catch {
    // A lone `%` stands for itself: hand-written references have them.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}
