import type { NotifyOptions } from '../../base/option-types.ts';
import { computeBackoff, type Environment } from '../../base/ports.ts';
import { listPurgedKeys, type PurgeSelection, readStoredTag, writeStoredTag } from '../cache/store.ts';
import { classifyAddress } from '../wordpress/bypass-rules.ts';
import { EVERYTHING } from '../wordpress/cache-names.ts';
import { signWebhook } from '../wordpress/site-fields.ts';
import type { DocumentRequestValidators } from './snapshot/snapshot.ts';

const INTERVAL = 1_000;
const FIRST_DELAY = 1_000;
const MAX_DELAY = 60_000;
const TIMEOUT = 10_000;
const MAX_NAMES = 5_000;

interface NotifyingSite {
  readonly name: string;
  readonly operations: Pick<DocumentRequestValidators, 'mapCollections'> | null | undefined;
}

interface NotifierOptions extends Environment {
  readonly receivers: readonly NotifyOptions[];
  readonly fetch: typeof globalThis.fetch;
}

export interface NotifyCounts {
  readonly receiver: string;
  readonly sent: number;
  readonly failed: number;
}

/** At most once a second for each receiver, and again until it understood. */
export class PurgeNotifier {
  /** Finds the site whose keys and tags begin with a scope, at the gateway that serves. */
  findSite: (scope: string) => NotifyingSite | undefined = () => undefined;
  readonly #receivers: readonly Receiver[];

  constructor(options: NotifierOptions) {
    const { receivers, ...ports } = options;
    this.#receivers = receivers.map((receiver, at) => new Receiver(receiver, at + 1, ports));
  }

  get counts(): readonly NotifyCounts[] {
    return this.#receivers.map(({ counts }) => counts);
  }

