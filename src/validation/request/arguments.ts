import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { GLOBAL_PARAMETER_NAMES, type ServedOperation } from '../../openapi/index.ts';
import { createSchemaValidator, type ResolveReference, type SchemaValidator } from '../wordpress/index.ts';
import { findInvalidityTest, type InvalidityTest } from './core-arguments.ts';
import { isValidatedFirst } from './phase.ts';

/** An argument of an endpoint. The site takes each from any place, whatever `in` says. */
export interface CompiledArgument {
  readonly name: string;
  /** Whether a request without it is refused: required, and no default stands in for it. */
  readonly required: boolean;
  /** Made when a value first comes by. */
  readonly validator: () => SchemaValidator;
  /** Whether the site refuses what the judge refuses, where that is not for the schema alone to say. */
  readonly isCertainlyInvalid: InvalidityTest | undefined;
  /** Whether what a value is made to must be judged as well: equal items may have been spelled differently. */
  readonly checksSanitized: boolean;
  /** Whether it is judged in the first of the site's two passes. */
  readonly isValidatedFirst: boolean;
}

interface ArgumentPlacement {
  readonly required: boolean;
  /** Whether it stands for a group of the route's pattern. */
  readonly isGroup: boolean;
}

/**
 * The arguments of an operation in the order of the site's declaration, each name once.
 *
 * @param resolve finds what a `$ref` of the document names
 */
export function compileArguments(
  { method, path, parameters, body }: ServedOperation,
  resolve: ResolveReference,
): readonly CompiledArgument[] {
  const found = new Map<string, CompiledArgument>();
  const add = (
    name: string,
    schemaOrReference: JsonObject,
    { required, isGroup }: ArgumentPlacement,
  ): void => {
    if (found.has(name)) return;
    const schema = dereference(schemaOrReference, resolve);
    const declared = { path, method, name, isGroup, schema: withoutInferredType(schema) };
    found.set(name, {
      name,
      required: required && !hasDefault(schema),
      validator: once(() => createSchemaValidator(schema, resolve)),
      isCertainlyInvalid: findInvalidityTest(declared),
      checksSanitized: canContainDuplicates(schema),
      isValidatedFirst: isValidatedFirst(declared),
    });
  };
  for (const { name, in: location, required, schema } of parameters) {
    // These are any route's and no route's arguments: the site judges none of them.
    if (location === 'query' && GLOBAL_PARAMETER_NAMES.has(name)) continue;
    // A request that has found its route has its groups.
    const isGroup = location === 'path';
    add(name, schema, { required: required && !isGroup, isGroup });
  }
  const fields = dereference(body ?? {}, resolve);
  const required = new Set<Json>(Array.isArray(fields['required']) ? fields['required'] : []);
  const properties = fields['properties'];
  for (const [name, schema] of isJsonObject(properties) ? Object.entries(properties) : []) {
    add(name, isJsonObject(schema) ? schema : {}, { required: required.has(name), isGroup: false });
  }
  return [...found.values()];
}

/** A type that was inferred is none that the site judges by. */
function withoutInferredType(schema: JsonObject): JsonObject {
  if (schema['x-waygate-type'] !== null) return schema;
  const { type: _, ...stated } = schema;
  return stated;
}

/** A default of null counts for none. */
function hasDefault(schema: JsonObject): boolean {
  return (schema['default'] ?? schema['x-waygate-default'] ?? null) !== null;
}

function canContainDuplicates(schema: JsonObject): boolean {
  return /"uniqueItems":true|"\$ref":/.test(JSON.stringify(schema));
}

function dereference(schema: JsonObject, resolve: ResolveReference): JsonObject {
  let target: JsonObject | undefined = schema;
  // A chain of references may close on itself.
  for (let step = 0; step < 16 && target !== undefined; step++) {
    const reference: Json | undefined = target['$ref'];
    if (typeof reference !== 'string') return target;
    target = resolve(reference);
  }
  return {};
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
