import { createNameMatcher, parseRouteGlob, splitNames } from '../../base/glob.ts';
import { type Json, parseJson } from '../../base/json.ts';
import { memoizeByString } from '../../base/memoize.ts';
import type { RouteCacheRule } from '../../base/option-types.ts';
import {
  MAX_INPUT_VARS,
  type PhpArray,
  parsePhpQuery,
  parseQueryPairs,
  type QueryPair,
  urlDecode,
} from '../../base/php/request.ts';
import { type CacheRule, DEFAULT_STALE_IF_UNREACHABLE } from '../cache/policy/freshness.ts';
import CONVENTIONS from './conventions.json' with { type: 'json' };

/** All requests with equal parts share an entry, but for the fields that `Vary` names. */
export interface CacheKey {
  /** Base URL of the site, without the scheme: `example.com/shop/`. */
  readonly site: string;
  /** Base URL of the gateway as the client used it: bodies contain it. */
  readonly publicBase: string;
  readonly resource: string;
  /** Path of the request for a route that usually has another one, because plugins read it; else empty. */
  readonly path: string;
  readonly fields: string;
  /** Of pages and plain origins: they might not say that they vary by it. */
  readonly origin: string | undefined;
  /** Of plain origins. See `sharing` in `http/request-fields.ts`. */
  readonly requestedWith: string | undefined;
  readonly cookies: string;
}

/** No part contains a line feed. */
export function writeCacheKey(key: CacheKey): string {
  const { cookies, fields, origin, path, publicBase, requestedWith, resource, site } = key;
  let text = `${site}\n${publicBase}\n${resource}`;
  if (path !== '') text += `\npath ${path}`;
  if (fields !== '') text += `\nfields ${fields}`;
  if (origin !== undefined) text += `\norigin ${origin}`;
  if (requestedWith !== undefined) text += `\nx-requested-with ${requestedWith}`;
  if (cookies !== '') text += `\ncookie ${cookies}`;
  // V8 would keep a concatenation as a tree. Reading a character flattens it.
  return text.charCodeAt(0) >= 0 ? text : '';
}

/** @returns the route of {@link createRouteKey}; `null` for another address */
export function readCachedRoute(key: string): string | null {
  const [, , resource = ''] = key.split('\n', 3);
  const [, route] = /^R("(?:[^"\\]|\\.)*")/.exec(resource) ?? [];
  return route === undefined ? null : String(parseJson(route));
}

/** The key of a REST resource in any spelling. @param route in its case: responses echo ids as requested */
export function createRouteKey(route: string, queryKey: string): string {
  return `R${JSON.stringify(route)}${queryKey}`;
}

export function createAddressKey(pathAndQuery: string): string {
  return `A${pathAndQuery}`;
}

/** A plugin that purges an address also means `?amp` (BoldGrid/w3-total-cache#34). */
export function anyQueryPageTag(path: string): string {
  return `A${path}?`;
}

const IGNORED_PARAMETERS: readonly string[] = splitNames(CONVENTIONS.ignoredParameters);

export type DeclaredNames = ReadonlySet<string>;

export class QueryCanonicalizer {
  readonly #isIgnored: (name: string) => boolean;

  constructor(ignoreParameters: readonly string[] = []) {
    this.#isIgnored = memoizeByString(createNameMatcher([...IGNORED_PARAMETERS, ...ignoreParameters]));
  }

  /** The query's part of the key: the same only if PHP reads the same. @returns `null` from `max_input_vars` on */
  canonicalize(query: string, declared: DeclaredNames): string | null {
    if (query === '') return '';
    const all = parseQueryPairs(query);
    if (all.length >= MAX_INPUT_VARS) return null;
    const kept = this.#keep(all, declared);
    const sent = kept.length === all.length ? query : kept.map(({ raw }) => raw).join('&');
    const read = parsePhpQuery(sent);
    const pairs = toPairs(read).sort(([one], [other]) => (one < other ? -1 : 1));
    const key = pairs.length === 0 ? '' : JSON.stringify(pairs);
    // Whether PHP drops nothing: the site gets that in `REQUEST_URI`, and can repeat it in links.
    const isReadWhole =
      !ENCODED_CONTROL.test(sent) &&
      countValues(read) === kept.length &&
      kept.every(({ raw }) => hasPlainName(raw));
    return isReadWhole ? key : key + JSON.stringify(sent);
  }

  stripIgnored(query: string, declared: DeclaredNames): string {
    if (query === '') return query;
    const pairs = parseQueryPairs(query);
    const kept = this.#keep(pairs, declared);
    return kept.length === pairs.length ? query : kept.map(({ raw }) => raw).join('&');
  }

