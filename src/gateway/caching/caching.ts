import { createCodingSpeller, withCodings } from '../../cache/accept-encoding.ts';
import type { Cache, CacheRequest } from '../../cache/cache.ts';
import { invalidated, isSafe } from '../../cache/policy/index.ts';
import type { PurgeMode } from '../../cache/store.ts';
import { mayShare } from '../../cache/wordpress/answers.ts';
import { createGate, withoutCookies } from '../../cache/wordpress/credentials.ts';
import type { Invalidation } from '../../cache/wordpress/invalidation.ts';
import { cacheKey, pageKey } from '../../cache/wordpress/key.ts';
import type { ResolvedRule } from '../../cache/wordpress/rules.ts';
import { fieldValue, hasField } from '../../http/fields.ts';
import type { RequestHead } from '../plan.ts';
import type { PageReading, RouteReading } from '../reading.ts';
import type { Snapshot } from '../snapshot.ts';
import { pageInvalidation, routeInvalidation, writtenAtSite } from './invalidating.ts';
import type { SiteCacheOptions } from './options.ts';
import { createPreparer, isDiscovered, normalised, type Prepared } from './preparing.ts';
import { createSiteSide, type SiteSide } from './side.ts';
import { WriteObserver, type WriteOutcome } from './writing.ts';

/** The caching of one site: which requests may be answered from the store, and as what. */
export interface SiteCaching {
  readonly cache: Cache;
  /** What the site of a snapshot is to the store. */
  sideOf(snapshot: Snapshot): SiteSide;
  /** Null where the store has no part in it: the request says who asks, or is no read. */
  begin(snapshot: Snapshot, reading: RouteReading | PageReading, head: RequestHead): Storable | null;
  /** The tag of what an address asks for, in whatever spelling; null where no answer to it is kept. */
  tagOf(snapshot: Snapshot, head: Pick<RequestHead, 'method' | 'target' | 'headers'>): string | null;
  /** @returns how many answers were struck */
  purge(snapshot: Snapshot, tags: readonly string[], mode: PurgeMode): Promise<number>;
  /** Strikes what depends on routes that were written at the site itself, whatever of them was. */
  purgeWritten(snapshot: Snapshot, writes: readonly WrittenRoute[]): Promise<number>;
  /** Purges what a request changes, once it has; null for one that changes nothing. */
  write(snapshot: Snapshot, reading: RouteReading | PageReading, head: RequestHead): WriteObserver | null;
}

/** A request that the store may answer. */
export interface Storable {
  /** Path and query that the site is asked for: without what means nothing. */
  readonly address: string;
  /**
   * Whether it is a request to the interface: the site is asked for plain bytes then, so that the tags of an answer can be
   * read in it, and echoes the `Origin`.
   */
  readonly isRoute: boolean;
  /** The headers, a flat list, that the request goes to the site with. */
  sent(headers: string[]): string[];
  /**
   * @param publicBase the gateway's address of the site as the caller knows it
   * @param sent the headers that the site gets: {@link sent}
   */
  request(publicBase: string, sent: readonly string[]): CacheRequest;
}

/** A route that was written, and how. */
export interface WrittenRoute {
  readonly route: string;
  readonly method: string;
}

/** Whatever coding callers ask for, the interface is asked for plain bytes. */
const ASKED_FOR_PLAIN = ['accept-encoding'];

export interface CachingOptions {
  readonly cache: Cache;
  readonly options: SiteCacheOptions;
  /** Whether addresses in bodies are rewritten. */
  readonly rewriteBodies: boolean;
}

