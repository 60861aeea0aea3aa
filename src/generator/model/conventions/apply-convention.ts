import { EXTENSION_NAMES } from '../../../base/document-extensions.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  memberAt,
  toJsonObject,
} from '../../../base/json.ts';
import { omitUndefined } from '../../../base/omit-undefined.ts';
import { compareKeywords } from '../schema/keywords.ts';
import { isCertainlyValid } from '../schema/rules/restrictions.ts';
import { includesName, listNames, type ResourceConvention } from './resource-conventions.ts';

export type SchemaChange = readonly [path: string, change: (schema: JsonObject) => JsonObject];

export function applyChanges(schema: JsonObject, changes: readonly SchemaChange[]): JsonObject {
  return changes.reduce((changed, [path, change]) => changeAt(changed, path, change), schema);
}

function changeAt(schema: JsonObject, path: string, change: (schema: JsonObject) => JsonObject): JsonObject {
  if (path === '') return change(schema);
  const [step = '', name] = /^(?:\[\]|([^.[]+))\.?/.exec(path) ?? [];
  const { items, properties } = schema;
  const within = name === undefined ? items : memberAt(properties, name);
  if (step === '' || !isJsonObject(within)) return schema;
  const changed = changeAt(within, path.slice(step.length), change);
  if (changed === within) return schema;
  if (name === undefined) return withKeywords(schema, { items: changed });
  return withKeywords(schema, { properties: { ...toJsonObject(properties), [name]: changed } });
}

/** Replaces the site's own `required`, which is for requests. */
export function applyResourceConvention(declared: JsonObject, convention: ResourceConvention): JsonObject {
  const names = Object.keys(toJsonObject(declared['properties']));
  const schema = applyChanges(declared, listChanges(convention, names));
  const { properties } = schema;
  if (!isJsonObject(properties)) return schema;
  const required = names.filter(
    (name) =>
      includesName(convention.always, name) ||
      (convention.hasTermLists === true &&
        memberAt(properties, name, 'type') === 'array' &&
        memberAt(properties, name, 'items', 'type') === 'integer'),
  );
  return withKeywords(schema, { required });
}

function listChanges(convention: ResourceConvention, names: readonly string[]): readonly SchemaChange[] {
  const {
    additions = {},
    complete,
    corrections = {},
    furtherValues = {},
    maybeEmpty,
    members = {},
    nullable,
    optional,
    stored,
  } = convention;
  return [
    ...Object.entries(corrections).map(
      ([path, keywords]): SchemaChange => [path, (value) => correct(value, keywords)],
    ),
    ...Object.entries(furtherValues).map(
      ([path, values]): SchemaChange => [path, (value) => addValues(value, values)],
    ),
    ...(nullable === '*' ? names : listNames(nullable)).map((path): SchemaChange => [path, orNull]),
    ...(stored === undefined ? [] : names.filter((name) => !includesName(stored, name))).map(
      (path): SchemaChange => [path, (value) => orNullIfAbsent(value, value, null)],
    ),
    ...listNames(complete).map((path): SchemaChange => [path, requireAll]),
    ...Object.entries(additions).map(([path, added]): SchemaChange => {
      const [, parent = '', name = ''] = /^(?:(.*)\.)?([^.]+)$/.exec(path) ?? [];
      return [parent, (object) => addMember(object, name, added)];
    }),
    ...listNames(optional).map((path): SchemaChange => {
      const dot = path.lastIndexOf('.');
      const isOther = (name: Json): boolean => name !== path.slice(dot + 1);
      return [
        path.slice(0, dot),
        (value) => withKeywords(value, { required: jsonItems(value['required']).filter(isOther) }),
      ];
    }),
    ...Object.entries(members).flatMap(([paths, visible]) =>
      listNames(paths).map((path): SchemaChange => [path, (value) => describeMembers(value, visible)]),
    ),
    ...listNames(maybeEmpty).map((path): SchemaChange => [path, orEmptyList]),
  ];
}

function correct(schema: JsonObject, keywords: JsonObject): JsonObject {
  const corrected = withKeywords(schema, keywords);
  const { items, type } = corrected;
  if (items === undefined && jsonItems(type).includes('array')) return withKeywords(corrected, { items: {} });
  return corrected;
}

function addMember(object: JsonObject, name: string, added: JsonObject): JsonObject {
  const properties = toJsonObject(object['properties']);
  return withKeywords(object, { properties: { [name]: added, ...properties } });
}

function addValues(schema: JsonObject, values: string): JsonObject {
  const { enum: declared } = schema;
  return Array.isArray(declared)
    ? { ...schema, enum: [...new Set([...declared, ...listNames(values)])] }
    : schema;
}

function orNull(schema: JsonObject): JsonObject {
  const { anyOf, enum: values, type } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  const types = typeof type === 'string' ? [type] : type;
  if (!Array.isArray(types) || types.includes('null')) return schema;
  return {
    ...schema,
    type: [...types, 'null'],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  };
}

function requireAll(schema: JsonObject): JsonObject {
  const { properties } = schema;
  return isJsonObject(properties) ? withKeywords(schema, { required: Object.keys(properties) }) : schema;
}

function describeMembers(property: JsonObject, visible: string): JsonObject {
  const { default: _ofRequests, items: _ofLists, properties, type, ...rest } = property;
  const isNullable = Array.isArray(type) && type.includes('null');
  const object = { type: isNullable ? ['object', 'null'] : 'object' };
  const nested = toJsonObject(properties);
  if (Object.keys(nested).length === 0) return orEmptyList(withKeywords(rest, object));
  const required = Object.keys(nested).filter((each) => includesName(visible, each));
  const described = Object.entries(nested).map(([name, member]): [string, Json] => {
    if (!isJsonObject(member)) return [name, member];
    const empty = member['type'] === 'object' && !jsonItems(member['required']).length;
    return [name, orNullIfAbsent(empty ? orEmptyList(member) : member, member, emptyValueOf(member))];
  });
  return withKeywords(rest, { ...object, properties: Object.fromEntries(described), required });
}

/** WP_REST_Meta_Fields sends null for a value that breaks its schema, also for a default or an empty one. */
function orNullIfAbsent(schema: JsonObject, declared: JsonObject, empty: Json): JsonObject {
  const { default: stated, format, [EXTENSION_NAMES.format]: untrue, ...checked } = declared;
  const absent = stated ?? checked[EXTENSION_NAMES.default] ?? empty;
  const isChecked = CHECKED_FORMATS.has(format ?? untrue ?? '');
  return (absent === '' && isChecked) || absent === null || !isCertainlyValid(checked, absent)
    ? orNull(schema)
    : schema;
}

/** `rest_validate_string_value_from_schema()` refuses an empty text of these formats, but not of `uri`. */
const CHECKED_FORMATS: ReadonlySet<Json> = new Set(['hex-color', 'date-time', 'email', 'ip', 'uuid']);

/** `WP_REST_Meta_Fields::get_empty_value_for_type()` */
function emptyValueOf({ type }: JsonObject): Json {
  switch (type) {
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return 0;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return '';
  }
}

export function orEmptyList({
  default: _ofRequests,
  description,
  readOnly,
  ...schema
}: JsonObject): JsonObject {
  const anyOf = [schema, { type: 'array', items: {}, maxItems: 0 }];
  return withKeywords({ anyOf }, omitUndefined({ description, readOnly }));
}

/** Null, or an empty `required`, removes a keyword. */
function withKeywords(schema: JsonObject, changes: JsonObject): JsonObject {
  const declared = Object.keys(schema);
  const added = Object.keys(changes).filter((keyword) => !Object.hasOwn(schema, keyword));
  const names = added.length === 0 ? declared : [...declared, ...added].sort(compareKeywords);
  const keywords: { [keyword: string]: Json } = {};
  for (const name of names) {
    const value = (Object.hasOwn(changes, name) ? changes[name] : schema[name]) ?? null;
    const isEmpty = name === 'required' && Array.isArray(value) && value.length === 0;
    if (value !== null && !isEmpty) keywords[name] = value;
  }
  return keywords;
}
