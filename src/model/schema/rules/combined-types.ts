import { describeValue } from '../../../discovery/index-values.ts';
import { EXTENSION_NAMES } from '../../../document-extensions.ts';
import { isJsonObject, type Json } from '../../../json.ts';
import { getOriginPointer, type MutableSchema, type SchemaRule } from '../mutable-schema.ts';
import { keepStatedType, readTypes, setTypes } from './types.ts';

/** Keywords that apply to values of one type. JSON Schema and WordPress ignore them for other values. */
const KEYWORDS_OF_TYPE = {
  array: ['items', 'prefixItems'],
  object: ['properties', 'patternProperties', 'additionalProperties'],
} as const;

/** Rules for keywords that do not fit the type. They run when the types are final, before the subschemas are visited. */
export const typeKeywordRules: readonly SchemaRule[] = [
  {
    name: 'array-with-properties',
    summary:
      'An array that states properties and no items is an array or an object: PHP has one type for both.',
    severity: 'info',
    triggers: ['properties'],
    apply(schema, report) {
      const types = readTypes(schema);
      const properties = schema.keywords.get('properties');
      if (types === undefined || !types.includes('array') || types.includes('object')) return;
      if (schema.keywords.has('items') || schema.keywords.has('prefixItems')) return;
      if (!isJsonObject(properties) || Object.keys(properties).length === 0) return;
      keepStatedType(schema, schema.keywords.get('type'));
      setTypes(schema, [...types, 'object']);
      report(getOriginPointer(schema, 'type'), 'The type is an array with "properties".', 'Allowed objects.');
    },
  },
  {
    name: 'keyword-of-other-type',
    summary: 'A keyword for arrays or objects is dropped if the type allows none.',
    severity: 'info',
    triggers: Object.values(KEYWORDS_OF_TYPE).flat(),
    apply(schema, report) {
      const types = readTypes(schema);
      if (types === undefined) return;
      for (const [type, keywords] of Object.entries(KEYWORDS_OF_TYPE)) {
        if (types.includes(type)) continue;
        for (const keyword of keywords) {
          if (!schema.keywords.delete(keyword)) continue;
          if (keyword === 'patternProperties') schema.keywords.delete(EXTENSION_NAMES.patternProperties);
          const pointer = getOriginPointer(schema, keyword);
          report(pointer, `"${keyword}" has no effect on the type ${describeTypes(types)}.`, 'Dropped.');
        }
      }
    },
  },
];

/** Rules for `oneOf` and `anyOf`. They run after the members have been normalized, so that each has its type. */
export const combinedTypeRules: readonly SchemaRule[] = [
  {
    name: 'type-of-members',
    summary:
      'The type array beside `oneOf` or `anyOf` is dropped if the members state types that it allows, and gets open items otherwise.',
    severity: 'info',
    triggers: ['oneOf', 'anyOf'],
    apply(schema, report) {
      const types = readTypes(schema);
      if (types?.includes('array') !== true || schema.keywords.has('items')) return;
      const isRedundant = (['oneOf', 'anyOf'] as const).some((keyword) => {
        const members = readMemberTypes(schema, keyword);
        return members?.every((each) => each.every((type) => types.includes(type))) === true;
      });
      if (isRedundant) {
        keepStatedType(schema, schema.keywords.get('type'));
        schema.keywords.delete('type');
      } else {
        schema.keywords.set('items', {});
      }
      const action = isRedundant ? 'Dropped: the members state their types.' : 'Left the items open.';
      report(getOriginPointer(schema, 'type'), 'An array does not state its items.', action);
    },
  },
  {
    name: 'one-of-overlap',
    summary: `A \`oneOf\` whose members can accept the same value becomes \`anyOf\` with \`${EXTENSION_NAMES.exclusive}\`.`,
    severity: 'info',
    triggers: ['oneOf'],
    apply(schema, report) {
      const members = schema.keywords.get('oneOf');
      if (!Array.isArray(members) || members.length < 2 || schema.keywords.has('anyOf')) return;
      if (areDisjoint(readMemberTypes(schema, 'oneOf'))) return;
      schema.keywords.delete('oneOf');
      schema.keywords.set('anyOf', members);
      schema.keywords.set(EXTENSION_NAMES.exclusive, true);
      schema.originPointers.set('anyOf', getOriginPointer(schema, 'oneOf'));
      report(
        getOriginPointer(schema, 'oneOf'),
        'The members of "oneOf" have types in common.',
        'Written as "anyOf".',
      );
    },
  },
];

/** The types of each member of a combination; `undefined` if one states none. */
function readMemberTypes(
  schema: MutableSchema,
  keyword: 'oneOf' | 'anyOf',
): readonly (readonly string[])[] | undefined {
  const members = schema.keywords.get(keyword);
  if (!Array.isArray(members)) return undefined;
  const types = members.map(readType);
  return types.every((each) => each !== undefined) ? types : undefined;
}

function readType(member: Json): readonly string[] | undefined {
  const type = isJsonObject(member) ? member['type'] : undefined;
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((word) => typeof word === 'string') : undefined;
}

function areDisjoint(members: readonly (readonly string[])[] | undefined): boolean {
  if (members === undefined) return false;
  // Every integer is a number.
  const all = members.flatMap((types) => [
    ...new Set(types.map((type) => (type === 'integer' ? 'number' : type))),
  ]);
  return new Set(all).size === all.length;
}

function describeTypes(types: readonly string[]): string {
  return describeValue(types.length === 1 ? (types[0] ?? null) : types);
}
