import type { HttpCache } from '../../cache/cache.ts';
import { getInvalidatedUris, isSafeMethod } from '../../cache/policy/index.ts';
import type { PurgeMode } from '../../cache/store.ts';
import { createPageKey } from '../../cache/wordpress/cache-key.ts';
import { createStoreEligibility } from '../../cache/wordpress/store-eligibility.ts';
import type { Invalidation } from '../../cache/wordpress/write-invalidation.ts';
import { hasField } from '../../http/fields.ts';
import type { IncomingRequestHead } from '../../http/request-head.ts';
import type { SiteCacheOptions } from '../options/site-cache-options.ts';
import type { PageRequest, RouteRequest } from '../snapshot/resolved-request.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Prepared } from './cacheable-resource.ts';
import { pageInvalidation, routeInvalidation, writtenAtSite } from './invalidation.ts';
import { createPreparer, isDiscovered, normalised } from './resource-resolver.ts';
import { createSiteCacheProfile, type SiteCacheProfile } from './site-cache-profile.ts';
import { WriteObserver, type WriteOutcome } from './write-observer.ts';

/** The caching of one site: which requests may be answered from the store, and as what. */
export interface SiteCaching {
  readonly cache: HttpCache;
  /** What the site of a snapshot is to the store. */
  sideOf(snapshot: Snapshot): SiteCacheProfile;
  /** Null where the store has no part in it: the request says who asks, or is no read. */
  begin(snapshot: Snapshot, reading: RouteRequest | PageRequest, head: IncomingRequestHead): Prepared | null;
  /** The tag of what an address asks for, in whatever spelling; null where no answer to it is kept. */
  tagOf(snapshot: Snapshot, head: Pick<IncomingRequestHead, 'method' | 'target' | 'headers'>): string | null;
  /** @returns how many answers were struck */
  purge(snapshot: Snapshot, tags: readonly string[], mode: PurgeMode): Promise<number>;
  /** Strikes what depends on routes that were written at the site itself, whatever of them was. */
  purgeWritten(snapshot: Snapshot, writes: readonly ChangedRoute[]): Promise<number>;
  /** Purges what a request changes, once it has; null for one that changes nothing. */
  write(
    snapshot: Snapshot,
    reading: RouteRequest | PageRequest,
    head: IncomingRequestHead,
  ): WriteObserver | null;
}

/** A route that was written, and how. */
export interface ChangedRoute {
  readonly route: string;
  readonly method: string;
}

export interface CachingOptions {
  readonly cache: HttpCache;
  readonly options: SiteCacheOptions;
  /** Whether addresses in bodies are rewritten. */
  readonly rewriteBodies: boolean;
}

export function createSiteCaching({ cache, options, rewriteBodies }: CachingOptions): SiteCaching {
  const gate = createStoreEligibility(options);
  const sides = new WeakMap<Snapshot, SiteCacheProfile>();
  const preparer = createPreparer(options, gate, sideOf);

  function sideOf(snapshot: Snapshot): SiteCacheProfile {
    const known = sides.get(snapshot);
    if (known !== undefined) return known;
    const made = createSiteCacheProfile(snapshot, rewriteBodies);
    sides.set(snapshot, made);
    return made;
  }

  return {
    cache,
    sideOf,
    begin(snapshot, reading, head) {
      const isRoute = reading.kind === 'route';
      const { headers, method } = head;
      if (isDiscovered(snapshot)) {
        const effectiveMethod = isRoute ? reading.target.method : method;
        if (gate.checkRequest({ method, effectiveMethod, headers }) !== null) return null;
      } else if ((method !== 'GET' && method !== 'HEAD') || hasField(headers, 'transfer-encoding'))
        return null;
      const { notes } = reading;
      if (notes.prepared === undefined) {
        notes.prepared = isRoute
          ? preparer.route(snapshot, reading)
          : preparer.page(snapshot, reading, method);
      }
      return notes.prepared;
    },
    tagOf(snapshot, head) {
      const reading = snapshot.read(head);
      if (reading.kind === 'own') return null;
      if (reading.kind === 'page') return createPageKey(normalised(snapshot.origin, reading.address));
      return preparer.route(snapshot, reading)?.parts.resource ?? null;
    },
    purge: purgeTags,
    purgeWritten(snapshot, writes) {
      const { resources } = sideOf(snapshot);
      const tags = writes.flatMap((write) => writtenAtSite(write, resources)?.tags ?? []);
      return purgeTags(snapshot, tags, 'hard');
    },
    write(snapshot, reading, head) {
      const method = reading.kind === 'route' ? reading.target.method : head.method;
      if (isSafeMethod(method)) return null;
      const { query } = reading.target;
      return new WriteObserver({
        method,
        head,
        query,
        purge: (outcome) => purgeAfter(outcome, { snapshot, reading, method }),
      });
    },
  };

  async function purgeTags(snapshot: Snapshot, tags: readonly string[], mode: PurgeMode): Promise<number> {
    if (tags.length === 0) return 0;
    return cache.store.purge({ kind: 'tags', tags: sideOf(snapshot).scoped(new Set(tags)) }, mode);
  }

  interface Written {
    readonly snapshot: Snapshot;
    readonly reading: RouteRequest | PageRequest;
    readonly method: string;
  }

  function purgeAfter(outcome: WriteOutcome, { snapshot, reading, method }: Written): void | Promise<void> {
    const side = sideOf(snapshot);
    const invalidation = isDiscovered(snapshot) ? invalidationAfter(outcome, reading, side) : null;
    const tags = [
      ...(invalidation?.tags ?? []),
      ...voidAfter(outcome, `${snapshot.origin}${reading.address}`, method).map(createPageKey),
    ];
    if (tags.length === 0) return;
    const purging = cache.store.purge(
      { kind: 'tags', tags: side.scoped(tags) },
      invalidation?.mode ?? 'hard',
    );
    return purging instanceof Promise ? purging.then(() => undefined) : undefined;
  }
}

function invalidationAfter(
  outcome: WriteOutcome,
  reading: RouteRequest | PageRequest,
  { resources }: SiteCacheProfile,
): Invalidation | null {
  return reading.kind === 'route'
    ? routeInvalidation(reading, outcome, resources)
    : pageInvalidation(reading, outcome, resources);
}

/** RFC 9111 §4.4: the addresses, without their origin, that an answer to an unsafe request makes void. */
function voidAfter({ headers, status }: WriteOutcome, target: string, method: string): readonly string[] {
  if (status === null) return [];
  const { origin } = new URL(target);
  return getInvalidatedUris(method, target, { status, headers }).map((address) =>
    address.slice(origin.length),
  );
}
