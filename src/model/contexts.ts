import { ownMember } from '../discovery/index-values.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';

/** The contexts of WordPress itself. `view` is the default. */
const WORDPRESS_CONTEXTS = ['view', 'edit', 'embed'];

/** Maximum number of contexts of a resource; no site was seen to use more. Further ones are ignored. */
const MAX_CONTEXTS = 8;

/** Maximum nesting depth of the filter. Deeper schemas keep all properties, which is safe. */
const MAX_DEPTH = 32;

/** Lists the contexts that the properties of a schema name, `view` first. Returns an empty list if they name none. */
export function listContexts(schema: JsonObject): readonly string[] {
  const named = new Set<string>();
  for (const property of Object.values(readProperties(schema))) {
    for (const context of readContextKeyword(property) ?? []) {
      if (/^[\w-]{1,40}$/.test(context)) named.add(context);
    }
  }
  const usual = WORDPRESS_CONTEXTS.filter((context) => named.delete(context));
  return [...usual, ...named].slice(0, MAX_CONTEXTS);
}

/**
 * Reduces a resource's schema to one context, as `rest_filter_response_by_context` does with a response. A property that
 * lists contexts is removed from all others. Properties that list no contexts are kept and not filtered recursively.
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
  const filterChild = (originalProperty: Json | undefined, normalizedChild: Json): Json =>
    isJsonObject(originalProperty) && isJsonObject(normalizedChild)
      ? filterByContext(originalProperty, normalizedChild, context, allContexts, depth + 1)
      : normalizedChild;
  const changes = new Map<string, Json | undefined>();

  const properties = readProperties(normalized);
  const kept = new Map<string, Json>();
  for (const [name, property] of Object.entries(properties)) {
    const originalProperty = ownMember(readProperties(original), name);
    const named = readContextKeyword(originalProperty);
    if (named === null) kept.set(name, property);
    else if (named.includes(context)) kept.set(name, filterChild(originalProperty, property));
  }
  if (
    [...kept].some(([name, property]) => property !== ownMember(properties, name)) ||
    kept.size < Object.keys(properties).length
  ) {
    changes.set('properties', Object.fromEntries(kept));
  }
  if (kept.size < Object.keys(properties).length && normalized['additionalProperties'] === false) {
    changes.set('additionalProperties', undefined);
  }

  const { required } = normalized;
  if (Array.isArray(required)) {
    const inEveryContext = required.filter((name) =>
      isInEveryContext(ownMember(readProperties(original), String(name)), allContexts),
    );
    if (inEveryContext.length < required.length) {
      changes.set('required', inEveryContext.length === 0 ? undefined : inEveryContext);
    }
  }

  for (const keyword of ['items', 'additionalProperties']) {
    const normalizedChild = normalized[keyword];
    if (!isJsonObject(normalizedChild)) continue;
    const filteredChild = filterChild(original[keyword], normalizedChild);
    if (filteredChild !== normalizedChild) changes.set(keyword, filteredChild);
  }
  return changes.size === 0 ? normalized : applyChanges(normalized, changes);
}

/** Reads the contexts that a property lists. Returns `null` if it has no list, so that every context contains it. */
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

function applyChanges(schema: JsonObject, changes: ReadonlyMap<string, Json | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
      const changedValue = changes.has(keyword) ? changes.get(keyword) : value;
      return changedValue === undefined ? [] : [[keyword, changedValue]];
    }),
  );
}
