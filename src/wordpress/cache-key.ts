import { type CacheRule, DEFAULT_STALE_IF_UNREACHABLE } from '../cache/policy/freshness.ts';
import type { RouteCacheRule } from '../config/option-types.ts';
import { createNameMatcher, parseRouteGlob, splitNames } from '../glob.ts';
import type { Json } from '../json.ts';
import { memoizeByString } from '../memoize.ts';
import { urlDecode } from '../php/encoding.ts';
import { MAX_INPUT_VARS, type PhpArray, parsePhpQuery, parseQueryPairs } from '../php/query.ts';
import CONVENTIONS from './conventions.json' with { type: 'json' };

/**
 * Identifies a REST resource by its route and canonical query. All spellings of its URL have the same key.
 *
 * @param route the path as the site sees it. Its case is significant, because responses echo ids as they were requested.
 * @param queryKey {@link QueryCanonicalizer.canonicalize}
 */
export function createRouteKey(route: string, queryKey: string): string {
  return `R${JSON.stringify(route)}${queryKey}`;
}

/** Identifies a resource outside of the REST API by its path and query at the site, byte for byte. */
export function createAddressKey(pathAndQuery: string): string {
  return `A${pathAndQuery}`;
}

/** Tag of the responses of a page with any query: a plugin that purges an address also means `?amp` (BoldGrid/w3-total-cache#34). */
export function createAnyQueryTag(path: string): string {
  return `A${path}?`;
}

/** Query parameters that no site reads to create a response. They are neither part of the key nor forwarded. */
const IGNORED_PARAMETERS: readonly string[] = splitNames(CONVENTIONS.ignoredParameters);

/** Names of the parameters that an operation declares. None of them is ignored. */
export type DeclaredNames = ReadonlySet<string>;

export class QueryCanonicalizer {
  readonly #isIgnored: (name: string) => boolean;

  /** @param ignoreParameters parameters without influence on the response, in addition to {@link IGNORED_PARAMETERS} */
  constructor(ignoreParameters: readonly string[] = []) {
    this.#isIgnored = memoizeByString(createNameMatcher([...IGNORED_PARAMETERS, ...ignoreParameters]));
  }

  /**
   * Creates the part of the cache key for a query. Two queries have the same one only if PHP reads the same from both. Returns `null` for
   * more variables than PHP reads by default (`max_input_vars`): a site might have raised that limit, so it is unknown which of them it reads.
   */
  canonicalize(query: string, declared: DeclaredNames): string | null {
    if (parseQueryPairs(query).length >= MAX_INPUT_VARS) return null;
    const sent = this.stripIgnored(query, declared);
    const pairs = toPairs(parsePhpQuery(sent)).sort(([one], [other]) => (one < other ? -1 : 1));
    const key = pairs.length === 0 ? '' : JSON.stringify(pairs);
    return isReadWhole(sent) ? key : key + JSON.stringify(sent);
  }

