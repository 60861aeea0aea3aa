import type { Clock } from '../ports.ts';
import { runInSlices, visitInSteps } from '../steps.ts';
import { calculateCurrentAge, calculateTimeToLive, isFresh } from './policy/storability.ts';
import type { PurgeSelection, StoredResponse, StoreInspector } from './store.ts';
import { estimateResponseSize } from './stores/memory-store.ts';

/** Stored responses that have a route or a tag in common. */
export interface InventoryGroup {
  readonly name: string;
  readonly responses: number;
  /** Estimated memory, in bytes. */
  readonly bytes: number;
  readonly fresh: number;
  /** Ages in seconds. */
  readonly youngest: number;
  readonly oldest: number;
  /** Freshness lifetimes in seconds. */
  readonly shortestLifetime: number;
  readonly longestLifetime: number;
}

const INFINITE = Number.POSITIVE_INFINITY;
const NOTHING: Omit<InventoryGroup, 'name'> = {
  ...{ responses: 0, bytes: 0, fresh: 0 },
  ...{ youngest: INFINITE, oldest: 0, shortestLifetime: INFINITE, longestLifetime: 0 },
};

class GroupSums {
  readonly #groups = new Map<string, InventoryGroup>();

  get size(): number {
    return this.#groups.size;
  }

  get(name: string): InventoryGroup {
    return this.#groups.get(name) ?? { name, ...NOTHING };
  }

  add(name: string, added: Omit<InventoryGroup, 'name'>): void {
    const group = this.get(name);
    this.#groups.set(name, {
      name,
      responses: group.responses + added.responses,
      bytes: group.bytes + added.bytes,
      fresh: group.fresh + added.fresh,
      youngest: Math.min(group.youngest, added.youngest),
      oldest: Math.max(group.oldest, added.oldest),
      shortestLifetime: Math.min(group.shortestLifetime, added.shortestLifetime),
      longestLifetime: Math.max(group.longestLifetime, added.longestLifetime),
    });
  }

  /** Lists the groups with most of a figure first. */
  list(figure: 'bytes' | 'responses'): readonly InventoryGroup[] {
    return [...this.#groups.values()].sort((one, other) => other[figure] - one[figure]).slice(0, MAX_GROUPS);
  }
}

/** The stored responses of one site in memory. */
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
  /** Names the route of a key. There are few different names. */
  readonly nameRoute: (key: string) => string;
}

/** Maximum routes and tags of an inventory. */
export const MAX_GROUPS = 200;

class InventorySums {
  readonly total: GroupSums = new GroupSums();
  readonly routes: GroupSums = new GroupSums();
  readonly tags: GroupSums = new GroupSums();

  toInventory(routeCount: number, tagCount: number): Inventory {
    return {
      ...{ total: this.total.get(''), routes: this.routes.list('bytes'), routeCount },
      ...{ tags: this.tags.list('responses'), tagCount },
    };
  }
}

/** Counts the stored responses of a site by route and tag, in slices. Its memory does not grow with the number of tags. */
export async function takeInventory(options: InventoryOptions): Promise<Inventory> {
  const { clock, inspector, nameRoute, storeScope } = options;
  const tagPrefix = `${storeScope} `;
  const { common, tagCount } = await findCommonTags(options, tagPrefix);
  const tags = new Set(common);
  const sums = new InventorySums();
  const now = clock.now();
  const visit = visitInSteps(inspector.listKeys(), (key) => {
    if (!key.startsWith(`${storeScope}\n`)) return;
    for (const response of inspector.peek(key)) {
      const group = toGroup(response, now);
      sums.total.add('', group);
      sums.routes.add(nameRoute(key), group);
      for (const tag of response.tags) if (tags.has(tag)) sums.tags.add(tag.slice(tagPrefix.length), group);
    }
  });
  await runInSlices(visit, clock);
  return sums.toInventory(sums.routes.size, tagCount);
}

function toGroup(response: StoredResponse, now: number): Omit<InventoryGroup, 'name'> {
  const age = calculateCurrentAge(response, now);
  const { freshnessLifetime } = response;
  return {
    responses: 1,
    bytes: estimateResponseSize(response),
    fresh: isFresh(response, now) ? 1 : 0,
    ...{ youngest: age, oldest: age },
    ...{ shortestLifetime: freshnessLifetime, longestLifetime: freshnessLifetime },
  };
}

/** Finds the tags that most responses of a site have, in their stored form. */
async function findCommonTags(
  { clock, inspector }: InventoryOptions,
  tagPrefix: string,
): Promise<{ readonly common: readonly string[]; readonly tagCount: number }> {
  let tagCount = 0;
  let candidates: { readonly name: string; readonly responses: number }[] = [];
  const keepMostCommon = (): void => {
    candidates = candidates.sort((one, other) => other.responses - one.responses).slice(0, MAX_GROUPS);
  };
  const visit = visitInSteps(inspector.countTags(), (entry) => {
    if (!entry.name.startsWith(tagPrefix)) return;
    tagCount += 1;
    candidates.push(entry);
    if (candidates.length >= 4 * MAX_GROUPS) keepMostCommon();
  });
  await runInSlices(visit, clock);
  keepMostCommon();
  return { common: candidates.map(({ name }) => name), tagCount };
}

/** What a purge would select in the memory of this process. */
export interface PurgePreview {
  readonly responses: number;
  /** Estimated memory, in bytes. */
  readonly bytes: number;
  /** The first of them. */
  readonly examples: readonly PurgeExample[];
}

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
  return { responses, bytes, examples };
}

/** Reads what is in the memory of a gateway's store, for the operator. */
export interface StoreReader {
  /** Counts the responses of a site. `null` if it has no store, or was not read yet. */
  takeInventory(mount: string): Promise<Inventory | null>;
  /** Counts what a purge would select. `null` if the store cannot tell. */
  previewPurge(selection: PurgeSelection): Promise<PurgePreview | null>;
  find(key: string): Promise<readonly StoredResponse[]>;
}
