import { type Json, type JsonObject, toText } from '../../base/json.ts';
import { encodeByteString, parsePhpQuery, phpArrayToJsonMembers } from '../../base/php/request.ts';
import type { RestRequest, RestResponse, SiteError } from './declarations.ts';
import { errorResponse, respondWith, restError, wrapInEnvelope } from './responses.ts';

/** A request of a batch: what its validation found, and how it runs. */
export interface BatchItem {
  readonly error: SiteError | undefined;
  /** Absent without an operation. */
  readonly respond?: () => Promise<RestResponse>;
}

export const NOT_IN_BATCHES: SiteError = restError(
  400,
  'rest_batch_not_allowed',
  'The requested route does not support batch requests.',
);

/** `WP_REST_Server::serve_batch_request_v1()`. @param validation the parameter of that name */
export async function respondToBatch(
  items: readonly BatchItem[],
  validation: Json | undefined,
): Promise<RestResponse> {
  if (validation === 'require-all-validate' && items.some(({ error }) => error !== undefined)) {
    const responses = items.map(({ error }) =>
      error === undefined ? null : wrapInEnvelope(errorResponse(error)),
    );
    return respondWith(207, { failed: 'validation', responses });
  }
  const responses: Json[] = [];
  // A later request can depend on an earlier one.
  for (const { error = NOT_IN_BATCHES, respond } of items)
    responses.push(wrapInEnvelope((await respond?.()) ?? errorResponse(error)));
  return respondWith(207, { responses });
}

type BatchedRequest = Pick<RestRequest, 'method' | 'route' | 'query' | 'form' | 'headers'>;

export function readBatchedRequest({ method, path, body, headers }: JsonObject): BatchedRequest | SiteError {
  const address = parseBatchPath(encodeByteString(toText(path ?? '')));
  if (address === null) return restError(400, 'parse_path_failed', 'Could not parse the path.');
  return {
    method: typeof method === 'string' ? method.toUpperCase() : 'POST',
    route: address.route,
    query: phpArrayToJsonMembers(parsePhpQuery(address.query)),
    form: new Map(objectEntries(body)),
    headers: toHeaders(headers),
  };
}

function toHeaders(members: Json | undefined): Headers {
  const headers = new Headers();
  for (const [name, value] of objectEntries(members)) {
    try {
      headers.set(name, Array.isArray(value) ? value.join(', ') : String(value));
    } catch {
      // PHP ignores an invalid header too.
    }
  }
  return headers;
}

function objectEntries(value: Json | undefined): readonly [string, Json][] {
  return typeof value === 'object' && value !== null ? Object.entries<Json>(value) : [];
}

interface BatchPath {
  /** Neither decoded nor trimmed. */
  readonly route: string;
  readonly query: string;
}

/** Authority, with or without a scheme. PHP can reject unusual characters in it. */
const AUTHORITY = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[a-z0-9][a-z0-9.-]*(?=[/?#]|$)/i;

/** `wp_parse_url()`, without scheme and host; `null` if PHP versions differ or can fail */
function parseBatchPath(path: string): BatchPath | null {
  if (path.startsWith('/') && !path.startsWith('//')) return splitQuery(path);
  const authority = AUTHORITY.exec(path);
  if (authority !== null) return splitQuery(path.slice(authority[0].length));
  // The text before a colon can be a scheme, a host or neither.
  return /^[^?#]*:/.test(path) || path.startsWith('//') ? null : splitQuery(path);
}

function splitQuery(path: string): BatchPath {
  const [, route = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(path) ?? [];
  return { route: withoutControls(route), query: withoutControls(query) };
}

/** php_replace_controlchars() */
function withoutControls(text: string): string {
  return text.replace(/[\0-\x1f\x7f]/g, '_');
}
