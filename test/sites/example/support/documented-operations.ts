import { readFileSync } from 'node:fs';
import { type Json, type JsonObject, toJsonObject } from '../../../../src/base/json.ts';
import { resolveReference } from '../../../../src/generator/openapi/document-objects.ts';
import { listOperations } from '../../../../src/generator/openapi/operations.ts';

/** The operations of a document: `GET /core/v2/posts/{id}`. */
export function listDocumentedOperations(document: JsonObject): readonly string[] {
  return listOperations(document).map(({ method, path }) => `${method} ${path}`);
}

/** Resolves a `$ref`. Other values are returned unchanged. */
export function resolve(value: Json | undefined, document: JsonObject): Json | undefined {
  const reference = toJsonObject(value)['$ref'];
  return typeof reference === 'string' ? resolveReference(document, reference) : value;
}

/** The operations of the published document of the content site. */
export const OPERATIONS: readonly string[] = readPublished('content');

function readPublished(name: string): readonly string[] {
  const document = readFileSync(new URL(`../../../../openapi/${name}.openapi.json`, import.meta.url), 'utf8');
  return listDocumentedOperations(JSON.parse(document));
}
