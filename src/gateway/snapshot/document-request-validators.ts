import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import {
  resolveReference,
  type ServedApi,
  type ServedOperation,
  type ServedRoute,
} from '../../openapi/index.ts';
import {
  type FingerprintLookup,
  fingerprintParameter,
  type OperationKey,
} from '../../validation/evidence/evidence.ts';
import { createRequestValidators, type RequestValidators } from '../../validation/request/index.ts';

/** Validators for the requests to one site, compiled from one document. */
export interface DocumentRequestValidators extends RequestValidators {
  /** Looks up fingerprints of the declared parameters. Evidence with another fingerprint is dropped. */
  readonly lookUpFingerprints: FingerprintLookup;
  /** Resolves a `$ref` of the document. */
  readonly resolveReference: (reference: string) => JsonObject | undefined;
  /** Iterates over all operations, with their routes. */
  listOperations(): Iterable<{ readonly route: ServedRoute; readonly operation: ServedOperation }>;
}

export function createDocumentRequestValidators(
  document: JsonObject,
  { routes }: ServedApi,
): DocumentRequestValidators {
  const resolve = (reference: string): JsonObject | undefined => {
    const target = resolveReference(document, reference);
    return isJsonObject(target) ? target : undefined;
  };
  let routesByPattern: ReadonlyMap<string, ServedRoute> | undefined;
  return {
    ...createRequestValidators({ resolveReference: resolve }),
    resolveReference: resolve,
    lookUpFingerprints({ method, route: pattern }: OperationKey) {
      routesByPattern ??= new Map(routes.map((route) => [route.pattern, route]));
      const operation = routesByPattern.get(pattern)?.operations.get(method);
      return operation === undefined ? undefined : (param) => computeFingerprint(operation, param, resolve);
    },
    *listOperations() {
      for (const route of routes) {
        for (const operation of route.operations.values()) yield { route, operation };
      }
    },
  };
}

/**
 * Computes the fingerprint of all that an operation declares about a parameter.
 *
 * @returns `undefined` for an undeclared parameter; the empty string for the empty name, which is the request as a whole
 */
function computeFingerprint(
  { parameters, bodySchema = {} }: ServedOperation,
  param: string,
  resolve: (reference: string) => JsonObject | undefined,
): string | undefined {
  if (param === '') return '';
  const declarations: Json[] = parameters
    .filter(({ name }) => name === param)
    .map(({ schema, required }) => ({ schema, required }));
  const reference = bodySchema['$ref'];
  const resolved = (typeof reference === 'string' ? resolve(reference) : bodySchema) ?? {};
  const { properties, required } = resolved;
  if (isJsonObject(properties) && Object.hasOwn(properties, param)) {
    declarations.push(properties[param] ?? null, Array.isArray(required) && required.includes(param));
  }
  return declarations.length === 0 ? undefined : fingerprintParameter(declarations);
}
