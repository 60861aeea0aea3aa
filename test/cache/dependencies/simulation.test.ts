import { describe, expect, test } from 'vitest';
import { Evidence, type RecentWrite } from '../../../src/cache/dependencies/evidence.ts';
import type { StoredResponse } from '../../../src/cache/store.ts';
import { storedResponse } from '../stores/store-contract.ts';

/**
 * A site whose pages depend on writes as planted, read through a cache that keeps what {@link Evidence} lists. What the cache keeps
 * although a write has changed it is a wrong page.
 */

const CONFIDENCE = 0.02;
const GROUP = 'site pages';
const KIND = 'PUT /items/{id} text';
const PATTERNS = 12;
const PAGES = 8;
const WRITES = 400;
/** Sites that are drawn for each kind of dependency. */
const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? 2);

/** Whether write `n` by `user` changes a page. */
type Plant = (n: number, user: number, page: number) => boolean;

interface Page {
  readonly key: string;
  readonly routeClass: string;
  readonly plant: Plant;
  readonly varies: boolean;
  /** Grows with each change that a client can see. */
  state: number;
  stored: StoredResponse | undefined;
  /** Whether a write has changed it, and the cache has kept it. */
  isWrong: boolean;
  /** When it was purged since it was stored, and whether the write had changed it; `null` if nothing can make it a hit again. */
  marks: { readonly write: RecentWrite | null; readonly isChanged: boolean }[] | null;
}

/** Numbers in [0, 1) that a seed repeats (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface PlantOptions {
  /** Milliseconds after a write at which the planted pages change. */
  readonly delay?: number;
  readonly varies?: boolean;
  /** Milliseconds. */
  readonly lifetime?: number;
}

function simulate(
  seed: number,
  plant: Plant,
  { delay = 0, varies = false, lifetime = 60_000 }: PlantOptions = {},
) {
  const random = createRandom(seed);
  let [now, kept, wrong, keptReads, wrongReads] = [100_000, 0, 0, 0, 0];
  const pages: Page[] = Array.from({ length: PATTERNS * PAGES }, (_, at) => ({
    key: `k${at}`,
    routeClass: `/kind${Math.floor(at / PAGES)}/{}`,
    plant: at < PAGES ? plant : () => false,
    varies: varies && at < 2 * PAGES,
    ...{ state: 0, stored: undefined, isWrong: false, marks: [] },
  }));
  const purge = (isPurged: (page: Page) => boolean): void => {
    for (const page of pages)
      if (isPurged(page) && page.stored) page.stored = { ...page.stored, isSoftPurged: true };
  };
  const onContradiction = (): void => {
    purge(() => true);
    for (const page of pages) page.marks = null;
  };
  const evidence = new Evidence({ confidence: CONFIDENCE, onContradiction });
  let late: { at: number; pages: readonly Page[] }[] = [];
  const advance = (milliseconds: number): void => {
    now += milliseconds;
    for (const { pages: changed } of late.filter(({ at }) => at <= now))
      for (const p of changed) p.state += 1;
    late = late.filter(({ at }) => at > now);
  };
  /** Makes a response a hit again once what was learned keeps it after each write since it was stored. */
  const restore = (page: Page): void => {
    const { marks, routeClass, stored } = page;
    if (stored === undefined || marks === null || marks.length === 0) return;
    if (!marks.every(({ write }) => write === null || evidence.hasLearned(write, routeClass))) return;
    page.stored = { ...stored, isSoftPurged: false };
    kept += 1;
    page.isWrong ||= marks.some(({ isChanged }) => isChanged);
    if (marks.some(({ isChanged }) => isChanged)) wrong += 1;
    page.marks = [];
  };
  const read = (page: Page): void => {
    restore(page);
    const { stored } = page;
    if (stored && !stored.isSoftPurged && now - stored.responseTime < lifetime) {
      keptReads += 1;
      if (page.isWrong) wrongReads += 1;
      return;
    }
    const requestTime = now;
    advance(5);
    const body = `title ${page.key} state ${page.state} served in ${page.varies ? random() : 0} seconds`;
    page.stored = storedResponse(requestTime, {
      responseTime: now,
      body: new TextEncoder().encode(body),
      tags: [`tag ${page.key}`],
      group: { name: GROUP, routeClass: page.routeClass },
    });
    page.isWrong = false;
    page.marks = [];
    evidence.observe(page.key, stored, page.stored);
    advance(1);
  };
  for (const page of pages) read(page);
  for (let n = 1; n <= WRITES; n += 1) {
    const user = Math.floor(random() * 4);
    const write = evidence.startWrite(now);
    advance(5);
    const changed = pages.filter((page, at) => page.plant(n, user, at % PAGES));
    if (delay === 0) for (const page of changed) page.state += 1;
    else late.push({ at: now + delay, pages: changed });
    const keptKinds = new Set(evidence.listKeptPatterns(KIND));
    evidence.finishWrite(
      write,
      {
        ...{ kind: KIND, resource: `/items/${n % 20}`, effectTags: [], hasCertainEffect: true },
        selection: {
          ...{ kind: 'tags', tags: [] },
          groups: [{ name: GROUP, exceptKinds: [...keptKinds] }],
        },
      },
      now,
    );
    for (const page of pages) {
      if (!keptKinds.has(page.routeClass) || page.stored?.isSoftPurged !== false) continue;
      kept += 1;
      if (!changed.includes(page)) continue;
      page.isWrong = true;
      wrong += 1;
    }
    const isPurged = ({ routeClass }: Page): boolean => !keptKinds.has(routeClass);
    purge(isPurged);
    for (const page of pages) {
      if (isPurged(page)) page.marks?.push({ write, isChanged: changed.includes(page) });
      else if (page.marks?.length && changed.includes(page))
        page.marks.push({ write: null, isChanged: true });
    }
    advance(1);
    // Popular pages are read most.
    for (let reads = 0; reads < 60; reads += 1) {
      advance(Math.floor(random() * 300));
      const page = pages[Math.floor(random() ** 2 * pages.length)];
      if (page) read(page);
    }
  }
  return { kept, wrong, keptReads, wrongReads };
}

