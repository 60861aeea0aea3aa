import { fieldValue } from '../../http/fields.ts';
import type { IncomingRequestHead } from '../../http/request-head.ts';
import type { JsonObject } from '../../json.ts';
import {
  type BodyParameters,
  parseQueryParameters,
  type RequestParameters,
  toPathParameters,
} from '../../validation/request/parameters.ts';
import type { InvalidRequest } from '../../validation/request/result.ts';
import type { FullValidation } from '../../validation/request/validator.ts';
import type { BodyInspection } from '../exchange/inspected-exchange.ts';
import type { Problem } from '../exchange/problem.ts';
import type { ResponseObserver } from '../exchange/response-relay.ts';
import type { RouteRequest } from '../snapshot/resolve-request.ts';
import type { SiteRefusal } from '../traffic/site-recorder.ts';

/** A client's request to the REST interface: its head, and the route and operation that it resolves to. */
export interface IncomingRequest {
  readonly resolved: RouteRequest;
  readonly head: IncomingRequestHead;
  /** Keeps the validation result for later requests with the same method and target. @default it is not kept */
  readonly memo?: ValidationMemo;
}

/** What is known of a method and a target without a body. */
export interface ValidationMemo {
  /** `null` if the request cannot be validated, `undefined` if it was not validated yet. */
  validation: FullValidation | null | undefined;
}

/** The validation of one request, from its head to the origin's response, which it observes. */
export interface RequestValidation extends ResponseObserver {
  /** Validates the head. Called once, before the request is forwarded. */
  validateHead(hasBody: boolean): HeadDecision;
  /** Calls a listener when the site's error response states a code: at once, or as soon as its body was read. */
  onSiteRefusal?(listener: (refusal: SiteRefusal) => void): void;
}

/** The result of validation when only the head of a request is known. */
export type HeadDecision =
  | { readonly kind: 'refused'; readonly problem: Problem }
  | {
      readonly kind: 'passes';
      /** Validates the body while or before it is forwarded. Absent when no parameter can come from the body. */
      readonly bodyInspection?: BodyInspection;
    };

/**
 * Parses the parameters of a request, grouped by their source.
 *
 * @returns `null` when it is not certain what the origin parses, so that the request cannot be validated
 */
export function parseParameters(
  { resolved }: IncomingRequest,
  body: BodyParameters,
): RequestParameters | null {
  const { match, target } = resolved;
  if (body.kind !== 'complete' || match.kind !== 'found') return null;
  const query = parseQueryParameters(target.query);
  // Only the origin can write a JSONP response, an error response included.
  if (query === null || query.has('_jsonp')) return null;
  return { json: body.json, form: body.form, query, path: toPathParameters(match.params) };
}

/** Creates the error response for an invalid request. */
export function toInvalidRequestProblem(request: IncomingRequest, invalid: InvalidRequest): Problem {
  return createValidationProblem(invalid, request.head.headers, isEnvelopeRequested(request));
}

/** Whether the client asked for the response in an envelope (`_envelope`). */
export function isEnvelopeRequested({ resolved }: IncomingRequest): boolean {
  const { query } = resolved.target;
  return query.includes('_envelope') && parseQueryParameters(query)?.has('_envelope') === true;
}

/** Header fields of every response of the REST interface (`serve_request()`). A browser's script needs them to read an error. */
const INTERFACE_HEADERS: Readonly<Record<string, string>> = {
  'x-robots-tag': 'noindex',
  'x-content-type-options': 'nosniff',
  'access-control-expose-headers': 'X-WP-Total, X-WP-TotalPages, Link',
  'access-control-allow-headers': 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
  vary: 'Origin',
};

/** Creates the response to an invalid request, with the code, message and data that the site would send. */
export function createValidationProblem(
  { brokenRules, status, code, message, data }: InvalidRequest,
  headers: readonly string[],
  isEnveloped: boolean,
): Problem {
  return {
    isEnveloped,
    status,
    code,
    message,
    data,
    brokenRules,
    headers: { ...INTERFACE_HEADERS, ...createCorsHeaders(headers) },
  };
}

/** Creates the response to a batch that the gateway refuses as a whole. Its body has one response for each subrequest. */
export function createRefusedBatchProblem(
  { status, body }: { readonly status: number; readonly body: JsonObject | readonly [] },
  headers: readonly string[],
  isEnveloped: boolean,
): Problem {
  return {
    isEnveloped,
    status,
    code: 'rest_batch_refused',
    message: 'No request of the batch was run.',
    body,
    headers: { ...INTERFACE_HEADERS, ...createCorsHeaders(headers) },
  };
}

/** Creates the response to `OPTIONS` for a route that does not exist (`rest_handle_options_request()`). */
export function createUnknownRouteOptionsProblem(headers: readonly string[], enveloped: boolean): Problem {
  const message = 'No route was found matching the URL.';
  return {
    ...createRefusedBatchProblem({ status: 200, body: [] }, headers, enveloped),
    code: 'rest_no_route',
    message,
  };
}

/** `rest_send_cors_headers()` */
function createCorsHeaders(headers: readonly string[]): Readonly<Record<string, string>> {
  const origin = fieldValue(headers, 'origin') ?? '';
  if (origin === '') return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-credentials': 'true',
  };
}
