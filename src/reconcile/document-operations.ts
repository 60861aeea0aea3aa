import {
  EXTENSION_NAMES,
  getAlternatives,
  getExtraMethods,
  getRoutePattern,
} from '../document-extensions.ts';
import { isJsonObject, type JsonObject, jsonMembers } from '../json.ts';
import type { JsonLocation } from '../openapi/document-references.ts';
import type { OpenApiDocument } from '../openapi/index.ts';
import { isPathItemMethod } from '../openapi/path-items.ts';
import { contentSchemaOf } from '../openapi/schema-view.ts';
import { countStatuses, type SeenResponses } from '../validation/shapes/index.ts';

/** An operation of a document, or one of the routes that share an operation. */
export interface OperationEntry {
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  /** The site's route pattern; the path if the document states none. */
  readonly route: string;
  /** The operation, or the alternative of the route. */
  readonly content: JsonObject;
  readonly location: JsonLocation;
  /** Whether `content` is one of the routes that share an operation. */
  readonly isAlternative: boolean;
}

/** Lists the operations of a document; for an operation that routes share, each of the routes. */
export function listDocumentOperations({ paths }: OpenApiDocument): readonly OperationEntry[] {
  return jsonMembers(paths).flatMap(([path, item]) => {
    if (!isJsonObject(item)) return [];
    const standard = jsonMembers(item)
      .filter(([name]) => isPathItemMethod(name))
      .map(([name, operation]) => ({ method: name.toUpperCase(), operation, at: ['paths', path, name] }));
    const extra = jsonMembers(getExtraMethods(item)).map(([method, operation]) => ({
      method,
      operation,
      at: ['paths', path, EXTENSION_NAMES.methods, method],
    }));
    return [...standard, ...extra].flatMap(({ at, method, operation }) =>
      isJsonObject(operation) ? readRoutes({ method, path }, operation, at) : [],
    );
  });
}

function readRoutes(
  address: Pick<OperationEntry, 'method' | 'path'>,
  operation: JsonObject,
  location: JsonLocation,
): readonly OperationEntry[] {
  const alternatives = getAlternatives(operation);
  if (alternatives.length === 0) {
    return [
      {
        ...address,
        ...describe(operation, address.path),
        content: operation,
        location,
        isAlternative: false,
      },
    ];
  }
  return alternatives.flatMap((content, index) =>
    isJsonObject(content)
      ? [
          {
            ...address,
            ...describe({ ...operation, ...content }, address.path),
            content,
            location: [...location, EXTENSION_NAMES.alternatives, index],
            isAlternative: true,
          },
        ]
      : [],
  );
}

function describe(operation: JsonObject, path: string): Pick<OperationEntry, 'id' | 'route'> {
  const { operationId } = operation;
  const route = getRoutePattern(operation);
  return {
    id: typeof operationId === 'string' ? operationId : path,
    route: typeof route === 'string' ? route : path,
  };
}

/** Whether the document describes the successful response of an operation, if only as one without content. */
export function isTyped({ content, isAlternative }: OperationEntry): boolean {
  if (isAlternative) return isStatement(content['response']);
  return jsonMembers(content['responses']).some(([status, response]) => {
    if (!/^2(?:\d\d|XX)$/.test(status) || !isJsonObject(response)) return false;
    if (status === '204') return true;
    return '$ref' in response || isStatement(contentSchemaOf(response)) || isFile(response);
  });
}

/** Whether a response has a media type that is not JSON, which says what it is. */
function isFile({ content }: JsonObject): boolean {
  return jsonMembers(content).some(([mediaType]) => !/[/+]json\b/.test(mediaType));
}

/** Whether a schema states anything about a value. */
export function isStatement(schema: unknown): schema is JsonObject {
  return isJsonObject(schema) && Object.keys(schema).some((keyword) => !SILENT_KEYWORDS.test(keyword));
}

const SILENT_KEYWORDS =
  /^(?:title|description|default|examples?|deprecated|readOnly|writeOnly|x-.*|\$comment)$/;

/** An operation that the document does not describe, with the shapes of its responses by variant. */
export interface UntypedOperation {
  readonly operation: OperationEntry;
  readonly variants: ReadonlyMap<string, SeenResponses>;
}

/** Lists the operations without a described response, of which responses were seen. */
export function listUntypedOperations(
  document: OpenApiDocument,
  shapes: readonly SeenResponses[],
): readonly UntypedOperation[] {
  return listDocumentOperations(document)
    .filter((operation) => !isTyped(operation))
    .map((operation) => ({ operation, variants: findVariants(shapes, operation) }))
    .filter(({ variants }) => variants.size > 0);
}

function findVariants(
  shapes: readonly SeenResponses[],
  { method, route }: OperationEntry,
): ReadonlyMap<string, SeenResponses> {
  const own = shapes.filter((shape) => shape.method === method && shape.route === route);
  return new Map(own.map((shape) => [shape.variant, shape]));
}

export function countAllResponses(responses: Iterable<SeenResponses>): number {
  return [...responses].reduce((sum, response) => sum + countStatuses(response), 0);
}
