import { EXTENSION_NAMES, extensionOf, getAlternatives } from '../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonMembers } from '../json.ts';
import type { JsonLocation } from '../openapi/document-references.ts';
import type { OpenApiDocument } from '../openapi/index.ts';
import { listPathItemOperations } from '../openapi/path-items.ts';
import { contentSchemaOf } from '../openapi/schema-view.ts';
import { countStatuses, type SeenResponses } from '../validation/shapes/response-shapes.ts';

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
  return jsonMembers(paths).flatMap(([path, item]) =>
    listPathItemOperations(item).flatMap(({ method, operation, location }) =>
      listRoutes(method, path, operation, ['paths', path, ...location]),
    ),
  );
}

function listRoutes(
  method: string,
  path: string,
  operation: Json,
  at: JsonLocation,
): readonly OperationEntry[] {
  if (!isJsonObject(operation)) return [];
  const describe = (content: JsonObject, location: JsonLocation): OperationEntry => {
    const { operationId } = { ...operation, ...content };
    const route = extensionOf({ ...operation, ...content }, 'route');
    return {
      id: typeof operationId === 'string' ? operationId : path,
      method,
      path,
      route: typeof route === 'string' ? route : path,
      content,
      location,
      isAlternative: content !== operation,
    };
  };
  const alternatives = getAlternatives(operation);
  if (alternatives.length === 0) return [describe(operation, at)];
  return alternatives.flatMap((content, index) =>
    isJsonObject(content) ? [describe(content, [...at, EXTENSION_NAMES.alternatives, index])] : [],
  );
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
  return listDocumentOperations(document).flatMap((operation) => {
    if (isTyped(operation)) return [];
    const own = shapes.filter(
      ({ method, route }) => method === operation.method && route === operation.route,
    );
    return own.length === 0
      ? []
      : [{ operation, variants: new Map(own.map((each) => [each.variant, each])) }];
  });
}

export function countAllResponses(responses: Iterable<SeenResponses>): number {
  return [...responses].reduce((sum, response) => sum + countStatuses(response), 0);
}
