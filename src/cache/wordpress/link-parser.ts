import type { SiteAddress } from '../../discovery/site.ts';
import { rawUrlDecode } from '../../php/encoding.ts';

/** A link to a resource of the REST API, found in a response. */
export interface RestLink {
  /** Path below the root of the API: `/wp/v2/posts/12`. */
  readonly route: string;
  /** The query without question mark; empty if there is none. */
  readonly query: string;
}

/** Parses the URLs of a site's REST API in the text of its responses. */
export interface LinkParser {
  /**
   * Parses the URL between `start` and `end` of a JSON text.
   *
   * @returns `null` for a URL outside of the REST API
   */
  parse(text: string, start: number, end: number): RestLink | null;
}

/**
 * Creates a parser for the links of a site.
 *
 * @param publicBases further base URLs of the site: those of the gateway, if it rewrites links in bodies
 */
export function createLinkParser(address: SiteAddress, publicBases: readonly string[] = []): LinkParser {
  const bases = [address.base, ...(address.aliases ?? []), ...publicBases].map((url) =>
    url.endsWith('/') ? url : `${url}/`,
  );
  const paths = [
    `${address.prefix}/`,
    `index.php/${address.prefix}/`,
    'index.php?rest_route=/',
    '?rest_route=/',
    'index.php?rest_route=%2F',
    '?rest_route=%2F',
  ];
  const restRoots = new Set([
    address.root.replace(/\/?$/, '/'),
    ...bases.flatMap((base) => paths.map((path) => `${base}${path}`)),
  ]);
  // Links may have either scheme. WordPress escapes slashes in JSON, unless a plugin changes that.
  const prefixes = [...restRoots].flatMap((url) => {
    const other = url.startsWith('https:') ? `http:${url.slice(6)}` : `https:${url.slice(5)}`;
    return [url, other].flatMap((each) => [
      { text: each.replaceAll('/', '\\/'), isPlain: each.includes('?') },
      { text: each, isPlain: each.includes('?') },
    ]);
  });
  // All links of a site have the same prefix, so the last match is tried first.
  let lastMatch = prefixes[0];

  return {
    parse(text, start, end) {
      if (lastMatch === undefined || !text.startsWith(lastMatch.text, start)) {
        lastMatch = prefixes.find((prefix) => text.startsWith(prefix.text, start)) ?? lastMatch;
        if (lastMatch === undefined || !text.startsWith(lastMatch.text, start)) return null;
      }
      const rest = text.slice(start + lastMatch.text.length, end).replaceAll('\\/', '/');
      const queryStart = rest.indexOf(lastMatch.isPlain ? '&' : '?');
      const path = queryStart < 0 ? rest : rest.slice(0, queryStart);
      return {
        route: `/${lastMatch.isPlain ? rawUrlDecode(path) : path}`,
        query: queryStart < 0 ? '' : rest.slice(queryStart + 1),
      };
    },
  };
}
