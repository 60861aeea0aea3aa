import { formatShare } from '../../../base/format.ts';
import { groupEqual } from '../../../base/group-by.ts';
import { findRemedy } from '../../../base/http/cache-words.ts';
import { detachString, getOrCreate, takeSmallest } from '../../../base/memoize.ts';
import type { Clock, Log } from '../../../base/ports.ts';
import { type BypassReason, type CacheBypass, isCredentialName } from '../../wordpress/bypass-rules.ts';

export interface ExclusionCount {
  readonly reason: BypassReason | 'nonce in body' | 'response' | 'set-cookie';
  readonly name: string;
  readonly count: number;
}

/** Clients choose the names. */
const MAX_NAMES = 50;
const MAX_NAME_LENGTH = 60;
const OTHER = 'other';
const MAX_WARNED_ROUTES = 1_000;
const MAX_ROUTE_LENGTH = 200;
interface NameCount {
  count: number;
  /** In this hour, and those of names that made room. */
  recent: number;
  /** Upper bound, including times before the name was counted. */
  weight: number;
}

const HOUR = 3_600_000;
/** Reads of an hour, and the share that one cause keeps from being hits, before anybody is told. */
const MIN_READS = 200;
const MIN_SHARE = 0.05;
/** Milliseconds: finding the cause takes as long as many requests. */
const SEARCH_INTERVAL = 10_000;
/** Cookies of a user, a customer or a visitor who has written something. */
const OF_ONE_CLIENT =
  /^(?:wordpress_|wp-settings-|wp-postpass_|comment_author_|woocommerce_|wp_woocommerce_)/;

export class StoreExclusions {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #isKeyCookie: (name: string) => boolean;
  #hourStart: number;
  /** Requests of this hour that could have been hits. */
  #reads = 0;
  #hasWarned = false;
  #nextSearch = Number.NEGATIVE_INFINITY;
  #costs = '';
  readonly #counts = new Map<ExclusionCount['reason'], Map<string, NameCount>>();
  readonly #warnedRoutes = new Set<string>();

  constructor(log: Log, clock: Clock, isKeyCookie: (name: string) => boolean) {
    this.#isKeyCookie = isKeyCookie;
    this.#log = log;
    this.#clock = clock;
    this.#hourStart = clock.now();
  }

  get counts(): readonly ExclusionCount[] {
    return [...this.#counts].flatMap(([reason, names]) =>
      Array.from(names, ([name, { count }]) => ({ reason, name, count })).filter(({ count }) => count > 0),
    );
  }

  countRead(): void {
    this.#reads += 1;
  }

  countBypass({ name, reason }: CacheBypass): void {
    this.#countCost(reason, reason === 'header' || reason === 'credentials' ? name.toLowerCase() : name);
  }

  #countCost(reason: ExclusionCount['reason'], name: string): void {
    const { recent } = this.#count(reason, name);
    const now = this.#clock.now();
    if (now - this.#hourStart >= HOUR) this.#startHour(now);
    else if (
      !this.#hasWarned &&
      now >= this.#nextSearch &&
      this.#reads >= MIN_READS &&
      (recent >= this.#reads * MIN_SHARE || toNamePattern(name) !== name)
    )
      this.#warn(now);
  }

  /** Says which cookie, field or parameter costs the most hits, and what helps; empty if none does. */
  describeCosts(): string {
    if (this.#reads >= MIN_READS) this.#costs = this.#findCosts();
    return this.#costs;
  }

  #startHour(now: number): void {
    this.describeCosts();
    this.#hourStart = now;
    this.#nextSearch = Number.NEGATIVE_INFINITY;
    this.#reads = 0;
    this.#hasWarned = false;
    for (const names of this.#counts.values()) for (const counted of names.values()) counted.recent = 0;
  }

  #warn(now: number): void {
    this.#nextSearch = now + SEARCH_INTERVAL;
    const costs = this.describeCosts();
    if (costs === '') return;
    this.#hasWarned = true;
    this.#log.warn({}, costs);
  }

  #findCosts(): string {
    const counted = [...this.#counts].flatMap(([reason, names]) =>
      Array.from(names, ([name, { recent }]) => ({
        reason,
        name,
        recent,
        remedy: this.#findRemedy(reason, name),
      })),
    );
    const helped = counted.filter(({ recent, remedy }) => recent > 0 && remedy !== '');
    // What a site sets comes back in requests: one cause.
    const groups = groupEqual(helped, ({ name, reason }) =>
      [reason === 'set-cookie' ? 'cookie' : reason, toNamePattern(name)].join(' '),
    ).map(({ all }) => ({ all, sum: all.reduce((sum, { recent }) => sum + recent, 0) }));
    const most = groups.toSorted((one, other) => other.sum - one.sum)[0];
    const share = most === undefined ? 0 : Math.min(1, most.sum / this.#reads);
    const cause = most?.all.find(({ reason }) => reason === 'set-cookie') ?? most?.all[0];
    if (most === undefined || cause === undefined || share < MIN_SHARE) return '';
    const names = new Set(most.all.map(({ name }) => name));
    const name = names.size === 1 ? cause.name : toNamePattern(cause.name);
    const ofNames = names.size === 1 ? '' : ` (${names.size} names or more)`;
    return `${formatShare(share)} of reads miss the store because of ${describeCause(cause.reason, name)}${ofNames}: ${cause.remedy}`;
  }

  #findRemedy(reason: ExclusionCount['reason'], name: string): string {
    const detail = toDetail(reason, name);
    const isOfOneClient = detail === 'cookie' && (OF_ONE_CLIENT.test(name) || isCredentialName(name));
    const isTwice = (detail === 'set-cookie' && reason !== detail) || reason === 'nonce in body';
    const isKeyed = detail === 'set-cookie' && this.#isKeyCookie(name);
    return isOfOneClient || isTwice || isKeyed ? '' : findRemedy(`${detail} ${name}`).replaceAll('`', '');
  }

