import type { Clock } from '../ports.ts';
import { runInSlices, visitInSteps } from '../steps.ts';
import { calculateCurrentAge, calculateTimeToLive, isFresh } from './policy/storability.ts';
import type { PurgeSelection, StoredResponse, StoreInspector } from './store.ts';
import { estimateResponseSize } from './stores/memory-store.ts';

/** Stored responses that have a route or a tag in common. */
export class InventoryGroup {
  readonly name: string;
  responses = 0;
  /** Estimated memory, in bytes. */
  bytes = 0;
  fresh = 0;
  /** Ages in seconds. */
  youngest: number = Number.POSITIVE_INFINITY;
  oldest = 0;
  /** Freshness lifetimes in seconds. */
  shortestLifetime: number = Number.POSITIVE_INFINITY;
  longestLifetime = 0;

  constructor(name: string) {
    this.name = name;
  }

  add(response: StoredResponse, bytes: number, now: number): void {
    const age = calculateCurrentAge(response, now);
    const { freshnessLifetime } = response;
    this.responses += 1;
    this.bytes += bytes;
    if (isFresh(response, now)) this.fresh += 1;
    this.youngest = Math.min(this.youngest, age);
    this.oldest = Math.max(this.oldest, age);
    this.shortestLifetime = Math.min(this.shortestLifetime, freshnessLifetime);
    this.longestLifetime = Math.max(this.longestLifetime, freshnessLifetime);
  }
}

/** The stored responses of one site in the memory of this process. */
export interface Inventory {
  readonly total: InventoryGroup;
  /** By route, those with most memory first. */
  readonly routes: readonly InventoryGroup[];
  readonly routeCount: number;
  /** By tag, those with most responses first. A response has several tags. */
  readonly tags: readonly InventoryGroup[];
  readonly tagCount: number;
}

interface InventoryOptions {
  readonly inspector: StoreInspector;
  /** Begins the keys and tags of the site in the store. */
  readonly storeScope: string;
  readonly clock: Clock;
  /** Names the route of a response. There are few different names. */
  readonly nameRoute: (key: string, response: StoredResponse) => string;
}

/** Maximum routes and tags of an inventory. */
export const MAX_GROUPS = 200;

/** Counts the stored responses of a site by route and tag, in slices. Its memory does not grow with the number of tags. */
export async function takeInventory(options: InventoryOptions): Promise<Inventory> {
  const { clock, inspector, nameRoute, storeScope } = options;
  const tagPrefix = `${storeScope} `;
  const { common, tagCount } = await findCommonTags(options, tagPrefix);
  const total = new InventoryGroup('');
  const routes = new Map<string, InventoryGroup>();
  const tags = new Map(common.map((tag) => [tag, new InventoryGroup(tag.slice(tagPrefix.length))]));
  const now = clock.now();
  const visit = visitInSteps(inspector.listKeys(), (key) => {
    if (!key.startsWith(`${storeScope}\n`)) return;
    for (const response of inspector.peek(key)) {
      const bytes = estimateResponseSize(response);
      const route = nameRoute(key, response);
      const tally = routes.get(route) ?? new InventoryGroup(route);
      if (tally.responses === 0) routes.set(route, tally);
      for (const counted of [total, tally]) counted.add(response, bytes, now);
      for (const tag of response.tags) tags.get(tag)?.add(response, bytes, now);
    }
  });
  await runInSlices(visit, clock);
  return {
    total,
    routes: [...routes.values()].sort((one, other) => other.bytes - one.bytes).slice(0, MAX_GROUPS),
    routeCount: routes.size,
    tags: [...tags.values()]
      .filter(({ responses }) => responses > 0)
      .sort((one, other) => other.responses - one.responses),
    tagCount,
  };
}

/** Finds the tags that most responses of a site have, in their stored form. */
async function findCommonTags(
  { clock, inspector }: InventoryOptions,
  tagPrefix: string,
): Promise<{ readonly common: readonly string[]; readonly tagCount: number }> {
  let tagCount = 0;
  let candidates: (readonly [tag: string, responses: number])[] = [];
  const keepMostCommon = (): void => {
    candidates = candidates.sort(([, one], [, other]) => other - one).slice(0, MAX_GROUPS);
  };
  const visit = visitInSteps(inspector.countTags(), (entry) => {
    if (!entry[0].startsWith(tagPrefix)) return;
    tagCount += 1;
    candidates.push(entry);
    if (candidates.length >= 4 * MAX_GROUPS) keepMostCommon();
  });
  await runInSlices(visit, clock);
  keepMostCommon();
  return { common: candidates.map(([tag]) => tag), tagCount };
}

/** What a purge would select in the memory of this process. */
interface PurgePreview {
  readonly responses: number;
  /** Estimated memory, in bytes. */
  readonly bytes: number;
  /** The first of them. */
  readonly examples: readonly PurgeExample[];
  /** Whether other gateways may store more that the purge selects. */
  readonly isShared: boolean;
}

/** One response that a purge would select. */
interface PurgeExample {
  readonly key: string;
  readonly status: number;
  readonly bytes: number;
  /** Seconds until it is stale; negative after that. */
  readonly ttl: number;
}

/** Maximum examples of a preview. */
export const MAX_PREVIEWED = 50;

/** Counts what a purge would select, in slices, and changes nothing. */
export async function previewPurge(
  inspector: StoreInspector,
  selection: PurgeSelection,
  clock: Clock,
): Promise<PurgePreview> {
  const selected = inspector.select(selection);
  const examples: PurgeExample[] = [];
  const now = clock.now();
  let responses = 0;
  let bytes = 0;
  const visit = visitInSteps(selected.keys, (key) => {
    for (const response of inspector.peek(key)) {
      if (!selected.matches(response)) continue;
      const size = estimateResponseSize(response);
      responses += 1;
      bytes += size;
      if (examples.length >= MAX_PREVIEWED) continue;
      const { status } = response;
      examples.push({ key, status, bytes: size, ttl: calculateTimeToLive(response, now) });
    }
  });
  await runInSlices(visit, clock);
  return { responses, bytes, examples, isShared: inspector.isShared };
}