export function createSiteCaching({ cache, options, rewriteBodies }: CachingOptions): SiteCaching {
  const gate = createGate(options);
  const spell = createCodingSpeller();
  const sides = new WeakMap<Snapshot, SiteSide>();
  const prepared = new WeakMap<RouteReading | PageReading, Prepared | null>();
  const preparer = createPreparer(options, sideOf);

  function sideOf(snapshot: Snapshot): SiteSide {
    const known = sides.get(snapshot);
    if (known !== undefined) return known;
    const made = createSiteSide(snapshot, rewriteBodies);
    sides.set(snapshot, made);
    return made;
  }

  return {
    cache,
    sideOf,
    begin(snapshot, reading, head) {
      const isRoute = reading.kind === 'route';
      const { headers, method } = head;
      const isWordPress = isDiscovered(snapshot);
      if (isWordPress) {
        const effective = isRoute ? reading.target.method : method;
        if (gate({ method, effective, headers, query: reading.target.query }) !== null) return null;
      } else if ((method !== 'GET' && method !== 'HEAD') || hasField(headers, 'transfer-encoding'))
        return null;
      let known = prepared.get(reading);
      if (known === undefined) {
        known = isRoute ? preparer.route(snapshot, reading) : preparer.page(snapshot, reading, method);
        prepared.set(reading, known);
      }
      if (known === null) return null;
      const { address, resource, rule, tagsOf } = known;
      const anonymous = isWordPress ? withoutCookies(headers) : headers;
      const site = sideOf(snapshot).name;
      return {
        address,
        isRoute,
        sent: (sent) => {
          const nameless = anonymous === headers ? sent : withoutCookies(sent);
          return isRoute ? nameless : withCodings(nameless, spell);
        },
        request: (publicBase, sent) => ({
          key: cacheKey({ site, publicBase, resource: withHeaders(resource, rule, sent) }),
          method: method === 'HEAD' ? 'HEAD' : 'GET',
          headers: anonymous,
          sent,
          rule: rule.rule,
          authorized: !isWordPress && hasField(headers, 'authorization'),
          unvarying: isRoute ? ASKED_FOR_PLAIN : undefined,
          mayShare: isWordPress ? mayShare : anybodys,
          tagsOf: tagsOf(publicBase),
        }),
      };
    },
    tagOf(snapshot, head) {
      const reading = snapshot.read(head);
      if (reading.kind === 'own') return null;
      if (reading.kind === 'page') return pageKey(normalised(snapshot.origin, reading.address));
      return preparer.route(snapshot, reading)?.resource ?? null;
    },
    purge: purgeTags,
    purgeWritten(snapshot, writes) {
      const { resources } = sideOf(snapshot);
      const tags = writes.flatMap((write) => writtenAtSite(write, resources)?.tags ?? []);
      return purgeTags(snapshot, tags, 'hard');
    },
    write(snapshot, reading, head) {
      const method = reading.kind === 'route' ? reading.target.method : head.method;
      if (isSafe(method)) return null;
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
    readonly reading: RouteReading | PageReading;
    readonly method: string;
  }

  function purgeAfter(outcome: WriteOutcome, { snapshot, reading, method }: Written): void | Promise<void> {
    const side = sideOf(snapshot);
    const invalidation = isDiscovered(snapshot) ? invalidationAfter(outcome, reading, side) : null;
    const tags = [
      ...(invalidation?.tags ?? []),
      ...voidAfter(outcome, `${snapshot.origin}${reading.address}`, method).map(pageKey),
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
  reading: RouteReading | PageReading,
  { resources }: SiteSide,
): Invalidation | null {
  return reading.kind === 'route'
    ? routeInvalidation(reading, outcome, resources)
    : pageInvalidation(reading, outcome, resources);
}

/** RFC 9111 §4.4: the addresses, without their origin, that an answer to an unsafe request makes void. */
function voidAfter({ headers, status }: WriteOutcome, target: string, method: string): readonly string[] {
  if (status === null) return [];
  const { origin } = new URL(target);
  return invalidated(method, target, { status, headers }).map((address) => address.slice(origin.length));
}

const anybodys = (): boolean => true;

/** The values of the request's fields, as the site sees them, that a rule puts in the key. */
function withHeaders(resource: string, { key }: ResolvedRule, headers: readonly string[]): string {
  if (key.headers.length === 0) return resource;
  return `${resource}\n${JSON.stringify(key.headers.map((name) => fieldValue(headers, name) ?? null))}`;
}
