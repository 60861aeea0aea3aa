import { splitNames } from '../../glob.ts';
import { isJsonObject, type Json } from '../../json.ts';
import type { ParameterRule, ValidationResult } from '../request/result.ts';

/** The parts of an origin's response that show its verdict on the parameters. */
export interface OriginResponseSummary {
  readonly status: number;
  /** The media type in lower case and without parameters; empty without the field. */
  readonly mediaType: string;
  /** Whether it has an `Allow` field, which WordPress sends when a route matched (`rest_send_allow_header`). */
  readonly hasAllow: boolean;
  /** The body if it is complete and JSON. Not needed for a status below 400. */
  readonly body?: Json | undefined;
}

/** The origin's verdict on the parameters of a request. */
export type OriginVerdict =
  | { readonly kind: 'accepted' }
  | {
      readonly kind: 'refused';
      readonly stage: ValidationStage;
      readonly params: readonly string[];
      /**
       * Error codes of the refused parameters by name (`data.details`). A parameter that a custom callback refused without
       * an error has none. Absent when the response has no details, as before WordPress 5.5.
       */
      readonly codes?: ReadonlyMap<string, string> | undefined;
    }
  | { readonly kind: 'undecided' };

/**
 * The stages of validation in WordPress's order, named by their error codes: `match_request_to_handler()`, then in
 * `has_valid_params()` the JSON body, required parameters, and values. A failing stage ends the request.
 */
const VALIDATION_STAGES = [
  'rest_no_route',
  'rest_invalid_json',
  'rest_missing_callback_param',
  'rest_invalid_param',
] as const;

export type ValidationStage = (typeof VALIDATION_STAGES)[number];

export function isValidationStage(code: string): code is ValidationStage {
  return VALIDATION_STAGES.some((stage) => stage === code);
}

/**
 * Errors that WordPress reports before it validates the parameters: those of rest_cookie_check_errors(),
 * wp_authenticate_application_password(), WP_REST_Server::serve_request() and respond_to_request(), and of the handbook's example
 * for `rest_authentication_errors`, which many sites have copied.
 */
export const PRE_VALIDATION_CODES: ReadonlySet<string> = new Set(
  splitNames(
    `rest_cookie_invalid_nonce application_passwords_disabled application_passwords_disabled_for_user incorrect_password
    invalid_email invalid_username rest_callback_disabled rest_callback_invalid rest_disabled rest_invalid_handler
    rest_not_logged_in rest_login_required`,
  ),
);

/** Statuses that depend on the state or limits of the server, not on the parameters. */
const UNRELATED_STATUSES: ReadonlySet<number> = new Set([408, 413, 414, 425, 429, 431]);

const ACCEPTED: OriginVerdict = { kind: 'accepted' };
export const UNDECIDED: OriginVerdict = { kind: 'undecided' };

/**
 * Derives the origin's verdict from its response. Permission checks and handlers run after validation, so most
 * responses, errors included, show that the parameters were accepted.
 *
 * A response that can come from in front of the REST interface (a login page, a firewall, a plugin that requires a login)
 * is undecided. Otherwise a client could provoke such responses and so suspend rules.
 */
export function parseOriginVerdict(response: OriginResponseSummary): OriginVerdict {
  const { body, hasAllow, mediaType, status } = response;
  if (!isJsonMediaType(mediaType) || status >= 500 || UNRELATED_STATUSES.has(status)) return UNDECIDED;
  if (status < 300) return ACCEPTED;
  // WordPress states the media type before plugins can redirect to a login page, and Allow when a route has responded.
  if (status < 400) return hasAllow ? ACCEPTED : UNDECIDED;
  if (!isJsonObject(body)) return UNDECIDED;
  const { code, message, data } = body;
  if (typeof code !== 'string' || typeof message !== 'string' || PRE_VALIDATION_CODES.has(code))
    return UNDECIDED;
  if (isValidationStage(code)) {
    const { params, details } = isJsonObject(data) ? data : {};
    return { kind: 'refused', stage: code, params: getParamNames(params), codes: getCodes(details) };
  }
  // A refusal by the route's own permission check has an `Allow` field. One by a guard in front of all routes has none.
  return (status === 401 || status === 403) && !hasAllow ? UNDECIDED : ACCEPTED;
}

