import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { entries, list } from './objects.ts';
import type { ReferenceResolver } from './references.ts';

/** The methods of a Path Item Object (OpenAPI 3.1 §4.8.9), in the order in which clients' types list them. */
export const OPERATION_METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

export type OperationMethod = (typeof OPERATION_METHODS)[number];

export const PARAMETER_LOCATIONS = ['query', 'header', 'path', 'cookie'] as const;

export type ParameterLocation = (typeof PARAMETER_LOCATIONS)[number];

/** One operation of the document, its references followed and its path item's parameters its own. */
export interface DocumentOperation {
  /** Its key in `operations`: its `operationId`, which here is there and unique. */
  readonly id: string;
  readonly method: OperationMethod;
  readonly path: string;
  /** The first of its tags; empty where it has none. */
  readonly tag: string;
  readonly object: JsonObject;
  readonly parameters: readonly DocumentParameter[];
}

export interface DocumentParameter {
  readonly name: string;
  readonly in: ParameterLocation;
  readonly required: boolean;
  /** The type, with the parameter's description and whether it is deprecated. */
  readonly schema: JsonObject;
  /** Its key in `components.parameters`, where it comes from there. */
  readonly shared?: string;
}

/** Every operation in the document's order. What is not one (a list for a path item, say) is passed over. */
export function readDocumentOperations(document: JsonObject, references: ReferenceResolver): readonly DocumentOperation[] {
  const ids = new Set<string>();
  return entries(document['paths']).flatMap(([path, value]) => {
    const item = references.resolve(value) ?? {};
    return Object.keys(item).flatMap((key): DocumentOperation[] => {
      const method = OPERATION_METHODS.find((name) => name === key);
      const object = method === undefined ? undefined : references.resolve(item[key]);
      if (method === undefined || object === undefined) {
        return [];
      }
      const parameters = readParameters(
        [...list(item['parameters']), ...list(object['parameters'])],
        references,
      );
      const [tag] = list(object['tags']);
      const id = allocateOperationId(object['operationId'], `${method} ${path}`, ids);
      return [{ id, method, path, tag: typeof tag === 'string' ? tag : '', object, parameters }];
    });
  });
}

function allocateOperationId(stated: Json | undefined, otherwise: string, taken: Set<string>): string {
  let id = typeof stated === 'string' && stated !== '' && !taken.has(stated) ? stated : otherwise;
  while (taken.has(id)) {
    id += '_';
  }
  taken.add(id);
  return id;
}

/** Of two with one name and place the last counts: an operation's own come after its path item's. */
function readParameters(given: readonly Json[], references: ReferenceResolver): readonly DocumentParameter[] {
  const parameters = new Map<string, DocumentParameter>();
  for (const value of given) {
    const parameter = readParameter(value, references);
    if (parameter !== undefined) {
      parameters.set(`${parameter.in} ${parameter.name}`, parameter);
    }
  }
  return [...parameters.values()];
}

/** Reads a Parameter Object or a reference to one. */
export function readParameter(value: Json, references: ReferenceResolver): DocumentParameter | undefined {
  const object = references.resolve(value);
  const place = PARAMETER_LOCATIONS.find((name) => name === object?.['in']);
  const name = object?.['name'];
  if (object === undefined || place === undefined || typeof name !== 'string') {
    return undefined;
  }
  const ref = isJsonObject(value) ? value['$ref'] : undefined;
  const shared =
    typeof ref === 'string' ? /^#\/components\/parameters\/([\w.-]+)$/.exec(ref)?.[1] : undefined;
  return {
    name,
    in: place,
    required: place === 'path' || object['required'] === true,
    schema: toSchema(object),
    ...(shared === undefined ? {} : { shared }),
  };
}

/** The schema of a Parameter or Header Object, which may be that of its only content. */
export function toSchema(object: JsonObject): JsonObject {
  const [content] = entries(object['content']);
  const stated = object['schema'] ?? (isJsonObject(content?.[1]) ? content[1]['schema'] : undefined);
  const schema = isJsonObject(stated) ? stated : {};
  const { description, deprecated } = object;
  return {
    ...schema,
    ...(description === undefined ? {} : { description }),
    ...(deprecated === true ? { deprecated } : {}),
  };
}
