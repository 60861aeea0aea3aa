import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import type { ServedOperation } from '../../openapi/index.ts';
import { encodeByteString } from '../../php/encoding.ts';
import { createSchemaValidator } from '../wordpress/validate.ts';
import {
  acceptsForm,
  findParameter,
  NO_PARAMETERS,
  type ParameterSource,
  parseQueryParameters,
  type RequestParameters,
  toPathParameters,
} from './parameters.ts';
import { batchNotAllowedError, type InvalidRequest, noRouteError, type ValidationResult } from './result.ts';

/** Functions of the gateway that the validation of a batch calls. */
export interface BatchCallbacks {
  /** Finds the operation that the site runs; `null` when the document declares none or it is not certain. */
  matchRoute(method: string, route: string): BatchRouteMatch | null;
  /** Validates a subrequest as a single request. */
  validate(operation: ServedOperation, parameters: RequestParameters): ValidationResult;
  /** Whether a single request to the route is forwarded. `null` is an ambiguous path, which may be any route. */
  isRouteAllowed(method: string, route: string | null): boolean;
}

export interface BatchRouteMatch {
  readonly operation: ServedOperation;
  /** Values of the named groups of the route's pattern, as byte strings. */
  readonly params: Readonly<Record<string, string>>;
}

export interface BatchSubrequest {
  /** `null` when the subrequest is blocked, its route is not declared, or the operation that the site runs is uncertain. */
  readonly operation: ServedOperation | null;
  readonly result: ValidationResult | { readonly kind: 'unknown' };
  /** Present when the subrequest's route is not allowed, so that the gateway must not forward the batch. */
  readonly isBlocked?: true;
}

export type BatchValidationResult =
  /** The batch is forwarded to the site. */
  | { readonly kind: 'forwarded'; readonly subrequests: readonly BatchSubrequest[] }
  /** The response that the site would send: 207, with no subrequest run. */
  | {
      readonly kind: 'responded';
      readonly status: 207;
      readonly body: JsonObject;
      readonly subrequests: readonly BatchSubrequest[];
    }
  /** The batch as a whole is invalid. */
  | InvalidRequest;

/** Whether an operation runs subrequests: `WP_REST_Server::serve_batch_request_v1()`. */
export function isBatchOperation({ method, path }: ServedOperation): boolean {
  return method === 'POST' && path === '/batch/v1';
}

/**
 * Validates the subrequests of a batch.
 *
 * @param parameters the parameters of the batch, which must be valid themselves
 */
export function validateBatch(
  batch: ServedOperation,
  parameters: RequestParameters,
  callbacks: BatchCallbacks,
): BatchValidationResult {
  const hasForm = acceptsForm(batch.method);
  const stated = findParameter('requests', parameters, hasForm) ?? [];
  const sanitized = REQUESTS.sanitize(stated, 'requests');
  const requests: Json = sanitized.ok ? sanitized.value : [];
  const subrequests: BatchSubrequest[] = [];
  for (const request of Array.isArray(requests) ? requests : []) {
    const subrequest = isJsonObject(request) ? validateSubrequest(request, callbacks) : UNKNOWN_SUBREQUEST;
    if (subrequest === 'ambiguous') return noRouteError();
    subrequests.push(subrequest);
  }
  const isAllOrNothing = findParameter('validation', parameters, hasForm) === 'require-all-validate';
  return combineResults(subrequests, isAllOrNothing);
}

/** The site runs nothing when every subrequest is invalid, or when one is and the client requires all to be valid. */
function combineResults(
  subrequests: readonly BatchSubrequest[],
  isAllOrNothing: boolean,
): BatchValidationResult {
  const invalid = subrequests.filter(({ result }) => result.kind === 'invalid').length;
  const isCertain = subrequests.every(({ result }) => result.kind !== 'unknown');
  if (invalid === 0 || !isCertain || (!isAllOrNothing && invalid < subrequests.length)) {
    // A blocked subrequest must not reach the site because others in its batch are forwarded.
    return subrequests.some(({ isBlocked }) => isBlocked)
      ? noRouteError()
      : { kind: 'forwarded', subrequests };
  }
  const responses = subrequests.map(({ result }) => (result.kind === 'invalid' ? toEnvelope(result) : null));
  const body = isAllOrNothing ? { failed: 'validation', responses } : { responses };
  return { kind: 'responded', status: 207, body, subrequests };
}

