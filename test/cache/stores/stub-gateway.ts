import { setTimeout as sleep } from 'node:timers/promises';
import type { CacheStore } from '../../../src/cache/store.ts';
import { storedResponse } from './store-contract.ts';

/** A site whose responses are version numbers, which each write increments. */
export class VersionedSite {
  readonly #versions = new Map<string, number>();
  requestCount = 0;

  async read(key: string): Promise<number> {
    this.requestCount += 1;
    const version = this.#versions.get(key) ?? 0;
    // The version is read before the delay, so that a write during the delay makes the response outdated.
    await sleep(2);
    return version;
  }

  write(key: string): number {
    const version = (this.#versions.get(key) ?? 0) + 1;
    this.#versions.set(key, version);
    return version;
  }
}

/** The part of a gateway that uses the store. */
export class StubGateway {
  readonly store: CacheStore;
  readonly #site: VersionedSite;

  constructor(store: CacheStore, site: VersionedSite) {
    this.store = store;
    this.#site = site;
  }

  async read(key: string): Promise<number> {
    const [found] = await this.store.get(key);
    if (found !== undefined) return Number(new TextDecoder().decode(found.body));
    const requestTime = Date.now();
    const version = await this.#site.read(key);
    const body = new TextEncoder().encode(String(version));
    await this.store.put(
      key,
      storedResponse(requestTime, { responseTime: Date.now(), body, tags: [`tag ${key}`] }),
    );
    return version;
  }

  /** @returns the oldest version that a client may see from now on */
  async write(key: string): Promise<number> {
    const version = this.#site.write(key);
    await this.store.purge({ kind: 'tags', tags: [`tag ${key}`] }, 'hard');
    return version;
  }
}
