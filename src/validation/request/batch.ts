import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import type { Operation } from '../../openapi/index.ts';
import { encodeByteString } from '../../php/encoding.ts';
import { parseQueryParameters } from '../../php/query.ts';
import type { OperationMatch, OperationMatcher } from '../../router/matcher.ts';
import { createSchemaValidator } from '../wordpress/validate.ts';
import {
  acceptsForm,
  findParameter,
  NO_PARAMETERS,
  type RequestParameters,
  toPathParameters,
} from './parameters.ts';
import { batchNotAllowedError, type InvalidRequest, noRouteError, type ValidationResult } from './result.ts';

/** How the subrequests of a batch are routed and validated. */
export interface BatchRouting {
  readonly matcher: OperationMatcher;
  /** Validates a subrequest as a single request. */
  validate(match: OperationMatch, parameters: RequestParameters): ValidationResult;
  /** Whether single requests to routes that the document does not declare are rejected. */
  readonly rejectsUnknownRoutes: boolean;
}

export interface BatchSubrequest {
  readonly result: ValidationResult | { readonly kind: 'unknown' };
  /** Present when the subrequest's route is not allowed, so that the gateway must not forward the batch. */
  readonly isBlocked?: true;
}

export type BatchValidationResult =
  | { readonly kind: 'forwarded'; readonly subrequests: readonly BatchSubrequest[] }
  /** The response that the site would send: 207, with no subrequest run. */
  | {
      readonly kind: 'responded';
      readonly status: 207;
      readonly body: JsonObject;
      readonly subrequests: readonly BatchSubrequest[];
    }
  | InvalidRequest;

/** Whether an operation runs subrequests: `WP_REST_Server::serve_batch_request_v1()`. */
export function isBatchOperation({ method, path }: Operation): boolean {
  return method === 'POST' && path === '/batch/v1';
}

/**
 * Validates the subrequests of a batch.
 *
 * @param parameters the parameters of the batch, which must be valid themselves
 */
export function validateBatch(
  batch: Operation,
  parameters: RequestParameters,
  routing: BatchRouting,
): BatchValidationResult {
  const hasForm = acceptsForm(batch.method);
  const declared = findParameter('requests', parameters, hasForm) ?? [];
  const sanitized = REQUESTS.sanitize(declared, 'requests');
  const requests: Json = sanitized.ok ? sanitized.value : [];
  const subrequests: BatchSubrequest[] = [];
  for (const request of Array.isArray(requests) ? requests : []) {
    const subrequest = isJsonObject(request) ? validateSubrequest(request, routing) : UNKNOWN_SUBREQUEST;
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
  const responses = subrequests.map(({ result }): JsonObject | null => {
    if (result.kind !== 'invalid') return null;
    const { status, code, message, data } = result;
    // `envelope_response()` of an error. PHP serialises the empty array of headers as a list.
    return { body: { code, message, data: { status, ...data } }, status, headers: [] };
  });
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

const UNKNOWN_SUBREQUEST: BatchSubrequest = { result: { kind: 'unknown' } };

/** Maximum length of a path that is matched against the routes. Servers limit that of a single request alike. */
const MAX_PATH_LENGTH = 16 * 1024;

/** Returns `ambiguous` when the path can be a route that is not allowed. */
function validateSubrequest(request: JsonObject, routing: BatchRouting): BatchSubrequest | 'ambiguous' {
  const { matcher, rejectsUnknownRoutes, validate } = routing;
  const method = typeof request['method'] === 'string' ? request['method'].toUpperCase() : 'POST';
  const declared = String(request['path'] ?? '');
  const path = declared.length > MAX_PATH_LENGTH ? null : parseBatchPath(encodeByteString(declared));
  if (path === null) return rejectsUnknownRoutes ? 'ambiguous' : UNKNOWN_SUBREQUEST;
  const match = matcher.match(method, path.route);
  if (match.kind !== 'found' && rejectsUnknownRoutes) return { result: noRouteError(), isBlocked: true };
  if (match.kind !== 'found' || !match.isCertain) return UNKNOWN_SUBREQUEST;
  if (!match.operation.allowBatch) return { result: batchNotAllowedError() };
  const query = parseQueryParameters(path.query);
  if (query === null) return UNKNOWN_SUBREQUEST;
  // `set_body_params()`: the body is parsed as a form, regardless of the headers.
  const body = Object.entries<Json>(Object(typeof request['body'] === 'object' ? request['body'] : {}));
  const parameters = {
    json: NO_PARAMETERS,
    form: new Map(body),
    query,
    path: toPathParameters(match.params),
  };
  return { result: validate(match, parameters) };
}

interface BatchPath {
  /** Neither decoded nor trimmed. */
  readonly route: string;
  /** Without question mark. */
  readonly query: string;
}

/** A scheme with an authority, or an authority alone. PHP can reject unusual characters in them. */
const AUTHORITY = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[a-z0-9][a-z0-9.-]*(?=[/?#]|$)/i;

/**
 * `wp_parse_url()` of a subrequest's path. A scheme and host before the path are ignored.
 *
 * @returns `null` if PHP versions can parse it differently, or `parse_url()` can fail
 */
export function parseBatchPath(path: string): BatchPath | null {
  if (path.startsWith('/') && !path.startsWith('//')) return splitQuery(path);
  const authority = AUTHORITY.exec(path);
  if (authority !== null) return splitQuery(path.slice(authority[0].length));
  // The text before a colon can be a scheme, a host or neither.
  return /^[^?#]*:/.test(path) || path.startsWith('//') ? null : splitQuery(path);
}

function splitQuery(path: string): BatchPath {
  const [, route = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(path) ?? [];
  return { route: withoutControls(route), query: withoutControls(query) };
}

/** php_replace_controlchars() */
function withoutControls(text: string): string {
  return text.replace(/[\0-\x1f\x7f]/g, '_');
}
