import { getOrCreate } from '../../memoize.ts';
import type { Log } from '../../ports.ts';
import type { BypassReason, CacheBypass } from '../../wordpress/shared-requests.ts';

/** How often requests or responses were kept out of the store for one reason and name. */
export interface ExclusionCount {
  readonly reason: BypassReason | 'nonce in body' | 'set-cookie';
  /** Of the header field, cookie, parameter or member; empty if the reason has none; `other` for names beyond the limit. */
  readonly name: string;
  readonly count: number;
}

/** Maximum names per reason that are counted one by one. Clients choose them, so their number is limited. */
const MAX_NAMES = 50;
const MAX_NAME_LENGTH = 60;
/** Name of the sum of all names that are not counted one by one. */
const OTHER = 'other';
const MAX_WARNED_ROUTES = 1_000;
interface NameCount {
  count: number;
  /** Upper bound of the number of times that the name was seen, which includes times before it was counted. */
  weight: number;
}

/** Counts the requests that bypass the store of one site by reason and name, and reports responses with nonces. */
export class StoreExclusions {
  readonly #log: Log;
  readonly #counts = new Map<ExclusionCount['reason'], Map<string, NameCount>>();
  readonly #warnedRoutes = new Set<string>();
  #lastCookies: readonly string[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  get counts(): readonly ExclusionCount[] {
    return [...this.#counts].flatMap(([reason, names]) =>
      Array.from(names, ([name, { count }]) => ({ reason, name, count })).filter(({ count }) => count > 0),
    );
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
      { route, member },
      'a response contains a nonce in its body, so responses of this route are not stored: exclude the route by a cache rule with `store: false`, or let the plugin send the nonce to logged-in users only',
    );
  }

  /** Counts a response that is not stored because it sets cookies. */
  countCookies(names: readonly string[]): void {
    for (const name of names) this.#count('set-cookie', name);
    this.#lastCookies = names;
  }

  /** Reports that requests for a kind of addresses are passed for a while: none of the last responses was everyone's. */
  reportPassedKind(kind: string, detail: string): void {
    const cookies = detail === 'set-cookie' ? this.#lastCookies : [];
    const help =
      cookies.length > 0
        ? `if no content depends on it, "cache": { "ignoreCookies": ${JSON.stringify(cookies)} }`
        : detail.startsWith('status ')
          ? 'the site refuses or redirects visitors whom it does not know: name the field by which it tells them apart in key.headers of a rule'
          : 'the site must not send it, or exclude the addresses by a rule with store: false';
    const cause = [detail, ...cookies].join(' ');
    this.#log.warn(
      { kind, cause },
      `the last addresses were not for everyone (${cause}), so requests for new addresses of ${kind} are passed to the site: ${help}`,
    );
  }

  /**
   * A new name beyond the limit replaces the one with the smallest weight, which is then part of `other`. A name
   * that is seen often stays, whatever number of others clients invent.
   */
  #count(reason: ExclusionCount['reason'], name: string): void {
    const cut = name.slice(0, MAX_NAME_LENGTH).replace(/[^ -~]/g, '?');
    const names = getOrCreate(
      this.#counts,
      reason,
      () => new Map([[OTHER, { count: 0, weight: Number.POSITIVE_INFINITY }]]),
    );
    const counted = getOrCreate(names, cut, () => ({
      count: 0,
      weight: names.size <= MAX_NAMES ? 0 : dropSmallest(names),
    }));
    counted.count += 1;
    counted.weight += 1;
  }
}

/** @returns the weight of the dropped name, which its successor inherits (Space-Saving, Metwally 2005) */
function dropSmallest(names: Map<string, NameCount>): number {
  const smallest = Math.min(...Array.from(names.values(), ({ weight }) => weight));
  const dropped = Array.from(names).find(([, { weight }]) => weight === smallest);
  const other = names.get(OTHER);
  if (dropped === undefined || other === undefined) return 0;
  names.delete(dropped[0]);
  other.count += dropped[1].count;
  return smallest;
}
