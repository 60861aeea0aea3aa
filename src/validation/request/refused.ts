import type { JsonObject } from '../../json.ts';
import type { JsonFault } from '../../php/json-error.ts';
import type { SchemaViolation } from '../wordpress/index.ts';
import type { BrokenRule, Refused } from './result.ts';

/** The site's own refusals, in its own words: the code, the message, and what stands in `data` beside `status`. */

/** `has_valid_params()`: what is missing is told before anything else is looked at. */
export function missingParams(names: readonly string[]): Refused {
  return refused('rest_missing_callback_param', `Missing parameter(s): ${names.join(', ')}`, {
    data: { params: names },
    broken: names.map((param) => ({ param, rule: REQUIRED })),
  });
}

/** The rule that a missing parameter breaks. */
export const REQUIRED = 'required';

/** All that is wrong at once, by the names of the parameters. */
export function invalidParams(refusals: ReadonlyMap<string, SchemaViolation>): Refused {
  const entries = [...refusals];
  const params = Object.fromEntries(entries.map(([name, { message }]) => [name, message]));
  const details = Object.fromEntries(
    entries.map(([name, { code, message, data }]): [string, JsonObject] => [name, { code, message, data }]),
  );
  return refused('rest_invalid_param', `Invalid parameter(s): ${[...refusals.keys()].join(', ')}`, {
    data: { params, details },
    broken: entries.map(([param, { code }]) => ({ param, rule: code })),
  });
}

export function invalidJson({ code, message }: JsonFault): Refused {
  return refused('rest_invalid_json', 'Invalid JSON body passed.', {
    data: { json_error_code: code, json_error_message: message },
    broken: [],
  });
}

export function noRoute(): Refused {
  const message = 'No route was found matching the URL and request method.';
  return { ...refused('rest_no_route', message, { data: {}, broken: [] }), status: 404 };
}

/** Of a sub-request of a batch. */
export function noBatch(): Refused {
  const message = 'The requested route does not support batch requests.';
  return refused('rest_batch_not_allowed', message, { data: {}, broken: [] });
}

/** A limit of the gateway's own. */
export function bodyTooLarge(limit: number): Refused {
  return {
    ...refused('gateway_body_too_large', `The body is larger than the ${limit} bytes that are taken here.`, {
      data: {},
      broken: [],
    }),
    status: 413,
  };
}

function refused(
  code: string,
  message: string,
  { data, broken }: { readonly data: JsonObject; readonly broken: readonly BrokenRule[] },
): Refused {
  return { kind: 'refused', status: 400, code, message, data, broken };
}
