import {
  isJsonObject,
  type Json,
  type JsonObject,
  memberAt,
  ownMember,
  toPointerSegment,
  unescapePointerToken,
} from '../../base/json.ts';

export type JsonLocation = readonly (string | number)[];

export function resolveReference(document: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let value: Json | undefined = document;
  for (const token of reference.slice(2).split('/')) value = childOf(value, decodeReferenceToken(token));
  return value;
}

function childOf(value: Json | undefined, token: string): Json | undefined {
  if (!Array.isArray(value)) return isJsonObject(value) ? ownMember(value, token) : undefined;
  return /^(?:0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
}

export function referenceOf(value: Json | undefined): string | undefined {
  const reference = memberAt(value, '$ref');
  return typeof reference === 'string' ? reference : undefined;
}

const MAX_REFERENCES = 32;

/** `undefined` in a circle. Members beside a reference take precedence (OpenAPI 3.1 §4.8.23). */
export function dereference(value: Json | undefined, document: JsonObject): JsonObject | undefined {
  let at = value;
  for (let step = 0; step < MAX_REFERENCES && isJsonObject(at); step += 1) {
    const reference = referenceOf(at);
    if (reference === undefined) return at;
    const target = resolveReference(document, reference);
    const { $ref: _, ...beside } = Object.keys(at).length > 1 ? at : {};
    at = isJsonObject(target) && Object.keys(beside).length > 0 ? { ...target, ...beside } : target;
  }
  return undefined;
}

export function locatePointer(
  document: JsonObject,
  pointer: string,
): { readonly location: JsonLocation; readonly value: Json } | null {
  let value: Json = document;
  const location: (string | number)[] = [];
  for (const escaped of pointer.split('/').slice(1)) {
    const token = decodeReferenceToken(escaped);
    const next = childOf(value, token);
    if (next === undefined) return null;
    location.push(Array.isArray(value) ? Number(token) : token);
    value = next;
  }
  return { location, value };
}

export function collectReferences(value: Json, found: Set<string> = new Set()): Set<string> {
  const pending: Json[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Array.isArray(next)) {
      for (const item of next) pending.push(item);
    } else if (isJsonObject(next)) {
      const reference = next['$ref'];
      if (typeof reference === 'string') found.add(reference);
      for (const name of Object.keys(next)) pending.push(next[name] ?? null);
    }
  }
  return found;
}

export function addReachedReferences(found: Set<string>, document: JsonObject): Set<string> {
  for (const reference of found) collectReferences(resolveReference(document, reference) ?? null, found);
  return found;
}

const MAX_REPLACED_DEPTH = 48;

/** Copies a schema with references replaced. @param siblings the references, e.g. to components of other contexts */
export function replaceReferences(
  schema: Json,
  siblings: ReadonlySet<string>,
  wanted: string,
  depth = 0,
): Json {
  const inside = (value: Json): Json => replaceReferences(value, siblings, wanted, depth + 1);
  if (depth > MAX_REPLACED_DEPTH) return schema;
  if (Array.isArray(schema)) return schema.map(inside);
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) =>
      keyword === '$ref' && siblings.has(String(value)) ? [keyword, wanted] : [keyword, inside(value)],
    ),
  );
}

export function getSchemaComponentKey(reference: string | undefined): string | undefined {
  const token = /^#\/components\/schemas\/([^/]+)$/.exec(reference ?? '')?.[1];
  return token === undefined ? undefined : decodeReferenceToken(token);
}

export function toSchemaReference(componentKey: string): string {
  return `#/components/schemas/${encodeURIComponent(toPointerSegment(componentKey).slice(1))}`;
}

/** Decodes a token of a pointer in a URL fragment (RFC 6901 §6). */
export function decodeReferenceToken(token: string): string {
  if (!/[%~]/.test(token)) return token;
  let text = token;
  try {
    text = decodeURIComponent(token);
  } catch {
    // A token with an unencoded `%`, as people write it, is literal.
  }
  return unescapePointerToken(text);
}
