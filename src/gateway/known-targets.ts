import type { CacheBypass } from '../cache/wordpress/shared-requests.ts';
import type { RequestHead } from '../http/request-head.ts';
import { TwoGenerationMap } from '../memoize.ts';
import { isFormPost } from '../php/request.ts';
import { readRoutingHeaders } from '../router/target.ts';
import type { FullValidation } from '../validation/request/validator.ts';
import type { CacheableResource } from './caching/site-cache-request.ts';
import type { ResolvedRequest, Snapshot } from './snapshot/snapshot.ts';

/** What is known of a request by its method and target alone. Repeated requests share one object, unless they send a form. */
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
 * Remembers what is known of the targets of one site at its current snapshot, by method. A target is remembered when it is
 * requested the second time: to keep an entry costs more than to resolve it once. Forms and overrides of the method are
 * resolved anew, because a target means something else with them.
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
    const { contentType, methodOverrides } = readRoutingHeaders(headers);
    const isForm = method !== 'GET' && isFormPost(method, contentType);
    if (isForm || methodOverrides.length > 0 || !target.startsWith('/')) {
      return new KnownTarget(snapshot.resolveRequest(head));
    }
    // The name of a method does not begin with a slash, so the keys of two methods differ whatever the target is.
    const key = method === 'GET' ? target : `${method} ${target}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const created = new KnownTarget(snapshot.resolveRequest(head));
    if (this.#requestedOnce.get(key) !== undefined) this.#remember(key, created);
    else if (target.length <= MAX_TARGET_LENGTH) this.#requestedOnce.set(key, REQUESTED);
    return created;
  }

  /** Forgets the older half if there is no room. To keep the order of use would cost a write at each lookup. */
  #remember(key: string, known: KnownTarget): void {
    if (this.#known.size >= MAX_TARGETS) {
      this.#known = new Map([...this.#known].slice(MAX_TARGETS / 2));
    }
    this.#known.set(key, known);
  }
}
