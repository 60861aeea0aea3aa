import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import {
  resolveReference,
  type ServedApi,
  type ServedOperation,
  type ServedRoute,
} from '../../openapi/index.ts';
import type { FingerprintLookup, OperationKey } from '../../validation/evidence/evidence.ts';
import { fingerprintParameter } from '../../validation/evidence/fingerprint.ts';
import { createRequestValidators, type RequestValidators } from '../../validation/request/index.ts';

/** What judges the requests to one site by one document. */
export interface DocumentValidators extends RequestValidators {
  /** What the document says now, in short, so that older evidence can be held against it. */
  readonly declared: FingerprintLookup;
  /** Finds what a `$ref` of the document names. */
  readonly resolve: (reference: string) => JsonObject | undefined;
  /** All operations, with their routes. */
  operations(): Iterable<{ readonly route: ServedRoute; readonly operation: ServedOperation }>;
}

export function createDocumentValidators(document: JsonObject, { routes }: ServedApi): DocumentValidators {
  const resolve = (reference: string): JsonObject | undefined => {
    const found = resolveReference(document, reference);
    return isJsonObject(found) ? found : undefined;
  };
  let byPattern: ReadonlyMap<string, ServedRoute> | undefined;
  return {
    ...createRequestValidators({ resolve }),
    resolve,
    declared({ method, route }: OperationKey) {
      byPattern ??= new Map(routes.map((each) => [each.pattern, each]));
      const operation = byPattern.get(route)?.operations.get(method);
      return operation === undefined ? undefined : (param) => declaredOf(operation, param, resolve);
    },
    *operations() {
      for (const route of routes) {
        for (const operation of route.operations.values()) yield { route, operation };
      }
    },
  };
}

/** Of the request itself, which has no name, the same at all times. */
function declaredOf(
  { parameters, body = {} }: ServedOperation,
  param: string,
  resolve: (reference: string) => JsonObject | undefined,
): string | undefined {
  if (param === '') return '';
  const found: Json[] = parameters
    .filter(({ name }) => name === param)
    .map(({ schema, required }) => ({ schema, required }));
  const reference = body['$ref'];
  const fields = (typeof reference === 'string' ? resolve(reference) : body) ?? {};
  const { properties, required } = fields;
  if (isJsonObject(properties) && Object.hasOwn(properties, param)) {
    found.push(properties[param] ?? null, Array.isArray(required) && required.includes(param));
  }
  return found.length === 0 ? undefined : fingerprintParameter(found);
}
