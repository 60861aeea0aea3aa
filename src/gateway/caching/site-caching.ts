import type { DependencyLearning, LoggedWrite } from '../../cache/dependencies/dependency-learning.ts';
import { dependenciesToJson, restoreDependencies } from '../../cache/dependencies/serialize-dependencies.ts';
import type { HttpCache } from '../../cache/http-cache.ts';
import {
  type Awaitable,
  createSelectionMatcher,
  type PurgeLabels,
  type PurgeMode,
  type PurgeSelection,
  type StoredResponse,
} from '../../cache/store.ts';
import { createAddressKey } from '../../cache/wordpress/cache-key.ts';
import { templateOfReadKind } from '../../cache/wordpress/request-kinds.ts';
import { toTagPath } from '../../cache/wordpress/resource-map.ts';
import {
  type CacheBypass,
  createBypass,
  createStoreEligibility,
} from '../../cache/wordpress/store-eligibility.ts';
import type { IncomingRequestHead, RequestHead } from '../../http/request-head.ts';
import { normalizeRoute } from '../../php/route-spelling.ts';
import { type Clock, type Log, silentLog } from '../../ports.ts';
import type { SiteStates, StateContent } from '../../state.ts';
import type { SiteCacheOptions } from '../options/site-options.ts';
import type { PageRequest, RouteRequest } from '../snapshot/resolve-request.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import {
  type CacheableResource,
  createResourceResolver,
  isDiscovered,
  normalizeAddress,
  UnstorablePages,
} from './resource-resolver.ts';
import { createSiteCacheProfile, ReadKindRegistry, type SiteCacheProfile } from './site-cache-profile.ts';
import { StoreExclusions } from './store-exclusions.ts';
import {
  type ChangedRoute,
  createLearning,
  describeExternalWrite,
  describeNamespaceChange,
  type InvalidatingWrite,
  isUnfinished,
  listInvalidatedAddresses,
  listWrites,
  mayWrite,
  READING_METHODS,
} from './write-effects.ts';
import { WriteObserver, type WriteOutcome } from './write-observer.ts';
import { createIndependentKindLookup, type PurgeCounts, WritePurges } from './write-purges.ts';

/** The caching of one site: which requests the cache may serve, and what writes invalidate. */
export interface SiteCaching {
  readonly cache: HttpCache;
  /**
   * Returns a bypass if the cache must not serve the request: it may identify the client, or is no read.
   *
   * @param memo of the request's method and target; `null` if later requests cannot use it
   */
  getResource(
    snapshot: Snapshot,
    resolved: RouteRequest | PageRequest,
    head: RequestHead,
    hasBody: boolean,
    memo: ResourceMemo | null,
  ): CacheableResource | CacheBypass;
  /** Returns the tag of all stored responses for an address, in any spelling; `null` if none can be stored. */
  getResourceTag(snapshot: Snapshot, head: RequestHead): string | null;
  /** @returns number of responses that were purged */
  purgeTags(snapshot: Snapshot, tags: readonly string[], mode: PurgeMode): Promise<number>;
  /**
   * Purges the responses of a route and of the routes below it. The route of a namespace stands for a change of unknown
   * extent, so what may depend on the namespace is purged too.
   *
   * @returns number of responses that were purged
   */
  purgeRoute(snapshot: Snapshot, route: string, mode: PurgeMode): Promise<number>;
  /**
   * Purges what depends on routes that were written at the site itself.
   *
   * @returns number of responses that were purged
   */
  invalidateRoutes(snapshot: Snapshot, routes: readonly ChangedRoute[]): Promise<number>;
  /** Creates the observer that invalidates what a request changes; `null` for a safe method. */
  observeWrite(
    snapshot: Snapshot,
    resolved: RouteRequest | PageRequest,
    head: IncomingRequestHead,
  ): WriteObserver | null;
  /** Evidence about dependencies; `null` if nothing is learned. */
  readonly learning: DependencyLearning | null;
  readonly purgeCounts: PurgeCounts;
  /** Reads what earlier processes have learned. */
  loadEvidence(): Promise<void>;
  /** Resolves when what was learned is persisted. */
  stop(): Promise<void>;
  /** Why requests and responses were kept out of the store. */
  readonly exclusions: StoreExclusions;
  /** What the operator's pages read. */
  readonly views: SiteCacheViews;
}

