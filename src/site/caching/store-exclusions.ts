import { getOrCreate } from '../../memoize.ts';
import type { Log } from '../../ports.ts';
import type { BypassReason, CacheBypass } from '../../wordpress/shared-requests.ts';

export interface ExclusionCount {
  readonly reason: BypassReason | 'nonce in body' | 'set-cookie';
  /** Empty if the reason has none; `other` beyond the limit. */
  readonly name: string;
  readonly count: number;
}

/** Clients choose the names. */
const MAX_NAMES = 50;
const MAX_NAME_LENGTH = 60;
const OTHER = 'other';
const MAX_WARNED_ROUTES = 1_000;
interface NameCount {
  count: number;
  /** Upper bound, which includes times before the name was counted. */
  weight: number;
}

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
    this.#count(reason, reason === 'header' || reason === 'credentials' ? name.toLowerCase() : name);
  }

  /** Logs each route once. @param member that holds the nonce */
  reportNonce(route: string, member: string): void {
    this.#count('nonce in body', member);
    if (this.#warnedRoutes.size >= MAX_WARNED_ROUTES || this.#warnedRoutes.has(route)) return;
    this.#warnedRoutes.add(route);
    this.#log.warn(
      { route, member },
      'a response contains a nonce in its body, so responses of this route are not stored: exclude the route by a cache rule with `store: false`, or let the plugin send the nonce to logged-in users only',
    );
  }

  countCookies(names: readonly string[]): void {
    for (const name of names) this.#count('set-cookie', name);
    this.#lastCookies = names;
  }

  reportPassedKind(kind: string, detail: string): void {
    const cookies = detail === 'set-cookie' ? this.#lastCookies : [];
    const help =
      cookies.length > 0
        ? `if no content depends on it, "cache": { "ignoreCookies": ${JSON.stringify(cookies)} }`
        : detail.startsWith('status ')
          ? 'the site refuses or redirects visitors whom it does not know: name the field by which it tells them apart in keyHeaders of a rule'
          : 'the site must not send it, or exclude the addresses by a rule with store: false';
    const cause = [detail, ...cookies].join(' ');
    this.#log.warn(
      { kind, cause },
      `the last addresses were not for everyone (${cause}), so requests for new addresses of ${kind} are passed to the site: ${help}`,
    );
  }

  /**
   * Beyond the limit the name with the smallest weight becomes part of `other`: a frequent one stays,
   * whatever clients invent.
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
