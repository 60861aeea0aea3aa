import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import type { ServedOperation } from '../../openapi/index.ts';
import { encodeByteString } from '../../php/byte-string.ts';
import { createSchemaValidator, type ResolveReference } from '../wordpress/index.ts';
import { parseBatchPath } from './batch-path.ts';
import { findParameter, NO_PARAMETERS, orderSources, type ParameterSource } from './parameters.ts';
import { parseQueryParameters, toPathParameters } from './read-query.ts';
import { batchNotAllowedError, noRouteError } from './refused.ts';
import type { InvalidRequest, RequestParameters, ValidationResult } from './result.ts';

/** What a batch is judged with: the routes and the rules of the requests that stand alone. */
export interface BatchCallbacks {
  /** The operation that the site runs for a sub-request; null where the document has none, or it is not certain. */
  matchRoute(method: string, route: string): BatchRouteMatch | null;
  /** Judges a sub-request as one that stands alone would be. */
  validate(operation: ServedOperation, values: RequestParameters): ValidationResult;
  /** False for what would be stopped if it stood alone. `null` for a path that cannot be read in one way only. */
  isRouteAllowed(method: string, route: string | null): boolean;
}

export interface BatchRouteMatch {
  readonly operation: ServedOperation;
  /** The groups of the route, byte strings. */
  readonly params: Readonly<Record<string, string>>;
}

/** A sub-request with what is said of it. */
export interface BatchSubrequest {
  /** Null where nobody can tell: the document has no such route, or what the site reads is not certain. */
  readonly operation: ServedOperation | null;
  readonly result: ValidationResult | { readonly kind: 'unknown' };
  /** It has no route that may be asked for: whatever else is run, this is not. */
  readonly isBlocked?: true;
}

export type BatchValidationResult =
  /** The site is asked. */
  | { readonly kind: 'passes'; readonly subrequests: readonly BatchSubrequest[] }
  /** What the site would answer: 207, with nothing run. */
  | {
      readonly kind: 'answered';
      readonly status: 207;
      readonly body: JsonObject;
      readonly subrequests: readonly BatchSubrequest[];
    }
  /** The batch as a whole. */
  | InvalidRequest;

export interface BatchValidator {
  /** @param values those of a batch whose own parameters are valid */
  validate(values: RequestParameters): BatchValidationResult;
}

/** Whether an operation runs others: `WP_REST_Server::serve_batch_request_v1()`. */
export function isBatchOperation({ method, path }: ServedOperation): boolean {
  return method === 'POST' && path === '/batch/v1';
}

/** Judges the requests within a batch. Its own parameters are judged as any operation's, before. */
export function createBatchValidator(
  batch: ServedOperation,
  resolve: ResolveReference,
  callbacks: BatchCallbacks,
): BatchValidator {
  const requests = createSchemaValidator(REQUESTS_SCHEMA, resolve);

  return {
    validate(values) {
      const sources = orderSources(values, batch.method);
      const sanitized = requests.sanitize(findParameter('requests', sources) ?? [], 'requests');
      const given: Json = sanitized.ok ? sanitized.value : [];
      const subrequests: BatchSubrequest[] = [];
      for (const part of Array.isArray(given) ? given : []) {
        const judged = isJsonObject(part) ? validateSubrequest(part, callbacks) : UNKNOWN_SUBREQUEST;
        if (judged === 'unclear') return noRouteError();
        subrequests.push(judged);
      }
      const refused = subrequests.filter(({ result }) => result.kind === 'refused').length;
      const isAllOrNothing = findParameter('validation', sources) === 'require-all-validate';
      const isCertain = subrequests.every(({ result }) => result.kind !== 'unknown');
      if (refused === 0 || !isCertain || (!isAllOrNothing && refused < subrequests.length)) {
        // Nothing that would be stopped alone passes because others stand beside it.
        return subrequests.some(({ isBlocked }) => isBlocked)
          ? noRouteError()
          : { kind: 'passes', subrequests };
      }
      const responses = subrequests.map(({ result }) =>
        result.kind === 'refused' ? toEnvelope(result) : null,
      );
      const body = isAllOrNothing ? { failed: 'validation', responses } : { responses };
      return { kind: 'answered', status: 207, body, subrequests };
    },
  };
}

/** What the site makes of the list before it looks at what is in it. */
const REQUESTS_SCHEMA: JsonObject = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      method: { type: 'string' },
      path: { type: 'string' },
      body: { type: 'object' },
    },
  },
};

const UNKNOWN_SUBREQUEST: BatchSubrequest = { operation: null, result: { kind: 'unknown' } };

/** `unclear` is what may be a route that is stopped. */
function validateSubrequest(part: JsonObject, callbacks: BatchCallbacks): BatchSubrequest | 'unclear' {
  const method = typeof part['method'] === 'string' ? part['method'].toUpperCase() : 'POST';
  const address = parseBatchPath(encodeByteString(String(part['path'] ?? '')));
  if (address.kind === 'unclear')
    return callbacks.isRouteAllowed(method, null) ? UNKNOWN_SUBREQUEST : 'unclear';
  const { route, query: raw } = address;
  if (!callbacks.isRouteAllowed(method, route))
    return { operation: null, result: noRouteError(), isBlocked: true };
  const match = callbacks.matchRoute(method, route);
  if (match === null) return UNKNOWN_SUBREQUEST;
  const { operation, params } = match;
  if (!operation.allowBatch) return { operation, result: batchNotAllowedError() };
  const query = parseQueryParameters(raw);
  if (query === null) return { operation, result: { kind: 'unknown' } };
  const form = toFormSource(part['body']);
  return {
    operation,
    result: callbacks.validate(operation, {
      json: NO_PARAMETERS,
      form,
      query,
      path: toPathParameters(params),
    }),
  };
}

/** `set_body_params()`: whatever the headers say, they are a form's. */
function toFormSource(value: Json | undefined): ParameterSource {
  return typeof value === 'object' && value !== null ? new Map(Object.entries<Json>(value)) : NO_PARAMETERS;
}

/** `envelope_response()` of an error. PHP's empty list of headers is a list. */
function toEnvelope({ status, code, message, data }: InvalidRequest): JsonObject {
  return { body: { code, message, data: { status, ...data } }, status, headers: [] };
}
