import type { BypassReason, CacheBypass } from '../../cache/wordpress/cache-bypass.ts';
import type { Log } from '../../ports.ts';

/** How often requests or responses were kept out of the store for one reason and name. */
export interface ExclusionCount {
  readonly reason: BypassReason | 'nonce in body';
  /** Of the header field, cookie, parameter or member; empty if the reason has none; `other` past the limit. */
  readonly name: string;
  readonly count: number;
}

/** Maximum names that are counted one by one. Clients choose them, so their number is limited. */
const MAX_NAMES = 200;
const MAX_NAME_LENGTH = 60;
/** Maximum routes for which a warning is logged. */
const MAX_WARNED_ROUTES = 1_000;

/** Counts the requests that bypass the store of one site by reason and name, and reports responses with nonces. */
export class StoreExclusions {
  readonly #log: Log;
  readonly #siteName: string;
  readonly #counts = new Map<string, ExclusionCount>();
  readonly #warnedRoutes = new Set<string>();

  constructor(log: Log, siteName: string) {
    this.#log = log;
    this.#siteName = siteName;
  }

  get counts(): Iterable<ExclusionCount> {
    return this.#counts.values();
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

  #count(reason: ExclusionCount['reason'], name: string): void {
    let counted = name.slice(0, MAX_NAME_LENGTH).replace(/[^ -~]/g, '?');
    if (!this.#counts.has(`${reason}\n${counted}`) && this.#counts.size >= MAX_NAMES) counted = 'other';
    const key = `${reason}\n${counted}`;
    this.#counts.set(key, { reason, name: counted, count: (this.#counts.get(key)?.count ?? 0) + 1 });
  }
}
