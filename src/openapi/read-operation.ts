import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { fieldsOf } from './bodies.ts';
import { readParameters } from './read-parameters.ts';
import { follow } from './references.ts';
import { refusal } from './refusal.ts';
import type { ServedOperation } from './served.ts';

/** An operation of one route. An operation of the document that several routes share is read as one for each. */
export interface ReadOperation {
  /** The site's route pattern. */
  readonly pattern: string;
  readonly operation: ServedOperation;
}

export interface OperationPlace {
  readonly document: JsonObject;
  readonly path: string;
  readonly method: string;
  readonly operation: Json;
  /** The path item's own parameters, which an operation's override. */
  readonly shared: Json | undefined;
  readonly pointer: string;
}

export function readOperation(place: OperationPlace): readonly ReadOperation[] {
  const { document, path, operation, pointer } = place;
  if (!isJsonObject(operation)) throw refusal(pointer, 'is not an object', 'it is an operation');
  const alternatives = operation['x-waygate-alternatives'];
  if (Array.isArray(alternatives) && alternatives.length > 0) {
    return alternatives.map((entry: Json, index) => {
      const at = `${pointer}/x-waygate-alternatives/${index}`;
      if (!isJsonObject(entry))
        throw refusal(at, 'is not an object', 'it is one of the routes that share the operation');
      // The globals stand on the operation alone: they are not any route's own.
      const inherited = listOf(operation['parameters']).filter(
        (each) => isJsonObject(each) && '$ref' in each,
      );
      const parameters = [...listOf(entry['parameters']), ...inherited];
      const response = entry['response'];
      return {
        pattern: patternOf(entry, path, at),
        operation: served(
          { ...place, pointer: at },
          { ...entry, parameters },
          operation,
          isJsonObject(response) ? { response, responseAt: `${at}/response` } : {},
        ),
      };
    });
  }
  return [
    {
      pattern: patternOf(operation, path, pointer),
      operation: served(place, operation, operation, {
        ...successOf(document, operation, pointer),
        ...contextsOf(operation['x-waygate-contexts']),
      }),
    },
  ];
}

type ServedAnswer = Pick<ServedOperation, 'response' | 'responseAt' | 'contexts'>;

function served(
  { document, path, method, shared, pointer }: OperationPlace,
  entry: JsonObject,
  operation: JsonObject,
  answer: ServedAnswer,
): ServedOperation {
  const id = entry['operationId'] ?? operation['operationId'];
  const body = entry['requestBody'];
  const fields =
    body === undefined ? undefined : fieldsOf(resolved(document, body, `${pointer}/requestBody`));
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

function patternOf(entry: JsonObject, path: string, pointer: string): string {
  const pattern = entry['x-waygate-route'];
  if (typeof pattern === 'string') return pattern;
  if (pattern !== undefined)
    throw refusal(`${pointer}/x-waygate-route`, 'is not a string', "it is the site's pattern");
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
function successOf(document: JsonObject, operation: JsonObject, pointer: string): ServedAnswer {
  const { responses } = operation;
  if (!isJsonObject(responses)) return {};
  for (const [status, given] of Object.entries(responses)) {
    if (!/^2(?:\d\d|XX)$/.test(status)) continue;
    const stated = `${pointer}/responses/${status}`;
    const content = resolved(document, given, stated)['content'];
    const json = isJsonObject(content) ? content['application/json'] : undefined;
    const schema = isJsonObject(json) ? json['schema'] : undefined;
    if (!isJsonObject(schema)) continue;
    const reference = isJsonObject(given) ? given['$ref'] : undefined;
    const at = typeof reference === 'string' ? reference.slice(1) : stated;
    return { response: schema, responseAt: `${at}/content/application~1json/schema` };
  }
  return {};
}

function contextsOf(stated: Json | undefined): ServedAnswer {
  if (!isJsonObject(stated)) return {};
  const contexts = Object.entries(stated).flatMap(([context, component]): [string, string][] => {
    const reference = isJsonObject(component) ? component['$ref'] : undefined;
    return typeof reference === 'string' ? [[context, reference]] : [];
  });
  return contexts.length === 0 ? {} : { contexts: new Map(contexts) };
}

function resolved(document: JsonObject, value: Json, pointer: string): JsonObject {
  const reference = isJsonObject(value) ? value['$ref'] : undefined;
  const target = typeof reference === 'string' ? follow(document, reference) : value;
  if (!isJsonObject(target)) throw refusal(pointer, `does not lead to an object`, 'mend the reference');
  return target;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
