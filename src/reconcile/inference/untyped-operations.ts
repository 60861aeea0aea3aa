import type { OpenApiDocument } from '../../openapi/index.ts';
import { countStatuses, type SeenResponses } from '../../validation/shapes/index.ts';
import { isTyped, listDocumentOperations, type OperationEntry } from '../document-operations.ts';

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