/** The schema by which the site sanitises the list before it parses the subrequests. */
const REQUESTS = createSchemaValidator({
  type: 'array',
  items: {
    type: 'object',
    properties: {
      method: { type: 'string' },
      path: { type: 'string' },
      body: { type: 'object' },
    },
  },
});

const UNKNOWN_SUBREQUEST: BatchSubrequest = { operation: null, result: { kind: 'unknown' } };

/** Maximum length of a path that is matched against the routes. Servers limit that of a single request alike. */
const MAX_PATH_LENGTH = 16 * 1024;

/** Returns `ambiguous` when the path may be a route that is not allowed. */
function validateSubrequest(request: JsonObject, callbacks: BatchCallbacks): BatchSubrequest | 'ambiguous' {
  const method = typeof request['method'] === 'string' ? request['method'].toUpperCase() : 'POST';
  const statedPath = String(request['path'] ?? '');
  const path =
    statedPath.length > MAX_PATH_LENGTH
      ? ({ kind: 'ambiguous' } as const)
      : parseBatchPath(encodeByteString(statedPath));
  if (path.kind === 'ambiguous') {
    return callbacks.isRouteAllowed(method, null) ? UNKNOWN_SUBREQUEST : 'ambiguous';
  }
  if (!callbacks.isRouteAllowed(method, path.route)) {
    return { operation: null, result: noRouteError(), isBlocked: true };
  }
  const match = callbacks.matchRoute(method, path.route);
  if (match === null) return UNKNOWN_SUBREQUEST;
  const { operation, params } = match;
  if (!operation.allowBatch) return { operation, result: batchNotAllowedError() };
  const query = parseQueryParameters(path.query);
  if (query === null) return { operation, result: { kind: 'unknown' } };
  const form = toFormSource(request['body']);
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

/** `set_body_params()`: the body of a subrequest is parsed as a form, regardless of its headers. */
function toFormSource(value: Json | undefined): ParameterSource {
  return typeof value === 'object' && value !== null ? new Map(Object.entries<Json>(value)) : NO_PARAMETERS;
}

/** `envelope_response()` of an error. PHP serialises the empty array of headers as a list. */
function toEnvelope({ status, code, message, data }: InvalidRequest): JsonObject {
  return { body: { code, message, data: { status, ...data } }, status, headers: [] };
}

type BatchPath =
  | {
      readonly kind: 'route';
      /** Neither decoded nor trimmed. */
      readonly route: string;
      /** Without question mark. */
      readonly query: string;
    }
  /** PHP versions may parse it differently, or `parse_url()` may fail. */
  | { readonly kind: 'ambiguous' };

const AMBIGUOUS_PATH: BatchPath = { kind: 'ambiguous' };

/** A scheme with an authority, or an authority alone. PHP may reject unusual characters in them. */
const AUTHORITY = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[a-z0-9][a-z0-9.-]*(?=[/?#]|$)/i;

/** `wp_parse_url()` of a subrequest's path. A scheme and host before the path are ignored. */
export function parseBatchPath(path: string): BatchPath {
  if (path.startsWith('/') && !path.startsWith('//')) return splitQuery(path);
  const authority = AUTHORITY.exec(path);
  if (authority !== null) return splitQuery(path.slice(authority[0].length));
  // The text before a colon may be a scheme, a host or neither.
  return /^[^?#]*:/.test(path) || path.startsWith('//') ? AMBIGUOUS_PATH : splitQuery(path);
}

function splitQuery(path: string): BatchPath {
  const [, route = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(path) ?? [];
  return { kind: 'route', route: withoutControls(route), query: withoutControls(query) };
}

/** php_replace_controlchars() */
function withoutControls(text: string): string {
  return text.replace(/[\0-\x1f\x7f]/g, '_');
}