  /** Logs each route once. @param address path template or route @param member that holds the nonce */
  reportNonce(address: string, member: string): void {
    this.#count('nonce in body', member);
    // Clients choose the addresses of unknown routes.
    const route = detachString(address.slice(0, MAX_ROUTE_LENGTH));
    if (this.#warnedRoutes.size >= MAX_WARNED_ROUTES || this.#warnedRoutes.has(route)) return;
    this.#warnedRoutes.add(route);
    this.#log.warn(
      { route, member },
      'a response contains a nonce in its body, so responses of this route are not stored: exclude the route by a cache rule with `store: false`, or let the plugin send the nonce to logged-in users only',
    );
  }

  countCookies(names: readonly string[]): void {
    for (const name of names) this.#countCost('set-cookie', name);
  }

  countUnshared(reason: string): void {
    if (reason !== 'set-cookie') this.#countCost('response', reason);
  }

  /** Beyond the limit the name with the smallest weight joins `other`: frequent ones stay, whatever clients invent. */
  #count(reason: ExclusionCount['reason'], name: string): NameCount {
    const cut = name.slice(0, MAX_NAME_LENGTH).replace(/[^ -~]/g, '?');
    const names = getOrCreate(
      this.#counts,
      reason,
      () => new Map([[OTHER, { count: 0, recent: 0, weight: Number.POSITIVE_INFINITY }]]),
    );
    const counted = getOrCreate(names, cut, () => ({
      ...(names.size <= MAX_NAMES ? { recent: 0, weight: 0 } : dropSmallest(names)),
      count: 0,
    }));
    counted.count += 1;
    counted.recent += 1;
    counted.weight += 1;
    return counted;
  }
}

const CAUSES: Readonly<Record<string, string>> = {
  cookie: 'the cookie',
  'set-cookie': 'a cookie that the site sets,',
  header: 'the request field',
  parameter: 'the parameter',
  query: 'the parameter',
  namespace: 'the namespace',
};

function toDetail(reason: ExclusionCount['reason'], name: string): string {
  return reason === 'hit-for-pass' || reason === 'response' ? name : reason;
}

function describeCause(reason: ExclusionCount['reason'], name: string): string {
  const detail = toDetail(reason, name);
  const label = CAUSES[detail];
  return label === undefined ? [detail, name].join(' ').trim() : `${label} ${name}`;
}

/** `visit_*` for `visit_1080`: plugins put the id of a post or a visitor into names. */
export function toNamePattern(name: string): string {
  return name.replace(/(?<=[^\d]{2})\d.*/s, '*');
}

/** @returns numbers that the new name inherits */
function dropSmallest(names: Map<string, NameCount>): Pick<NameCount, 'recent' | 'weight'> {
  const [, dropped] = takeSmallest(names, ({ weight }) => weight) ?? [];
  const other = names.get(OTHER);
  if (dropped === undefined || other === undefined) return { recent: 0, weight: 0 };
  other.count += dropped.count;
  return dropped;
}
