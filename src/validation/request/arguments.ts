import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { GLOBAL_PARAMETERS, type ServedOperation } from '../../openapi/index.ts';
import { createJudge, type Judge, type Resolve } from '../wordpress/index.ts';
import { type Holds, ownCallbackOf } from './own-callbacks.ts';
import { isValidatedFirst } from './phase.ts';

/** An argument of an endpoint. The site takes each from any place, whatever `in` says. */
export interface Argument {
  readonly name: string;
  /** Whether a request without it is refused: required, and no default stands in for it. */
  readonly required: boolean;
  /** Made when a value first comes by. */
  readonly judge: () => Judge;
  /** Whether the site refuses what the judge refuses, where that is not for the schema alone to say. */
  readonly holds: Holds | undefined;
  /** Whether what a value is made to must be judged as well: equal items may have been spelled differently. */
  readonly sanitized: boolean;
  /** Whether it is judged in the first of the site's two passes. */
  readonly first: boolean;
}

interface Placed {
  readonly required: boolean;
  /** Whether it stands for a group of the route's pattern. */
  readonly isGroup: boolean;
}

/**
 * The arguments of an operation in the order of the site's declaration, each name once.
 *
 * @param resolve finds what a `$ref` of the document names
 */
export function argumentsOf(
  { method, path, parameters, body }: ServedOperation,
  resolve: Resolve,
): readonly Argument[] {
  const found = new Map<string, Argument>();
  const add = (name: string, given: JsonObject, { required, isGroup }: Placed): void => {
    if (found.has(name)) return;
    const schema = dereference(given, resolve);
    const declared = { path, method, name, isGroup, schema: asStated(schema) };
    found.set(name, {
      name,
      required: required && !hasDefault(schema),
      judge: once(() => createJudge(schema, resolve)),
      holds: ownCallbackOf(declared),
      sanitized: mayHoldDuplicates(schema),
      first: isValidatedFirst(declared),
    });
  };
  for (const { name, in: place, required, schema } of parameters) {
    // These are any route's and no route's arguments: the site judges none of them.
    if (place === 'query' && GLOBAL_PARAMETERS.has(name)) continue;
    // A request that has found its route has its groups.
    const isGroup = place === 'path';
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
function asStated(schema: JsonObject): JsonObject {
  if (schema['x-waygate-type'] !== null) return schema;
  const { type: _, ...stated } = schema;
  return stated;
}

/** A default of null counts for none. */
function hasDefault(schema: JsonObject): boolean {
  return (schema['default'] ?? schema['x-waygate-default'] ?? null) !== null;
}

function mayHoldDuplicates(schema: JsonObject): boolean {
  return /"uniqueItems":true|"\$ref":/.test(JSON.stringify(schema));
}

function dereference(schema: JsonObject, resolve: Resolve): JsonObject {
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
