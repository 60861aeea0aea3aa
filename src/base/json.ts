export type Json = null | boolean | number | string | JsonObject | readonly Json[];

export type JsonStructure = JsonObject | readonly Json[];

/** `JSON.parse` makes `__proto__` an own property; use `Object.entries` or `Object.hasOwn`. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** `undefined` also for what is nested deeper than the runtime parses. */
export function parseJson(text: string | Uint8Array): Json | undefined {
  try {
    return JSON.parse(typeof text === 'string' ? text : new TextDecoder().decode(text));
  } catch {
    return undefined;
  }
}

export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

export function jsonTypeOf(value: unknown): JsonType {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : 'object';
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function jsonMembers(value: Json | undefined): readonly (readonly [name: string, value: Json])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

export function jsonItems(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

export function jsonTexts(value: Json | undefined): readonly string[] {
  return jsonItems(value).filter((item) => typeof item === 'string');
}

/** A text as it is, any other value as JSON. `String` would call a member `toString` of the value. */
export function toText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function toJsonObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Recursive functions can't overflow the stack with it. */
export function isShallow(value: Json, levels: number): boolean {
  return (
    typeof value !== 'object' ||
    value === null ||
    (levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1)))
  );
}

export function ownMember<T>(object: { readonly [name: string]: T }, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

export function memberAt(value: Json | undefined, ...names: readonly string[]): Json | undefined {
  return names.reduce<Json | undefined>(
    (at, name) => (isJsonObject(at) ? ownMember(at, name) : undefined),
    value,
  );
}

export function mapMembers<T, R>(
  object: { readonly [name: string]: T },
  map: (name: string, member: T) => R,
): { readonly [name: string]: R } {
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [name, map(name, member)]));
}

/** Members go where `change` returns `undefined`. */
export function changeMembers(
  object: JsonObject,
  change: (value: Json, name: string) => Json | undefined,
): JsonObject {
  let changes: Map<string, Json | undefined> | undefined;
  for (const name of Object.keys(object)) {
    const value = object[name] ?? null;
    const changed = change(value, name);
    if (changed === value) continue;
    changes ??= new Map();
    changes.set(name, changed);
  }
  if (changes === undefined) return object;
  const entries: [string, Json][] = [];
  for (const [name, value] of Object.entries(object)) {
    const changed = changes.has(name) ? changes.get(name) : value;
    if (changed !== undefined) entries.push([name, changed]);
  }
  return Object.fromEntries(entries);
}

export function toPointerSegment(token: string | number): string {
  if (typeof token === 'number' || !/[~/]/.test(token)) return `/${token}`;
  return `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

export function unescapePointerToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

export type Described<T> = T extends { readonly nullable: infer Value }
  ? Described<Value> | null
  : { readonly [Name in keyof T]: Described<T[Name]> };

/** A newer gateway can add members. */
export function matchesExample<T>(value: unknown, example: T): value is Described<T> {
  if (Array.isArray(example)) {
    return Array.isArray(value) && value.every((item: unknown) => matchesExample(item, example[0]));
  }
  if (typeof example !== 'object' || example === null) return typeof value === typeof example;
  if ('nullable' in example) return value === null || matchesExample(value, example.nullable);
  if (typeof value !== 'object' || value === null) return false;
  const members = new Map<string, unknown>(Object.entries(value));
  return Object.entries(example).every(([name, member]) => matchesExample(members.get(name), member));
}

export function isSameData(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
