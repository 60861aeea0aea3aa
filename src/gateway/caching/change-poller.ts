import { isJsonObject, type Json } from '../../json.ts';
import type { Clock, Log } from '../../ports.ts';
import type { SiteRuntime } from '../snapshot/site-runtime.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { SiteCaching } from './site-caching.ts';

/** Changes that one poll of a collection reads; the next poll continues after them. */
const MAX_CHANGES = 100;
/** Timeout of one request, in milliseconds. */
const REQUEST_TIMEOUT = 10_000;

/** Options of {@link createChangePoller}. */
export interface ChangePollerOptions {
  readonly runtime: SiteRuntime;
  readonly caching: SiteCaching;
  /** `/content`, or empty. */
  readonly mount: string;
  /** Milliseconds between the end of one poll and the start of the next. */
  readonly interval: number;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly log: Log;
  /** Name of the site in the log. */
  readonly siteName: string;
}

/** Polls a site for resources that were modified at the site itself, and purges what depends on them. */
export interface ChangePoller {
  start(): void;
  /** Polls once. Never rejects. */
  poll(): Promise<void>;
  stop(): void;
}

/** State of one collection after a poll. Dates are in the site's own time zone and format. */
interface CollectionState {
  /** The latest `modified`. */
  readonly latest: string;
  /** The items that the last poll read. More items may be modified within the same second. */
  readonly items: ReadonlySet<string>;
}

export function createChangePoller(options: ChangePollerOptions): ChangePoller {
  const { caching, clock, interval, log, mount, runtime, siteName } = options;
  const states = new Map<string, CollectionState>();
  let state: 'idle' | 'started' | 'stopped' = 'idle';
  let cancelTimer = (): void => {};
  const abort = new AbortController();

  async function fetchList(snapshot: Snapshot, route: string, query: string): Promise<readonly Json[]> {
    const target = `${mount}/?rest_route=${encodeURIComponent(route)}&${query}`;
    const resolved = snapshot.resolveRequest({ method: 'GET', target, headers: [] });
    if (resolved.kind !== 'route') return [];
    const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(REQUEST_TIMEOUT)]);
    const response = await options.fetch(snapshot.origin + resolved.upstreamTarget, {
      signal,
      headers: { accept: 'application/json' },
      redirect: 'error',
    });
    const body: Json = await response.json();
    return response.ok && Array.isArray(body) ? body : [];
  }

  /** Lists the routes that were modified since the last poll. The first poll only reads the latest date. */
  async function listModified(snapshot: Snapshot, collection: string): Promise<readonly string[]> {
    const previous = states.get(collection);
    const fields = '_fields=id,modified&orderby=modified';
    const since = previous === undefined ? null : subtractSecond(previous.latest);
    const query =
      since === null
        ? `${fields}&order=desc&per_page=1`
        : `${fields}&order=asc&per_page=${MAX_CHANGES}&modified_after=${encodeURIComponent(since)}`;
    const items = (await fetchList(snapshot, collection, query)).flatMap(parseItem);
    const dates = items.map(({ modified }) => modified);
    const latest = [...dates, previous?.latest ?? ''].toSorted().at(-1) ?? '';
    if (latest === '') return [];
    const keyOf = ({ id, modified }: ModifiedItem): string => `${id}@${modified}`;
    states.set(collection, { latest, items: new Set(items.map(keyOf)) });
    if (previous === undefined) return [];
    return items.filter((item) => !previous.items.has(keyOf(item))).map(({ id }) => `${collection}/${id}`);
  }

  async function poll(): Promise<void> {
    const { snapshot } = runtime;
    if (snapshot === null) return;
    for (const collection of listPollableCollections(snapshot)) {
      try {
        const routes = await listModified(snapshot, collection);
        if (routes.length === 0) continue;
        const writes = routes.map((route) => ({ route, method: 'PUT' }));
        const purged = await caching.invalidateRoutes(snapshot, writes);
        log.info({ site: siteName, routes: routes.length, purged }, 'resources were modified at the site');
      } catch (error) {
        if (!abort.signal.aborted) {
          log.warn(
            { site: siteName, collection, err: error },
            'polling the site for modified resources failed',
          );
        }
      }
    }
  }

  function schedule(): void {
    if (state === 'started') cancelTimer = clock.after(interval, () => void poll().finally(schedule));
  }

  return {
    poll,
    start() {
      if (state !== 'idle') return;
      state = 'started';
      void poll().finally(schedule);
    },
    stop() {
      state = 'stopped';
      cancelTimer();
      abort.abort();
    },
  };
}

interface ModifiedItem {
  readonly id: string;
  readonly modified: string;
}

function parseItem(value: Json): readonly ModifiedItem[] {
  if (!isJsonObject(value)) return [];
  const { id, modified } = value;
  return typeof id === 'number' && typeof modified === 'string' ? [{ id: String(id), modified }] : [];
}

/** The date is in the site's time zone, which is unknown. It is only moved, never compared with a clock. */
function subtractSecond(date: string): string {
  const time = Date.parse(`${date}Z`);
  return Number.isNaN(time) ? date : new Date(time - 1000).toISOString().slice(0, 19);
}

/** Lists the collections that can be filtered by `modified_after` and ordered by date. */
function listPollableCollections({ requestValidators }: Snapshot): readonly string[] {
  return [...(requestValidators?.listOperations() ?? [])].flatMap(
    ({ operation: { method, parameters, path } }) => {
      const names = new Set(parameters.map(({ name }) => name));
      const isPollable = !path.includes('{') && names.has('modified_after') && names.has('orderby');
      return method === 'GET' && isPollable ? [path] : [];
    },
  );
}
