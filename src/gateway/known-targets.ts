import type { CacheBypass } from '../cache/wordpress/shared-requests.ts';
import type { RequestHead } from '../http/request-head.ts';
import { TwoGenerationMap } from '../memoize.ts';
import { readRoutingHeaders } from '../router/target.ts';
import type { FullValidation } from '../validation/request/validator.ts';
import type { CacheableResource } from './caching/site-cache-request.ts';
import type { ResolvedRequest, Snapshot } from './snapshot/snapshot.ts';

/** What is known of a request by its method and target alone. Repeated `GET` requests share one object. */
export class KnownTarget {
  readonly resolved: ResolvedRequest;
  /** The resource in the cache; `undefined` until it is needed. */
  resource: CacheableResource | CacheBypass | undefined;
  /** The validation result of a request without a body; `null` if it is not certain, `undefined` until it is needed. */
  validation: FullValidation | null | undefined;

  constructor(resolved: ResolvedRequest) {
    this.resolved = resolved;
  }
}

/** Targets that are remembered. An entry takes about two kilobytes. */
const MAX_TARGETS = 32_768;
const REQUESTED = 'requested';
/** Longer request targets are not remembered. */
const MAX_TARGET_LENGTH = 1024;

/**
 * Remembers what is known of the `GET` targets of one site at its current snapshot. A target is remembered when it is
 * requested the second time: to keep an entry costs more than to resolve it once.
 */
export class KnownTargets {
  #snapshot: Snapshot | null = null;
  #known = new Map<string, KnownTarget>();
  readonly #requestedOnce = new TwoGenerationMap<typeof REQUESTED>(MAX_TARGETS / 2);

  find(snapshot: Snapshot, head: RequestHead): KnownTarget {
    if (snapshot !== this.#snapshot) {
      this.#snapshot = snapshot;
      this.#known = new Map();
    }
    const { headers, method, target } = head;
    if (method !== 'GET' || readRoutingHeaders(headers).methodOverrides.length > 0) {
      return new KnownTarget(snapshot.resolveRequest(head));
    }
    const known = this.#known.get(target);
    if (known !== undefined) return known;
    const created = new KnownTarget(snapshot.resolveRequest(head));
    if (this.#requestedOnce.get(target) !== undefined) this.#remember(target, created);
    else if (target.length <= MAX_TARGET_LENGTH) this.#requestedOnce.set(target, REQUESTED);
    return created;
  }

  /** Forgets the older half if there is no room. To keep the order of use would cost a write at each lookup. */
  #remember(target: string, known: KnownTarget): void {
    if (this.#known.size >= MAX_TARGETS) {
      this.#known = new Map([...this.#known].slice(MAX_TARGETS / 2));
    }
    this.#known.set(target, known);
  }
}
