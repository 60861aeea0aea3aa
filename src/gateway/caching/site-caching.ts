import type { HttpCache } from '../../cache/http-cache.ts';
import { getInvalidatedUris, isSafeMethod } from '../../cache/policy/index.ts';
import type { PurgeMode } from '../../cache/store.ts';
import { type CacheBypass, createBypass } from '../../cache/wordpress/cache-bypass.ts';
import { createAddressKey } from '../../cache/wordpress/cache-key.ts';
import { createStoreEligibility } from '../../cache/wordpress/store-eligibility.ts';
import type { IncomingRequestHead, RequestHead } from '../../http/request-head.ts';
import type { SiteCacheOptions } from '../options/site-options.ts';
import type { PageRequest, RouteRequest } from '../snapshot/resolved-request.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { CacheableResource } from './cacheable-resource.ts';
import {
  type ChangedRoute,
  computeExternalInvalidation,
  computePageInvalidation,
  computeRouteInvalidation,
} from './invalidation.ts';
import { createResourceResolver, isDiscovered, normalizeAddress } from './resource-resolver.ts';
import { createSiteCacheProfile, type SiteCacheProfile } from './site-cache-profile.ts';
import { WriteObserver, type WriteOutcome } from './write-observer.ts';

/** The caching of one site: which requests the cache may serve, and what writes invalidate. */
export interface SiteCaching {
  readonly cache: HttpCache;
  /** Returns a bypass if the cache must not serve the request: it may identify the client, or is no read. */
  getResource(
    snapshot: Snapshot,
    resolved: RouteRequest | PageRequest,
    head: RequestHead,
    hasBody: boolean,
  ): CacheableResource | CacheBypass;
  /** Returns the tag of all stored responses for an address, in any spelling; `null` if none can be stored. */
  getResourceTag(snapshot: Snapshot, head: RequestHead): string | null;
  /** @returns number of responses that were purged */
  purgeTags(snapshot: Snapshot, tags: readonly string[], mode: PurgeMode): Promise<number>;
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
}

/** Options of {@link createSiteCaching}. */
export interface SiteCachingOptions {
  readonly cache: HttpCache;
  readonly cacheOptions: SiteCacheOptions;
  /** Whether links in bodies are rewritten to the gateway. */
  readonly rewriteBodies: boolean;
}

/** Creates the cache of one site. */
export function createSiteCaching({ cache, cacheOptions, rewriteBodies }: SiteCachingOptions): SiteCaching {
  const eligibility = createStoreEligibility({
    ...cacheOptions,
    harmlessHeaders: [...(cacheOptions.harmlessHeaders ?? []), ...listKeyedHeaders(cacheOptions)],
  });
  const profiles = new WeakMap<Snapshot, SiteCacheProfile>();
  const resolver = createResourceResolver(cacheOptions, eligibility, getProfile);
  const resources = new WeakMap<RouteRequest | PageRequest, CacheableResource | CacheBypass>();

  function getProfile(snapshot: Snapshot): SiteCacheProfile {
    const known = profiles.get(snapshot);
    if (known !== undefined) return known;
    const created = createSiteCacheProfile(snapshot, rewriteBodies);
    profiles.set(snapshot, created);
    return created;
  }

  async function purgeTags(snapshot: Snapshot, tags: readonly string[], mode: PurgeMode): Promise<number> {
    if (tags.length === 0) return 0;
    const stored = getProfile(snapshot).toStoredTags(new Set(tags));
    return cache.store.purge({ kind: 'tags', tags: stored }, mode);
  }

  function invalidateAfter(
    outcome: WriteOutcome,
    snapshot: Snapshot,
    resolved: RouteRequest | PageRequest,
    method: string,
  ): void | Promise<void> {
    const profile = getProfile(snapshot);
    const invalidation = isDiscovered(snapshot)
      ? computeInvalidation(resolved, outcome, profile.resources)
      : null;
    const url = `${snapshot.origin}${resolved.upstreamTarget}`;
    const addresses = listInvalidatedAddresses(outcome, url, method);
    const tags = [...(invalidation?.tags ?? []), ...addresses.map(createAddressKey)];
    if (tags.length === 0) return;
    const stored = profile.toStoredTags(tags);
    const purge = cache.store.purge({ kind: 'tags', tags: stored }, invalidation?.mode ?? 'hard');
    return purge instanceof Promise ? purge.then(() => undefined) : undefined;
  }

  return {
    cache,
    getResource(snapshot, resolved, { headers, method }, hasBody) {
      const isRoute = resolved.kind === 'route';
      if (isDiscovered(snapshot)) {
        const effectiveMethod = isRoute ? resolved.target.method : method;
        const bypass = eligibility.checkRequest({ method, effectiveMethod, headers });
        if (bypass !== null) return bypass;
      } else if (method !== 'GET' && method !== 'HEAD') return createBypass('method');
      // Content in a read has no defined meaning (RFC 9110 §9.3.1), so only the site can respond to it.
      if (hasBody) return createBypass('body');
      const known = resolved.isMemoized ? resources.get(resolved) : undefined;
      if (known !== undefined) return known;
      const resource = isRoute
        ? resolver.resolveRoute(snapshot, resolved)
        : resolver.resolvePage(snapshot, resolved, method);
      if (resolved.isMemoized) resources.set(resolved, resource);
      return resource;
    },
    getResourceTag: (snapshot, head) => findResourceTag(snapshot, head, resolver),
    purgeTags,
    invalidateRoutes(snapshot, routes) {
      const profile = getProfile(snapshot);
      const invalidations = routes.map((route) => computeExternalInvalidation(route, profile.resources));
      return purgeTags(
        snapshot,
        invalidations.flatMap((invalidation) => invalidation?.tags ?? []),
        'hard',
      );
    },
    observeWrite(snapshot, resolved, head) {
      const method = resolved.kind === 'route' ? resolved.target.method : head.method;
      if (isSafeMethod(method)) return null;
      return new WriteObserver({
        method,
        head,
        queryString: resolved.target.query,
        invalidate: (outcome) => invalidateAfter(outcome, snapshot, resolved, method),
      });
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

function computeInvalidation(
  resolved: RouteRequest | PageRequest,
  outcome: WriteOutcome,
  resources: SiteCacheProfile['resources'],
): ReturnType<typeof computeRouteInvalidation> {
  return resolved.kind === 'route'
    ? computeRouteInvalidation(resolved, outcome, resources)
    : computePageInvalidation(resolved, outcome, resources);
}

/** Lists the addresses, without origin, that a response to an unsafe request invalidates (RFC 9111 §4.4). */
function listInvalidatedAddresses(
  { headers, status }: WriteOutcome,
  uri: string,
  method: string,
): readonly string[] {
  if (status === null) return [];
  const { origin } = new URL(uri);
  return getInvalidatedUris(method, uri, { status, headers }).map((address) => address.slice(origin.length));
}
