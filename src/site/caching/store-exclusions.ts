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
/** A cookie is named if so many responses have set it, and this percentage of those that could have been stored. */
const MIN_RESPONSES = 20;
const MIN_COOKIE_PERCENTAGE = 20;

interface NameCount {
  readonly count: number;
  /** Upper bound of the number of times that the name was seen, which includes times before it was counted. */
  readonly weight: number;
}

/** Counts the requests that bypass the store of one site by reason and name, and reports responses with nonces. */
export class StoreExclusions {
  readonly #log: Log;
  readonly #counts = new Map<ExclusionCount['reason'], Map<string, NameCount>>();
  /** Counts of names that others replaced. */
  readonly #otherCounts = new Map<ExclusionCount['reason'], number>();
  readonly #warnedRoutes = new Set<string>();
  #hasWarnedOfCookie = false;

  constructor(log: Log) {
    this.#log = log;
  }

  get counts(): Iterable<ExclusionCount> {
    return this.#listCounts();
  }

  take(): readonly ExclusionCount[] {
    const taken = [...this.#listCounts()];
    this.#counts.clear();
    this.#otherCounts.clear();
    return taken;
  }

  add(taken: readonly ExclusionCount[]): void {
    for (const { count, name, reason } of taken) this.#count(reason, name, count);
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

  /**
   * Counts a response that is not stored because it sets cookies. One that most responses set is logged once.
   *
   * @param stored number of responses that were stored
   */
  countCookies(names: readonly string[], stored: number): void {
    for (const name of names) this.#count('set-cookie', name);
    const message = this.#hasWarnedOfCookie ? null : this.describeCookies(stored);
    if (message === null) return;
    this.#hasWarnedOfCookie = true;
    this.#log.warn({}, message);
  }

  /** Names the cookie that most responses set; `null` if there is none. @param stored number of responses that were stored */
  describeCookies(stored: number): string | null {
    const [most] = [...(this.#counts.get('set-cookie') ?? [])].sort(([, a], [, b]) => b.count - a.count);
    if (most === undefined || most[1].count < MIN_RESPONSES) return null;
    const [name, { count }] = most;
    const share = Math.round((100 * count) / (count + stored));
    if (share < MIN_COOKIE_PERCENTAGE) return null;
    return `${name} on ${share} % of responses keeps them from the store: the site sets this cookie. If no content depends on it, take it out with "cache": { "ignoreCookies": [${JSON.stringify(name)}] }`;
  }

  *#listCounts(): Generator<ExclusionCount, undefined> {
    for (const [reason, names] of this.#counts) {
      for (const [name, { count }] of names) yield { reason, name, count };
      const count = this.#otherCounts.get(reason);
      if (count !== undefined) yield { reason, name: OTHER, count };
    }
  }

  /**
   * A new name beyond the limit replaces the one with the smallest weight, which is then part of `other`. A name
   * that is seen often stays, whatever number of others clients invent.
   */
  #count(reason: ExclusionCount['reason'], name: string, amount = 1): void {
    const cut = name.slice(0, MAX_NAME_LENGTH).replace(/[^ -~]/g, '?');
    // The name of the sum, as a name that a client sends, would be a second sample of the same labels.
    if (cut === OTHER) {
      this.#addOther(reason, amount);
      return;
    }
    const names = this.#counts.get(reason) ?? new Map<string, NameCount>();
    this.#counts.set(reason, names);
    const known = names.get(cut);
    const weight = known?.weight ?? (names.size < MAX_NAMES ? 0 : this.#dropSmallest(reason, names));
    names.set(cut, { count: (known?.count ?? 0) + amount, weight: weight + amount });
  }

  /** @returns the weight of the dropped name, which its successor inherits (Space-Saving, Metwally 2005) */
  #dropSmallest(reason: ExclusionCount['reason'], names: Map<string, NameCount>): number {
    const smallest = Math.min(...Array.from(names.values(), ({ weight }) => weight));
    const dropped = Array.from(names).find(([, { weight }]) => weight === smallest);
    if (dropped === undefined) return 0;
    names.delete(dropped[0]);
    this.#addOther(reason, dropped[1].count);
    return smallest;
  }

  #addOther(reason: ExclusionCount['reason'], count: number): void {
    if (!this.#counts.has(reason)) this.#counts.set(reason, new Map());
    this.#otherCounts.set(reason, (this.#otherCounts.get(reason) ?? 0) + count);
  }
}
