import { EXTENSION_NAMES, getStatedDefault } from '../../document-extensions.ts';
import type { Json, JsonObject } from '../../json.ts';
import { jsonItems } from '../../json.ts';
import { shorten, toValueText } from './plain-text.ts';

/** One fact about the values of a schema: `Default` and `10`. */
export interface SchemaFact {
  readonly label: string;
  /** Code: values, bounds and patterns. */
  readonly values: readonly string[];
  /** How many further values are left out. */
  readonly omitted: number;
}

const MAX_ENUM_VALUES = 40;

type FactReader = (schema: JsonObject) => readonly Json[];

const single =
  (name: string): FactReader =>
  (schema) =>
    Object.hasOwn(schema, name) && schema[name] !== undefined ? [schema[name]] : [];

/** The facts that the reference shows, in its order. */
const FACTS: readonly (readonly [label: string, read: FactReader, format?: 'bare'])[] = [
  ['Default', (schema) => readDefault(schema)],
  ['Value', single('const')],
  ['Allowed', ({ enum: values }) => jsonItems(values)],
  ['Format', single('format'), 'bare'],
  ['Minimum', single('minimum')],
  ['Above', single('exclusiveMinimum')],
  ['Maximum', single('maximum')],
  ['Below', single('exclusiveMaximum')],
  ['Multiple of', single('multipleOf')],
  ['Minimum length', (schema) => single('minLength')(schema).filter((value) => value !== 0)],
  ['Maximum length', single('maxLength')],
  ['Minimum items', (schema) => single('minItems')(schema).filter((value) => value !== 0)],
  ['Maximum items', single('maxItems')],
  ['Duplicates', ({ uniqueItems }) => (uniqueItems === true ? ['not allowed'] : []), 'bare'],
  ['Pattern', single('pattern'), 'bare'],
];

/** Keywords that no fact is about. Most properties have no others. */
const SILENT: ReadonlySet<string> = new Set([
  ...['type', 'description', 'title', 'properties', 'required', 'items', 'readOnly', 'additionalProperties'],
  ...[EXTENSION_NAMES.context, 'anyOf', 'oneOf', 'allOf'],
]);

/** Describes what a schema states about its values besides their type. */
export function describeSchemaFacts(schema: JsonObject): readonly SchemaFact[] {
  if (Object.keys(schema).every((keyword) => SILENT.has(keyword))) return [];
  return FACTS.flatMap(([label, read, format]) => {
    const found = read(schema);
    if (found.length === 0) return [];
    const values = found
      .slice(0, MAX_ENUM_VALUES)
      .map((value) =>
        format === 'bare' && typeof value === 'string' ? shorten(value, 200) : toValueText(value),
      );
    return [{ label, values, omitted: Math.max(0, found.length - MAX_ENUM_VALUES) }];
  });
}

/** An empty default says nothing. */
function readDefault(schema: JsonObject): readonly Json[] {
  const value = getStatedDefault(schema);
  const isEmpty =
    value === undefined ||
    value === null ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value).length === 0);
  return isEmpty ? [] : [value];
}
