import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../json.ts';
import { referenceOf } from '../openapi/document-references.ts';
import { isPathItemMethod, type PathItemMethod } from '../openapi/path-items.ts';
import type { ReferenceResolver } from './references.ts';

export const PARAMETER_LOCATIONS = ['query', 'header', 'path', 'cookie'] as const;

export type ParameterLocation = (typeof PARAMETER_LOCATIONS)[number];

/** One operation of the document, with references resolved and the parameters of its path item included. */
export interface DocumentOperation {
  /** Key in `operations`: the `operationId`, made unique; method and path if there is none. */
  readonly id: string;
  readonly method: PathItemMethod;
  readonly path: string;
  /** The first tag; empty if there is none. */
  readonly tag: string;
  readonly operationObject: JsonObject;
  readonly parameters: readonly DocumentParameter[];
}

export interface DocumentParameter {
  readonly name: string;
  readonly in: ParameterLocation;
  readonly required: boolean;
  /** The schema of the value, with the parameter's description and deprecation. */
  readonly schema: JsonObject;
  /** Key in `components.parameters`, if the parameter is a reference to there. */
  readonly componentKey?: string;
}

/** Reads every operation in the document's order. Invalid values, such as a list for a path item, are skipped. */
export function readDocumentOperations(
  document: JsonObject,
  references: ReferenceResolver,
): readonly DocumentOperation[] {
  const ids = new Set<string>();
  const shared = new Map<string, DocumentParameter | undefined>();
  return jsonMembers(document['paths']).flatMap(([path, value]) => {
    const item = references.resolve(value) ?? {};
    return Object.keys(item).flatMap((key): DocumentOperation[] => {
      if (!isPathItemMethod(key)) return [];
      const operationObject = references.resolve(item[key]);
      if (operationObject === undefined) return [];
      const parameters = readParameters(
        [...jsonItems(item['parameters']), ...jsonItems(operationObject['parameters'])],
        references,
        shared,
      );
      const [tag] = jsonItems(operationObject['tags']);
      const id = allocateOperationId(operationObject['operationId'], `${key} ${path}`, ids);
      return [
        { id, method: key, path, tag: typeof tag === 'string' ? tag : '', operationObject, parameters },
      ];
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

/**
 * Of two parameters with one name and location the last is used, so that the operation overrides the path item.
 *
 * @param shared the parameters of references; nearly all operations refer to the same
 */
function readParameters(
  stated: readonly Json[],
  references: ReferenceResolver,
  shared: Map<string, DocumentParameter | undefined>,
): readonly DocumentParameter[] {
  const parameters = new Map<string, DocumentParameter>();
  for (const value of stated) {
    const text = referenceOf(value) === undefined ? '' : JSON.stringify(value);
    const parameter = shared.get(text) ?? readParameter(value, references);
    if (text !== '') shared.set(text, parameter);
    if (parameter !== undefined) {
      parameters.set(`${parameter.in} ${parameter.name}`, parameter);
    }
  }
  return [...parameters.values()];
}

/** Reads a Parameter Object or a reference to one. */
export function readParameter(value: Json, references: ReferenceResolver): DocumentParameter | undefined {
  const object = references.resolve(value);
  const location = PARAMETER_LOCATIONS.find((name) => name === object?.['in']);
  const name = object?.['name'];
  if (object === undefined || location === undefined || typeof name !== 'string') return undefined;
  const componentKey = /^#\/components\/parameters\/([\w.-]+)$/.exec(referenceOf(value) ?? '')?.[1];
  return {
    name,
    in: location,
    required: location === 'path' || object['required'] === true,
    schema: readObjectSchema(object),
    ...(componentKey === undefined ? {} : { componentKey }),
  };
}

/** Returns the schema of a Parameter or Header Object, or of its only content. */
export function readObjectSchema(object: JsonObject): JsonObject {
  const [content] = jsonMembers(object['content']);
  const stated = object['schema'] ?? (isJsonObject(content?.[1]) ? content[1]['schema'] : undefined);
  const schema = isJsonObject(stated) ? stated : {};
  const { description, deprecated } = object;
  return {
    ...schema,
    ...(description === undefined ? {} : { description }),
    ...(deprecated === true ? { deprecated } : {}),
  };
}
