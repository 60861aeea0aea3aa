import { extensionOf, getDeclaredPatternProperties } from '../../../base/document-extensions.ts';
import { type Json, type JsonObject, jsonMembers, jsonTexts } from '../../../base/json.ts';
import { omitUndefined } from '../../../base/omit-undefined.ts';
import { LIMIT_KEYWORDS } from './keywords.ts';
import { SCHEMA_TYPES } from './type-words.ts';
import type { CheckedSchema } from './walk.ts';

type ReadChild = (declared: Json, ...path: readonly (string | number)[]) => CheckedSchema | boolean;

/** Keywords with usable values. Patterns are PCRE. An unknown type allows every value, as at the site. */
export function readSchema(schema: JsonObject, readChild: ReadChild): CheckedSchema {
  const { $ref, const: constant, enum: values, format, pattern, required, type, uniqueItems } = schema;
  const types = typeof type === 'string' ? [type] : jsonTexts(type);
  const one = (keyword: string): CheckedSchema | boolean | undefined =>
    schema[keyword] === undefined ? undefined : readChild(schema[keyword], keyword);
  const list = (keyword: string): readonly (CheckedSchema | boolean)[] | undefined => {
    const members = schema[keyword];
    return Array.isArray(members) ? members.map((member, at) => readChild(member, keyword, at)) : undefined;
  };
  const byName = (keyword: string, sources: JsonObject = {}) => {
    const members = jsonMembers(schema[keyword]).map(([name, member]): [string, CheckedSchema | boolean] => [
      String(Object.hasOwn(sources, name) ? sources[name] : name),
      readChild(member, keyword, name),
    ]);
    return members.length === 0 ? undefined : Object.fromEntries(members);
  };
  const limits = LIMIT_KEYWORDS.map((keyword) => [keyword, schema[keyword]]);
  return {
    ...Object.fromEntries(limits.filter(([, limit]) => typeof limit === 'number')),
    ...omitUndefined({
      $ref: typeof $ref === 'string' ? $ref : undefined,
      type: types.length > 0 && types.every((name) => SCHEMA_TYPES.has(name)) ? types : undefined,
      enum: Array.isArray(values) ? values : undefined,
      const: constant,
      pattern: typeof pattern === 'string' ? String(extensionOf(schema, 'pcre') ?? pattern) : undefined,
      format: typeof format === 'string' ? format : undefined,
      uniqueItems: uniqueItems === true ? true : undefined,
      required: Array.isArray(required) ? jsonTexts(required) : undefined,
      properties: byName('properties'),
      patternProperties: byName('patternProperties', getDeclaredPatternProperties(schema)),
      additionalProperties: one('additionalProperties'),
      prefixItems: list('prefixItems'),
      items: one('items'),
      allOf: list('allOf'),
      anyOf: list('anyOf'),
      oneOf: list('oneOf'),
      not: one('not'),
    }),
  };
}
