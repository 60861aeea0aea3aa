import {
  EXTENSION_NAMES,
  getParameterName,
  getParameterSchema,
  mayContainSlashes,
} from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems } from '../../json.ts';
import { dereference } from '../../openapi/document-references.ts';
import { choicesOf, flattenSchema, typesOf } from '../../openapi/schema-view.ts';
import { createExample } from './examples.ts';
import { hasControls, shorten, toPlainText } from './plain-text.ts';
import { describeSchemaFacts, type SchemaFact } from './schema-facts.ts';
import { describeType, type SchemaSource } from './schema-tree.ts';

/** A parameter of an operation, as a row of a table. */
export interface ParameterRow {
  /** Name in the path template and in the query. */
  readonly name: string;
  /** The site's own name, if it differs. */
  readonly siteName: string;
  readonly in: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  readonly description: string;
  readonly facts: readonly SchemaFact[];
  /** The allowed values, for a form. */
  readonly allowed: readonly string[];
  /** Whether the allowed values are those of the items of a list. */
  readonly isList: boolean;
  /** The default as text, for a form; empty if there is none. */
  readonly default: string;
  readonly example: Json | undefined;
  /** Whether an example of the operation has the parameter: it is required, or the site refuses requests without it. */
  readonly isInExample: boolean;
  /** Whether values of a path parameter may contain slashes. */
  readonly mayContainSlashes: boolean;
  readonly valueTypes: ValueTypes;
}

/** The JSON types that values have, so that typed text becomes a value. */
export interface ValueTypes {
  readonly own: readonly string[];
  /** Those of the items of a list. */
  readonly items: readonly string[];
}

/** Longer values are left out of a form. */
const MAX_ALLOWED_LENGTH = 500;

/** Reads a parameter; `undefined` if it has no name. */
export function createParameterRow(stated: Json, source: SchemaSource): ParameterRow | undefined {
  const { document, localize } = source;
  const parameter = dereference(stated, document);
  const name = parameter?.['name'];
  if (parameter === undefined || typeof name !== 'string') return undefined;
  const siteName = getParameterName(parameter);
  const schema = getParameterSchema(parameter);
  const { schema: flat } = flattenSchema(schema, document);
  const items = isJsonObject(flat['items']) ? flattenSchema(flat['items'], document).schema : {};
  const facts = describeSchemaFacts(flat);
  const location = typeof parameter['in'] === 'string' ? shorten(parameter['in'], 20) : 'query';
  const ownAllowed = jsonItems(flat['enum']);
  const allowed = ownAllowed.length > 0 ? ownAllowed : jsonItems(items['enum']);
  return {
    name,
    siteName: typeof siteName === 'string' && siteName !== name ? shorten(siteName, 120) : '',
    in: location,
    type: describeType(schema, document),
    isRequired: parameter['required'] === true,
    isDeprecated: parameter['deprecated'] === true,
    description: localize(toPlainText(parameter['description'] ?? flat['description'], 1_500)),
    // The pattern of a path parameter is that of the route.
    facts: [
      ...(location === 'path'
        ? facts.filter(({ label }) => label !== 'Pattern' || flat['type'] !== 'integer')
        : facts),
      ...describeSchemaFacts(items).map((fact) => ({ ...fact, label: `${fact.label} of each` })),
    ],
    allowed: allowed
      .filter((value): value is string => typeof value === 'string')
      .filter((value) => value.length <= MAX_ALLOWED_LENGTH && !hasControls(value))
      .slice(0, 100),
    isList: ownAllowed.length === 0 && jsonItems(items['enum']).length > 0,
    default: toDefaultText(flat['default']),
    example: createExample(schema, document, name),
    // The site refuses a request without a value if its own default is none of the allowed values.
    isInExample:
      parameter['required'] === true ||
      (ownAllowed.length > 0 && flat[EXTENSION_NAMES.default] !== undefined),
    mayContainSlashes: mayContainSlashes(parameter),
    valueTypes: readValueTypes(flat, document),
  };
}

function readValueTypes(schema: JsonObject, document: JsonObject): ValueTypes {
  const variants = listVariants(schema, document);
  const items = variants.flatMap((variant) =>
    isJsonObject(variant['items']) ? listVariants(variant['items'], document) : [],
  );
  return { own: listTypes(variants), items: listTypes(items) };
}

/** A schema, and its choices. */
function listVariants(stated: JsonObject, document: JsonObject): readonly JsonObject[] {
  const { schema } = flattenSchema(stated, document);
  const choices = choicesOf(schema).slice(0, 8);
  return [schema, ...choices.map((choice) => flattenSchema(choice, document).schema)];
}

const JSON_TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

function listTypes(schemas: readonly JsonObject[]): readonly string[] {
  const stated = new Set(schemas.flatMap(typesOf));
  return JSON_TYPES.filter((type) => stated.has(type));
}

function toDefaultText(value: Json | undefined): string {
  if (value === undefined || value === null || typeof value === 'object') return '';
  return shorten(toPlainText(String(value), 100), 60);
}
