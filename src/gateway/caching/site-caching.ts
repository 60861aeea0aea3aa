import {
  type DependencyLearning,
  dependenciesToJson,
  type LoggedWrite,
  restoreDependencies,
} from '../../cache/dependencies/dependency-learning.ts';
import type { HttpCache } from '../../cache/http-cache.ts';
import {
  createSelectionMatcher,
  type PurgeLabels,
  type PurgeMode,
  type PurgeSelection,
  type StoredResponse,
} from '../../cache/store.ts';
import { createAddressKey, templateOfReadKind } from '../../cache/wordpress/cache-key.ts';
import { toTagPath } from '../../cache/wordpress/resource-map.ts';
import { type CacheBypass, createBypass, StoreEligibility } from '../../cache/wordpress/shared-requests.ts';
import type { IncomingRequestHead, RequestHead } from '../../http/request-head.ts';
import { SAFE_METHODS } from '../../http/request-head.ts';
import type { SiteCacheOptions } from '../../option-types.ts';
import { normalizeRoute } from '../../php/request.ts';
import { type Clock, type Log, silentLog } from '../../ports.ts';
import type { SiteStates, StoredState } from '../../state.ts';
import type { PageRequest, RouteRequest } from '../snapshot/resolve-request.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import {
  isDiscovered,
  normalizeAddress,
  ResourceResolver,
  StoreExclusions,
  UnstorablePages,
} from './resource-resolver.ts';
import { createSiteCacheProfile, ReadKindRegistry, type SiteCacheProfile } from './site-cache-profile.ts';
import type { CacheableResource } from './site-cache-request.ts';
import {
  type ChangedRoute,
  createLearning,
  describeExternalWrite,
  describeNamespaceChange,
  listInvalidatedAddresses,
  listWrites,
  mayWrite,
} from './write-effects.ts';
import { isUnfinished, WriteObserver, type WriteOutcome } from './write-observer.ts';
import { createIndependentKindLookup, type PurgeCounts, WritePurges } from './write-purges.ts';

/** What is known of a method and a target: its resource, once it was resolved. */
export interface ResourceMemo {
  resource: CacheableResource | CacheBypass | undefined;
}

interface SiteCachingOptions {
  readonly cache: HttpCache;
  readonly cacheOptions: SiteCacheOptions;
  /** Whether links in bodies are rewritten to the gateway. */
  readonly rewriteBodies: boolean;
  readonly clock: Clock;
  /** Where what is learned is stored. @default it is lost when the process ends */
  readonly states?: SiteStates | undefined;
  /** @default no logging */
  readonly log?: Log | undefined;
  /** Name of the site in the log. */
  readonly siteName?: string | undefined;
}

/** The caching of one site: which requests the cache may serve, and what writes invalidate. */
export class SiteCaching {
  readonly cache: HttpCache;
  /** Evidence about dependencies; `null` if nothing is learned. */
  readonly learning: DependencyLearning | null;
  /** Why requests and responses were kept out of the store. */
  readonly exclusions: StoreExclusions;
  readonly #rewriteBodies: boolean;
  readonly #eligibility: StoreEligibility;
  readonly #unstorablePages: UnstorablePages;
  readonly #resolver: ResourceResolver;
  readonly #readKinds = new ReadKindRegistry();
  readonly #purges: WritePurges;
  readonly #storedLearning: StoredState | undefined;
  readonly #profiles = new WeakMap<Snapshot, SiteCacheProfile>();
  #latestProfile: SiteCacheProfile | undefined;

