import { isJsonObject, type Json } from '../../json.ts';

/** The response to a write, with what decides whether the site refused the write before it changed anything. */
export interface WriteResponse {
  readonly status: number | null;
  readonly sentParameters: ReadonlyMap<string, Json> | null;
  readonly responseBody: Json | undefined;
  readonly isAnonymous: boolean;
}

/** Statuses of requests that no handler of a route runs. */
const UNHANDLED_STATUSES: ReadonlySet<number> = new Set([401, 405, 411, 413, 414, 415, 417, 421, 429, 431]);

/** Errors of WordPress that are found before anything is written, beside those that begin with `rest_`. */
const ERRORS_BEFORE_WRITES: ReadonlySet<string> = new Set([
  'comment_duplicate',
  'comment_flood',
  'existing_user_email',
  'existing_user_login',
  'term_exists',
]);

/** Errors of meta fields, which are written after the item. */
const META_ERRORS: ReadonlySet<string> = new Set(['rest_cannot_delete', 'rest_cannot_update']);

/**
 * Whether the site refused a write, so that nothing has changed. A handler of a plugin may write a part and fail then, so
 * an error that it made itself proves nothing. Errors of the REST infrastructure begin with `rest_`.
 */
export function isRefusedWrite({
  isAnonymous,
  responseBody,
  sentParameters,
  status,
}: WriteResponse): boolean {
  if (status === null || status < 400 || status >= 500) return false;
  if (UNHANDLED_STATUSES.has(status) || (status === 403 && isAnonymous)) return true;
  if (!isJsonObject(responseBody)) return false;
  const { code, message } = responseBody;
  if (typeof code !== 'string' || typeof message !== 'string') return false;
  if (META_ERRORS.has(code)) return sentParameters !== null && !sentParameters.has('meta');
  return code.startsWith('rest_') || ERRORS_BEFORE_WRITES.has(code);
}
