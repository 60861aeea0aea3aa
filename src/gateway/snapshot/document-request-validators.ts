import type { JsonObject } from '../../json.ts';
import { dereference } from '../../openapi/document-references.ts';
import type { ServedApi, ServedOperation, ServedRoute } from '../../openapi/index.ts';
import type { FingerprintLookup } from '../../validation/evidence/evidence.ts';
import { createFingerprintLookup } from '../../validation/evidence/rule-status.ts';
import { createRequestValidators, type RequestValidators } from '../../validation/request/index.ts';

/** Validators for the requests to one site, compiled from one document. */
export interface DocumentRequestValidators extends RequestValidators {
  /** Looks up fingerprints of the declared parameters. Evidence with another fingerprint is dropped. */
  readonly lookUpFingerprints: FingerprintLookup;
  /** Returns the namespace of a route pattern; `undefined` when the document does not declare it. */
  findNamespace(pattern: string): string | undefined;
  /** Resolves a `$ref` of the document. */
  readonly resolveReference: (reference: string) => JsonObject | undefined;
  /** Iterates over all operations, with their routes. */
  listOperations(): Iterable<{ readonly route: ServedRoute; readonly operation: ServedOperation }>;
}

export function createDocumentRequestValidators(
  document: JsonObject,
  { routes }: ServedApi,
): DocumentRequestValidators {
  const resolve = (reference: string): JsonObject | undefined => dereference({ $ref: reference }, document);
  let byPattern: ReadonlyMap<string, ServedRoute> | undefined;
  const findRoute = (pattern: string): ServedRoute | undefined => {
    byPattern ??= new Map(routes.map((route) => [route.pattern, route]));
    return byPattern.get(pattern);
  };
  return {
    ...createRequestValidators(resolve),
    resolveReference: resolve,
    lookUpFingerprints: createFingerprintLookup(
      (method, pattern) => findRoute(pattern)?.operations.get(method),
      resolve,
    ),
    findNamespace: (pattern) => findRoute(pattern)?.namespace,
    *listOperations() {
      for (const route of routes) {
        for (const operation of route.operations.values()) yield { route, operation };
      }
    },
  };
}