  constructor(options: SiteCachingOptions) {
    const { cache, cacheOptions, clock, log = silentLog, siteName = '', states } = options;
    this.cache = cache;
    this.exclusions = new StoreExclusions(log, siteName);
    this.#rewriteBodies = options.rewriteBodies;
    this.#unstorablePages = new UnstorablePages(clock.now);
    this.#eligibility = new StoreEligibility({
      ...cacheOptions,
      harmlessHeaders: [...(cacheOptions.harmlessHeaders ?? []), ...listKeyedHeaders(cacheOptions)],
    });
    const learning = createLearning(cacheOptions, () => {
      if (this.#latestProfile !== undefined) void this.#purges.purgeGroups(this.#latestProfile);
    });
    this.learning = learning;
    if (learning !== null && states !== undefined) {
      this.#storedLearning = states.open('dependencies', {
        toJson: () => dependenciesToJson(learning),
        restore: (content) => restoreDependencies(content, learning),
      });
      learning.onChange = this.#storedLearning.markChanged;
    }
    const findIndependentKinds = createIndependentKindLookup(cacheOptions.independent ?? [], this.#readKinds);
    this.#purges = new WritePurges(cache, learning, findIndependentKinds);
    this.#resolver = new ResourceResolver(
      cacheOptions,
      this.#eligibility,
      (snapshot) => this.#getProfile(snapshot),
      learning,
      this.exclusions,
      this.#unstorablePages,
    );
  }

  /**
   * Returns a bypass, and counts it, if the cache must not serve the request: it may identify the client, or is no read.
   *
   * @param memo of the request's method and target; `null` if later requests cannot use it
   */
  getResource(
    snapshot: Snapshot,
    resolved: RouteRequest | PageRequest,
    head: RequestHead,
    hasBody: boolean,
    memo: ResourceMemo | null,
  ): CacheableResource | CacheBypass {
    const found = this.findResource(snapshot, resolved, head, hasBody, memo);
    if (found.kind === 'bypass') this.exclusions.countBypass(found);
    return found;
  }

  /** Returns what {@link getResource} returns, and counts nothing. */
  findResource(
    snapshot: Snapshot,
    resolved: RouteRequest | PageRequest,
    { headers, method }: RequestHead,
    hasBody = false,
    memo: ResourceMemo | null = null,
  ): CacheableResource | CacheBypass {
    const isRoute = resolved.kind === 'route';
    if (snapshot.requestValidators !== null) {
      const effectiveMethod = isRoute ? resolved.target.method : method;
      const bypass = this.#eligibility.checkRequest(method, effectiveMethod, headers);
      if (bypass !== null) return bypass;
    } else if (method !== 'GET' && method !== 'HEAD') return createBypass('method');
    // Content in a read has no defined meaning (RFC 9110 §9.3.1), so only the site can respond to it.
    if (hasBody) return createBypass('body');
    if (!isRoute && this.#unstorablePages.has(resolved.upstreamTarget)) return createBypass('hit-for-pass');
    if (memo?.resource !== undefined) return memo.resource;
    const resource = isRoute
      ? this.#resolver.resolveRoute(snapshot, resolved)
      : this.#resolver.resolvePage(snapshot, resolved, method);
    if (memo !== null) memo.resource = resource;
    return resource;
  }

  /** Returns the tag of all stored responses for an address, in any spelling; `null` if none can be stored. */
  getResourceTag(snapshot: Snapshot, head: RequestHead): string | null {
    const resolved = snapshot.resolveRequest(head);
    if (resolved.kind === 'local') return null;
    if (resolved.kind === 'page') {
      return createAddressKey(normalizeAddress(snapshot.origin, resolved.upstreamTarget));
    }
    const resource = this.#resolver.resolveRoute(snapshot, resolved);
    return resource.kind === 'bypass' ? null : resource.properties.resourceKey;
  }

  /** Creates the observer that invalidates what a request changes; `null` for a safe method. */
  observeWrite(
    snapshot: Snapshot,
    resolved: RouteRequest | PageRequest,
    head: IncomingRequestHead,
  ): WriteObserver | null {
    const method = resolved.kind === 'route' ? resolved.target.method : head.method;
    // Most requests are reads of a route.
    if (method === 'GET' && resolved.kind === 'route') return null;
    if (!mayWrite(snapshot, resolved, method)) return null;
    const logged = this.#purges.begin();
    return new WriteObserver({
      method,
      isPage: resolved.kind === 'page',
      head,
      queryString: resolved.target.query,
      eligibility: this.#eligibility,
      skip: () => this.#purges.skip(this.#getProfile(snapshot), logged),
      invalidate: (outcome) => this.#invalidate(snapshot, resolved, method, outcome, logged, true),
      invalidateUnfinished: (outcome) =>
        void this.#invalidate(snapshot, resolved, method, outcome, this.#purges.begin(), false),
      cancel: () => this.#purges.cancel(logged),
    });
  }

  #invalidate(
    snapshot: Snapshot,
    resolved: RouteRequest | PageRequest,
    method: string,
    outcome: WriteOutcome,
    logged: LoggedWrite | null,
    isEnd: boolean,
  ): void | Promise<void> {
    const profile = this.#getProfile(snapshot);
    const writes = isDiscovered(snapshot) ? listWrites(resolved, outcome, method, profile.resources) : [];
    const addresses = listInvalidatedAddresses(outcome, snapshot.origin, resolved.upstreamTarget, method);
    const purge = this.#purges.purgeAfterWrite(profile, writes, addresses.map(createAddressKey), logged);
    if (isEnd && isUnfinished(outcome.status)) this.#purges.repeatLater(profile, writes);
    return purge;
  }

  /** @returns number of responses that were purged */
  async purgeTags(snapshot: Snapshot, tags: readonly string[], mode: PurgeMode): Promise<number> {
    return tags.length === 0 ? 0 : this.cache.store.purge(this.selectTags(snapshot, tags), mode);
  }

  /**
   * Purges the responses of a route and of the routes below it. The route of a namespace stands for a change of unknown
   * extent, so what may depend on the namespace is purged too.
   *
   * @returns number of responses that were purged
   */
  async purgeRoute(snapshot: Snapshot, route: string, mode: PurgeMode): Promise<number> {
    const profile = this.#getProfile(snapshot);
    const namespace = findNamespace(profile, route);
    return namespace === undefined
      ? this.purgeTags(snapshot, [toTagPath(normalizeRoute(route))], mode)
      : this.#purges.purge(profile, [describeNamespaceChange(namespace)], mode);
  }

  /**
   * Purges what depends on routes that were written at the site itself.
   *
   * @returns number of responses that were purged
   */
  async invalidateRoutes(snapshot: Snapshot, routes: readonly ChangedRoute[]): Promise<number> {
    const profile = this.#getProfile(snapshot);
    const writes = routes.flatMap((route) => describeExternalWrite(route, profile.resources));
    return this.#purges.purge(profile, writes);
  }

  /** Returns what {@link purgeTags} selects. */
  selectTags(snapshot: Snapshot, tags: readonly string[]): PurgeSelection {
    return { kind: 'tags', tags: this.#getProfile(snapshot).toStoredTags(new Set(tags)) };
  }

  /** Returns what {@link purgeRoute} selects. */
  selectRoute(snapshot: Snapshot, route: string): PurgeSelection {
    const profile = this.#getProfile(snapshot);
    const namespace = findNamespace(profile, route);
    return namespace === undefined
      ? this.selectTags(snapshot, [toTagPath(normalizeRoute(route))])
      : this.#purges.preview(profile, [describeNamespaceChange(namespace)]);
  }

  /** Lists documented writes, and whether each purges a response with these labels. */
  listWriteEffects(snapshot: Snapshot, labels: PurgeLabels): readonly WriteEffect[] {
    const profile = this.#getProfile(snapshot);
    const itemPaths = labels.tags.flatMap((tag) => toItemPath(tag, profile.storeScope));
    return listCandidates(snapshot, itemPaths).map(({ method, namespace, route }) => {
      const writes = describeExternalWrite({ method, route }, profile.resources);
      const selection = this.#purges.preview(profile, writes);
      const isKnown = createSelectionMatcher({ kind: 'tags', tags: selection.tags })(labels);
      return {
        method,
        route,
        namespace,
        isKnown,
        purges: isKnown || createSelectionMatcher(selection)(labels),
      };
    });
  }

  /** Begins the keys of the site in the store. Its tags have a space after it, its keys a line feed. */
  getStoreScope(snapshot: Snapshot): string {
    return this.#getProfile(snapshot).storeScope;
  }

  /** Names the route of a stored response: the path template, or what stands for routes without one and for pages. */
  nameRoute({ matcher }: Snapshot, key: string, { group }: StoredResponse): string {
    const template = templateOfReadKind(group?.readKind ?? '');
    if (template !== '') return template;
    // A key has the scope, the gateway's URL, and the resource, separated by line feeds.
    const resource = key.split('\n', 3)[2] ?? '';
    if (!resource.startsWith('R"')) return NAMES_WITHOUT_TEMPLATE.pages;
    const match = matcher.match('GET', parseRouteKey(resource));
    return match.kind === 'found' ? match.operation.path : NAMES_WITHOUT_TEMPLATE.others;
  }

  get purgeCounts(): PurgeCounts {
    return this.#purges.counts;
  }

  /** Reads what earlier processes have learned. */
  async loadEvidence(): Promise<void> {
    await this.#storedLearning?.load();
  }

  /** Resolves when what was learned is persisted. */
  async stop(): Promise<void> {
    await this.#storedLearning?.stop();
  }

  #getProfile(snapshot: Snapshot): SiteCacheProfile {
    const known = this.#profiles.get(snapshot);
    if (known !== undefined) return known;
    const created = createSiteCacheProfile(snapshot, this.#rewriteBodies, this.#readKinds);
    this.#profiles.set(snapshot, created);
    this.#latestProfile = created;
    this.learning?.useDocument(created.documentVersion);
    return created;
  }
}

