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
export interface DocumentValidators extends RequestValidators {
  /** Fingerprints of the declared parameters. Evidence from an older document is dropped where they differ. */
  readonly fingerprints: FingerprintLookup;
  /** Resolves a `$ref` of the document. */
  readonly resolve: (reference: string) => JsonObject | undefined;
  /** Iterates over all operations, with their routes. */
  operations(): Iterable<{ readonly route: ServedRoute; readonly operation: ServedOperation }>;
}

export function createDocumentValidators(document: JsonObject, { routes }: ServedApi): DocumentValidators {
  const resolve = (reference: string): JsonObject | undefined => {
    const target = resolveReference(document, reference);
    return isJsonObject(target) ? target : undefined;
  };
  let routesByPattern: ReadonlyMap<string, ServedRoute> | undefined;
  return {
    ...createRequestValidators({ resolve }),
    resolve,
    fingerprints({ method, route: pattern }: OperationKey) {
      routesByPattern ??= new Map(routes.map((route) => [route.pattern, route]));
      const operation = routesByPattern.get(pattern)?.operations.get(method);
      return operation === undefined ? undefined : (param) => computeFingerprint(operation, param, resolve);
    },
    *operations() {
      for (const route of routes) {
        for (const operation of route.operations.values()) yield { route, operation };
      }
    },
  };
}

/** Fingerprints what an operation declares of a parameter; constant for the empty name, the request itself. */
function computeFingerprint(
  { parameters, body = {} }: ServedOperation,
  param: string,
  resolve: (reference: string) => JsonObject | undefined,
): string | undefined {
  if (param === '') return '';
  const declarations: Json[] = parameters
    .filter(({ name }) => name === param)
    .map(({ schema, required }) => ({ schema, required }));
  const reference = body['$ref'];
  const bodySchema = (typeof reference === 'string' ? resolve(reference) : body) ?? {};
  const { properties, required } = bodySchema;
  if (isJsonObject(properties) && Object.hasOwn(properties, param)) {
    declarations.push(properties[param] ?? null, Array.isArray(required) && required.includes(param));
  }
  return declarations.length === 0 ? undefined : fingerprintParameter(declarations);
}
