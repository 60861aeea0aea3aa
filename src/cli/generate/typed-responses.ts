import { isJsonObject, type Json, type JsonObject, jsonMembers } from '../../json.ts';
import { dereference } from '../../openapi/document-references.ts';
import type { OpenApiDocument } from '../../openapi/index.ts';
import { getPathItemOperations } from '../../openapi/path-items.ts';

/** The operations of a document, and those whose successful response has a type. */
export interface TypedResponseCounts {
  readonly operations: number;
  readonly typed: number;
}

export function countTypedResponses(document: OpenApiDocument): TypedResponseCounts {
  const operations = Object.values(document.paths).flatMap(getPathItemOperations);
  return {
    operations: operations.length,
    typed: operations.filter((operation) => hasTypedResponse(document, operation)).length,
  };
}

function hasTypedResponse(document: OpenApiDocument, operation: JsonObject): boolean {
  const successes = jsonMembers(operation['responses']).filter(([status]) => /^2/.test(status));
  return successes.some(([, response]) => {
    const content = dereference(response, document)?.['content'];
    return jsonMembers(content).some(([, entry]) =>
      isTyped(dereference(memberOf(entry, 'schema'), document) ?? {}),
    );
  });
}

/** Keywords that state no type. */
const ANNOTATIONS: readonly string[] = ['title', 'description'];

function isTyped(schema: JsonObject): boolean {
  return Object.keys(schema).some((keyword) => !ANNOTATIONS.includes(keyword));
}

function memberOf(value: Json, name: string): Json {
  return isJsonObject(value) ? (value[name] ?? null) : null;
}