/** Reads `data.params`: an object by name, or a list of missing names. */
function getParamNames(params: Json | undefined): readonly string[] {
  if (Array.isArray(params)) return params.filter((name) => typeof name === 'string');
  return isJsonObject(params) ? Object.keys(params) : [];
}

/** Reads `data.details`. PHP serialises an empty array as a list. */
function getCodes(details: Json | undefined): ReadonlyMap<string, string> | undefined {
  if (details === undefined || details === null) return undefined;
  const codes = new Map<string, string>();
  for (const [name, detail] of isJsonObject(details) ? Object.entries(details) : []) {
    const code = isJsonObject(detail) ? detail['code'] : undefined;
    if (typeof code === 'string') codes.set(name, code);
  }
  return codes;
}

export function isJsonMediaType(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType.endsWith('+json');
}

/**
 * Whether the origin agrees that a rule was violated:
 * - `agreed`: it refused the parameter by this rule.
 * - `disagreed`: it accepted the parameter.
 * - `undecided`: its response says neither. A custom callback that refused the value can accept others that violate the rule.
 */
export type RuleAgreement = 'agreed' | 'disagreed' | 'undecided';

/**
 * - `accepted`, `refused`: both agree.
 * - `disagreed`: the origin accepted an invalid request.
 * - `missed`: the origin refused a valid request.
 * - `undecided`: the response does not show the origin's verdict.
 */
export type Outcome = 'accepted' | 'refused' | 'disagreed' | 'missed' | 'undecided';

/** Returns the outcome of a request that violates rules; of a valid one without any. */
export function toOutcome({ kind }: OriginVerdict, agreements: readonly RuleAgreement[]): Outcome {
  if (agreements.length === 0) return kind === 'refused' ? 'missed' : kind;
  if (agreements.includes('disagreed')) return 'disagreed';
  return kind;
}

/**
 * Returns the violated rules of a result. An error that no parameter causes, such as malformed JSON, is
 * represented by a rule with an empty parameter and the error's code.
 */
export function getBrokenRules(result: ValidationResult): readonly ParameterRule[] {
  if (result.kind === 'valid') return [];
  return result.brokenRules.length > 0 ? result.brokenRules : [{ param: '', rule: result.code }];
}

/** Compares a violated rule with the origin's verdict, which reports the errors of the first failing stage only. */
export function compareRule(rule: ParameterRule, verdict: OriginVerdict): RuleAgreement {
  if (verdict.kind === 'undecided') return 'undecided';
  if (verdict.kind === 'accepted') return 'disagreed';
  const ruleIndex = VALIDATION_STAGES.indexOf(getRuleStage(rule));
  const originIndex = VALIDATION_STAGES.indexOf(verdict.stage);
  if (ruleIndex !== originIndex) return ruleIndex < originIndex ? 'disagreed' : 'undecided';
  if (rule.param === '' || verdict.params.includes(rule.param)) {
    return isRefusedByRule(rule, verdict) ? 'agreed' : 'undecided';
  }
  // Missing parameters are all reported at once. Values that only a sanitiser checks are not reached when a validator
  // refuses another value (`has_valid_params()`, then `sanitize_params()`).
  return verdict.stage === 'rest_missing_callback_param' ? 'disagreed' : 'undecided';
}

/**
 * Whether the origin states the code of this rule for the parameter, or states no codes at all. The known callbacks of
 * WordPress state others, such as `rest_invalid_param`.
 */
function isRefusedByRule(
  { hasCallback, param, rule }: ParameterRule,
  { codes, stage }: Extract<OriginVerdict, { kind: 'refused' }>,
): boolean {
  if (hasCallback === true || param === '' || stage !== 'rest_invalid_param') return true;
  return codes === undefined || codes.get(param) === rule;
}

function getRuleStage({ param, rule }: ParameterRule): ValidationStage {
  if (param === '') return isValidationStage(rule) ? rule : 'rest_invalid_param';
  return rule === 'required' ? 'rest_missing_callback_param' : 'rest_invalid_param';
}
