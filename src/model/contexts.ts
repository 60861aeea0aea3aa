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
 */
export function inContext(
  schema: JsonObject,
  context: string,
  all: readonly string[] = contextsOf(schema),
  depth = 0,
): JsonObject {
  if (depth > DEEPEST) return schema;
  const kept: JsonObject = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [
      keyword,
      narrowed(keyword, value, context, all, depth),
    ]),
  );
  const before = propertiesOf(schema);
  const after = propertiesOf(kept);
  const lost = Object.keys(before).length - Object.keys(after).length;
  const partial = (name: string): boolean => {
    const named = contextsNamedBy(before[name]);
    return named !== null && !all.every((each) => named.includes(each));
  };
  return Object.fromEntries(
    Object.entries(kept).flatMap(([keyword, value]): [string, Json][] => {
      if (keyword === 'additionalProperties' && value === false && lost > 0) return [];
      if (keyword === 'required' && Array.isArray(value)) {
        return [[keyword, value.filter((name) => typeof name !== 'string' || !partial(name))]];
      }
      return [[keyword, value]];
    }),
  );
}

function narrowed(
  keyword: string,
  value: Json,
  context: string,
  all: readonly string[],
  depth: number,
): Json {
  if (keyword === 'properties' && isJsonObject(value)) {
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, property]): [string, Json][] => {
        const named = contextsNamedBy(property);
        if (named === null || !isJsonObject(property)) return [[name, property]];
        if (!named.includes(context)) return [];
        const inner = inContext(property, context, all, depth + 1);
        const everywhere = all.every((each) => named.includes(each));
        return [[name, everywhere || inner['required'] !== true ? inner : without(inner, 'required')]];
      }),
    );
  }
  if ((keyword === 'items' || keyword === 'additionalProperties') && isJsonObject(value)) {
    return contextsNamedBy(value)?.includes(context) === true || keyword === 'items'
      ? inContext(value, context, all, depth + 1)
      : value;
  }
  return value;
}

/** The contexts that a property lists, or null where it lists none: it is then in every context. */
function contextsNamedBy(property: Json | undefined): readonly string[] | null {
  const named = isJsonObject(property) ? property['context'] : undefined;
  return Array.isArray(named) ? named.filter((each) => typeof each === 'string') : null;
}

function propertiesOf(schema: JsonObject): JsonObject {
  const properties = schema['properties'];
  return isJsonObject(properties) ? properties : {};
}

function without(schema: JsonObject, keyword: string): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== keyword));
}
