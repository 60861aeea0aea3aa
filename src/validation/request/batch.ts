import { isJsonObject, type JsonObject } from '../../json.ts';
import type { Operation } from '../../openapi/index.ts';
import { encodeByteString } from '../../php/encoding.ts';
import type { OperationMatcher } from '../../router/matcher.ts';
import { createSchemaValidator } from '../wordpress/validate.ts';
import { acceptsForm, findParameter, type RequestParameters } from './parameters.ts';

/** `WP_REST_Server::serve_batch_request_v1()` */
export function isBatchOperation({ method, path }: Operation): boolean {
  return method === 'POST' && path === '/batch/v1';
}

/** A path that PHP versions read differently has no route. @param parameters valid ones */
export function hasKnownRoutes(
  batch: Operation,
  parameters: RequestParameters,
  matcher: OperationMatcher,
): boolean {
  const declared = findParameter('requests', parameters, acceptsForm(batch.method)) ?? [];
  const sanitized = REQUESTS.sanitize(declared, 'requests');
  const requests = sanitized.ok && Array.isArray(sanitized.value) ? sanitized.value : [];
  return requests.filter(isJsonObject).every((request) => hasKnownRoute(request, matcher));
}

/** Schema by which the site sanitises the list before it parses the subrequests. */
const REQUESTS = createSchemaValidator({
  type: 'array',
  items: {
    type: 'object',
    properties: {
      method: { type: 'string' },
      path: { type: 'string' },
      body: { type: 'object' },
    },
  },
});

/** Limit of a path, like that of servers for a single request. */
const MAX_PATH_LENGTH = 16 * 1024;

function hasKnownRoute(request: JsonObject, matcher: OperationMatcher): boolean {
  const method = typeof request['method'] === 'string' ? request['method'].toUpperCase() : 'POST';
  const declared = String(request['path'] ?? '');
  const path = declared.length > MAX_PATH_LENGTH ? null : parseBatchPath(encodeByteString(declared));
  return path !== null && matcher.match(method, path.route).kind === 'found';
}

interface BatchPath {
  /** Neither decoded nor trimmed. */
  readonly route: string;
  readonly query: string;
}

/** Authority, with or without a scheme. PHP can reject unusual characters in it. */
const AUTHORITY = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[a-z0-9][a-z0-9.-]*(?=[/?#]|$)/i;

/** `wp_parse_url()`, without scheme and host; `null` if PHP versions differ or can fail */
export function parseBatchPath(path: string): BatchPath | null {
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
