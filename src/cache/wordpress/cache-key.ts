/** The parts of a cache key. Requests with equal parts have the same response. */
export interface CacheKeyParts {
  /** Identifies the site: its base URL without the scheme. */
  readonly site: string;
  /** The gateway's base URL as the client used it. Part of the key because response bodies contain it in links. */
  readonly publicBase: string;
  /** Identifies the resource of the site: {@link createRouteKey} or {@link createAddressKey}. */
  readonly resource: string;
}

/** Joins the parts with line feeds, which no part contains. */
export function createCacheKey({ site, publicBase, resource }: CacheKeyParts): string {
  const key = `${site}\n${publicBase}\n${resource}`;
  // V8 represents a concatenation as a tree and would keep that tree in memory. Reading a character flattens it.
  return key.charCodeAt(0) >= 0 ? key : '';
}

/**
 * Identifies a REST resource by its route and canonical query. All spellings of its URL have the same key.
 *
 * @param route the path as the site sees it. Its case is significant, because responses echo ids as they were requested.
 * @param queryKey {@link CanonicalQuery.key}
 */
export function createRouteKey(route: string, queryKey: string): string {
  return `R${JSON.stringify(route)}${queryKey}`;
}

/** Identifies a resource outside of the REST API by its path and query at the site, byte for byte. */
export function createAddressKey(pathAndQuery: string): string {
  return `A${pathAndQuery}`;
}
