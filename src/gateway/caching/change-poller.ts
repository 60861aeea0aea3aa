import type { ResourceLocation } from '../../cache/wordpress/resource-map.ts';
import { isJsonObject, type Json } from '../../json.ts';
import type { Clock, Log } from '../../ports.ts';
import type { SiteRuntime } from '../snapshot/site-runtime.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { SiteCaching } from './site-caching.ts';

/** How many changes one look takes in; the next one goes on from there. */
const PER_LOOK = 100;
/** How long a look may take, in milliseconds. */
const PATIENCE = 10_000;

export interface WatchOptions {
  readonly runtime: SiteRuntime;
  readonly caching: SiteCaching;
  /** `/content`, or empty. */
  readonly mount: string;
  /** Milliseconds between looks. */
  readonly interval: number;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly log: Log;
  /** What the log calls the site. */
  readonly site: string;
}

/** Looks now and then at what was modified at the site itself, and purges what depends on it. */
export interface Watcher {
  start(): void;
  /** Looks once. Never rejects. */
  look(): Promise<void>;
  stop(): void;
}

/** What was seen of a collection. Dates are the site's own, as it writes them. */
interface Seen {
  /** The latest `modified`. */
  readonly latest: string;
  /** What was modified then: more may follow within that second. */
  readonly at: ReadonlySet<string>;
}

export function createChangePoller(options: WatchOptions): Watcher {
  const { caching, clock, interval, log, mount, runtime, site } = options;
  const seen = new Map<string, Seen>();
  let state: 'idle' | 'started' | 'stopped' = 'idle';
  let cancel = (): void => {};
  const ending = new AbortController();

  async function ask(snapshot: Snapshot, route: string, query: string): Promise<readonly Json[]> {
    const target = `${mount}/?rest_route=${encodeURIComponent(route)}&${query}`;
    const reading = snapshot.read({ method: 'GET', target, headers: [] });
    if (reading.kind !== 'route') return [];
    const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(PATIENCE)]);
    const response = await options.fetch(snapshot.origin + reading.address, {
      signal,
      headers: { accept: 'application/json' },
      redirect: 'error',
    });
    const body: Json = await response.json();
    return response.ok && Array.isArray(body) ? body : [];
  }

  /** The routes that were modified since the last look; none at the first, which only learns where to begin. */
  async function modified(snapshot: Snapshot, collection: string): Promise<readonly string[]> {
    const before = seen.get(collection);
    const fields = '_fields=id,modified&orderby=modified';
    const since = before === undefined ? null : secondBefore(before.latest);
    const answer = await ask(
      snapshot,
      collection,
      since === null
        ? `${fields}&order=desc&per_page=1`
        : `${fields}&order=asc&per_page=${PER_LOOK}&modified_after=${encodeURIComponent(since)}`,
    );
    const found = answer.flatMap(readItem);
    const dates = found.map((item) => item.modified);
    const latest = [...dates, before?.latest ?? ''].toSorted().at(-1) ?? '';
    if (latest === '') return [];
    const name = ({ id, modified: at }: Item): string => `${id}@${at}`;
    seen.set(collection, { latest, at: new Set(found.map(name)) });
    if (before === undefined) return [];
    return found.filter((item) => !before.at.has(name(item))).map(({ id }) => `${collection}/${id}`);
  }

  async function look(): Promise<void> {
    const { snapshot } = runtime;
    if (snapshot === null) return;
    for (const collection of watchable(snapshot)) {
      try {
        const routes = await modified(snapshot, collection);
        if (routes.length === 0) continue;
        const writes = routes.map((route) => ({ route, method: 'PUT' }));
        const purged = await caching.purgeWritten(snapshot, writes);
        log.info({ site, routes: routes.length, purged }, 'modified at the site itself');
      } catch (error) {
        if (!ending.signal.aborted)
          log.warn({ site, collection, err: error }, 'the site could not be watched');
      }
    }
  }

  function schedule(): void {
    if (state === 'started') cancel = clock.after(interval, () => void look().finally(schedule));
  }

  return {
    look,
    start() {
      if (state !== 'idle') return;
      state = 'started';
      void look().finally(schedule);
    },
    stop() {
      state = 'stopped';
      cancel();
      ending.abort();
    },
  };
}

interface Item {
  readonly id: string;
  readonly modified: string;
}

function readItem(value: Json): readonly Item[] {
  if (!isJsonObject(value)) return [];
  const { id, modified } = value;
  return typeof id === 'number' && typeof modified === 'string' ? [{ id: String(id), modified }] : [];
}

/** The site's own clock and zone, which are nobody else's. */
function secondBefore(date: string): string {
  const time = Date.parse(`${date}Z`);
  return Number.isNaN(time) ? date : new Date(time - 1000).toISOString().slice(0, 19);
}

/** Collections that can be asked for what was modified. */
function watchable({ judges }: Snapshot): readonly ResourceLocation['collection'][] {
  return [...(judges?.operations() ?? [])].flatMap(({ operation: { method, parameters, path } }) => {
    const names = new Set(parameters.map(({ name }) => name));
    return method === 'GET' && !path.includes('{') && names.has('modified_after') && names.has('orderby')
      ? [path]
      : [];
  });
}
