#!/usr/bin/env node
// @ts-check
import { fileURLToPath } from 'node:url';
import { createJiti } from 'jiti';
import { readOptions } from '../options.mjs';

/**
 * node scripts/scale/main.mjs [--day 1e9] [--peak 3] [--gateways 4] [--keys 20000] [--writes 2] [--places 60] [--sample 10]
 *
 * Simulates gateways with a shared store before one site on a virtual clock, and prints a Markdown table of what the site and the gateways
 * need. What is stored, reused and purged is decided by waygate's own code (`src/cache/policy`, the memory store); the site is a queue
 * with a number of places (PHP processes) and a time for each request. Requests come by Zipf's law (exponent 0.9). A tenth of the reads,
 * writes, addresses and places is simulated (`--sample`), and multiplied.
 */

const jiti = createJiti(import.meta.url);
/** @type {typeof import('../../src/cache/stores/memory-store.ts')} */
const { MemoryStore } = await jiti.import('../../src/cache/stores/memory-store.ts');
/** @type {typeof import('../../src/cache/policy/storability.ts')} */
const { completeDraft, evaluateStorability } = await jiti.import('../../src/cache/policy/storability.ts');
/** @type {typeof import('../../src/cache/policy/reuse.ts')} */
const { evaluateReuse, NO_REQUEST_DIRECTIVES } = await jiti.import('../../src/cache/policy/reuse.ts');

/** Requests of a second that a core serves: a hit, and one that is forwarded (docs/internals/scale.md says where they are from). */
const PER_CORE = { hit: 20_000, miss: 6_000 };
/** Of the command. @type {Record<'day' | 'peak' | 'gateways' | 'keys' | 'writes' | 'places' | 'site-time' | 'seconds' | 'warm-up' | 'sample', string>} */
const DEFAULTS = {
  ...{ day: '1e9', peak: '3', gateways: '4', keys: '20000', writes: '2', places: '60', 'site-time': '100' },
  ...{ seconds: '20', 'warm-up': '60', sample: '10' },
};
/** Milliseconds that a gateway uses its memory after the last word of Redis. */
const MAX_STALENESS = 500;

/**
 * @typedef {object} Settings
 * @property {number} rate reads of a second, of all gateways
 * @property {number} gateways
 * @property {number} keys addresses
 * @property {number} writes of a second
 * @property {number} places requests that the site works on at a time
 * @property {number} siteTime milliseconds that it takes for one
 * @property {number} seconds that are counted
 * @property {number} warmUp seconds before them, in which the site never keeps anybody waiting
 * @property {'none' | 'cold' | 'all-cold' | 'redis-gone' | 'redis-away'} event at the beginning of the seconds that are counted
 */

