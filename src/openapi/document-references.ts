import { ConfigurationError } from '../errors.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  memberAt,
  ownMember,
  toPointerSegment,
  unescapePointerToken,
} from '../json.ts';

/** A location in a JSON value: the names and indexes that lead to it from the root. */
export type JsonLocation = readonly (string | number)[];

/** Returns the value that a reference (`#/components/schemas/Post`) points at; `undefined` if there is none. */
export function resolveReference(document: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let value: Json | undefined = document;
  for (const token of reference.slice(2).split('/')) value = childOf(value, decodeReferenceToken(token));
  return value;
}

/** Returns the member or item that one token of a pointer leads to; `undefined` if there is none. */
export function childOf(value: Json | undefined, token: string): Json | undefined {
  if (!Array.isArray(value)) return isJsonObject(value) ? ownMember(value, token) : undefined;
  return /^(?:0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
}

export function referenceOf(value: Json | undefined): string | undefined {
  const reference = memberAt(value, '$ref');
  return typeof reference === 'string' ? reference : undefined;
}

/** Maximum number of references that lead to one another. */
const MAX_REFERENCES = 32;

/**
 * Returns the object that a value is or refers to, through a chain of references. Members beside a reference apply too and take
 * precedence (OpenAPI 3.1 §4.8.23, JSON Schema core §8.2.3.1). Returns `undefined` if it leads to no object, or in a circle.
 */
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

/** Returns the location and the value that a JSON pointer points at; `null` if there is no such value. */
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

/** Collects every `$ref` in a value, at any depth, into `found`. */
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

/** Adds the references that those of a set lead to, directly or through others. */
export function addReachedReferences(found: Set<string>, document: JsonObject): Set<string> {
  // The loop also visits the references that it adds.
  for (const reference of found) collectReferences(resolveReference(document, reference) ?? null, found);
  return found;
}

/** Maximum nesting down to which references are replaced. */
const MAX_REPLACED_DEPTH = 48;

/** Copies a schema with references to one of `siblings` replaced, such as those to components of other contexts. */
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

/** Returns the key of the schema component that a reference points at; `undefined` if it points at anything else. */
export function getSchemaComponentKey(reference: string | undefined): string | undefined {
  const token = /^#\/components\/schemas\/([^/]+)$/.exec(reference ?? '')?.[1];
  return token === undefined ? undefined : decodeReferenceToken(token);
}

/** Returns the reference to a schema component, percent-encoded for the fragment of a URL (RFC 6901 §6). */
export function toSchemaReference(componentKey: string): string {
  return `#/components/schemas/${encodeURIComponent(toPointerSegment(componentKey).slice(1))}`;
}

/** Decodes one token of a reference: percent-encoded in the fragment, escaped as in a pointer (RFC 6901 §6). */
export function decodeReferenceToken(token: string): string {
  if (!/[%~]/.test(token)) return token;
  let text = token;
  try {
    text = decodeURIComponent(token);
  } catch {
    // Hand-written references contain unencoded `%`: such a token is taken literally.
  }
  return unescapePointerToken(text);
}

/** Creates the error for a document that cannot be used: the pointer, what was found there, and what is expected. */
export function createDocumentError(pointer: string, found: string, expected: string): ConfigurationError {
  return new ConfigurationError(`The document cannot be used: #${pointer} ${found}; ${expected}.`);
}
