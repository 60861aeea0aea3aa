import { extensionOf, isAnnotation } from '../../document-extensions.ts';
import { sortByKey } from '../../group-by.ts';
import { hashFnv } from '../../hash.ts';
import { isJsonObject, type Json, jsonItems } from '../../json.ts';

/**
 * Computes a short hash of the keywords that a value is validated by: type, items, bounds, enum, pattern, format. Arguments
 * of one name and hash have the same definition, whatever their descriptions and defaults. When the hash changes, earlier
 * evidence about the argument's rules no longer applies. 32-bit FNV-1a has no security purpose here: a site whose
 * definitions collide confuses its own evidence only.
 */
export function fingerprintDefinition(schema: Json): string {
  return hashFnv(JSON.stringify(schema, withoutAnnotations)).toString(36);
}

/** Sorts the keywords of a schema, and leaves out those that validate nothing. */
function withoutAnnotations(name: string, schema: Json): Json {
  // The members of `properties` are names, not keywords.
  if (!isJsonObject(schema) || NAMED_SCHEMAS.has(name)) return schema;
  return Object.fromEntries(sortByKey(Object.entries(schema).filter(([keyword]) => !isAnnotation(keyword))));
}

const NAMED_SCHEMAS: ReadonlySet<string> = new Set(['properties', 'patternProperties']);

/**
 * Describes a definition in a short text: `integer,minimum=1`, `array<string~>`. An `enum` is `~`, because its values depend
 * on a site's content types; so do the properties of an object, which are left out.
 */
export function describeDefinition(schema: Json | undefined): string {
  if (!isJsonObject(schema)) return 'any';
  const { format, items, oneOf, anyOf } = schema;
  const alternatives = [...jsonItems(oneOf), ...jsonItems(anyOf)];
  return [
    describeType(extensionOf(schema, 'type') ?? schema['type']),
    typeof format === 'string' ? `:${format}` : '',
    Array.isArray(schema['enum']) ? '~' : '',
    items === undefined ? '' : `<${describeDefinition(items)}>`,
    ...BOUNDS.flatMap((bound) => (schema[bound] === undefined ? [] : `,${bound}=${String(schema[bound])}`)),
    alternatives.length === 0 ? '' : `,(${alternatives.map(describeDefinition).join('|')})`,
  ].join('');
}

function describeType(type: Json | undefined): string {
  if (typeof type === 'string') return type;
  return Array.isArray(type) ? type.join('|') : 'any';
}

const BOUNDS = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
];
