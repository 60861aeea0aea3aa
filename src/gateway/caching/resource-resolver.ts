import { createAcceptEncodingNormalizer, normalizeAcceptEncoding } from '../../cache/compressor.ts';
import type { DependencyLearning } from '../../cache/dependencies/dependency-learning.ts';
import { type CacheRule, DEFAULT_STALE_IF_UNREACHABLE } from '../../cache/policy/storability.ts';
import {
  createAddressKey,
  createRouteKey,
  type DeclaredParameter,
  nameReadKind,
  QueryCanonicalizer,
} from '../../cache/wordpress/cache-key.ts';
import { inferNamespace, pageTags, tagNames } from '../../cache/wordpress/resource-map.ts';
import { createCacheRuleResolver, type ResolvedCacheRule } from '../../cache/wordpress/route-cache-rules.ts';
import {
  type BypassReason,
  type CacheBypass,
  createBypass,
  normalizeSharedFields,
  type StoreEligibility,
  withoutCookies,
} from '../../cache/wordpress/shared-requests.ts';
import type { SiteCacheOptions } from '../../option-types.ts';
import type { Log } from '../../ports.ts';
import type { PageRequest, RouteRequest } from '../snapshot/resolve-request.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { addressTags, type SiteCacheProfile } from './site-cache-profile.ts';
import { CacheableResource, type CacheableResourceProperties } from './site-cache-request.ts';

const NO_PARAMETERS: ReadonlyMap<string, DeclaredParameter> = new Map();

/** Maps requests to cacheable resources, or tells why the cache must not serve a request. */
export class ResourceResolver {
  readonly #options: SiteCacheOptions;
  readonly #eligibility: StoreEligibility;
  readonly #getProfile: (snapshot: Snapshot) => SiteCacheProfile;
  readonly #learning: DependencyLearning | null;
  readonly #exclusions: StoreExclusions;
  readonly #unstorablePages: UnstorablePages;
  readonly #resolveRule: ReturnType<typeof createCacheRuleResolver>;
  readonly #canonicalizers = new Map<readonly string[], QueryCanonicalizer>();

  /**
   * @param eligibility rejects queries that identify the client
   * @param learning `null` if nothing is learned
   * @param exclusions count responses with a nonce in their body
   */
  constructor(
    options: SiteCacheOptions,
    eligibility: StoreEligibility,
    getProfile: (snapshot: Snapshot) => SiteCacheProfile,
    learning: DependencyLearning | null,
    exclusions: StoreExclusions,
    unstorablePages: UnstorablePages,
  ) {
    this.#options = options;
    this.#eligibility = eligibility;
    this.#getProfile = getProfile;
    this.#learning = learning;
    this.#exclusions = exclusions;
    this.#unstorablePages = unstorablePages;
    this.#resolveRule = createCacheRuleResolver(options.rules ?? [], options.default ?? true);
  }

