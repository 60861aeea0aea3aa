import { parseRouteGlob } from '../../glob.ts';
import type { RouteCacheRule } from '../../option-types.ts';
import { type CacheRule, DEFAULT_STALE_IF_UNREACHABLE } from '../policy/storability.ts';

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