/** What is known of a method and a target: its resource, once it was resolved. */
export interface ResourceMemo {
  resource: CacheableResource | CacheBypass | undefined;
}

/** Options of {@link createSiteCaching}. */
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

/** Creates the cache of one site. */
export function createSiteCaching({
  cache,
  cacheOptions,
  clock,
  log = silentLog,
  rewriteBodies,
  siteName = '',
  states,
}: SiteCachingOptions): SiteCaching {
  const exclusions = new StoreExclusions(log, siteName);
  const unstorablePages = new UnstorablePages(clock.now);
  const eligibility = createStoreEligibility({
    ...cacheOptions,
    harmlessHeaders: [...(cacheOptions.harmlessHeaders ?? []), ...listKeyedHeaders(cacheOptions)],
  });
  const profiles = new WeakMap<Snapshot, SiteCacheProfile>();
  const readKinds = new ReadKindRegistry();
  let latestProfile: SiteCacheProfile | undefined;
  const learning = createLearning(cacheOptions, () => {
    if (latestProfile !== undefined) void purges.purgeGroups(latestProfile);
  });
  const storedLearning =
    learning === null ? undefined : states?.open('dependencies', storeLearning(learning));
  if (learning !== null && storedLearning !== undefined) learning.onChange = storedLearning.markChanged;
  const purges = new WritePurges({
    store: cache.store,
    learning,
    findIndependentKinds: createIndependentKindLookup(cacheOptions.independent ?? [], readKinds),
    clock,
  });
  const resolver = createResourceResolver(cacheOptions, {
    eligibility,
    getProfile,
    learning,
    reportNonce: (route, member) => exclusions.reportNonce(route, member),
    unstorablePages,
  });

  function getProfile(snapshot: Snapshot): SiteCacheProfile {
    const known = profiles.get(snapshot);
    if (known !== undefined) return known;
    const created = createSiteCacheProfile(snapshot, rewriteBodies, readKinds);
    profiles.set(snapshot, created);
    latestProfile = created;
    learning?.useDocument(created.documentVersion);
    return created;
  }

  async function purgeTags(snapshot: Snapshot, tags: readonly string[], mode: PurgeMode): Promise<number> {
    if (tags.length === 0) return 0;
    const stored = getProfile(snapshot).toStoredTags(new Set(tags));
    return cache.store.purge({ kind: 'tags', tags: stored }, mode);
  }

  function invalidate(
    outcome: WriteOutcome,
    snapshot: Snapshot,
    resolved: RouteRequest | PageRequest,
    method: string,
    logged: LoggedWrite | null,
  ): { readonly writes: readonly InvalidatingWrite[]; readonly purge: Awaitable<number> } {
    const profile = getProfile(snapshot);
    const writes = isDiscovered(snapshot) ? listWrites(resolved, outcome, method, profile.resources) : [];
    const url = `${snapshot.origin}${resolved.upstreamTarget}`;
    const addresses = listInvalidatedAddresses(outcome, url, method);
    return { writes, purge: purges.purge(profile, writes, addresses.map(createAddressKey), logged) };
  }

  function invalidateAfter(
    outcome: WriteOutcome,
    snapshot: Snapshot,
    resolved: RouteRequest | PageRequest,
    method: string,
    logged: LoggedWrite | null,
  ): void | Promise<void> {
    const { purge, writes } = invalidate(outcome, snapshot, resolved, method, logged);
    if (isUnfinished(outcome.status)) purges.repeatLater(getProfile(snapshot), writes);
    return purge instanceof Promise ? purge.then(() => undefined) : undefined;
  }

  function findResource(
    snapshot: Snapshot,
    resolved: RouteRequest | PageRequest,
    { headers, method }: RequestHead,
    hasBody: boolean,
    memo: ResourceMemo | null,
  ): CacheableResource | CacheBypass {
    const isRoute = resolved.kind === 'route';
    if (isDiscovered(snapshot)) {
      const effectiveMethod = isRoute ? resolved.target.method : method;
      const bypass = eligibility.checkRequest({ method, effectiveMethod, headers });
      if (bypass !== null) return bypass;
    } else if (method !== 'GET' && method !== 'HEAD') return createBypass('method');
    // Content in a read has no defined meaning (RFC 9110 §9.3.1), so only the site can respond to it.
    if (hasBody) return createBypass('body');
    if (memo?.resource !== undefined) return memo.resource;
    const resource = isRoute
      ? resolver.resolveRoute(snapshot, resolved)
      : resolver.resolvePage(snapshot, resolved, method);
    if (memo !== null) memo.resource = resource;
    return resource;
  }

  function findStorableResource(
    snapshot: Snapshot,
    resolved: RouteRequest | PageRequest,
    head: RequestHead,
    hasBody: boolean,
    memo: ResourceMemo | null,
  ): CacheableResource | CacheBypass {
    const isUnstorable = resolved.kind === 'page' && unstorablePages.has(resolved.upstreamTarget);
    const resource = findResource(snapshot, resolved, head, hasBody, memo);
    return isUnstorable && resource.kind === 'resource' ? createBypass('hit-for-pass') : resource;
  }

  return {
    cache,
    exclusions,
    views: createSiteCacheViews({ getProfile, purges, findResource: findStorableResource }),
    getResource(snapshot, resolved, head, hasBody, memo) {
      const found = findStorableResource(snapshot, resolved, head, hasBody, memo);
      if (found.kind === 'bypass') exclusions.countBypass(found);
      return found;
    },
    getResourceTag: (snapshot, head) => findResourceTag(snapshot, head, resolver),
    purgeTags,
    async purgeRoute(snapshot, route, mode) {
      const path = toTagPath(normalizeRoute(route));
      const profile = getProfile(snapshot);
      if (!profile.namespaces.has(path.slice(1))) return purgeTags(snapshot, [path], mode);
      return purges.purge(profile, [describeNamespaceChange(path.slice(1))], [], purges.begin(), mode);
    },
    async invalidateRoutes(snapshot, routes) {
      const profile = getProfile(snapshot);
      const writes = routes.flatMap((route) => describeExternalWrite(route, profile.resources));
      return purges.purge(profile, writes, [], purges.begin());
    },
    observeWrite(snapshot, resolved, head) {
      const method = resolved.kind === 'route' ? resolved.target.method : head.method;
      if (!mayWrite(snapshot, resolved, method)) return null;
      const logged = purges.begin();
      return new WriteObserver({
        method,
        isPage: resolved.kind === 'page',
        head,
        queryString: resolved.target.query,
        eligibility,
        invalidate: (outcome) => invalidateAfter(outcome, snapshot, resolved, method, logged),
        invalidateUnfinished(outcome) {
          void invalidate(outcome, snapshot, resolved, method, purges.begin());
        },
        cancel: () => purges.cancel(logged),
      });
    },
    learning,
    loadEvidence: async () => storedLearning?.load(),
    stop: async () => storedLearning?.stop(),
    get purgeCounts() {
      return purges.counts;
    },
  };
}

