import { splitNames } from '../../glob.ts';
import { fieldValue } from '../../http/fields.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';

/** The response to a write, with what decides whether the site refused the write before it changed anything. */
export interface WriteResponse {
  readonly status: number | null;
  readonly sentParameters: ReadonlyMap<string, Json> | null;
  readonly responseBody: Json | undefined;
  /** Header fields of the response, a flat list; empty if they are unknown. */
  readonly headers: readonly string[];
  /** The method that the site runs. */
  readonly method: string;
  /** Whether the handler of the route is WordPress's own. */
  readonly isCore: boolean;
  /** Whether the document has the route. */
  readonly isDocumented: boolean;
}

/** Statuses of requests that no handler and no script runs: web servers refuse them. */
const UNHANDLED_STATUSES: ReadonlySet<number> = new Set([405, 411, 413, 414, 415, 417, 421, 431]);

/** Fields that PHP and the REST server add before a handler runs, and that error pages of web servers do not have. */
const SCRIPT_FIELDS = /^(?:x-powered-by|link|set-cookie|x-robots-tag|x-wp-)/i;

/** Errors that WordPress's REST server finds before the handler of any route runs (`WP_REST_Server::dispatch()`). */
const SERVER_ERRORS: ReadonlySet<string> = new Set(
  splitNames(`
  rest_batch_not_allowed rest_cookie_invalid_nonce rest_forbidden rest_invalid_json rest_no_route
  rest_not_logged_in
`),
);

/** Errors of WordPress's own handlers, and of its authentication, that are found before anything is written. */
const CORE_ERRORS: ReadonlySet<string> = new Set([
  ...['comment_duplicate', 'comment_flood', 'existing_user_email', 'existing_user_login', 'term_exists'],
  ...['incorrect_password', 'invalid_email', 'invalid_username'],
  ...['rest_already_trashed', 'rest_cannot_assign_sticky', 'rest_cannot_assign_term', 'rest_cannot_create'],
  ...['rest_cannot_create_user', 'rest_cannot_delete', 'rest_cannot_edit', 'rest_cannot_edit_others'],
  ...['rest_cannot_edit_roles', 'rest_cannot_publish', 'rest_cannot_read', 'rest_cannot_read_post'],
  ...['rest_cannot_update', 'rest_comment_author_data_required', 'rest_comment_closed'],
  ...['rest_comment_content_invalid', 'rest_comment_draft_post', 'rest_comment_invalid_author'],
  ...['rest_comment_invalid_id', 'rest_comment_invalid_post_id', 'rest_comment_login_required'],
  ...['rest_comment_trash_post', 'rest_forbidden_context', 'rest_invalid_author', 'rest_invalid_param'],
  ...['rest_missing_callback_param', 'rest_post_exists', 'rest_post_invalid_id', 'rest_term_invalid'],
  ...['rest_user_cannot_delete', 'rest_user_exists', 'rest_user_invalid_email', 'rest_user_invalid_id'],
]);

/**
 * Whether the site refused a write, so that nothing has changed. A handler may write a part and fail then, with any error,
 * also with one of WordPress's own that it got from another route. So an error proves a refusal only if it comes from
 * WordPress's own handlers and precedes their writes, or if the response shows that no handler ran.
 */
export function isRefusedWrite(response: WriteResponse): boolean {
  const { isCore, responseBody, sentParameters, status } = response;
  if (status === null || status < 400 || status >= 500) return false;
  if (isRefusedByWebServer(response)) return true;
  if (!isJsonObject(responseBody)) return false;
  const { code, message } = responseBody;
  if (typeof code !== 'string' || typeof message !== 'string') return false;
  if (!isCore) return SERVER_ERRORS.has(code) && hasRunNoHandler(code, response);
  if (SERVER_ERRORS.has(code) || isParameterError(code, responseBody)) return true;
  // Meta fields are checked and written one by one after the item, with the same errors.
  return CORE_ERRORS.has(code) && sentParameters !== null && !sentParameters.has('meta');
}

/** Whether a web server refused a request without running a script: by such a status, with an error page of its own. */
export function isRefusedByWebServer({
  headers,
  responseBody,
  status,
}: Pick<WriteResponse, 'headers' | 'responseBody' | 'status'>): boolean {
  if (status === null || !UNHANDLED_STATUSES.has(status) || isJsonObject(responseBody)) return false;
  const type = fieldValue(headers, 'content-type') ?? '';
  const isScript = headers.some((name, at) => at % 2 === 0 && SCRIPT_FIELDS.test(name));
  return !isScript && /^(?:$|text\/(?:html|plain)\b)/i.test(type);
}

/**
 * Whether the REST server found the error itself. `Allow` lists the methods of the route that the client may run
 * (`rest_send_allow_header()`): without the method, its permission callback has refused. A route that neither document nor
 * site has, has no handler.
 */
function hasRunNoHandler(code: string, { headers, isDocumented, method }: WriteResponse): boolean {
  if (code === 'rest_no_route') return !isDocumented;
  const allowed = fieldValue(headers, 'allow');
  return (
    allowed !== undefined &&
    !allowed
      .toUpperCase()
      .split(/[\s,]+/)
      .includes(method)
  );
}

/** Whether the server itself found invalid parameters (`WP_REST_Request::has_valid_params()`). */
function isParameterError(code: string, { data }: JsonObject): boolean {
  return code === 'rest_invalid_param' && isJsonObject(data) && isJsonObject(data['details']);
}
