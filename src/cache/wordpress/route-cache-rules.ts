import type { CacheRule } from '../cache.ts';

/** One line of the configuration: how long answers are kept, for the routes that it matches. Seconds. */
export interface RouteCacheRule {
  /** Globs: `/wp/v2/posts*` on the route, `wp/v2` on its namespace; `*` stands for any run of characters. */
  readonly match: string | readonly string[];
  /** @default GET and HEAD */
  readonly methods?: readonly ('GET' | 'HEAD')[] | undefined;
  /** Fresh for. */
  readonly ttl?: number | undefined;
  /** `stale-while-revalidate` */
  readonly swr?: number | undefined;
  /** `stale-if-error` */
  readonly sie?: number | undefined;
  /** 404s are fresh for. */
  readonly notFound?: number | undefined;
  /** Names to purge it by, beside those that it has by itself. */
  readonly tags?: readonly string[] | undefined;
  /** What else tells answers apart, and what does not. */
  readonly key?: RouteCacheKeyRule | undefined;
  /** Whether it wins over the freshness that the site states. What the site forbids to store is not stored. @default false */
  readonly override?: boolean | undefined;
  /** `false` keeps these routes out of the store. @default true */
  readonly store?: boolean | undefined;
}

export interface RouteCacheKeyRule {
  /** Request headers whose values are part of the key. */
  readonly headers?: readonly string[] | undefined;
  /** Parameters that are not. */
  readonly ignore?: readonly string[] | undefined;
}

/** What a rule comes to for one route. */
export interface ResolvedCacheRule {
  /** Whether a line of the configuration speaks of it. */
  readonly isConfigured: boolean;
  readonly store: boolean;
  readonly rule: CacheRule;
  readonly tags: readonly string[];
  readonly key: { readonly headers: readonly string[]; readonly ignore: readonly string[] };
}

/** The careful default: anonymous reads of operations in the document. Seconds. */
export const DEFAULT_RULE_SECONDS = { ttl: 30, swr: 600, sie: 86_400, notFound: 5 } as const;

/** Statuses that a rule speaks of: a success whole, and what is not there. All else is for the site to say. */
const SUCCESS = 200;
const ABSENT = new Set([404, 410]);

export interface RuleTarget {
  readonly route: string;
  readonly namespace: string;
  readonly method: string;
  /** Whether the document has the operation: only then is the default assumed. */
  readonly isInDocument: boolean;
}

/** The first rule that matches decides; what it leaves out is the default's. */
export function createRuleResolver(
  rules: readonly RouteCacheRule[],
  useDefault: boolean,
): (subject: RuleTarget) => ResolvedCacheRule {
  const compiled = rules.map((rule) => ({ rule, matches: createMatch(rule) }));
  const careful = resolve(useDefault ? DEFAULT_RULE_SECONDS : undefined, undefined);
  const explicit = resolve(undefined, undefined);
  const resolved = new Map(rules.map((rule) => [rule, resolve(DEFAULT_RULE_SECONDS, rule)]));
  return (subject) => {
    const found = compiled.find(({ matches }) => matches(subject))?.rule;
    if (found !== undefined) return resolved.get(found) ?? explicit;
    return subject.isInDocument ? careful : explicit;
  };
}

type Times = { readonly [name in keyof typeof DEFAULT_RULE_SECONDS]: number };

function resolve(times: Times | undefined, rule: RouteCacheRule | undefined): ResolvedCacheRule {
  const { ttl = 0, swr = 0, sie = 0, notFound = 0 } = { ...times, ...withoutAbsent(rule) };
  // What a rule calls fresh for less than the default's 5 s is not to be missing for longer.
  const absent = rule?.notFound === undefined ? Math.min(notFound, ttl) : notFound;
  return {
    isConfigured: rule !== undefined,
    store: rule?.store ?? true,
    rule: {
      // 0 where nothing is assumed: a site's pages are not to be kept by a guess from `Last-Modified`.
      ttl: (status) => (status === SUCCESS ? ttl : ABSENT.has(status) ? absent : 0),
      staleWhileRevalidate: swr,
      staleIfError: sie,
      override: rule?.override ?? false,
    },
    tags: rule?.tags ?? [],
    key: {
      headers: (rule?.key?.headers ?? []).map((name) => name.toLowerCase()),
      ignore: rule?.key?.ignore ?? [],
    },
  };
}

function withoutAbsent(rule: RouteCacheRule | undefined): Partial<Times> {
  const { ttl, swr, sie, notFound } = rule ?? {};
  return {
    ...(ttl === undefined ? {} : { ttl }),
    ...(swr === undefined ? {} : { swr }),
    ...(sie === undefined ? {} : { sie }),
    ...(notFound === undefined ? {} : { notFound }),
  };
}

function createMatch({ match, methods = ['GET', 'HEAD'] }: RouteCacheRule): (subject: RuleTarget) => boolean {
  const globs = (typeof match === 'string' ? [match] : match).map((glob) => ({
    onRoute: glob.startsWith('/'),
    pieces: (glob.startsWith('/') ? glob : glob.replace(/\/$/, '')).split('*'),
  }));
  const all = new Set<string>(methods);
  return ({ route, namespace, method }) =>
    all.has(method) && globs.some(({ onRoute, pieces }) => isGlobMatch(pieces, onRoute ? route : namespace));
}

/** Leftmost fits of each piece: for a glob with `*` alone that decides, without going back. */
function isGlobMatch(pieces: readonly string[], text: string): boolean {
  const [first = '', ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