  resolveRoute(
    snapshot: Snapshot,
    { upstreamTarget, match, target }: RouteRequest,
  ): CacheableResource | CacheBypass {
    const found = match.kind === 'found' ? match : null;
    const bypass =
      this.#eligibility.checkQuery(target.query) ??
      (found === null ? null : this.#eligibility.checkPathParameters(found.operation.path));
    if (bypass !== null) return bypass;
    const profile = this.#getProfile(snapshot);
    const { method, route } = target;
    const namespace = found?.route.namespace ?? inferNamespace(route);
    const rule = this.#resolveRule({ route, namespace, method, isInDocument: found !== null });
    if (method !== 'GET' && method !== 'HEAD') return createBypass('method');
    if (!rule.usesStore) return createBypass('rule');
    const canonicalizer = this.#getCanonicalizer(rule);
    // If another route may match at the site, the declarations of this one prove nothing.
    const declared =
      found?.isCertain === true
        ? profile.getDeclaredParameters(found.operation, found.route.pattern)
        : NO_PARAMETERS;
    const query = canonicalizer.canonicalize(target.query, declared);
    if (query === null) return createBypass('too many parameters');
    const location = profile.resources.locate(route, namespace, found?.operation.path ?? null);
    const resourceKey = createRouteKey(route, query.key);
    const tags = profile.toStoredTags([
      ...addressTags(location, query, declared, profile.resources),
      ...rule.tags.map(tagNames.customName),
      resourceKey,
    ]);
    const template = found?.operation.path ?? null;
    const scope = {
      location,
      readKind: nameReadKind(template, query.values, (name) => declared.has(name)),
      isDocumented: found !== null,
      values: query.values,
      embeds: query.values.has('_embed'),
      hasFieldFilter: query.values.has('_fields'),
    };
    return new CacheableResource({
      storeScope: profile.storeScope,
      upstreamTarget: stripIgnoredParameters(upstreamTarget, canonicalizer, declared),
      isRoute: true,
      learning: this.#learning,
      isWordPress: true,
      resourceKey,
      rule,
      eligibility: this.#eligibility,
      reportNonce: (member) => this.#exclusions.reportNonce(found?.operation.path ?? route, member),
      getPurgeLabels: (head, body, publicBase) => profile.getRouteLabels(scope, tags, head, body, publicBase),
    });
  }

  resolvePage(
    snapshot: Snapshot,
    { upstreamTarget, target }: PageRequest,
    method: string,
  ): CacheableResource | CacheBypass {
    const isWordPress = isDiscovered(snapshot);
    const bypass = isWordPress ? this.#eligibility.checkQuery(target.query) : null;
    if (bypass !== null) return bypass;
    const profile = this.#getProfile(snapshot);
    const configured = this.#resolveRule({ route: target.path, namespace: '', method, isInDocument: false });
    if (method !== 'GET' && method !== 'HEAD') return createBypass('method');
    if (!configured.usesStore) return createBypass('rule');
    const rule = configured.isConfigured || isWordPress ? configured : { ...configured, rule: RFC_9111_RULE };
    const tags = profile.toStoredTags([
      ...pageTags(upstreamTarget),
      ...rule.tags.map(tagNames.customName),
      createAddressKey(normalizeAddress(snapshot.origin, upstreamTarget)),
    ]);
    return new CacheableResource({
      storeScope: profile.storeScope,
      upstreamTarget,
      isRoute: false,
      learning: null,
      isWordPress,
      resourceKey: createAddressKey(upstreamTarget),
      rule,
      eligibility: this.#eligibility,
      getPurgeLabels: (head) => profile.getPageLabels(tags, head),
      onUnstorable: isWordPress ? (status) => this.#unstorablePages.add(upstreamTarget, status) : undefined,
    });
  }

  /** Each rule may ignore further parameters. */
  #getCanonicalizer({ keyRule: { ignore } }: ResolvedCacheRule): QueryCanonicalizer {
    const known = this.#canonicalizers.get(ignore);
    if (known !== undefined) return known;
    const ignoreParameters = [...(this.#options.ignoreParameters ?? []), ...ignore];
    const created = new QueryCanonicalizer(ignoreParameters);
    this.#canonicalizers.set(ignore, created);
    return created;
  }
}

/** Whether the snapshot was created from the root index of a WordPress-style site. */
export function isDiscovered({ requestValidators }: Snapshot): boolean {
  return requestValidators !== null;
}

/** RFC 9111 without configured freshness: the response's fields and the heuristic decide. */
const RFC_9111_RULE: CacheRule = {
  getTtl: () => undefined,
  staleWhileRevalidate: 0,
  staleIfError: 0,
  staleIfUnreachable: DEFAULT_STALE_IF_UNREACHABLE,
  overridesResponse: false,
};

/** Normalizes an address at the site to the form in which responses to writes name it (RFC 9111 §4.4). */
export function normalizeAddress(origin: string, address: string): string {
  const { pathname, search } = new URL(`${origin}${address}`);
  return pathname + search;
}

/** Removes ignored parameters, so that they are neither in the key nor in the links that the site generates. */
function stripIgnoredParameters(
  address: string,
  canonicalizer: QueryCanonicalizer,
  declared: ReadonlyMap<string, DeclaredParameter>,
): string {
  const queryStart = address.indexOf('?');
  if (queryStart < 0) return address;
  const query = address.slice(queryStart + 1);
  const stripped = canonicalizer.stripIgnored(query, declared);
  if (stripped === query) return address;
  return stripped === '' ? address.slice(0, queryStart) : `${address.slice(0, queryStart + 1)}${stripped}`;
}

const acceptEncodingNormalizer = createAcceptEncodingNormalizer();

/**
 * Changes the headers of a request that may use the store, so that they contain nothing that the cache does not know: for
 * a WordPress site nothing that is not in the key, for a plain origin no cookies that are harmless. `Accept-Encoding`
 * becomes one of a few values.
 *
 * @param headers of the request to the site: flat list name, value
 * @param keyedFields names in lower case of fields that are part of the key
 */
export function toSharedRequestHeaders(
  headers: string[],
  { eligibility, isRoute, isWordPress }: CacheableResourceProperties,
  keyedFields: ReadonlySet<string>,
): string[] {
  if (isWordPress) {
    const shared = normalizeSharedFields(withoutCookies(headers), keyedFields);
    return isRoute ? shared : normalizeAcceptEncoding(shared, acceptEncodingNormalizer);
  }
  const hasClientCookies = eligibility.listIdentifyingFields(headers).includes('cookie');
  return normalizeAcceptEncoding(
    hasClientCookies ? headers : withoutCookies(headers),
    acceptEncodingNormalizer,
  );
}

/** Maximum pages that are remembered. */
const MAX_PAGES = 4_096;
/** Milliseconds after which a page may use the store again, because the site may have changed. */
const EXPIRY = 600_000;

/**
 * Remembers pages of a site whose last response could not be stored. Their requests bypass the store for a while, so that
 * the site gets everything that the client sent: its address, its language, its browser.
 */
export class UnstorablePages {
  readonly #now: () => number;
  /** Time of expiry by key, the oldest first. */
  readonly #expiries = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  has(key: string): boolean {
    const expiry = this.#expiries.get(key);
    return expiry !== undefined && this.#now() < expiry;
  }

  /** @param status of the response that could not be stored; errors and partial responses say nothing about the page */
  add(key: string, status: number): void {
    if (status >= 500 || status === 304 || status === 206 || status === 429) return;
    this.#expiries.delete(key);
    const [oldest] = this.#expiries.keys();
    if (this.#expiries.size >= MAX_PAGES && oldest !== undefined) this.#expiries.delete(oldest);
    this.#expiries.set(key, this.#now() + EXPIRY);
  }
}

/** How often requests or responses were kept out of the store for one reason and name. */
export interface ExclusionCount {
  readonly reason: BypassReason | 'nonce in body';
  /** Of the header field, cookie, parameter or member; empty if the reason has none; `other` for names beyond the limit. */
  readonly name: string;
  readonly count: number;
}

/** Maximum names per reason that are counted one by one. Clients choose them, so their number is limited. */
const MAX_NAMES = 50;
const MAX_NAME_LENGTH = 60;
/** Name of the sum of all names that are not counted one by one. */
const OTHER = 'other';
/** Maximum routes for which a warning is logged. */
const MAX_WARNED_ROUTES = 1_000;

interface NameCount {
  readonly count: number;
  /** Upper bound of the number of times that the name was seen, which includes times before it was counted. */
  readonly weight: number;
}

/** Counts the requests that bypass the store of one site by reason and name, and reports responses with nonces. */
export class StoreExclusions {
  readonly #log: Log;
  readonly #siteName: string;
  readonly #counts = new Map<ExclusionCount['reason'], Map<string, NameCount>>();
  /** Counts of names that others replaced. */
  readonly #otherCounts = new Map<ExclusionCount['reason'], number>();
  readonly #warnedRoutes = new Set<string>();

  constructor(log: Log, siteName: string) {
    this.#log = log;
    this.#siteName = siteName;
  }

  get counts(): Iterable<ExclusionCount> {
    return this.#listCounts();
  }

  countBypass({ name, reason }: CacheBypass): void {
    // Names of header fields are case-insensitive.
    this.#count(reason, reason === 'header' || reason === 'credentials' ? name.toLowerCase() : name);
  }

  /**
   * Counts a response that is not stored because its body contains a nonce. Each route is logged once.
   *
   * @param member name of the member that holds the nonce
   */
  reportNonce(route: string, member: string): void {
    this.#count('nonce in body', member);
    if (this.#warnedRoutes.size >= MAX_WARNED_ROUTES || this.#warnedRoutes.has(route)) return;
    this.#warnedRoutes.add(route);
    this.#log.warn(
      { site: this.#siteName, route, member },
      'a response contains a nonce in its body, so responses of this route are not stored: exclude the route by a cache rule with `store: false`, or let the plugin send the nonce to logged-in users only',
    );
  }

  *#listCounts(): Generator<ExclusionCount, undefined> {
    for (const [reason, names] of this.#counts) {
      for (const [name, { count }] of names) yield { reason, name, count };
      const count = this.#otherCounts.get(reason);
      if (count !== undefined) yield { reason, name: OTHER, count };
    }
  }

  /**
   * A new name beyond the limit replaces the one with the smallest weight, which is then part of `other`. A name
   * that is seen often stays, whatever number of others clients invent.
   */
  #count(reason: ExclusionCount['reason'], name: string): void {
    const cut = name.slice(0, MAX_NAME_LENGTH).replace(/[^ -~]/g, '?');
    // The name of the sum, as a name that a client sends, would be a second sample of the same labels.
    if (cut === OTHER) {
      this.#addOther(reason, 1);
      return;
    }
    const names = this.#counts.get(reason) ?? new Map<string, NameCount>();
    this.#counts.set(reason, names);
    const known = names.get(cut);
    const weight = known?.weight ?? (names.size < MAX_NAMES ? 0 : this.#dropSmallest(reason, names));
    names.set(cut, { count: (known?.count ?? 0) + 1, weight: weight + 1 });
  }

  /** @returns the weight of the dropped name, which its successor inherits (Space-Saving, Metwally 2005) */
  #dropSmallest(reason: ExclusionCount['reason'], names: Map<string, NameCount>): number {
    const smallest = Math.min(...Array.from(names.values(), ({ weight }) => weight));
    const dropped = Array.from(names).find(([, { weight }]) => weight === smallest);
    if (dropped === undefined) return 0;
    names.delete(dropped[0]);
    this.#addOther(reason, dropped[1].count);
    return smallest;
  }

  #addOther(reason: ExclusionCount['reason'], count: number): void {
    if (!this.#counts.has(reason)) this.#counts.set(reason, new Map());
    this.#otherCounts.set(reason, (this.#otherCounts.get(reason) ?? 0) + count);
  }
}
