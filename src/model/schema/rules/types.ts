import { describeValue } from '../../../discovery/index-values.ts';
import { EXTENSION_NAMES } from '../../../document-extensions.ts';
import { isJsonObject, type Json } from '../../../json.ts';
import { getOriginPointer, type MutableSchema, type SchemaRule } from '../mutable-schema.ts';
import { hasSchemaType, parseTypeExpression, SCHEMA_TYPES, schemaTypeOf } from '../type-words.ts';

/** Rules for `type`. */
export const typeRules: readonly SchemaRule[] = [
  {
    name: 'type-word',
    summary: 'A type word that is not of JSON Schema becomes the corresponding type.',
    severity: 'info',
    triggers: ['type'],
    apply(schema, report) {
      const word = schema.keywords.get('type');
      if (typeof word !== 'string' || SCHEMA_TYPES.has(word)) return;
      const types = parseTypeExpression(word);
      if (types === undefined) return;
      keepStatedType(schema, word);
      setTypes(schema, types);
      report(
        getOriginPointer(schema, 'type'),
        `The type is ${describeValue(word)}.`,
        `Read as ${types.join(' or ')}.`,
      );
    },
  },
  {
    name: 'type-list',
    summary: 'A list of types keeps each known type once; a list of one type becomes that type.',
    severity: 'info',
    triggers: ['type'],
    apply(schema, report) {
      const listed = schema.keywords.get('type');
      const list = isJsonObject(listed) ? Object.values(listed) : listed;
      if (!Array.isArray(list) || list.length > 100) return;
      // A list that contains a word for any type, or a schema (draft 3), allows every value.
      const read = list.map((word: Json) =>
        typeof word === 'string' ? parseTypeExpression(word) : undefined,
      );
      const known = read.filter((types) => types !== undefined);
      const types = new Set(known.flat());
      if (types.size === 0 || list.some(isOpenTypeWord)) return;
      const isNormalized =
        types.size > 1 && types.size === list.length && list.every((word) => types.has(String(word)));
      if (isNormalized && list === listed) return;
      if (list.some((word) => typeof word !== 'string' || !SCHEMA_TYPES.has(word))) {
        keepStatedType(schema, listed);
      }
      setTypes(schema, [...types]);
      report(
        getOriginPointer(schema, 'type'),
        `The type is ${describeValue(listed)}.`,
        `Read as ${[...types].join(' or ')}.`,
      );
    },
  },
  {
    name: 'type-unknown',
    summary: 'An unknown type is dropped, which allows every value.',
    severity: 'warning',
    triggers: ['type'],
    apply(schema, report) {
      const type = schema.keywords.get('type');
      if (typeof type === 'string' ? SCHEMA_TYPES.has(type) : isTypeList(type)) return;
      schema.keywords.delete('type');
      schema.keywords.delete(EXTENSION_NAMES.type);
      report(
        getOriginPointer(schema, 'type'),
        `The type ${describeValue(type)} is not a type of JSON Schema.`,
        'Dropped: every type is allowed.',
      );
    },
  },
  {
    name: 'member-type',
    summary:
      'A member of `oneOf` or `anyOf` without a type inherits the type of the outer schema, as in WordPress.',
    severity: 'info',
    triggers: [],
    apply(schema, report) {
      if (schema.inheritedType === undefined || schema.keywords.has('type')) return;
      schema.keywords.set('type', schema.inheritedType);
      report('', 'A member of "oneOf" or "anyOf" has no type.', 'Inherited the type of the outer schema.');
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
        `"nullable" is ${describeValue(nullable)}.`,
        nullable === true ? 'Allowed null.' : 'Dropped.',
      );
    },
  },
];

/** The rule that infers a missing type. Runs after the rules for `enum`, `properties` and `items`. */
export const missingTypeRules: readonly SchemaRule[] = [
  {
    name: 'type-missing',
    summary: 'A missing type is inferred from properties, items or the values of an enum only.',
    severity: 'info',
    triggers: ['properties', 'items', 'prefixItems', 'enum', 'const'],
    apply(schema, report) {
      if (
        schema.keywords.has('type') ||
        ['oneOf', 'anyOf', 'allOf', '$ref'].some((k) => schema.keywords.has(k))
      ) {
        return;
      }
      const evidence = inferTypes(schema);
      if (evidence === undefined) return;
      schema.keywords.set(EXTENSION_NAMES.type, null);
      setTypes(schema, evidence.types);
      report(
        '',
        `The schema has "${evidence.keyword}" but no type.`,
        `Read as ${evidence.types.join(' or ')}.`,
      );
    },
  },
];

/** Reads the types of a schema as a list. Returns `undefined` if it has none. */
export function readTypes(schema: MutableSchema): readonly string[] | undefined {
  const type = schema.keywords.get('type');
  if (typeof type === 'string') return [type];
  return isTypeList(type) ? type : undefined;
}

/** Writes one type as a string and several as a list. */
export function setTypes(schema: MutableSchema, types: readonly string[]): void {
  const [only] = types;
  if (only !== undefined) schema.keywords.set('type', types.length === 1 ? only : types);
}

/** Adds null to the types of a schema. */
export function allowNull(schema: MutableSchema, types: readonly string[]): void {
  keepStatedType(schema, schema.keywords.get('type') ?? null);
  setTypes(schema, [...types, 'null']);
}

/** Keeps the type that the site stated in an extension keyword, unless an earlier rule has done so. */
export function keepStatedType(schema: MutableSchema, stated: Json | undefined): void {
  const usable =
    typeof stated === 'string' || (Array.isArray(stated) && stated.every((w) => typeof w === 'string'));
  if (usable && !schema.keywords.has(EXTENSION_NAMES.type)) schema.keywords.set(EXTENSION_NAMES.type, stated);
}

function isTypeList(type: Json | undefined): type is readonly string[] {
  return (
    Array.isArray(type) &&
    type.length > 0 &&
    type.every((word) => typeof word === 'string' && SCHEMA_TYPES.has(word))
  );
}

function isOpenTypeWord(word: Json): boolean {
  return isJsonObject(word) || word === 'any' || word === 'mixed';
}

function inferTypes(
  schema: MutableSchema,
): { readonly keyword: string; readonly types: readonly string[] } | undefined {
  const properties = schema.keywords.get('properties');
  const items = schema.keywords.get('items');
  const values = schema.keywords.has('const') ? [schema.keywords.get('const')] : schema.keywords.get('enum');
  const hasProperties = isJsonObject(properties) && Object.keys(properties).length > 0;
  if (hasProperties && items === undefined && values === undefined) {
    return { keyword: 'properties', types: ['object'] };
  }
  const listed = items !== undefined || schema.keywords.has('prefixItems');
  if (listed && properties === undefined && values === undefined) {
    return { keyword: 'items', types: ['array'] };
  }
  if (!Array.isArray(values) || values.length === 0 || hasProperties || listed) return undefined;
  const types = [...new Set(values.map(schemaTypeOf))];
  const scalar = types.every((type) => type !== 'object' && type !== 'array');
  const narrowed = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
  return scalar && values.every((value) => hasSchemaType(value, narrowed))
    ? { keyword: 'enum', types: narrowed }
    : undefined;
}
