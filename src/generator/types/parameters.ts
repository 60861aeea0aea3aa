import { isJsonObject, type JsonObject, jsonMembers } from '../../base/json.ts';
import { listOperations, type Operation } from '../openapi/index.ts';
import type { SchemaObject } from '../openapi/objects.ts';
import { isPathItemMethod } from '../openapi/operations.ts';

export const PARAMETER_LOCATIONS = ['query', 'header', 'path', 'cookie'] as const;

export type ParameterLocation = (typeof PARAMETER_LOCATIONS)[number];

export interface DocumentParameter {
  readonly name: string;
  readonly in: ParameterLocation;
  readonly required: boolean;
  /** With the parameter's description and deprecation. */
  readonly schema: SchemaObject;
  /** Key in `components.parameters`, if it is a reference. */
  readonly componentKey?: string;
}

/** Operations that OpenAPI has a field for; their unique ids are the keys of `operations`. */
export function listTypedOperations(document: JsonObject): readonly Operation[] {
  const ids = new Set<string>();
  return listOperations(document).flatMap((operation) => {
    const method = operation.method.toLowerCase();
    if (!isPathItemMethod(method)) return [];
    const isDeclared = operation.shared.operationId === operation.id && !ids.has(operation.id);
    let id = isDeclared ? operation.id : `${method} ${operation.path}`;
    while (ids.has(id)) id += '_';
    ids.add(id);
    return [isDeclared ? operation : operation.withId(id)];
  });
}

/** `null` without a name or a known location. */
export function readParameter(
  object: JsonObject,
  componentKey: string | undefined,
): DocumentParameter | null {
  const location = PARAMETER_LOCATIONS.find((name) => name === object['in']);
  const { name } = object;
  if (location === undefined || typeof name !== 'string') return null;
  return {
    name,
    in: location,
    required: location === 'path' || object['required'] === true,
    schema: readObjectSchema(object),
    ...(componentKey === undefined ? {} : { componentKey }),
  };
}

/** The schema of a Parameter or Header Object, or of its only content. */
export function readObjectSchema(object: JsonObject): JsonObject {
  const [content] = jsonMembers(object['content']);
  const declared = object['schema'] ?? (isJsonObject(content?.[1]) ? content[1]['schema'] : undefined);
  const schema = isJsonObject(declared) ? declared : {};
  const { description, deprecated } = object;
  return {
    ...schema,
    ...(description === undefined ? {} : { description }),
    ...(deprecated === true ? { deprecated } : {}),
  };
}