/** Finds the namespace that a route stands for: one of the document. */
function findNamespace({ namespaces }: SiteCacheProfile, route: string): string | undefined {
  const name = toTagPath(normalizeRoute(route)).slice(1);
  return namespaces.has(name) ? name : undefined;
}

/** Lists the fields that a rule adds to the key. For routes without that rule they are known and not forwarded. */
function listKeyedHeaders({ rules = [] }: SiteCacheOptions): readonly string[] {
  return rules.flatMap(({ key }) => key?.headers ?? []);
}

/** Whether a write purges a response. */
export interface WriteEffect extends ChangedRoute {
  /** Namespace of the route. */
  readonly namespace: string;
  readonly purges: boolean;
  /** Whether it purges the response by a tag: the response is known to depend on it. */
  readonly isKnown: boolean;
}

/** Names of what has no path template. No template begins with a letter. */
const NAMES_WITHOUT_TEMPLATE = { pages: 'pages', others: 'other routes' } as const;

/** Maximum writes of {@link SiteCaching.listWriteEffects}. */
const MAX_WRITES = 3_000;

/** Reads the route at the beginning of the name of a resource (`createRouteKey`). */
function parseRouteKey(resource: string): string {
  const text = /^R("(?:[^"\\]|\\.)*")/.exec(resource)?.[1];
  const route: unknown = text === undefined ? '' : JSON.parse(text);
  return typeof route === 'string' ? route : '';
}

