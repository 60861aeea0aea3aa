import type { Diagnostic } from '../diagnostics.ts';
import type { JsonObject } from '../json.ts';

/** Where a site's interface stands, and how its routes are addressed. */
export interface SiteAddress {
  /** The front of the site, ending in a slash: `https://example.com/blog/`. */
  readonly base: string;
  /**
   * The address of the root index that was read: `https://example.com/blog/wp-json/` (pretty) or
   * `https://example.com/blog/index.php?rest_route=/` (plain).
   */
  readonly root: string;
  /**
   * `pretty`: a route is appended to the root's path, and the site reads it there **without** percent-decoding.
   * `plain`: a route is the value of the query parameter `rest_route`, percent-decoded by PHP.
   */
  readonly spelling: 'pretty' | 'plain';
  /**
   * The addresses by which the site names itself, where they are not its base: its home and its WordPress address, as
   * the index states them. Absent: none.
   */
  readonly aliases?: readonly string[];
  /** The path segment of pretty addresses; `wp-json` unless the site renamed it. */
  readonly prefix: string;
}

/** What discovery hands to the model: one readable site. */
export interface DiscoveredSite {
  readonly address: SiteAddress;
  readonly index: RootIndex;
  /** All that was tolerated on the way, in the order in which it was found. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A root index, read tolerantly: everything that stands here has the type that it is declared with. */
export interface RootIndex {
  readonly name: string;
  readonly description: string;
  /** The site's own addresses as it states them (WordPress address and front page); empty where absent. */
  readonly url: string;
  readonly home: string;
  readonly namespaces: readonly string[];
  /** As the site states it, by scheme; `{}` where absent or `[]`. */
  readonly authentication: JsonObject;
  /** In the site's order of registration, which is the order in which it tries them. */
  readonly routes: readonly IndexRoute[];
}

export interface IndexRoute {
  /** The key in `routes`: a PCRE pattern that the site anchors at both ends and matches case-insensitively. */
  readonly pattern: string;
  /** The namespace that registered it; derived from the pattern where the index does not say. Empty for `/`. */
  readonly namespace: string;
  readonly endpoints: readonly IndexEndpoint[];
  /** The response schema of the resource (draft 4, as the site states it), where the site gave one. */
  readonly schema?: JsonObject;
}

export interface IndexEndpoint {
  /** Position in the site's own `endpoints` list, for pointers. */
  readonly position: number;
  /** Upper case, without repetition, in the site's order. */
  readonly methods: readonly string[];
  readonly args: readonly IndexArgument[];
  /** `allow_batch.v1`. */
  readonly allowBatch: boolean;
}

export interface IndexArgument {
  readonly name: string;
  /** The declaration as the site states it: JSON Schema keywords of drafts 3 and 4 mixed, and anything else. */
  readonly declaration: JsonObject;
}
