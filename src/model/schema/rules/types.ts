import { isJsonObject, type Json } from '../../../json.ts';
import { EXTENSION } from '../../../openapi/extensions.ts';
import { type MutableSchema, originPointer, type SchemaRule, show } from '../mutable-schema.ts';
import { hasJsonType, JSON_TYPES, jsonTypeOf, parseTypeExpression } from '../type-words.ts';

/** What `type` says. */
export const typeRules: readonly SchemaRule[] = [
  {
    name: 'type-word',
    summary: 'A type word that JSON Schema does not know becomes the type that it means.',
    severity: 'info',
    triggers: ['type'],
    apply(schema, report) {
      const word = schema.keywords.get('type');
      if (typeof word !== 'string' || JSON_TYPES.has(word)) return;
      const types = parseTypeExpression(word);
      if (types === undefined) return;
      keepStatedType(schema, word);
      setTypes(schema, types);
      report(originPointer(schema, 'type'), `The type is ${show(word)}.`, `Read as ${types.join(' or ')}.`);
    },
  },
  {
    name: 'type-list',
    summary: 'A list of types keeps each known type once, and a list of one becomes that type.',
    severity: 'info',
    triggers: ['type'],
    apply(schema, report) {
      const listed = schema.keywords.get('type');
      const list = isJsonObject(listed) ? Object.values(listed) : listed;
      if (!Array.isArray(list) || list.length > 100) return;
      // A list with a word for "anything" in it, or with schemas (draft 3), says nothing certain.
      const read = list.map((word: Json) =>
        typeof word === 'string' ? parseTypeExpression(word) : undefined,
      );
      const known = read.filter((types) => types !== undefined);
      const types = new Set(known.flat());
      if (types.size === 0 || list.some(isOpenTypeWord)) return;
      const clean =
        types.size > 1 && types.size === list.length && list.every((word) => types.has(String(word)));
      if (clean && list === listed) return;
      if (list.some((word) => typeof word !== 'string' || !JSON_TYPES.has(word)))
        keepStatedType(schema, listed);
      setTypes(schema, [...types]);
      report(
        originPointer(schema, 'type'),
        `The type is ${show(listed)}.`,
        `Read as ${[...types].join(' or ')}.`,
      );
    },
  },
  {
    name: 'type-unknown',
    summary: 'A type that says nothing certain is dropped, which leaves the value open.',
    severity: 'warning',
    triggers: ['type'],
    apply(schema, report) {
      const type = schema.keywords.get('type');
      if (typeof type === 'string' ? JSON_TYPES.has(type) : isTypeList(type)) return;
      schema.keywords.delete('type');
      schema.keywords.delete(EXTENSION.type);
      report(
        originPointer(schema, 'type'),
        `The type ${show(type)} is none of JSON Schema.`,
        'Dropped: any type.',
      );
    },
  },
  {
    name: 'member-type',
    summary: 'A member of `oneOf` or `anyOf` without a type inherits the type around it, as at the site.',
    severity: 'info',
    triggers: [],
    apply(schema, report) {
      if (schema.inheritedType === undefined || schema.keywords.has('type')) return;
      schema.keywords.set('type', schema.inheritedType);
      report('', 'A member of "oneOf" or "anyOf" has no type.', 'It inherits the type around it.');
    },
  },
  {
    name: 'nullable',
    summary: 'The keyword `nullable` of OpenAPI 3.0 becomes the type null.',
    severity: 'info',
    triggers: ['nullable'],
    apply(schema, report) {
      const nullable = schema.keywords.get('nullable');
      schema.keywords.delete('nullable');
      const types = readTypes(schema);
      if (nullable === true && types !== undefined && !types.includes('null')) allowNull(schema, types);
      report(
        '/nullable',
        `"nullable" is ${show(nullable)}.`,
        nullable === true ? 'Null is allowed.' : 'Dropped.',
      );
    },
  },
];

/** What the type must be where none is stated. Runs when `enum`, `properties` and `items` are in order. */
export const missingTypeRules: readonly SchemaRule[] = [
  {
    name: 'type-missing',
    summary:
      'A missing type is inferred from properties, items or the values of an enum, and only from these.',
    severity: 'info',
    triggers: ['properties', 'items', 'prefixItems', 'enum', 'const'],
    apply(schema, report) {
      if (
        schema.keywords.has('type') ||
        ['oneOf', 'anyOf', 'allOf', '$ref'].some((k) => schema.keywords.has(k))
      )
        return;
      const evidence = inferTypes(schema);
      if (evidence === undefined) return;
      schema.keywords.set(EXTENSION.type, null);
      setTypes(schema, evidence.types);
      report('', `There is no type, but "${evidence.by}".`, `Read as ${evidence.types.join(' or ')}.`);
    },
  },
];

/** The types that the draft names, as a list; undefined where it names none. */
export function readTypes(schema: MutableSchema): readonly string[] | undefined {
  const type = schema.keywords.get('type');
  if (typeof type === 'string') return [type];
  return isTypeList(type) ? type : undefined;
}

export function setTypes(schema: MutableSchema, types: readonly string[]): void {
  const [only] = types;
  if (only !== undefined) schema.keywords.set('type', types.length === 1 ? only : types);
}

export function allowNull(schema: MutableSchema, types: readonly string[]): void {
  keepStatedType(schema, schema.keywords.get('type') ?? null);
  setTypes(schema, [...types, 'null']);
}

/** Keeps what the site stated, the first time that `type` becomes something of ours. */
function keepStatedType(schema: MutableSchema, stated: Json | undefined): void {
  const usable =
    typeof stated === 'string' || (Array.isArray(stated) && stated.every((w) => typeof w === 'string'));
  if (usable && !schema.keywords.has(EXTENSION.type)) schema.keywords.set(EXTENSION.type, stated);
}

function isTypeList(type: Json | undefined): type is readonly string[] {
  return (
    Array.isArray(type) &&
    type.length > 0 &&
    type.every((word) => typeof word === 'string' && JSON_TYPES.has(word))
  );
}

function isOpenTypeWord(word: Json): boolean {
  return isJsonObject(word) || word === 'any' || word === 'mixed';
}

function inferTypes(
  schema: MutableSchema,
): { readonly by: string; readonly types: readonly string[] } | undefined {
  const properties = schema.keywords.get('properties');
  const items = schema.keywords.get('items');
  const values = schema.keywords.has('const') ? [schema.keywords.get('const')] : schema.keywords.get('enum');
  const shaped = isJsonObject(properties) && Object.keys(properties).length > 0;
  if (shaped && items === undefined && values === undefined) return { by: 'properties', types: ['object'] };
  const listed = items !== undefined || schema.keywords.has('prefixItems');
  if (listed && properties === undefined && values === undefined) return { by: 'items', types: ['array'] };
  if (!Array.isArray(values) || values.length === 0 || shaped || listed) return undefined;
  const types = [...new Set(values.map(jsonTypeOf))];
  const scalar = types.every((type) => type !== 'object' && type !== 'array');
  const narrowed = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
  return scalar && values.every((value) => hasJsonType(value, narrowed))
    ? { by: 'enum', types: narrowed }
    : undefined;
}
