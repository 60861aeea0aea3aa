import type { ResourceLocation } from '../../cache/dependencies/resource-map.ts';
import type { SiteWrite } from '../../cache/dependencies/write-rules.ts';
import { splitNames } from '../../glob.ts';
import { fieldValue } from '../../http/fields.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { readErrorCode } from '../../validation/evidence/origin-verdict.ts';
import RESPONSES from './write-responses.json' with { type: 'json' };

/** The result of a write at the site. */
export interface WriteOutcome extends Pick<SiteWrite, 'status' | 'sentParameters' | 'responseBody'> {
  /** Whether nothing in the request may identify the client. */
  readonly isAnonymous: boolean;
  /** Whether it identifies the client, if at all, by something other than the credentials of WordPress. */
  readonly hasUnknownIdentity: boolean;
  /** Whether the request has a body that WordPress does not parse. A handler may read it. */
  readonly hasUnreadBody: boolean;
  /** The body of the response of a page as text; `null` if it is too long, or if no rule reads it. */
  readonly responseText: string | null;
  /** Header fields of the response, a flat list. */
  readonly headers: readonly string[];
  /** What a form has written, as the site sends it after the write; `null` if it is unknown. */
  readonly written?: { readonly form: WrittenForm; readonly item: JsonObject } | null;
}

/** A form of WordPress that writes an item of the REST API. */
export interface WrittenForm {
  /** The script, with its action. */
  readonly name: string;
  readonly location: ResourceLocation;
}

/** The response to a write, with what decides whether the site refused the write before it changed anything. */
export interface WriteResponse
  extends Pick<WriteOutcome, 'status' | 'sentParameters' | 'responseBody' | 'headers' | 'isAnonymous'> {
  /** The method that the site runs. */
  readonly method: string;
  /** Whether the handler of the route is WordPress's own. */
  readonly isCore: boolean;
  /** Whether an argument may be one that a plugin has added to the route, so that its callback decides too. */
  readonly hasForeignArguments: boolean;
}

/** Statuses of requests that no handler and no script runs: web servers refuse them. */
const UNHANDLED_STATUSES: ReadonlySet<number> = new Set([405, 411, 413, 414, 415, 417, 421, 431]);

/** Fields that PHP and the REST server add before a handler runs, and that error pages of web servers do not have. */
const SCRIPT_FIELDS = /^(?:x-powered-by|link|set-cookie|x-robots-tag|x-wp-)/i;

/** Errors that WordPress's REST server finds before the handler of any route runs (`WP_REST_Server::dispatch()`). */
const SERVER_ERRORS: ReadonlySet<string> = new Set(splitNames(RESPONSES.serverErrors));

/** Errors of WordPress's own handlers, and of its authentication, that are found before anything is written. */
const CORE_ERRORS: ReadonlySet<string> = new Set(splitNames(RESPONSES.coreErrors));

/**
 * Whether the site refused a write to a route, so that nothing has changed. A handler may write a part and fail then, with any
 * error, also with one of WordPress's own that it got from another route. So an error proves a refusal only if it comes from
 * WordPress's own handlers and precedes their writes, or if the response shows that no handler ran.
 */
export function isRefusedWrite(response: WriteResponse): boolean {
  const { hasForeignArguments, isAnonymous, isCore, responseBody, sentParameters, status } = response;
  if (status === null || status < 400 || status >= 500) return false;
  if (isRefusedByWebServer(response)) return true;
  const code = readErrorCode(responseBody);
  if (code === null || code === 'rest_no_route') return false;
  if (!isCore) return SERVER_ERRORS.has(code) && isNotAllowed(response);
  // Who may write can change with the write itself, but nothing gives an anonymous client a right.
  if (hasForeignArguments)
    return (SERVER_ERRORS.has(code) || CORE_ERRORS.has(code)) && isAnonymous && isNotAllowed(response);
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
 * Whether the permission callback of a route has refused the client. `Allow` lists the methods of the route that the client may
 * run (`rest_send_allow_header()`).
 */
function isNotAllowed({ headers, method }: WriteResponse): boolean {
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
function isParameterError(code: string, body: Json | undefined): boolean {
  const { data } = isJsonObject(body) ? body : {};
  return code === 'rest_invalid_param' && isJsonObject(data) && isJsonObject(data['details']);
}
