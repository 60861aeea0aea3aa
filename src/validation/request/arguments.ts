import { getStatedDefault, getStatedType } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { GLOBAL_PARAMETER_NAMES, type ServedOperation } from '../../openapi/index.ts';
import {
  createSchemaValidator,
  dereferenceSchema,
  lazy,
  type ResolveReference,
  type SchemaValidator,
} from '../wordpress/index.ts';
import { findInvalidityTest, type InvalidityTest, isValidatedFirst } from './core-arguments.ts';

/** An argument of an endpoint. The site accepts it from any source, whatever `in` declares. */
export interface CompiledArgument {
  readonly name: string;
  /** Whether a request without it is invalid: it is required and has no default. */
  readonly isRequired: boolean;
  /** Returns the validator, which is compiled for the first value. */
  readonly getValidator: () => SchemaValidator;
  /** Confirms a violation when the site validates by a custom callback; `undefined` when it uses the schema. */
  readonly isCertainlyInvalid: InvalidityTest | undefined;
  /** Whether the sanitised value is validated too, because items that differ in spelling can become equal. */
  readonly validatesSanitizedValue: boolean;
  /** Whether the site validates it in the first of its two passes. */
  readonly isValidatedFirst: boolean;
}

interface ArgumentPlacement {
  readonly required: boolean;
  /** Whether it is a named group of the route's pattern. */
  readonly isGroup: boolean;
}

/**
 * Compiles the arguments of an operation, in the order in which the site declares them. Of two arguments with one name, the
 * first is used.
 *
 * @param resolve resolves a `$ref` of the document
 */
export function compileArguments(
  { method, path, parameters, bodySchema }: ServedOperation,
  resolve: ResolveReference,
): readonly CompiledArgument[] {
  const byName = new Map<string, CompiledArgument>();
  const add = (
    name: string,
    schemaOrReference: JsonObject,
    { required, isGroup }: ArgumentPlacement,
  ): void => {
    if (byName.has(name)) return;
    const schema = dereferenceSchema(schemaOrReference, resolve);
    const declared = { path, method, name, isGroup, schema: withStatedType(schema) };
    byName.set(name, {
      name,
      isRequired: required && !hasDefault(schema),
      getValidator: lazy(() => createSchemaValidator(schema, resolve)),
      isCertainlyInvalid: findInvalidityTest(declared),
      validatesSanitizedValue: canContainDuplicates(schema),
      isValidatedFirst: isValidatedFirst(declared),
    });
  };
  for (const { name, in: location, required, schema } of parameters) {
    // Parameters of every route (`_fields`, …) are not arguments of the endpoint, so the site does not validate them.
    if (location === 'query' && GLOBAL_PARAMETER_NAMES.has(name)) continue;
    // A request that matches the route has all its groups, so none can be missing.
    const isGroup = location === 'path';
    add(name, schema, { required: required && !isGroup, isGroup });
  }
  const fields = dereferenceSchema(bodySchema ?? {}, resolve);
  const required = new Set<Json>(Array.isArray(fields['required']) ? fields['required'] : []);
  const properties = fields['properties'];
  for (const [name, schema] of isJsonObject(properties) ? Object.entries(properties) : []) {
    add(name, isJsonObject(schema) ? schema : {}, { required: required.has(name), isGroup: false });
  }
  return [...byName.values()];
}

/** Replaces a type that the generator changed by the site's. A type that it inferred is removed. */
function withStatedType(schema: JsonObject): JsonObject {
  const stated = getStatedType(schema);
  if (stated === undefined) return schema;
  const { type: _, ...others } = schema;
  return stated === null ? others : { ...others, type: stated };
}

/** Whether a schema has a default other than null. */
function hasDefault(schema: JsonObject): boolean {
  return (getStatedDefault(schema) ?? null) !== null;
}

function canContainDuplicates(schema: JsonObject): boolean {
  return /"uniqueItems":true|"\$ref":/.test(JSON.stringify(schema));
}
