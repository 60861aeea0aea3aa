import type { JsonObject } from '../../json.ts';
import type { PhpJsonError } from '../../php/json-error.ts';
import type { SchemaViolation } from '../wordpress/index.ts';
import type { InvalidRequest, ParameterRule } from './result.ts';

/** The site's own refusals, in its own words: the code, the message, and what stands in `data` beside `status`. */

/** `has_valid_params()`: what is missing is told before anything else is looked at. */
export function missingParamsError(names: readonly string[]): InvalidRequest {
  return createInvalidRequest('rest_missing_callback_param', `Missing parameter(s): ${names.join(', ')}`, {
    data: { params: names },
    broken: names.map((param) => ({ param, rule: REQUIRED_RULE })),
  });
}

/** The rule that a missing parameter breaks. */
export const REQUIRED_RULE = 'required';

/** All that is wrong at once, by the names of the parameters. */
export function invalidParamsError(violations: ReadonlyMap<string, SchemaViolation>): InvalidRequest {
  const entries = [...violations];
  const params = Object.fromEntries(entries.map(([name, { message }]) => [name, message]));
  const details = Object.fromEntries(
    entries.map(([name, { code, message, data }]): [string, JsonObject] => [name, { code, message, data }]),
  );
  return createInvalidRequest(
    'rest_invalid_param',
    `Invalid parameter(s): ${[...violations.keys()].join(', ')}`,
    {
      data: { params, details },
      broken: entries.map(([param, { code }]) => ({ param, rule: code })),
    },
  );
}

export function invalidJsonError({ code, message }: PhpJsonError): InvalidRequest {
  return createInvalidRequest('rest_invalid_json', 'Invalid JSON body passed.', {
    data: { json_error_code: code, json_error_message: message },
    broken: [],
  });
}

export function noRouteError(): InvalidRequest {
  const message = 'No route was found matching the URL and request method.';
  return { ...createInvalidRequest('rest_no_route', message, { data: {}, broken: [] }), status: 404 };
}

/** Of a sub-request of a batch. */
export function batchNotAllowedError(): InvalidRequest {
  const message = 'The requested route does not support batch requests.';
  return createInvalidRequest('rest_batch_not_allowed', message, { data: {}, broken: [] });
}

/** A limit of the gateway's own. */
export function bodyTooLargeError(limit: number): InvalidRequest {
  return {
    ...createInvalidRequest(
      'gateway_body_too_large',
      `The body is larger than the ${limit} bytes that are taken here.`,
      {
        data: {},
        broken: [],
      },
    ),
    status: 413,
  };
}

function createInvalidRequest(
  code: string,
  message: string,
  { data, broken: brokenRules }: { readonly data: JsonObject; readonly broken: readonly ParameterRule[] },
): InvalidRequest {
  return { kind: 'refused', status: 400, code, message, data, brokenRules };
}