  #keep(pairs: readonly QueryPair[], declared: DeclaredNames): readonly QueryPair[] {
    return pairs.filter(({ name }) => name !== '' && (declared.has(name) || !this.#isIgnored(name)));
  }

  listIgnored(query: string): string {
    return parseQueryPairs(query)
      .filter(({ name }) => this.#isIgnored(name))
      .map(({ raw }) => raw)
      .join('&');
  }
}

/** PHP reads `%0a10` as the number 10, and firewalls refuse it (OWASP CRS 921150). */
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

/** Names that PHP does not change: `page`, `include[]`, `filter[size][0]`. */
const PLAIN_NAME = /^[^\0 .[\]]+(?:\[(?:[^\s\0[\]][^\0[\]]*)?\])*$/;

/** The order of a PHP array is significant, and the key `1` differs from `01`. */
function toPairs(array: PhpArray): [key: string, value: Json][] {
  return Array.from(array, ([key, value]) => [key, typeof value === 'string' ? value : toPairs(value)]);
}

export interface ResolvedCacheRule {
  /** Whether the rule states a lifetime; if not, the matched resource's applies. */
  readonly statesLifetime: boolean;
  readonly usesStore: boolean;
  /** Adds the rule's other settings to a response whose lifetime comes from elsewhere. */
  readonly refine: (chosen: CacheRule) => CacheRule;
  readonly rule: CacheRule;
  readonly tags: readonly string[];
  readonly keyRule: {
    /** In lower case. */
    readonly headers: readonly string[];
    readonly headerSet: ReadonlySet<string>;
    readonly isCookie: (name: string) => boolean;
  };
}

interface RuleSeconds {
  readonly ttl: number;
  readonly swr: number;
  readonly sie: number;
}

/** Defaults for operations in the document, in seconds. */
const DEFAULT_SECONDS: RuleSeconds = { ttl: 30, swr: 600, sie: 86_400 };
const NO_SECONDS: RuleSeconds = { ttl: 0, swr: 0, sie: 0 };

const SUCCESS = 200;
const NOT_FOUND_SECONDS = 5;
/** Statuses of missing resources, and permanent redirects. For any other status the lifetime is 0. */
const NOT_FOUND: ReadonlySet<number> = new Set([404, 410, 301, 308]);

interface RuleMatchInput {
  readonly route: string;
  readonly namespace: string;
  readonly isInDocument: boolean;
}

export function createCacheRuleResolver(
  rules: readonly RouteCacheRule[],
): (target: RuleMatchInput) => ResolvedCacheRule {
  const compiled = rules.map((rule) => ({
    matches: createRuleMatcher(rule),
    forDocument: resolveRule(DEFAULT_SECONDS, rule),
    forOthers: resolveRule(rule.ttl === undefined ? NO_SECONDS : DEFAULT_SECONDS, rule),
  }));
  const forDocument = resolveRule(DEFAULT_SECONDS, undefined);
  const forOthers = resolveRule(NO_SECONDS, undefined);
  return (target) => {
    const found = compiled.find(({ matches }) => matches(target));
    const { forDocument: documented, forOthers: other } = found ?? { forDocument, forOthers };
    return target.isInDocument ? documented : other;
  };
}

export function createDefaultRule(ttl: number): CacheRule {
  return resolveRule({ ...DEFAULT_SECONDS, ttl }, undefined).rule;
}

function resolveRule(defaults: RuleSeconds, rule: RouteCacheRule | undefined): ResolvedCacheRule {
  const { override, reload, sie, swr, ttl = defaults.ttl } = rule ?? {};
  const headers = (rule?.keyHeaders ?? []).map((name) => name.toLowerCase());
  // A missing resource must not be cached for longer than an existing one.
  const notFound = Math.min(NOT_FOUND_SECONDS, ttl);
  const refine = (chosen: CacheRule): CacheRule => ({
    ...chosen,
    ...(swr === undefined ? {} : { staleWhileRevalidate: swr }),
    ...(sie === undefined ? {} : { staleIfError: sie, staleIfUnreachable: sie }),
    defaultWindows: (chosen.defaultWindows ?? []).filter(
      (window) => (window === 'staleWhileRevalidate' ? swr : sie) === undefined,
    ),
    overridesResponse: override ?? false,
    ignoresReload: reload === false,
  });
  return {
    statesLifetime: rule?.ttl !== undefined,
    usesStore: rule?.store ?? true,
    refine: rule === undefined ? (chosen) => chosen : refine,
    rule: refine({
      // 0: a lifetime must not be guessed from a page's `Last-Modified`.
      getTtl: (status) => (status === SUCCESS ? ttl : NOT_FOUND.has(status) ? notFound : 0),
      staleWhileRevalidate: defaults.swr,
      staleIfError: defaults.sie,
      staleIfUnreachable: DEFAULT_STALE_IF_UNREACHABLE,
      defaultWindows: ['staleWhileRevalidate', 'staleIfError', 'staleIfUnreachable'],
      overridesResponse: false,
    }),
    tags: rule?.tags ?? [],
    keyRule: { headers, headerSet: new Set(headers), isCookie: createNameMatcher(rule?.keyCookies ?? []) },
  };
}

function createRuleMatcher({ match }: RouteCacheRule): (target: RuleMatchInput) => boolean {
  const globs = (typeof match === 'string' ? [match] : match).map(parseRouteGlob);
  return ({ route, namespace }) => globs.some((glob) => glob.matches(glob.isForRoutes ? route : namespace));
}
