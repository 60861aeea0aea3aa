import { STOPPED } from '../../errors.ts';
import { isJsonObject, type Json } from '../../json.ts';
import type { Clock, Log } from '../../ports.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { SiteCaching } from './site-caching.ts';

/** Changes that one poll of a collection reads; the next poll continues after them. */
const MAX_CHANGES = 100;
/** Timeout of one request, in milliseconds. */
const REQUEST_TIMEOUT = 10_000;

interface PolledSite {
  readonly mountPath: string;
  readonly runtime: { readonly snapshot: Snapshot | null };
  readonly caching: SiteCaching | null;
  readonly upstream: { readonly fetch: typeof globalThis.fetch };
}

/** State of one collection after a poll. Dates are in the site's own time zone and format. */
interface CollectionState {
  /** The latest `modified`. */
  readonly latest: string;
  /** The items that the last poll read. More items may be modified within the same second. */
  readonly items: ReadonlySet<string>;
}

/** Polls a site for resources that were modified at the site itself, and purges what depends on them. */
export class ChangePoller {
  readonly #site: PolledSite;
  readonly #interval: number;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #states = new Map<string, CollectionState>();
  /** Of one poll: Node 20 never forgets a signal that `AbortSignal.any` has derived from another. */
  #abort = new AbortController();
  #state: 'idle' | 'started' | 'stopped' = 'idle';
  /** Collections whose last poll failed. */
  readonly #failing = new Set<string>();
  #cancelTimer = (): void => {};

  /** @param interval milliseconds between the end of one poll and the start of the next */
  constructor(site: PolledSite, interval: number, clock: Clock, log: Log) {
    this.#site = site;
    this.#interval = interval;
    this.#clock = clock;
    this.#log = log;
  }

  start(): void {
    if (this.#state !== 'idle') return;
    this.#state = 'started';
    void this.poll().finally(() => this.#schedule());
  }

  stop(): void {
    this.#state = 'stopped';
    this.#cancelTimer();
    this.#abort.abort(STOPPED);
  }

  /** Polls once. Never rejects. */
  async poll(): Promise<void> {
    const { caching, runtime } = this.#site;
    const { snapshot } = runtime;
    if (snapshot === null || caching === null) return;
    if (this.#state !== 'stopped') this.#abort = new AbortController();
    const isFailing = this.#failing.size > 0;
    for (const collection of listPollableCollections(snapshot)) {
      try {
        const routes = await this.#listModified(snapshot, collection);
        if (this.#failing.delete(collection) && this.#failing.size === 0)
          this.#log.info({}, 'the site is polled for modified resources again');
        if (routes.length === 0) continue;
        const writes = routes.map((route) => ({ route, method: 'PUT' }));
        const purged = await caching.invalidateRoutes(snapshot, writes);
        this.#log.info({ routes: routes.length, purged }, 'resources were modified at the site');
      } catch (error) {
        if (this.#abort.signal.aborted) continue;
        this.#failing.add(collection);
        if (this.#failing.size > 1 || isFailing) continue;
        this.#log.warn({ collection, err: error }, 'polling the site for modified resources failed');
      }
    }
  }

  #schedule(): void {
    if (this.#state !== 'started') return;
    const poll = (): void => void this.poll().finally(() => this.#schedule());
    this.#cancelTimer = this.#clock.after(this.#interval, poll);
  }

  /** Lists the routes that were modified since the last poll. The first poll only reads the latest date. */
  async #listModified(snapshot: Snapshot, collection: string): Promise<readonly string[]> {
    const previous = this.#states.get(collection);
    const fields = '_fields=id,modified&orderby=modified';
    const query =
      previous === undefined
        ? `${fields}&order=desc&per_page=1`
        : `${fields}&order=asc&per_page=${MAX_CHANGES}&modified_after=${encodeURIComponent(subtractSecond(previous.latest))}`;
    const items = (await this.#fetchList(snapshot, collection, query)).flatMap(parseItem);
    const dates = items.map(({ modified }) => modified);
    const latest = [...dates, previous?.latest ?? ''].toSorted().at(-1) ?? '';
    if (latest === '') return [];
    const keyOf = ({ id, modified }: ModifiedItem): string => `${id}@${modified}`;
    this.#states.set(collection, { latest, items: new Set(items.map(keyOf)) });
    if (previous === undefined) return [];
    return items.filter((item) => !previous.items.has(keyOf(item))).map(({ id }) => `${collection}/${id}`);
  }

  async #fetchList(snapshot: Snapshot, route: string, query: string): Promise<readonly Json[]> {
    const signal = AbortSignal.any([this.#abort.signal, AbortSignal.timeout(REQUEST_TIMEOUT)]);
    const body = await readRoute(this.#site, snapshot, `${encodeURIComponent(route)}&${query}`, signal);
    return Array.isArray(body) ? body : [];
  }
}

/**
 * Reads a route at the site, as a client without a session.
 *
 * @param route with query: `/wp/v2/posts&page=2`
 * @returns `undefined` if the site responds with an error
 */
export async function readRoute(
  { mountPath, upstream }: Pick<PolledSite, 'mountPath' | 'upstream'>,
  snapshot: Snapshot,
  route: string,
  signal: AbortSignal,
): Promise<Json | undefined> {
  const target = `${mountPath}/?rest_route=${route}`;
  const resolved = snapshot.resolveRequest({ method: 'GET', target, headers: [] });
  if (resolved.kind !== 'route') return undefined;
  const headers = { accept: 'application/json' };
  const response = await upstream.fetch(snapshot.routeOrigin + resolved.upstreamTarget, {
    ...{ signal, headers, redirect: 'error' },
  });
  const body: Json = await response.json();
  return response.ok ? body : undefined;
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
