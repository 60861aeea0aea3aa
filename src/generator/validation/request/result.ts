import type { JsonObject } from '../../../base/json.ts';
import type { PhpJsonError } from '../../../base/php/values.ts';
import type { SchemaViolation } from '../wordpress/keywords.ts';

export type ValidationResult = { readonly kind: 'valid' } | InvalidRequest;

export interface InvalidRequest {
  readonly kind: 'invalid';
  /** Mostly 400; 404 for `rest_no_route`, 413 for a body that is too large. */
  readonly status: number;
  /** `rest_invalid_param`, `rest_invalid_json`, …; `gateway_…` for the gateway's limits. */
  readonly code: string;
  readonly message: string;
  readonly data: JsonObject;
  readonly brokenRules: readonly ParameterRule[];
}

/**
 * Whether requests are validated, and which invalid ones are refused:
 * - `off`: none is validated.
 * - `observe`: invalid requests are counted and forwarded.
 * - `enforce`: those that violate a rule of WordPress's own code, or any rule of a trusted namespace.
 * - `strict`: those that violate any rule of the document.
 */
export type ValidationMode = 'off' | 'observe' | 'enforce' | 'strict';

export interface ParameterRule {
  readonly param: string;
  /** WordPress's error code (`rest_invalid_type`, …); `required` for a missing parameter. */
  readonly rule: string;
}

/** E.g. because a plugin can accept what violates the rule. */
export type IsRuleIgnored = (param: string, rule: string) => boolean;

export const VALID_REQUEST: ValidationResult = { kind: 'valid' };

/** An error of no parameter, such as malformed JSON, is a rule with an empty parameter. */
export function listBrokenRules(result: ValidationResult): readonly ParameterRule[] {
  if (result.kind === 'valid') return [];
  return result.brokenRules.length > 0 ? result.brokenRules : [{ param: '', rule: result.code }];
}

export const REQUIRED_RULE = 'required';

/** `has_valid_params()` reports it before it validates any value. */
export function missingParamsError(names: readonly string[]): InvalidRequest {
  return createInvalidRequest('rest_missing_callback_param', `Missing parameter(s): ${names.join(', ')}`, {
    data: { params: names },
    brokenRules: names.map((param) => ({ param, rule: REQUIRED_RULE })),
  });
}

export function invalidParamsError(violations: ReadonlyMap<string, SchemaViolation>): InvalidRequest {
  const entries = [...violations];
  const params = Object.fromEntries(entries.map(([name, { message }]) => [name, message]));
  const details = Object.fromEntries(
    entries.map(([name, { code, message, data }]): [string, JsonObject] => [name, { code, message, data }]),
  );
  return createInvalidRequest(
    'rest_invalid_param',
    `Invalid parameter(s): ${[...violations.keys()].join(', ')}`,
    { data: { params, details }, brokenRules: entries.map(([param, { code }]) => ({ param, rule: code })) },
  );
}

export function invalidJsonError({ code, message }: PhpJsonError): InvalidRequest {
  return createInvalidRequest('rest_invalid_json', 'Invalid JSON body passed.', {
    data: { json_error_code: code, json_error_message: message },
  });
}

export function bodyTooLargeError(limit: number): InvalidRequest {
  const message = `The body is larger than the limit of ${limit} bytes.`;
  return createInvalidRequest('gateway_body_too_large', message, { status: 413 });
}

export function bodyTooComplexError(): InvalidRequest {
  const message = 'The body has too many values to be validated. Send it in several requests.';
  return createInvalidRequest('gateway_body_too_complex', message, { status: 413 });
}

function createInvalidRequest(
  code: string,
  message: string,
  rest: Partial<Pick<InvalidRequest, 'status' | 'data' | 'brokenRules'>> = {},
): InvalidRequest {
  return { kind: 'invalid', status: 400, code, message, data: {}, brokenRules: [], ...rest };
}
