import { isJsonObject, type Json } from '../../json.ts';

/** A site's answer, as far as it tells what the site thought of the parameters. */
export interface OriginResponseSummary {
  readonly status: number;
  /** The media type, lower case and without parameters; empty where there is none. */
  readonly mediaType: string;
  /** Whether it has an `Allow` field: WordPress sends one only where a route was matched (`rest_send_allow_header`). */
  readonly hasAllow: boolean;
  /** The body, where it was read whole and is JSON. Not needed below 400. */
  readonly body?: Json | undefined;
}

/** What the site said of a request's parameters. */
export type OriginVerdict =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly stage: ValidationStage; readonly params: readonly string[] }
  | { readonly kind: 'undecided' };

/**
 * The checks in WordPress's order: `match_request_to_handler()`, then in `has_valid_params()` the JSON body, what is
 * required, and the values. Each ends the request, so a fault of a later one goes unseen.
 */
export const VALIDATION_STAGES = [
  'rest_no_route',
  'rest_invalid_json',
  'rest_missing_callback_param',
  'rest_invalid_param',
] as const;

export type ValidationStage = (typeof VALIDATION_STAGES)[number];

export function isValidationStage(code: string): code is ValidationStage {
  return VALIDATION_STAGES.some((stage) => stage === code);
}

/** Errors that WordPress gives before it looks at the parameters, whatever they are. */
const PRE_VALIDATION_CODES: ReadonlySet<string> = new Set([
  // rest_cookie_check_errors()
  'rest_cookie_invalid_nonce',
  // wp_authenticate_application_password()
  'application_passwords_disabled',
  'application_passwords_disabled_for_user',
  'incorrect_password',
  'invalid_email',
  'invalid_username',
  // WP_REST_Server::serve_request() and respond_to_request()
  'rest_callback_disabled',
  'rest_callback_invalid',
  'rest_disabled',
  'rest_invalid_handler',
  // The handbook's own example for `rest_authentication_errors`, which many sites have copied.
  'rest_not_logged_in',
  'rest_login_required',
]);

/** Statuses that say more of the server's day than of the request. */
const UNRELATED_STATUSES: ReadonlySet<number> = new Set([408, 413, 414, 425, 429, 431]);

const ACCEPTED: OriginVerdict = { kind: 'accepted' };
export const UNDECIDED: OriginVerdict = { kind: 'undecided' };

/**
 * Permissions and handlers run after the parameters were found good, so most answers accept them, errors too. What may
 * come from somebody in front of the interface (a login page, a firewall, a plugin that wants everybody logged in) says
 * nothing: a caller who could make rules look wrong with it would switch the validation off.
 */
export function parseOriginVerdict({
  status,
  mediaType,
  hasAllow,
  body,
}: OriginResponseSummary): OriginVerdict {
  if (!isJson(mediaType) || status >= 500 || UNRELATED_STATUSES.has(status)) return UNDECIDED;
  if (status < 400) return ACCEPTED;
  if (!isJsonObject(body)) return UNDECIDED;
  const { code, message, data } = body;
  if (typeof code !== 'string' || typeof message !== 'string' || PRE_VALIDATION_CODES.has(code))
    return UNDECIDED;
  if (isValidationStage(code)) {
    return {
      kind: 'refused',
      stage: code,
      params: getParamNames(isJsonObject(data) ? data['params'] : undefined),
    };
  }
  // A route's own permissions have their methods in `Allow`; a guard in front of all routes has none.
  return (status === 401 || status === 403) && !hasAllow ? UNDECIDED : ACCEPTED;
}

/** `data.params`: an object by name, or a list of the names that are missing. */
function getParamNames(params: Json | undefined): readonly string[] {
  if (Array.isArray(params)) return params.filter((name) => typeof name === 'string');
  return isJsonObject(params) ? Object.keys(params) : [];
}

function isJson(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType.endsWith('+json');
}
