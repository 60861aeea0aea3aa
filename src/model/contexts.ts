import { isJsonObject, type Json, type JsonObject } from '../json.ts';

/** WordPress's own contexts first; `view` is what a caller gets who asks for none. */
const USUAL = ['view', 'edit', 'embed'];

/** More than any site was seen to use; the rest is not told apart. */
const MOST_CONTEXTS = 8;

/** Deeper schemas are left as they are: the filter only ever removes. */
const DEEPEST = 32;

/** The contexts that a resource's schema names on its properties, the default first; none where it names none. */
export function contextsOf(schema: JsonObject): readonly string[] {
  const named = new Set<string>();
  for (const property of Object.values(propertiesOf(schema))) {
    for (const context of contextsNamedBy(property) ?? [])
      if (/^[\w-]{1,40}$/.test(context)) named.add(context);
  }
  const usual = USUAL.filter((context) => named.delete(context));
  return [...usual, ...named].slice(0, MOST_CONTEXTS);
}

/**
 * What is left of a resource's schema in one context. Follows `rest_filter_response_by_context`: a property that lists
 * contexts is dropped from all others, and only such properties are looked into.
 *
 * Two liberties keep the schema of the default context true of answers to the others, because an operation can only
 * state one: an object that lost a property no longer forbids unknown ones, and a property that not every context has
 * is not required (sites mean `required` for writing).
 *
 * @param stated The schema as the site states it, whose properties list their contexts.
 * @param normal The same schema, normalised: what the result is made of. Identical where nothing is dropped.
 * @param all The contexts that the resource has.
 */
export function inContext(
  stated: JsonObject,
  normal: JsonObject,
  context: string,
  all: readonly string[],
  depth = 0,
): JsonObject {
  if (depth > DEEPEST) return normal;
  const below = (its: Json | undefined, made: Json): Json =>
    isJsonObject(its) && isJsonObject(made) ? inContext(its, made, context, all, depth + 1) : made;
  const changes = new Map<string, Json | undefined>();

  const before = propertiesOf(normal);
  const after = new Map<string, Json>();
  for (const [name, property] of Object.entries(before)) {
    const its = own(propertiesOf(stated), name);
    const named = contextsNamedBy(its);
    if (named === null) after.set(name, property);
    else if (named.includes(context)) after.set(name, below(its, property));
  }
  if (
    [...after].some(([name, property]) => property !== own(before, name)) ||
    after.size < Object.keys(before).length
  ) {
    changes.set('properties', Object.fromEntries(after));
  }
  if (after.size < Object.keys(before).length && normal['additionalProperties'] === false) {
    changes.set('additionalProperties', undefined);
  }

  const { required } = normal;
  if (Array.isArray(required)) {
    const kept = required.filter((name) => inAll(own(propertiesOf(stated), String(name)), all));
    if (kept.length < required.length) changes.set('required', kept.length === 0 ? undefined : kept);
  }

  for (const keyword of ['items', 'additionalProperties']) {
    const made = normal[keyword];
    if (!isJsonObject(made)) continue;
    const left = below(stated[keyword], made);
    if (left !== made) changes.set(keyword, left);
  }
  return changes.size === 0 ? normal : changed(normal, changes);
}

/** The contexts that a property lists, or null where it lists none: it is then in every context. */
function contextsNamedBy(property: Json | undefined): readonly string[] | null {
  const named = isJsonObject(property) ? property['context'] : undefined;
  return Array.isArray(named) ? named.filter((each) => typeof each === 'string') : null;
}

function inAll(property: Json | undefined, all: readonly string[]): boolean {
  const named = contextsNamedBy(property);
  return named === null || all.every((context) => named.includes(context));
}

function propertiesOf(schema: JsonObject): JsonObject {
  const properties = schema['properties'];
  return isJsonObject(properties) ? properties : {};
}

function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function changed(schema: JsonObject, changes: ReadonlyMap<string, Json | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
      const now = changes.has(keyword) ? changes.get(keyword) : value;
      return now === undefined ? [] : [[keyword, now]];
    }),
  );
}