/** Returns the path of an item or a collection that a stored tag names. */
function toItemPath(storedTag: string, scope: string): readonly string[] {
  const tag = storedTag.slice(scope.length + 1);
  return /^\/[^?#*]+$/.test(tag) ? [tag] : [];
}

interface CandidateWrite extends ChangedRoute {
  readonly namespace: string;
}

/** Lists the documented writes to routes without parameters, and those to the given paths. */
function listCandidates(
  { matcher, requestValidators }: Snapshot,
  paths: readonly string[],
): readonly CandidateWrite[] {
  const candidates = new Map<string, CandidateWrite>();
  const add = (candidate: CandidateWrite): void => {
    if (candidates.size < MAX_WRITES) candidates.set(`${candidate.method} ${candidate.route}`, candidate);
  };
  const methods = new Set<string>();
  for (const { operation, route } of requestValidators?.listOperations() ?? []) {
    if (SAFE_METHODS.has(operation.method)) continue;
    methods.add(operation.method);
    if (operation.path.includes('{')) continue;
    add({ method: operation.method, route: operation.path, namespace: route.namespace });
  }
  for (const path of paths) {
    for (const method of methods) {
      const match = matcher.match(method, path);
      if (match.kind === 'found') add({ method, route: path, namespace: match.route.namespace });
    }
  }
  return [...candidates.values()];
}
