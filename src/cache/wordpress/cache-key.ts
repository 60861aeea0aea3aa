/** What an answer is kept under, in the parts that make it: equal parts, equal answers. */
export interface CacheKeyParts {
  /** The site, by its base address. */
  readonly site: string;
  /** The gateway's address as the caller knows it: answers are stored as they go out, with addresses in it. */
  readonly publicBase: string;
  /** What is asked for there: {@link createRouteKey} or {@link createPageKey}. */
  readonly resource: string;
}

/** No part of an address holds a line feed, so parts can't run into one another. */
export function createCacheKey({ site, publicBase, resource }: CacheKeyParts): string {
  const key = `${site}\n${publicBase}\n${resource}`;
  // V8 puts texts together as trees, and would keep this one as such beside its answer: to look into it makes it one.
  return key.charCodeAt(0) >= 0 ? key : '';
}

/**
 * A route with its query by meaning, in whichever of the spellings it was asked for.
 *
 * @param route the path as the site sees it: ids are echoed in answers as they were asked for, so its case counts
 * @param query {@link QueryMeaning.text}
 */
export function createRouteKey(route: string, query: string): string {
  return `R${JSON.stringify(route)}${query}`;
}

/** Anything else by its address at the site, byte for byte. */
export function createPageKey(address: string): string {
  return `A${address}`;
}
