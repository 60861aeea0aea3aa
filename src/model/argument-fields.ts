import { EXTENSION_NAMES, getStatedDefault } from '../document-extensions.ts';
import type { Json, JsonObject } from '../json.ts';
import { isRawTextPair, toRawText } from './raw-text.ts';
import type { RouteParameter } from './route-parameter.ts';
import type { NormalizedArgument } from './schema/normalizer.ts';
import type { ArgumentField, PathParameter } from './site.ts';
import type { TemplateParameter } from './templates.ts';

/**
 * Combines the argument of a path parameter with the pattern of its group. The index does not connect the two; WordPress
 * does, by name.
 *
 * @param name The name in the path's template, which may come from another route of the template.
 */
export function toPathParameter(
  { parameter, splitPart }: TemplateParameter,
  name: string,
  args: ReadonlyMap<string, NormalizedArgument>,
): PathParameter {
  const { groupName, pcre } = parameter;
  const declared = groupName === undefined ? undefined : args.get(groupName)?.schema;
  const common = {
    name,
    ...(groupName === undefined ? {} : { siteName: groupName }),
    pcre,
    canContainSlash: parameter.slashOccurrence !== 'never',
  };
  if (splitPart === undefined) return { ...common, schema: narrowByGroup(declared, parameter) };
  // The argument's schema describes the whole value, so a part is described by its pattern only.
  const part = { ...common, schema: narrowByGroup(undefined, parameter) };
  return splitPart.part === 1
    ? { ...part, wholeSchema: narrowByGroup(declared, splitPart.whole) }
    : { ...part, wholeSiteName: splitPart.whole.groupName ?? splitPart.whole.name };
}

/**
 * Converts an argument outside the path. It is not required if the pattern has a group of its name, or if it has a default
 * other than null (`WP_REST_Request::has_valid_params`).
 */
export function toArgumentField(
  { name, required, schema }: NormalizedArgument,
  pattern: string,
): ArgumentField {
  const isRequired =
    required && !pattern.includes(`<${name}>`) && (getStatedDefault(schema) ?? null) === null;
  return { name, required: isRequired, schema: isRawTextPair(schema) ? toRawText(schema) : schema };
}

/** Combines fields into one object schema, for a body. */
export function toObjectSchema(fields: readonly ArgumentField[]): JsonObject {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** Keywords that restrict the type of a value. Without them the type is derived from the group's pattern. */
const TYPE_KEYWORDS: readonly string[] = ['type', 'enum', 'const', 'oneOf', 'anyOf', 'allOf', '$ref'];

/** Patterns of digits. If the argument has no type, a client may pass a number or a string. */
const DIGIT_PATTERNS: ReadonlySet<string> = new Set(['^\\d+$', '^[0-9]+$']);

/**
 * Narrows an argument's schema by the pattern of its group. `pattern` becomes the group's pattern, which decides whether
 * the route matches. The pattern that the argument declares is kept in `allOf`. The default is removed, because a path
 * parameter is always present.
 */
function narrowByGroup(declared: JsonObject | undefined, { ecmaPattern }: RouteParameter): JsonObject {
  const untyped: JsonObject = DIGIT_PATTERNS.has(ecmaPattern)
    ? { type: ['integer', 'string'], minimum: 0 }
    : { type: 'string' };
  if (declared === undefined) return { ...untyped, pattern: ecmaPattern };
  const schema = {
    ...(TYPE_KEYWORDS.some((keyword) => Object.hasOwn(declared, keyword)) ? {} : untyped),
    ...omitKeywords(declared, ['default', EXTENSION_NAMES.default, EXTENSION_NAMES.pcre]),
  };
  const { pattern: argumentPattern, allOf: others } = schema;
  if (typeof argumentPattern !== 'string' || argumentPattern === ecmaPattern)
    return { ...schema, pattern: ecmaPattern };
  const { [EXTENSION_NAMES.pcre]: pcre } = declared;
  const all: readonly Json[] = Array.isArray(others) ? others : [];
  const argumentSchema = {
    pattern: argumentPattern,
    ...(pcre === undefined ? {} : { [EXTENSION_NAMES.pcre]: pcre }),
  };
  return { ...schema, pattern: ecmaPattern, allOf: [...all, argumentSchema] };
}

function omitKeywords(schema: JsonObject, keywords: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}
