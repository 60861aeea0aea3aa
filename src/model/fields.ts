import type { Json, JsonObject } from '../json.ts';
import type { RouteParameter } from './route.ts';
import type { NormalArgument } from './schema/index.ts';
import type { Field, PathParameter } from './site.ts';
import type { PlacedParameter } from './templates.ts';

/**
 * A parameter of the path: what its argument says, and the site's pattern of the group. The index does not tie the two
 * together; the site does, by their name.
 *
 * @param name The name in the path's template, which may be another route's.
 */
export function pathParameter(
  { parameter, split }: PlacedParameter,
  name: string,
  args: ReadonlyMap<string, NormalArgument>,
): PathParameter {
  const { group, pcre } = parameter;
  const declared = group === undefined ? undefined : args.get(group)?.schema;
  const common = { name, ...(group === undefined ? {} : { siteName: group }), pcre };
  if (split === undefined) {
    return { ...common, slashes: parameter.slashes !== 'never', schema: groupSchema(declared, parameter) };
  }
  // A part says nothing of the whole but where its own characters stand.
  const part = {
    ...common,
    slashes: parameter.slashes !== 'never',
    schema: groupSchema(undefined, parameter),
  };
  return split.part === 1
    ? { ...part, whole: groupSchema(declared, split.whole) }
    : { ...part, partOf: split.whole.group ?? split.whole.name };
}

/** An argument that is no group of the path. The site reads what a nested group captured before it misses it. */
export function fieldOf({ name, required, schema }: NormalArgument, pattern: string): Field {
  return { name, required: required && !pattern.includes(`<${name}>`), schema };
}

/** Fields as one object schema, for a body. */
export function objectOf(fields: readonly Field[]): JsonObject {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** Keywords that say what a value is. An argument with none of them says nothing that the path does not know better. */
const TYPING: readonly string[] = ['type', 'enum', 'const', 'oneOf', 'anyOf', 'allOf', '$ref'];

/** A group of digits whose argument has no type: callers may pass the number. */
const DIGITS: ReadonlySet<string> = new Set(['^\\d+$', '^[0-9]+$']);

/**
 * The argument's schema, narrowed by the group's pattern. Its default goes: a path without the parameter is another
 * path. `pattern` is the group's, since that decides whether the site answers at all; one of the argument's own is kept
 * beside it.
 */
function groupSchema(declared: JsonObject | undefined, { pattern }: RouteParameter): JsonObject {
  const untyped: JsonObject = DIGITS.has(pattern)
    ? { type: ['integer', 'string'], minimum: 0 }
    : { type: 'string' };
  if (declared === undefined) return { ...untyped, pattern };
  const schema = {
    ...(TYPING.some((keyword) => Object.hasOwn(declared, keyword)) ? {} : untyped),
    ...without(declared, ['default', 'x-waygate-default', 'x-waygate-pcre']),
  };
  const { pattern: own, allOf: others } = schema;
  if (typeof own !== 'string' || own === pattern) return { ...schema, pattern };
  const { 'x-waygate-pcre': pcre } = declared;
  const all: readonly Json[] = Array.isArray(others) ? others : [];
  const beside = { pattern: own, ...(pcre === undefined ? {} : { 'x-waygate-pcre': pcre }) };
  return { ...schema, pattern, allOf: [...all, beside] };
}

function without(schema: JsonObject, keywords: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}
