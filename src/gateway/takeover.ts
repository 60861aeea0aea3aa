/**
 * How a reload swaps sites, from top to bottom.
 *
 * 1. `cli/serve/reload.ts` reads the files; `run-gateway.ts` creates the next gateway, whose `mountSites`
 * keeps each site with the same settings, and creates the others.
 * 2. `prepare`: those get ready, with what the site before knows or by reading the site. Until then nothing
 * has changed.
 * 3. `node/server.ts` has the listener hand requests to the next gateway.
 * 4. `complete`: the sites that are gone stop, and what was stored under other settings is purged.
 */

import { settleAll } from '../base/errors.ts';
import { isSameData } from '../base/json.ts';
import type { Gateway } from './gateway.ts';
import type { MountedSite } from './site/mounted-site.ts';
import { EVERYTHING } from './wordpress/tags.ts';

export class Takeover {
  readonly added: ReadonlyMap<string, MountedSite>;
  readonly #next: Gateway;
  readonly #previous: Gateway;

  constructor(next: Gateway, previous: Gateway) {
    this.#next = next;
    this.#previous = previous;
    const { sites } = previous.context;
    this.added = new Map([...this.#next.context.sites].filter(([name, site]) => sites.get(name) !== site));
  }

  /** @throws {ConfigurationError} when a site cannot be served. Nothing has changed then */
  async prepare(): Promise<void> {
    const { sites } = this.#previous.context;
    try {
      await settleAll(Array.from(this.added, ([name, site]) => site.prepare(sites.get(name))));
    } catch (error) {
      await this.abandon();
      throw error;
    }
  }

  async abandon(): Promise<void> {
    await Promise.all(Array.from(this.added.values(), (site) => site.stop()));
  }

  complete(): void {
    const { context, parts } = this.#next;
    parts.cache?.keyMemos.clear();
    if (parts.notifier !== null) parts.notifier.findSite = (scope) => this.#next.findSiteName(scope);
    for (const [name, site] of this.#previous.context.sites) {
      if (context.sites.get(name) !== site) void site.stop();
    }
    for (const [name, site] of this.added) purgeStoredBefore(this.#previous.context.sites.get(name), site);
    this.#next.start();
  }
}

/** Purges a site whose server is asked by another name, with other fields, or for another public address. */
function purgeStoredBefore(previous: MountedSite | undefined, site: MountedSite): void {
  const { caching } = site;
  if (previous === undefined || caching === null) return;
  if (isSameData(listResponseSettings(previous), listResponseSettings(site))) return;
  for (const { snapshot } of [previous.runtime, site.runtime])
    if (snapshot !== null) void caching.purgeTags(snapshot, [EVERYTHING], 'hard');
}

function listResponseSettings({ settings: { options, publicUrl } }: MountedSite): unknown {
  const { rewriteBodies, upstream: { auth, headers, host } = {}, url } = options;
  return { auth, headers, host, publicUrl, rewriteBodies, url };
}
