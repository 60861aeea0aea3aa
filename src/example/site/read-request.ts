import { phpArrayToJson, encodeByteString } from '../../php/byte-string.ts';
import { addSlashes } from '../../php/encoding.ts';
import { isPhpEmpty, normalizeRoute } from '../../php/route-spelling.ts';
import { parsePhpQuery } from '../../php/variables.ts';
import type { Source } from './incoming.ts';

/** What an address asks of the site. */
export interface Address {
  /** Raw, as in the address. */
  readonly path: string;
  readonly query: Source;
  /** The route that the query names; null where it names none. */
  readonly named: string | null;
}

const PREFIX = '/wp-json';

export function readAddress(url: URL): Address {
  const variables = parsePhpQuery(encodeByteString(url.search.slice(1)));
  const given = variables.get('rest_route');
  return {
    path: url.pathname,
    query: phpArrayToJson(variables),
    named: typeof given === 'string' ? given : null,
  };
}

/**
 * The route path of a request, a byte string; null where it is for a page of the site. The form's `rest_route` counts
 * before the query's and that before the path (WP::parse_request), which is not decoded.
 */
export function routeOf({ path, named }: Address, form: Source): string | null {
  const posted = form.get('rest_route');
  const given = typeof posted === 'string' ? encodeByteString(posted) : named;
  // wp_magic_quotes(): quotes in a route arrive with backslashes.
  if (given !== null) return isPhpEmpty(given) ? null : normalizeRoute(addSlashes(given));
  if (path === PREFIX || path.startsWith(`${PREFIX}/`))
    return normalizeRoute(addSlashes(path.slice(PREFIX.length)));
  return null;
}

/** `wp_die( 'A variable mismatch has been detected.' )` */
export function isMismatch({ named }: Address, form: Source): boolean {
  const posted = form.get('rest_route');
  return (
    named !== null && posted !== undefined && posted !== phpArrayToJson(new Map([['r', named]])).get('r')
  );
}

/** The method that runs: `_method` of the query, else the header, else the one that was sent. */
export function methodOf(sent: string, query: Source, headers: Headers): string {
  const named = query.get('_method');
  const given = typeof named === 'string' ? named : (headers.get('x-http-method-override') ?? sent);
  return given.toUpperCase();
}