/** @param {number} seed */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Draws keys by Zipf's law. @param {number} keys @param {() => number} random */
function createKeys(keys, random) {
  const sums = new Float64Array(keys);
  let total = 0;
  for (let at = 0; at < keys; at += 1) {
    total += (at + 1) ** -0.9;
    sums[at] = total;
  }
  return () => {
    const drawn = random() * total;
    let [low, high] = [0, keys - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < drawn) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

const BODY = new Uint8Array(64);

const WINDOWS = { staleWhileRevalidate: 0, staleIfError: 600, staleIfUnreachable: 600 };
const RULE = { ...WINDOWS, getTtl: () => undefined, overridesResponse: false };
const POLICY = {
  policy: { rule: RULE },
  forwardedHeaders: [],
  identifyingFields: [],
  getVariantKey: () => '',
};

/** What a gateway stores of a response of the site. @param {number} key @param {number} requestTime @param {number} responseTime @param {number} lifetime seconds */
function toStored(key, requestTime, responseTime, lifetime) {
  const head = {
    status: 200,
    headers: ['Content-Type', 'text/html', 'Cache-Control', `max-age=${lifetime}`],
  };
  const request = { method: /** @type {const} */ ('GET'), ...POLICY };
  const result = evaluateStorability({ request, head, requestTime, responseTime });
  if (result.kind !== 'storable') throw new Error(result.refusal.detail);
  return completeDraft(result.draft, BODY, [`item-${key}`]);
}

/**
 * Runs one day's peak in small.
 *
 * @param {Settings} settings
 * @returns {Promise<{ hits: number, siteRate: number, p99: number, longest: number, cores: number }>}
 *   shares of reads and of the site's places, requests of a second, and milliseconds that clients waited for the site
 */
export async function simulate({ event, gateways, keys, places, rate, seconds, siteTime, warmUp, writes }) {
  const random = createRandom(1);
  const drawKey = createKeys(keys, random);
  const [begin, end] = [warmUp * 1_000, (warmUp + seconds) * 1_000];
  let now = 0;
  const clock = { now: () => now, after: () => () => {} };
  const createStore = () => new MemoryStore({ clock, maxBytes: 2 ** 30 });
  let memories = Array.from({ length: gateways }, createStore);
  let shared = createStore();
  /** When each place of the site is free. It works on requests in their order. */
  const free = new Float64Array(places);
  let taken = 0;
  const ask = () => {
    const place = taken % places;
    taken += 1;
    // Before what is counted, the site is as large as it has to be.
    const end = Math.max(now, now < begin ? 0 : (free[place] ?? 0)) + siteTime;
    free[place] = end;
    return end;
  };
  /** @type {{ key: number, gateway: number, start: number, end: number}[]} */
  const pending = [];
  let first = 0;
  /** Responses on their way, which others wait for. @type {Map<string, number>} */
  const underWay = new Map();
  const counts = { reads: 0, hits: 0, misses: 0 };
  /** @type {number[]} */
  const waits = [];
  let hasHappened = false;
  let nextWrite = 0;
  const isRedisGone = () => event.startsWith('redis') && now >= begin;
  const usesMemory = () => !isRedisGone() || event === 'redis-away' || now < begin + MAX_STALENESS;
  const complete = () => {
    for (; first < pending.length && (pending[first]?.end ?? 0) <= now; first += 1) {
      const { gateway = 0, key = 0, start = 0, end: responseTime = 0 } = pending[first] ?? {};
      // As after hours, they do not expire together.
      const lifetime = now < begin ? Math.ceil(random() * 60) : 60;
      const response = toStored(key, start, responseTime, lifetime);
      if (response === null) continue;
      memories[gateway]?.put(`${key}`, response);
      if (!isRedisGone()) shared.put(`${key}`, response);
      for (const name of [`${gateway} ${key}`, `${key}`])
        if (underWay.get(name) === responseTime) underWay.delete(name);
    }
  };

  for (let count = 0; now < end; count += 1) {
    now += (-Math.log(1 - random()) / rate) * 1_000;
    complete();
    // Counts of purges go on in slices.
    if (count % 5_000 === 0) await new Promise((resolve) => setImmediate(resolve));
    if (!hasHappened && now >= begin) {
      hasHappened = true;
      if (event === 'cold') memories[0] = createStore();
      if (event === 'all-cold') [shared = shared, ...memories] = [shared, ...memories].map(createStore);
    }
    for (; nextWrite <= now; nextWrite += 1_000 / writes) {
      // An item, and the three most read lists that show it.
      ask();
      const tags = [drawKey(), 0, 1, 2].map((key) => `item-${key}`);
      for (const store of [...memories, shared]) void store.purge({ kind: 'tags', tags }, 'hard');
    }
    const key = drawKey();
    const gateway = Math.floor(random() * gateways);
    const isCounted = now >= begin;
    if (isCounted) counts.reads += 1;
    const memory = memories[gateway];
    const isFresh = (/** @type {InstanceType<typeof MemoryStore> | undefined} */ store) => {
      const [found] = store?.get(`${key}`) ?? [];
      return found !== undefined && evaluateReuse(found, NO_REQUEST_DIRECTIVES, now) === 'fresh'
        ? found
        : undefined;
    };
    let found = usesMemory() ? isFresh(memory) : undefined;
    if (found === undefined && !isRedisGone()) {
      found = isFresh(shared);
      if (found !== undefined) memory?.put(`${key}`, found);
    }
    if (found !== undefined) {
      if (isCounted) counts.hits += 1;
      continue;
    }
    // By-passed responses are not shared: each request reaches the site.
    const name = usesMemory() ? (isRedisGone() ? `${gateway} ${key}` : `${key}`) : null;
    const others = name === null ? undefined : underWay.get(name);
    const answeredAt = others ?? ask();
    if (isCounted) waits.push(answeredAt - now);
    if (others !== undefined) continue;
    if (isCounted) counts.misses += 1;
    if (name === null) continue;
    underWay.set(name, answeredAt);
    pending.push({ key, gateway, start: now, end: answeredAt });
  }
  waits.sort((a, b) => a - b);
  return {
    hits: counts.hits / counts.reads,
    siteRate: counts.misses / seconds,
    p99: waits[Math.floor(waits.length * 0.99)] ?? 0,
    longest: waits.at(-1) ?? 0,
    cores: counts.hits / seconds / PER_CORE.hit + (counts.reads - counts.hits) / seconds / PER_CORE.miss,
  };
}

async function main() {
  const { values } = readOptions(import.meta.url, {
    options: Object.fromEntries(
      Object.entries(DEFAULTS).map(([name, value]) => [name, { type: 'string', default: value }]),
    ),
  });
  const read = (/** @type {keyof typeof DEFAULTS} */ name) => Number(values[name]);
  const sample = read('sample');
  /** @type {Settings} */
  const settings = {
    ...{ event: 'none', gateways: read('gateways'), siteTime: read('site-time') },
    ...{ seconds: read('seconds'), warmUp: read('warm-up') },
    rate: ((read('day') / 86_400) * read('peak')) / sample,
    ...{ keys: read('keys') / sample, writes: read('writes') / sample },
    places: Math.round(read('places') / sample),
  };
  const { keys, places, rate, writes } = settings;
  /** @type {readonly [string, Partial<Settings>][]} */
  const rows = [
    ['all is well', {}],
    ['ten times as many writes', { writes: writes * 10 }],
    ['ten times as many addresses', { keys: keys * 10 }],
    ['a gateway starts cold', { event: 'cold' }],
    ['all start cold, Redis too', { event: 'all-cold' }],
    ['Redis is gone, with `cache.redisAway`', { event: 'redis-away' }],
    ['Redis is gone', { event: 'redis-gone' }],
  ];
  process.stdout.write(
    `${Math.round(rate * sample)} reads a second, ${Object.entries(values)
      .map((each) => each.join(' '))
      .join(', ')}\n\n` +
      '| | hits | requests at the site, 1/s | its places in use | p99 / longest wait of a miss | cores |\n|---|---|---|---|---|---|\n',
  );
  for (const [name, changed] of rows) {
    const row = await simulate({ ...settings, ...changed });
    const wait = [row.p99, row.longest].map((time) => `${(time / 1_000).toFixed(1)} s`).join(' / ');
    const use = `${Math.round(((row.siteRate * settings.siteTime) / places) * 0.1)} %`;
    const figures = [Math.round(row.siteRate * sample), use, wait, (row.cores * sample).toFixed(1)];
    process.stdout.write(`| ${[name, `${(row.hits * 100).toFixed(1)} %`, ...figures].join(' | ')} |\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
