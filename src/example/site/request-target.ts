import { encodeByteString } from '../../php/byte-string.ts';
import { addSlashes } from '../../php/encoding.ts';
import { isPhpEmpty, normalizeRoute } from '../../php/route-spelling.ts';
import { parsePhpQuery } from '../../php/variables.ts';
import { phpArrayToJsonMembers } from '../../php/variables-to-json.ts';
import type { RequestValues } from './rest-request.ts';

/** The parts of a request URL that select a route. */
export interface RequestTarget {
  /** The path without percent-decoding. */
  readonly path: string;
  readonly query: RequestValues;
  /** The `rest_route` of the query; `null` if it is absent. */
  readonly queryRoute: string | null;
}

const REST_PREFIX = '/wp-json';

export function parseRequestTarget(url: URL): RequestTarget {
  const variables = parsePhpQuery(encodeByteString(url.search.slice(1)));
  const given = variables.get('rest_route');
  return {
    path: url.pathname,
    query: phpArrayToJsonMembers(variables),
    queryRoute: typeof given === 'string' ? given : null,
  };
}

/**
 * Resolves the route path of a request as a byte string; `null` if the request is for a page of the site. The
 * `rest_route` of the form precedes that of the query, which precedes the path (WP::parse_request). The path is not
 * percent-decoded.
 */
export function resolveRoute({ path, queryRoute }: RequestTarget, form: RequestValues): string | null {
  const formRoute = form.get('rest_route');
  const explicitRoute = typeof formRoute === 'string' ? encodeByteString(formRoute) : queryRoute;
  if (explicitRoute !== null) {
    // wp_magic_quotes() adds backslashes to the quotes in a route.
    return isPhpEmpty(explicitRoute) ? null : normalizeRoute(addSlashes(explicitRoute));
  }
  if (path === REST_PREFIX || path.startsWith(`${REST_PREFIX}/`)) {
    return normalizeRoute(addSlashes(path.slice(REST_PREFIX.length)));
  }
  return null;
}

/** `wp_die( 'A variable mismatch has been detected.' )` */
export function isRouteMismatch({ queryRoute }: RequestTarget, form: RequestValues): boolean {
  const formRoute = form.get('rest_route');
  if (queryRoute === null || formRoute === undefined) return false;
  return formRoute !== phpArrayToJsonMembers(new Map([['r', queryRoute]])).get('r');
}

/** The method that runs: the `_method` query parameter, else `X-HTTP-Method-Override`, else the request method. */
export function resolveMethod(requestMethod: string, query: RequestValues, headers: Headers): string {
  const parameter = query.get('_method');
  const override = typeof parameter === 'string' ? parameter : headers.get('x-http-method-override');
  return (override ?? requestMethod).toUpperCase();
}
