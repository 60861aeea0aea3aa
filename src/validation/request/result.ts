import type { Json, JsonObject } from '../../json.ts';

/** What the judge of requests says of one: nothing wrong, or what the site would answer. */
export type ValidationResult = { readonly kind: 'valid' } | InvalidRequest;

export interface InvalidRequest {
  readonly kind: 'refused';
  /** 400 in most cases; 404 `rest_no_route`, 413 and 414 for limits. */
  readonly status: number;
  /** `rest_invalid_param`, `rest_missing_callback_param`, `rest_invalid_json`, or the gateway's own for its limits. */
  readonly code: string;
  readonly message: string;
  /** What the site has in `data` beside `status`: `params`, `details`, `json_error_code`, … */
  readonly data: JsonObject;
  /** Every rule that was broken, so that each can be counted and set aside by itself. Empty for limits and grammar. */
  readonly brokenRules: readonly ParameterRule[];
}

/** One rule of one parameter. `operationId` + `ruleName` is what evidence is kept under. */
export interface ParameterRule {
  /** The parameter's name as the site knows it. */
  readonly param: string;
  /** WordPress's code for the fault: `rest_invalid_type`, `rest_not_in_enum`, …; `required` where it is missing. */
  readonly rule: string;
}

/** Whether a rule does not count for an operation, because the site was seen to accept what it would refuse. */
export type SuspensionTest = (param: string, rule: string) => boolean;

/** The values of a request by where they came from, in WordPress's priority: JSON, form, query, path. */
export interface RequestParameters {
  readonly json: ReadonlyMap<string, Json>;
  readonly form: ReadonlyMap<string, Json>;
  readonly query: ReadonlyMap<string, Json>;
  readonly path: ReadonlyMap<string, Json>;
}