/** Lists the fields that a rule adds to the key. For routes without that rule they are known and not forwarded. */
function listKeyedHeaders({ rules = [] }: SiteCacheOptions): readonly string[] {
  return rules.flatMap(({ key }) => key?.headers ?? []);
}

function findResourceTag(
  snapshot: Snapshot,
  head: Parameters<Snapshot['resolveRequest']>[0],
  resolver: ReturnType<typeof createResourceResolver>,
): string | null {
  const resolved = snapshot.resolveRequest(head);
  if (resolved.kind === 'local') return null;
  if (resolved.kind === 'page') {
    return createAddressKey(normalizeAddress(snapshot.origin, resolved.upstreamTarget));
  }
  const resource = resolver.resolveRoute(snapshot, resolved);
  return resource.kind === 'bypass' ? null : resource.properties.resourceKey;
}

function storeLearning(learning: DependencyLearning): StateContent {
  return {
    toJson: () => dependenciesToJson(learning),
    restore: (content) => restoreDependencies(content, learning),
  };
}

/** Reads the cache of one site for the operator. Nothing is counted or changed. */
interface SiteCacheViews {
  /** Begins the keys of the site in the store. Its tags have a space after it, its keys a line feed. */
  getStoreScope(snapshot: Snapshot): string;
  /** Returns what `SiteCaching.getResource` returns. */
  findResource(
    snapshot: Snapshot,
    resolved: RouteRequest | PageRequest,
    head: RequestHead,
  ): CacheableResource | CacheBypass;
  /** Names the route of a stored response: the path template, or what stands for routes without one and for pages. */
  nameRoute(snapshot: Snapshot, key: string, response: StoredResponse): string;
  /** Returns what `SiteCaching.purgeTags` selects. */
  selectTags(snapshot: Snapshot, tags: readonly string[]): PurgeSelection;
  /** Returns what `SiteCaching.purgeRoute` selects. */
  selectRoute(snapshot: Snapshot, route: string): PurgeSelection;
  /** Lists documented writes, and whether each purges a response with these labels. */
  listWrites(snapshot: Snapshot, labels: PurgeLabels): readonly WriteEffect[];
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
const UNNAMED_ROUTES = { pages: 'pages', others: 'other routes' } as const;

/** Maximum writes that are looked at. */
const MAX_WRITES = 3_000;

/** What {@link createSiteCacheViews} uses of a site's cache. */
interface SiteCacheViewsOptions {
  readonly getProfile: (snapshot: Snapshot) => SiteCacheProfile;
  readonly purges: WritePurges;
  readonly findResource: (
    snapshot: Snapshot,
    resolved: RouteRequest | PageRequest,
    head: RequestHead,
    hasBody: boolean,
    memo: null,
  ) => CacheableResource | CacheBypass;
}

function createSiteCacheViews({ findResource, getProfile, purges }: SiteCacheViewsOptions): SiteCacheViews {
  const selectTags: SiteCacheViews['selectTags'] = (snapshot, tags) => ({
    kind: 'tags',
    tags: getProfile(snapshot).toStoredTags(new Set(tags)),
  });
  return {
    getStoreScope: (snapshot) => getProfile(snapshot).storeScope,
    findResource: (snapshot, resolved, head) => findResource(snapshot, resolved, head, false, null),
    nameRoute: nameRouteOf,
    selectTags,
    selectRoute(snapshot, route) {
      const path = toTagPath(normalizeRoute(route));
      const profile = getProfile(snapshot);
      if (!profile.namespaces.has(path.slice(1))) return selectTags(snapshot, [path]);
      return purges.preview(profile, [describeNamespaceChange(path.slice(1))]);
    },
    listWrites(snapshot, labels) {
      const profile = getProfile(snapshot);
      const itemPaths = labels.tags.flatMap((tag) => toItemPath(tag, profile.storeScope));
      return listCandidates(snapshot, itemPaths).map(({ method, namespace, route }) => {
        const writes = describeExternalWrite({ method, route }, profile.resources);
        const selection = purges.preview(profile, writes);
        const isKnown = createSelectionMatcher({ kind: 'tags', tags: selection.tags })(labels);
        return {
          method,
          route,
          namespace,
          isKnown,
          purges: isKnown || createSelectionMatcher(selection)(labels),
        };
      });
    },
  };
}

/** Key: scope, the gateway's URL, and the resource, separated by line feeds. */
function nameRouteOf({ matcher }: Snapshot, key: string, { group }: StoredResponse): string {
  const template = templateOfReadKind(group?.readKind ?? '');
  if (template !== '') return template;
  const resource = key.split('\n', 3)[2] ?? '';
  if (!resource.startsWith('R"')) return UNNAMED_ROUTES.pages;
  const match = matcher.match('GET', readRoute(resource));
  return match.kind === 'found' ? match.operation.path : UNNAMED_ROUTES.others;
}

/** Reads the route at the beginning of the name of a resource (`createRouteKey`). */
function readRoute(resource: string): string {
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
    if (READING_METHODS.has(operation.method)) continue;
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
