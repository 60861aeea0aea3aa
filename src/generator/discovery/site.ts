import type { Diagnostic } from '../../base/diagnostics.ts';
import type { JsonObject } from '../../base/json.ts';

export interface SiteAddress {
  readonly base: string;
  /** `https://example.com/blog/wp-json/` or `https://example.com/blog/index.php?rest_route=/` */
  readonly root: string;
  /**
   * `pretty`: a route is appended to the root's path, which the site does **not** percent-decode.
   * `plain`: a route is the value of `rest_route`, which PHP percent-decodes.
   */
  readonly spelling: 'pretty' | 'plain';
  /** `home` and `url` of the index, if one differs from `base`; the latter not below the former. */
  readonly aliases?: readonly string[];
  /** Path prefix of pretty URLs; `wp-json` unless the site changed it. */
  readonly prefix: string;
}

export interface DiscoveredSite {
  readonly address: SiteAddress;
  readonly index: RootIndex;
  readonly isReadAsUser?: boolean;
  /** What only `OPTIONS` responses state. The document stores it for a run in which they fail. */
  readonly additions?: RouteAdditions;
  /** Why the index lacks response schemas or a namespace, although the same request can succeed later. */
  readonly schemasFailure?: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface RootIndex {
  readonly name: string;
  readonly description: string;
  /** URL of the site's icon; empty without one. */
  readonly icon: string;
  readonly url: string;
  readonly home: string;
  readonly namespaces: readonly string[];
  readonly authentication: JsonObject;
  readonly routes: readonly IndexRoute[];
}

export interface IndexRoute {
  /** A PCRE pattern that WordPress anchors at both ends and matches case-insensitively. */
  readonly pattern: string;
  readonly namespace: string;
  readonly endpoints: readonly IndexEndpoint[];
  readonly schema?: JsonObject;
}

export interface IndexEndpoint {
  readonly listIndex: number;
  readonly methods: readonly string[];
  readonly args: readonly IndexArgument[];
  readonly allowBatch: boolean;
}

export interface IndexArgument {
  readonly name: string;
  /** Declaration as the site states it: keywords of JSON Schema drafts 3 and 4, and unknown ones. */
  readonly declaration: JsonObject;
}

/** What routes state only in their `OPTIONS` response, by pattern: ACF registers `acf` in `rest_pre_dispatch`. */
export type RouteAdditions = ReadonlyMap<string, RouteAddition>;

export interface RouteAddition {
  readonly properties: JsonObject;
  readonly reading: readonly IndexArgument[];
  readonly writing: readonly IndexArgument[];
}

/** Namespaces have two segments, rarely three. A hostile pattern would cost quadratic time. */
const MAX_SEGMENTS = 8;

/** Returns the longest namespace that contains a path, percent-encoded or not, or a route pattern; empty if none does. */
export function findNamespace(path: string, namespaces: ReadonlySet<string>): string {
  let end = 0;
  let found = '';
  for (let segments = 0; segments < MAX_SEGMENTS && end >= 0; segments += 1) {
    end = path.indexOf('/', end + 1);
    const candidate = end < 0 ? path.slice(1) : path.slice(1, end);
    const name = candidate.includes('%') ? decodeComponent(candidate) : candidate;
    if (namespaces.has(name)) found = name;
  }
  return found;
}

/** A text with an unencoded `%` stays as it is. */
export function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
