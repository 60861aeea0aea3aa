import { parseRouteGlob } from '../../glob.ts';
import { type CacheRule, DEFAULT_STALE_IF_UNREACHABLE } from '../policy/storability.ts';

/** An entry of the configuration's `rules`, for the responses of matching routes. Times are in seconds. */
export interface RouteCacheRule {
  /** Globs: `/wp/v2/posts*` is compared with the route, `wp/v2` with its namespace. `*` matches any run of characters. */
  readonly match: string | readonly string[];
  /** @default GET and HEAD */
  readonly methods?: readonly ('GET' | 'HEAD')[] | undefined;
  /** Freshness lifetime. */
  readonly ttl?: number | undefined;
  /** `stale-while-revalidate` (RFC 5861) */
  readonly swr?: number | undefined;
  /** `stale-if-error` (RFC 5861) */
  readonly sie?: number | undefined;
  /** Freshness lifetime of 404 and 410. */
  readonly notFound?: number | undefined;
  /** Tags to purge the responses by, in addition to those that the gateway derives. */
  readonly tags?: readonly string[] | undefined;
  /** Changes to the cache key. */
  readonly key?: RouteCacheKeyRule | undefined;
  /**
   * Whether the times have precedence over those of the response. A response that the site forbids to store is never
   * stored. @default false
   */
  readonly override?: boolean | undefined;
  /** `false` excludes the routes from the store. @default true */
  readonly store?: boolean | undefined;
}

/** Changes that a rule makes to the cache key. */
export interface RouteCacheKeyRule {
  /** Request headers whose values become part of the key. */
  readonly headers?: readonly string[] | undefined;
  /** Query parameters that are not part of the key. */
  readonly ignore?: readonly string[] | undefined;
}

/** The rule that applies to a request, with the defaults applied. */
export interface ResolvedCacheRule {
  /** Whether a rule of the configuration matches. False: only the default applies. */
  readonly isConfigured: boolean;
  /** Whether the store may be used. */
  readonly usesStore: boolean;
  readonly rule: CacheRule;
  readonly tags: readonly string[];
  /** Changes to the cache key. */
  readonly keyRule: {
    /** In lower case. */
    readonly headers: readonly string[];
    readonly headerSet: ReadonlySet<string>;
    readonly ignore: readonly string[];
  };
}

interface RuleSeconds {
  readonly ttl: number;
  readonly swr: number;
  readonly sie: number;
  readonly notFound: number;
}

/** The default for operations in the document. Requests with credentials are not cached at all. */
const DEFAULT_SECONDS: RuleSeconds = { ttl: 30, swr: 600, sie: 86_400, notFound: 5 };
const NO_SECONDS: RuleSeconds = { ttl: 0, swr: 0, sie: 0, notFound: 0 };

/** Status to which `ttl` applies. */
const SUCCESS = 200;
/** Statuses to which `notFound` applies. For any other status the lifetime of the rule is 0. */
const NOT_FOUND: ReadonlySet<number> = new Set([404, 410]);

/** The properties of a request that rules are compared with. */
export interface RuleMatchInput {
  readonly route: string;
  readonly namespace: string;
  readonly method: string;
  /** Whether the document has the operation. The default does not apply to others. */
  readonly isInDocument: boolean;
}

/**
 * Creates a function that finds the first matching rule.
 *
 * @param useDefault whether the default applies to documented operations that no rule matches
 */
export function createCacheRuleResolver(
  rules: readonly RouteCacheRule[],
  useDefault: boolean,
): (target: RuleMatchInput) => ResolvedCacheRule {
  const compiled = rules.map((rule) => ({
    matches: createRuleMatcher(rule),
    resolved: resolveRule(DEFAULT_SECONDS, rule),
  }));
  const forDocument = resolveRule(useDefault ? DEFAULT_SECONDS : NO_SECONDS, undefined);
  const forOthers = resolveRule(NO_SECONDS, undefined);
  return (target) => {
    const found = compiled.find(({ matches }) => matches(target));
    if (found !== undefined) return found.resolved;
    return target.isInDocument ? forDocument : forOthers;
  };
}

function resolveRule(defaults: RuleSeconds, rule: RouteCacheRule | undefined): ResolvedCacheRule {
  const ttl = rule?.ttl ?? defaults.ttl;
  const headers = (rule?.key?.headers ?? []).map((name) => name.toLowerCase());
  // With a ttl below the default's `notFound`, a missing resource must not be cached for longer than an existing one.
  const notFound = rule?.notFound ?? Math.min(defaults.notFound, ttl);
  return {
    isConfigured: rule !== undefined,
    usesStore: rule?.store ?? true,
    rule: {
      // 0 instead of undefined: a lifetime must not be guessed from the `Last-Modified` of a site's page.
      getTtl: (status) => (status === SUCCESS ? ttl : NOT_FOUND.has(status) ? notFound : 0),
      staleWhileRevalidate: rule?.swr ?? defaults.swr,
      staleIfError: rule?.sie ?? defaults.sie,
      staleIfUnreachable: rule?.sie ?? DEFAULT_STALE_IF_UNREACHABLE,
      overridesResponse: rule?.override ?? false,
    },
    tags: rule?.tags ?? [],
    keyRule: {
      headers,
      headerSet: new Set(headers),
      ignore: rule?.key?.ignore ?? [],
    },
  };
}

function createRuleMatcher({
  match,
  methods = ['GET', 'HEAD'],
}: RouteCacheRule): (target: RuleMatchInput) => boolean {
  const globs = (typeof match === 'string' ? [match] : match).map(parseRouteGlob);
  const allowed = new Set<string>(methods);
  return ({ route, namespace, method }) =>
    allowed.has(method) && globs.some((glob) => glob.matches(glob.isForRoutes ? route : namespace));
}
