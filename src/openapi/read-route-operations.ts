import {
  EXTENSION_NAMES,
  getAlternatives,
  getContexts,
  getRoutePattern,
  isBatchAllowed,
} from '../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems } from '../json.ts';
import { createDocumentError, dereference, referenceOf } from './document-references.ts';
import { readParameters } from './read-parameters.ts';
import { readBodySchema } from './request-bodies.ts';
import { contentSchemaOf } from './schema-view.ts';
import type { ServedOperation } from './served-api.ts';

/** An operation of one route. An operation of the document that several routes share yields one entry per route. */
export interface RouteOperationEntry {
  /** The site's route pattern. */
  readonly pattern: string;
  readonly operation: ServedOperation;
}

/** An operation of the document, and its position in the document. */
export interface OperationSource {
  readonly document: JsonObject;
  readonly path: string;
  readonly method: string;
  readonly operation: Json;
  /** The parameters of the path item, which an operation's own override. */
  readonly pathItemParameters: Json | undefined;
  /** JSON pointer to the operation. */
  readonly pointer: string;
}

/**
 * Reads the operations that an operation of the document stands for, one for each route.
 *
 * @throws {ConfigurationError} with the JSON pointer of the part that cannot be used
 */
export function readRouteOperations(source: OperationSource): readonly RouteOperationEntry[] {
  const { document, path, operation, pointer } = source;
  if (!isJsonObject(operation))
    throw createDocumentError(pointer, 'is not an object', 'expected an operation');
  const alternatives = getAlternatives(operation);
  if (alternatives.length > 0) {
    return alternatives.map((alternative, index) => readAlternative(source, operation, alternative, index));
  }
  return [
    {
      pattern: readPattern(operation, path, pointer),
      operation: toServedOperation(source, operation, operation, {
        ...readSuccessResponse(document, operation, pointer),
        ...readContexts(operation),
      }),
    },
  ];
}

function readAlternative(
  source: OperationSource,
  operation: JsonObject,
  alternative: Json,
  index: number,
): RouteOperationEntry {
  const pointer = `${source.pointer}/${EXTENSION_NAMES.alternatives}/${index}`;
  if (!isJsonObject(alternative)) {
    throw createDocumentError(
      pointer,
      'is not an object',
      'expected one of the routes that share the operation',
    );
  }
  // Only the shared operation refers to the global parameters. An alternative lists the parameters of its route.
  const globals = jsonItems(operation['parameters']).filter(
    (parameter) => isJsonObject(parameter) && '$ref' in parameter,
  );
  const parameters = [...jsonItems(alternative['parameters']), ...globals];
  const { response: responseSchema } = alternative;
  return {
    pattern: readPattern(alternative, source.path, pointer),
    operation: toServedOperation(
      { ...source, pointer },
      { ...alternative, parameters },
      operation,
      isJsonObject(responseSchema) ? { responseSchema, responsePointer: `${pointer}/response` } : {},
    ),
  };
}

type SuccessResponse = Pick<ServedOperation, 'responseSchema' | 'responsePointer' | 'contextReferences'>;

/** @param entry the operation itself, or the alternative of one route */
function toServedOperation(
  { document, path, method, pathItemParameters, pointer }: OperationSource,
  entry: JsonObject,
  operation: JsonObject,
  success: SuccessResponse,
): ServedOperation {
  const id = entry['operationId'] ?? operation['operationId'];
  const { requestBody } = entry;
  const bodySchema =
    requestBody === undefined
      ? undefined
      : readBodySchema(resolveObject(document, requestBody, `${pointer}/requestBody`));
  return {
    id: typeof id === 'string' ? id : `${method} ${path}`,
    method,
    path,
    allowBatch: isBatchAllowed(entry),
    parameters: readParameters(
      document,
      [...jsonItems(entry['parameters']), ...jsonItems(pathItemParameters)],
      `${pointer}/parameters`,
    ),
    ...(bodySchema === undefined ? {} : { bodySchema }),
    ...success,
  };
}

function readPattern(entry: JsonObject, path: string, pointer: string): string {
  const pattern = getRoutePattern(entry);
  if (typeof pattern === 'string') return pattern;
  if (pattern === undefined) return patternFromPath(path);
  throw createDocumentError(
    `${pointer}/${EXTENSION_NAMES.route}`,
    'is not a string',
    "expected the site's route pattern",
  );
}

/** Creates the pattern of a hand-written operation, which has only a path. Each parameter matches one segment. */
function patternFromPath(path: string): string {
  return path
    .split(/\{[^{}]*\}/)
    .map((literal) => literal.replace(/[.*+?^${}()|[\]\\@]/g, '\\$&'))
    .reduce((pattern, literal, index) => {
      const name = [...path.matchAll(/\{([^{}]*)\}/g)][index - 1]?.[1] ?? '';
      return /^[A-Za-z_]\w{0,31}$/.test(name)
        ? `${pattern}(?P<${name}>[^/]+)${literal}`
        : `${pattern}([^/]+)${literal}`;
    });
}

/** The JSON schema of the first 2xx response that has one. */
function readSuccessResponse(
  document: JsonObject,
  operation: JsonObject,
  operationPointer: string,
): SuccessResponse {
  const { responses } = operation;
  if (!isJsonObject(responses)) return {};
  for (const [status, stated] of Object.entries(responses)) {
    if (!/^2(?:\d\d|XX)$/.test(status)) continue;
    const pointer = `${operationPointer}/responses/${status}`;
    const schema = contentSchemaOf(resolveObject(document, stated, pointer));
    if (!isJsonObject(schema)) continue;
    const target = referenceOf(stated)?.slice(1) ?? pointer;
    return { responseSchema: schema, responsePointer: `${target}/content/application~1json/schema` };
  }
  return {};
}

function readContexts(operation: JsonObject): SuccessResponse {
  const contextReferences = getContexts(operation);
  return contextReferences.size === 0 ? {} : { contextReferences };
}

function resolveObject(document: JsonObject, value: Json, pointer: string): JsonObject {
  const target = dereference(value, document);
  if (target !== undefined) return target;
  throw createDocumentError(pointer, 'does not lead to an object', 'fix the reference');
}