const PLANTS: readonly (readonly [string, Plant, PlantOptions])[] = [
  ['nothing', () => false, {}],
  ['each write', () => true, {}],
  ['one address of a class', (_n, _user, page) => page === 5, {}],
  ['every second write', (n) => n % 2 === 0, {}],
  ['the writes of one user', (_, user) => user === 3, {}],
  ['each write, two seconds later', () => true, { delay: 2_000 }],
  ['each write, a minute later', () => true, { delay: 60_000 }],
  ['every 40th write', (n) => n % 40 === 0, {}],
  ['one address at every 40th write', (n, _user, page) => page === 5 && n % 40 === 0, {}],
  ['every 40th write, with a lifetime of an hour', (n) => n % 40 === 0, { lifetime: 3_600_000 }],
  ['the writes of one user, with a lifetime of an hour', (_, user) => user === 3, { lifetime: 3_600_000 }],
  ['each write, of pages that vary by themselves', () => true, { varies: true }],
  ['nothing, of pages that vary by themselves', () => false, { varies: true }],
];

describe('the probability of a wrong page is at most the accepted one if a class of pages depends on', () => {
  test.each(PLANTS)('%s', (name, plant, options) => {
    const sum = { kept: 0, wrong: 0, keptReads: 0, wrongReads: 0 };
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const run = simulate(seed, plant, options);
      for (const each of ['kept', 'wrong', 'keptReads', 'wrongReads'] as const) sum[each] += run[each];
    }
    if (process.env['SIMULATION'] === 'print')
      console.log(`${name}: ${sum.wrong} of ${sum.kept} kept, ${sum.wrongReads} of ${sum.keptReads} hits`);
    expect(sum.kept).toBeGreaterThan(1000);
    expect(sum.wrong / sum.kept).toBeLessThanOrEqual(CONFIDENCE);
    expect(sum.wrongReads / sum.keptReads).toBeLessThanOrEqual(CONFIDENCE);
  });
});
