import type { Json, JsonObject } from '../../json.ts';
import type { InvalidRequest } from '../../validation/request/index.ts';
import type { SiteError, SiteResponse } from './declarations.ts';

/** The response of a REST request before it is written as HTTP (`WP_REST_Response`). */
export interface RestResponse {
  readonly status: number;
  /** Values by header name, in the case that the site sends. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Json;
  readonly raw?: NonNullable<SiteResponse['raw']>;
}

export function isErrorResponse(response: RestResponse): boolean {
  return response.status >= 400;
}

/** `rest_convert_error_to_response()` */
export function errorResponse(error: SiteError): RestResponse {
  return { status: error.status, headers: new Map(), body: toErrorBody(error) };
}

/** Converts an error of the request validation of the gateway. */
export function toSiteError({ status, code, message, data }: InvalidRequest): SiteError {
  return { kind: 'error', status, code, message, data };
}

export function toErrorBody({ status, code, message, params, details, data }: SiteError): JsonObject {
  return {
    code,
    message,
    data: {
      status,
      ...(params === undefined ? {} : { params }),
      // PHP writes an empty object as a list.
      ...(details === undefined ? {} : { details: Object.keys(details).length === 0 ? [] : details }),
      ...data,
    },
  };
}

/** `WP_REST_Server::envelope_response()` */
export function wrapInEnvelope({ body, status, headers }: RestResponse, embedded: Json = body): JsonObject {
  return { body: embedded, status, headers: headers.size === 0 ? [] : Object.fromEntries(headers) };
}