  notify(selection: PurgeSelection): void {
    if (selection.kind !== 'tags') return;
    for (const scope of new Set(selection.tags.map((tag) => readStoredTag(tag).site))) {
      const site = this.findSite(scope);
      if (site === undefined) continue;
      const purge = describePurge(selection.tags, scope, site);
      for (const receiver of this.#receivers) receiver.add(purge);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#receivers.map((receiver) => receiver.stop()));
  }
}

function describePurge(allTags: readonly string[], scope: string, site: NotifyingSite): SitePurge {
  const tags = allTags.filter((tag) => readStoredTag(tag).site === scope);
  const names = tags.map((tag) => readStoredTag(tag).tag);
  return {
    site: site.name,
    isEverything: names.some((name) => name === EVERYTHING || name.startsWith('@')),
    tags: new Set(names.flatMap((name) => toPublicTags(name, site))),
    paths: new Set(names.flatMap(toPublicPath)),
    keys: new Set(listPurgedKeys({ kind: 'tags', tags })),
    keysOfEverything: listPurgedKeys({ kind: 'tags', tags: [writeStoredTag(scope, EVERYTHING)] }),
  };
}

/** A receiver has tags of what it read, so it learns the collections below a route, and the one that lists an item. */
function toPublicTags(tag: string, { operations }: NotifyingSite): readonly string[] {
  if (tag.startsWith('!')) return [tag.slice(1)];
  const route = tag.split(/[?#]/, 1)[0] ?? '';
  if (!route.startsWith('/') || route === EVERYTHING) return [];
  const collection = /^(.+)\/\d+$/.exec(route)?.[1];
  if (collection !== undefined) return [route, collection];
  return [route, ...(operations?.mapCollections().get(route) ?? [])];
}

/** Returns a path without the query, which can have a credential. */
function toPublicPath(tag: string): readonly string[] {
  if (!/^[AP]\//.test(tag)) return [];
  const path = tag.slice(1).split('?', 1)[0] ?? '/';
  return classifyAddress(path) === 'page' ? [path] : [];
}

class Receiver {
  readonly #options: NotifyOptions;
  readonly #notifier: Omit<NotifierOptions, 'receivers'>;
  readonly #name: string;
  #pending = new Map<string, SitePurge>();
  #running: Promise<void> | undefined;
  #isStopped = false;
  #attempts = 0;
  #endPause = (): void => {};
  #sent = 0;
  #failed = 0;

  constructor(options: NotifyOptions, position: number, notifier: Omit<NotifierOptions, 'receivers'>) {
    this.#options = options;
    this.#notifier = notifier;
    this.#name = `${options.to} ${position}`;
  }

  get counts(): NotifyCounts {
    return { receiver: this.#name, sent: this.#sent, failed: this.#failed };
  }

  add(purge: SitePurge): void {
    const { site } = purge;
    // A copy, from which the names are removed that the receiver has got.
    this.#pending.set(site, merge(this.#pending.get(site) ?? purge, purge));
    if (!this.#isStopped) this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#endPause();
    await this.#running;
    if (this.#pending.size > 0) await this.#sendAll();
  }

  async #run(): Promise<void> {
    let delay = 0;
    do {
      await this.#pause(delay);
      if (this.#pending.size === 0 || this.#isStopped) break;
      const isDone = await this.#sendAll();
      delay = isDone
        ? INTERVAL
        : computeBackoff(this.#attempts, FIRST_DELAY, MAX_DELAY, this.#notifier.random());
    } while (!this.#isStopped);
    this.#running = undefined;
  }

  #pause(delay: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#notifier.clock.after(delay, resolve);
      this.#endPause = () => {
        cancel();
        resolve();
      };
    });
  }

  /** @returns whether everything was sent; what was not waits again */
  async #sendAll(): Promise<boolean> {
    const purges = [...this.#pending.values()];
    this.#pending = new Map();
    for (const [at, purge] of purges.entries()) {
      const fault = await this.#send(purge);
      if (fault === null) continue;
      for (const unsent of purges.slice(at)) {
        this.#pending.set(unsent.site, merge(unsent, this.#pending.get(unsent.site) ?? unsent));
      }
      this.#attempts += 1;
      const { host } = new URL(this.#options.url);
      const message = 'a notice could not be sent: it is repeated until the receiver accepts it';
      if (this.#attempts === 1) this.#notifier.log.warn({ receiver: this.#name, host, fault }, message);
      return false;
    }
    if (this.#attempts > 0) this.#notifier.log.info({ receiver: this.#name }, 'notices are sent again');
    this.#attempts = 0;
    return true;
  }

  async #send(purge: SitePurge): Promise<string | null> {
    const { clock, fetch } = this.#notifier;
    for (const { body, headers, keys } of createNotifyRequests(this.#options, purge, clock.now())) {
      const abort = new AbortController();
      const cancel = clock.after(TIMEOUT, () => abort.abort());
      try {
        const init = { method: 'POST', headers, body, signal: abort.signal, redirect: 'manual' } as const;
        const response = await fetch(this.#options.url, init);
        await response.body?.cancel();
        if (!response.ok) {
          this.#failed += 1;
          return `status ${response.status}`;
        }
        this.#sent += 1;
        // A repetition has the rest: all can be too many in a row for the receiver.
        for (const key of keys) purge.keys.delete(key);
      } catch (cause) {
        this.#failed += 1;
        return abort.signal.aborted ? 'timeout' : cause instanceof Error ? cause.name : 'error';
      } finally {
        cancel();
      }
    }
    return null;
  }
}

function merge(older: SitePurge, newer: SitePurge): SitePurge {
  const merged: SitePurge = {
    ...newer,
    isEverything: older.isEverything || newer.isEverything,
    tags: new Set([...older.tags, ...newer.tags]),
    paths: new Set([...older.paths, ...newer.paths]),
    keys: new Set([...older.keys, ...newer.keys]),
  };
  if (merged.keys.size + merged.paths.size + merged.tags.size <= MAX_NAMES) return merged;
  const keys = new Set(merged.keysOfEverything);
  return { ...merged, isEverything: true, tags: new Set(), paths: new Set(), keys };
}

interface SitePurge {
  readonly site: string;
  /** Whether more than {@link tags} and {@link paths} might have changed. */
  readonly isEverything: boolean;
  /** Routes such as `/wp/v2/posts/12`, and names of the site or a cache rule. */
  readonly tags: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
  readonly keys: Set<string>;
  readonly keysOfEverything: readonly string[];
}

interface NotifyRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly keys: readonly string[];
}

const MAX_TAGS_OF_CLOUDFLARE = 30;

function createNotifyRequests(
  { secret, to }: NotifyOptions,
  purge: SitePurge,
  now: number,
): readonly NotifyRequest[] {
  const keys = [...purge.keys].sort();
  switch (to) {
    case 'webhook': {
      const body = JSON.stringify({ ...toJson(purge), site: purge.site, keys });
      const timestamp = String(Math.floor(now / 1000));
      const signature = signWebhook(secret, timestamp, body);
      return [createRequest(body, { 'x-waygate-timestamp': timestamp, 'x-waygate-signature': signature })];
    }
    case 'revalidate': {
      // Names of the site or of a rule do not say at which routes their responses were read.
      const isEverything = purge.isEverything || [...purge.tags].some((tag) => !tag.startsWith('/'));
      if (!isEverything && purge.tags.size + purge.paths.size === 0) return [];
      return [createRequest(JSON.stringify({ secret, ...toJson({ ...purge, isEverything }) }), {})];
    }
    case 'cloudflare':
      return split(keys, MAX_TAGS_OF_CLOUDFLARE).map((tags) =>
        createRequest(JSON.stringify({ tags }), { authorization: `Bearer ${secret}` }, tags),
      );
  }
}

function createRequest(
  body: string,
  headers: Readonly<Record<string, string>>,
  keys: readonly string[] = [],
): NotifyRequest {
  return { headers: { 'content-type': 'application/json', ...headers }, body, keys };
}

function toJson({ isEverything, paths, tags }: SitePurge): object {
  return { everything: isEverything, tags: [...tags].sort(), paths: [...paths].sort() };
}

function split(keys: readonly string[], size: number): readonly (readonly string[])[] {
  const batches = Math.ceil(keys.length / size);
  return Array.from({ length: batches }, (_, at) => keys.slice(at * size, (at + 1) * size));
}