  /** Removes the ignored parameters and changes nothing else. The site receives this query, and repeats it in links. */
  stripIgnored(query: string, declared: DeclaredNames): string {
    if (query === '') return query;
    const pairs = parseQueryPairs(query);
    const kept = pairs.filter(({ name }) => name !== '' && (declared.has(name) || !this.#isIgnored(name)));
    return kept.length === pairs.length ? query : kept.map(({ raw }) => raw).join('&');
  }

  /** Returns the ignored parameters of a query, as they were sent. */
  listIgnored(query: string): string {
    return parseQueryPairs(query)
      .filter(({ name }) => this.#isIgnored(name))
      .map(({ raw }) => raw)
      .join('&');
  }
}

/**
 * Whether PHP reads every part of a query. It drops repeated parameters and what follows a NUL or a bracket in a name. The
 * site gets these parts all the same, in `REQUEST_URI`, and can repeat them in links: so they belong to the key.
 */
function isReadWhole(query: string): boolean {
  if (query === '') return true;
  if (ENCODED_CONTROL.test(query)) return false;
  const pairs = parseQueryPairs(query);
  return countValues(parsePhpQuery(query)) === pairs.length && pairs.every(({ raw }) => hasPlainName(raw));
}

/** PHP reads `%0a10` as the number 10. Firewalls refuse it (OWASP CRS 921150), and others get `10`. */
const ENCODED_CONTROL = /%(?:[01][\da-f]|7f)/i;

function countValues(array: PhpArray): number {
  let count = 0;
  for (const value of array.values()) count += typeof value === 'string' ? 1 : countValues(value);
  return count;
}

function hasPlainName(rawPair: string): boolean {
  const equals = rawPair.indexOf('=');
  return PLAIN_NAME.test(urlDecode(equals < 0 ? rawPair : rawPair.slice(0, equals)));
}

/** A name that PHP does not change: `page`, `include[]`, `filter[size][0]`. */
const PLAIN_NAME = /^[^\0 .[\]]+(?:\[(?:[^\s\0[\]][^\0[\]]*)?\])*$/;

/** A PHP array as pairs, because its order is significant and the key `1` differs from `01`. */
function toPairs(array: PhpArray): [key: string, value: Json][] {
  return Array.from(array, ([key, value]) => [key, typeof value === 'string' ? value : toPairs(value)]);
}

/** The rule that applies to a request, with the defaults applied. */
export interface ResolvedCacheRule {
  /** Whether a rule of the configuration matches. False: only the default applies. */
  readonly isConfigured: boolean;
  /** Whether that rule states a time. The times of one that states none are the defaults of what it matches. */
  readonly statesTimes: boolean;
  /** Whether the store can be used. */
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
/**
 * Statuses to which `notFound` applies, and permanent redirects, whose heuristic lifetime is as short. For any other status the lifetime of
 * the rule is 0.
 */
const NOT_FOUND: ReadonlySet<number> = new Set([404, 410, 301, 308]);

interface RuleMatchInput {
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
    forDocument: resolveRule(DEFAULT_SECONDS, rule),
    forOthers: resolveRule(statesTimes(rule) ? DEFAULT_SECONDS : NO_SECONDS, rule),
  }));
  const forDocument = resolveRule(useDefault ? DEFAULT_SECONDS : NO_SECONDS, undefined);
  const forOthers = resolveRule(NO_SECONDS, undefined);
  return (target) => {
    const found = compiled.find(({ matches }) => matches(target));
    const { forDocument: documented, forOthers: other } = found ?? { forDocument, forOthers };
    return target.isInDocument ? documented : other;
  };
}

function statesTimes({ notFound, override, sie, swr, ttl }: RouteCacheRule): boolean {
  return [notFound, override, sie, swr, ttl].some((setting) => setting !== undefined);
}

/** Creates a rule with a freshness lifetime in seconds and the other times of the default. */
export function createDefaultRule(ttl: number): CacheRule {
  return resolveRule({ ...DEFAULT_SECONDS, ttl }, undefined).rule;
}

function resolveRule(defaults: RuleSeconds, rule: RouteCacheRule | undefined): ResolvedCacheRule {
  const ttl = rule?.ttl ?? defaults.ttl;
  const headers = (rule?.key?.headers ?? []).map((name) => name.toLowerCase());
  // With a ttl below the default's `notFound`, a missing resource must not be cached for longer than an existing one.
  const notFound = rule?.notFound ?? Math.min(defaults.notFound, ttl);
  return {
    isConfigured: rule !== undefined,
    statesTimes: rule !== undefined && statesTimes(rule),
    usesStore: rule?.store ?? true,
    rule: {
      // 0 instead of undefined: a lifetime must not be guessed from the `Last-Modified` of a site's page.
      getTtl: (status) => (status === SUCCESS ? ttl : NOT_FOUND.has(status) ? notFound : 0),
      staleWhileRevalidate: rule?.swr ?? defaults.swr,
      staleIfError: rule?.sie ?? defaults.sie,
      staleIfUnreachable: rule?.sie ?? DEFAULT_STALE_IF_UNREACHABLE,
      defaultWindows: [
        ...(rule?.swr === undefined ? (['staleWhileRevalidate'] as const) : []),
        ...(rule?.sie === undefined ? (['staleIfError', 'staleIfUnreachable'] as const) : []),
      ],
      overridesResponse: rule?.override ?? false,
      ignoresReload: rule?.reload === false,
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
