import { isJsonObject, type Json, type JsonObject } from '../json.ts';

/** WordPress's own contexts. `view` is the default. */
const WORDPRESS_CONTEXTS = ['view', 'edit', 'embed'];

/** Maximum number of contexts of a resource; no site was seen to use more. Further ones are ignored. */
const MAX_CONTEXTS = 8;

/** Deeper schemas are not filtered. That is safe, because the filter only removes properties. */
const MAX_DEPTH = 32;

/** Lists the contexts that the properties of a schema name, the default first. Empty if they name none. */
export function listContexts(schema: JsonObject): readonly string[] {
  const named = new Set<string>();
  for (const property of Object.values(readProperties(schema))) {
    for (const context of readContextKeyword(property) ?? [])
      if (/^[\w-]{1,40}$/.test(context)) named.add(context);
  }
  const usual = WORDPRESS_CONTEXTS.filter((context) => named.delete(context));
  return [...usual, ...named].slice(0, MAX_CONTEXTS);
}

/**
 * Reduces a resource's schema to one context. Follows `rest_filter_response_by_context`: a property that lists contexts
 * is removed in all others, and only such properties are filtered recursively.
 *
 * An operation states the schema of one context only, so the result must also accept responses in the other contexts:
 * an object that lost a property no longer forbids unknown properties, and a property is required only if every context
 * contains it (sites use `required` for writing).
 *
 * @param original The schema as the site states it, whose properties list their contexts.
 * @param normalized The same schema after normalization, from which the result is built.
 * @param allContexts The contexts of the resource.
 * @returns `normalized` itself if nothing is removed
 */
export function filterByContext(
  original: JsonObject,
  normalized: JsonObject,
  context: string,
  allContexts: readonly string[],
  depth = 0,
): JsonObject {
  if (depth > MAX_DEPTH) return normalized;
  const below = (its: Json | undefined, made: Json): Json =>
    isJsonObject(its) && isJsonObject(made)
      ? filterByContext(its, made, context, allContexts, depth + 1)
      : made;
  const changes = new Map<string, Json | undefined>();

  const before = readProperties(normalized);
  const after = new Map<string, Json>();
  for (const [name, property] of Object.entries(before)) {
    const its = ownProperty(readProperties(original), name);
    const named = readContextKeyword(its);
    if (named === null) after.set(name, property);
    else if (named.includes(context)) after.set(name, below(its, property));
  }
  if (
    [...after].some(([name, property]) => property !== ownProperty(before, name)) ||
    after.size < Object.keys(before).length
  ) {
    changes.set('properties', Object.fromEntries(after));
  }
  if (after.size < Object.keys(before).length && normalized['additionalProperties'] === false) {
    changes.set('additionalProperties', undefined);
  }

  const { required } = normalized;
  if (Array.isArray(required)) {
    const kept = required.filter((name) =>
      isInEveryContext(ownProperty(readProperties(original), String(name)), allContexts),
    );
    if (kept.length < required.length) changes.set('required', kept.length === 0 ? undefined : kept);
  }

  for (const keyword of ['items', 'additionalProperties']) {
    const made = normalized[keyword];
    if (!isJsonObject(made)) continue;
    const left = below(original[keyword], made);
    if (left !== made) changes.set(keyword, left);
  }
  return changes.size === 0 ? normalized : applyChanges(normalized, changes);
}

/** Reads the contexts that a property lists. `null` if it lists none, so that every context contains it. */
function readContextKeyword(property: Json | undefined): readonly string[] | null {
  const named = isJsonObject(property) ? property['context'] : undefined;
  return Array.isArray(named) ? named.filter((each) => typeof each === 'string') : null;
}

function isInEveryContext(property: Json | undefined, allContexts: readonly string[]): boolean {
  const named = readContextKeyword(property);
  return named === null || allContexts.every((context) => named.includes(context));
}

function readProperties(schema: JsonObject): JsonObject {
  const properties = schema['properties'];
  return isJsonObject(properties) ? properties : {};
}

function ownProperty(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function applyChanges(schema: JsonObject, changes: ReadonlyMap<string, Json | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
      const now = changes.has(keyword) ? changes.get(keyword) : value;
      return now === undefined ? [] : [[keyword, now]];
    }),
  );
}
