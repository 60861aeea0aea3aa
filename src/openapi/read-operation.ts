import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { readBodyFields } from './bodies.ts';
import { readParameters } from './read-parameters.ts';
import { resolveReference } from './document-access.ts';
import { documentError } from './refusal.ts';
import type { ServedOperation } from './served-api.ts';

/** An operation of one route. An operation of the document that several routes share is read as one for each. */
export interface RouteOperationEntry {
  /** The site's route pattern. */
  readonly pattern: string;
  readonly operation: ServedOperation;
}

export interface OperationSource {
  readonly document: JsonObject;
  readonly path: string;
  readonly method: string;
  readonly operation: Json;
  /** The path item's own parameters, which an operation's override. */
  readonly shared: Json | undefined;
  readonly pointer: string;
}

export function readOperation(place: OperationSource): readonly RouteOperationEntry[] {
  const { document, path, operation, pointer } = place;
  if (!isJsonObject(operation)) throw documentError(pointer, 'is not an object', 'it is an operation');
  const alternatives = operation['x-waygate-alternatives'];
  if (Array.isArray(alternatives) && alternatives.length > 0) {
    return alternatives.map((entry: Json, index) => {
      const at = `${pointer}/x-waygate-alternatives/${index}`;
      if (!isJsonObject(entry))
        throw documentError(at, 'is not an object', 'it is one of the routes that share the operation');
      // The globals stand on the operation alone: they are not any route's own.
      const inherited = listOf(operation['parameters']).filter(
        (each) => isJsonObject(each) && '$ref' in each,
      );
      const parameters = [...listOf(entry['parameters']), ...inherited];
      const response = entry['response'];
      return {
        pattern: readPattern(entry, path, at),
        operation: toServedOperation(
          { ...place, pointer: at },
          { ...entry, parameters },
          operation,
          isJsonObject(response) ? { response, responsePointer: `${at}/response` } : {},
        ),
      };
    });
  }
  return [
    {
      pattern: readPattern(operation, path, pointer),
      operation: toServedOperation(place, operation, operation, {
        ...readSuccessResponse(document, operation, pointer),
        ...readContexts(operation['x-waygate-contexts']),
      }),
    },
  ];
}

type SuccessResponse = Pick<ServedOperation, 'response' | 'responsePointer' | 'contexts'>;

function toServedOperation(
  { document, path, method, shared, pointer }: OperationSource,
  entry: JsonObject,
  operation: JsonObject,
  answer: SuccessResponse,
): ServedOperation {
  const id = entry['operationId'] ?? operation['operationId'];
  const body = entry['requestBody'];
  const fields =
    body === undefined ? undefined : readBodyFields(resolveObject(document, body, `${pointer}/requestBody`));
  return {
    id: typeof id === 'string' ? id : `${method} ${path}`,
    method,
    path,
    allowBatch: entry['x-waygate-allow-batch'] === true,
    parameters: readParameters(
      document,
      [...listOf(entry['parameters']), ...listOf(shared)],
      `${pointer}/parameters`,
    ),
    ...(fields === undefined ? {} : { body: fields }),
    ...answer,
  };
}

function readPattern(entry: JsonObject, path: string, pointer: string): string {
  const pattern = entry['x-waygate-route'];
  if (typeof pattern === 'string') return pattern;
  if (pattern !== undefined)
    throw documentError(`${pointer}/x-waygate-route`, 'is not a string', "it is the site's pattern");
  return patternFromPath(path);
}

/** A hand-written operation has only its path to be matched by: a parameter is one segment. */
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

/** The JSON schema of the first success that has one. */
function readSuccessResponse(document: JsonObject, operation: JsonObject, pointer: string): SuccessResponse {
  const { responses } = operation;
  if (!isJsonObject(responses)) return {};
  for (const [status, given] of Object.entries(responses)) {
    if (!/^2(?:\d\d|XX)$/.test(status)) continue;
    const stated = `${pointer}/responses/${status}`;
    const content = resolveObject(document, given, stated)['content'];
    const json = isJsonObject(content) ? content['application/json'] : undefined;
    const schema = isJsonObject(json) ? json['schema'] : undefined;
    if (!isJsonObject(schema)) continue;
    const reference = isJsonObject(given) ? given['$ref'] : undefined;
    const at = typeof reference === 'string' ? reference.slice(1) : stated;
    return { response: schema, responsePointer: `${at}/content/application~1json/schema` };
  }
  return {};
}

function readContexts(stated: Json | undefined): SuccessResponse {
  if (!isJsonObject(stated)) return {};
  const contexts = Object.entries(stated).flatMap(([context, component]): [string, string][] => {
    const reference = isJsonObject(component) ? component['$ref'] : undefined;
    return typeof reference === 'string' ? [[context, reference]] : [];
  });
  return contexts.length === 0 ? {} : { contexts: new Map(contexts) };
}

function resolveObject(document: JsonObject, value: Json, pointer: string): JsonObject {
  const reference = isJsonObject(value) ? value['$ref'] : undefined;
  const target = typeof reference === 'string' ? resolveReference(document, reference) : value;
  if (!isJsonObject(target)) throw documentError(pointer, `does not lead to an object`, 'mend the reference');
  return target;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
