import { LRUCache } from 'lru-cache';
import type { StoredResponse } from '../store.ts';
import { hashBytes, hashText } from './content-hash.ts';
import type { LoggedWrite } from './write-log.ts';

/** What is remembered of the last fetch of a key. */
export interface RememberedFetch {
  /** Hash of status, media type and body. */
  readonly content: number;
  readonly group: string;
  readonly readKind: string;
  /** Hashes of the tags. */
  readonly tags: Float64Array;
  readonly requestTime: number;
  readonly responseTime: number;
  /** The write after which the response was the same, if that was counted as an observation. */
  readonly unchangedBy: LoggedWrite | null;
}

/** Maximum remembered fetches. */
const MAX_FETCHES = 10_000;
/** Longer bodies are not compared. */
const MAX_BODY_LENGTH = 1024 * 1024;

/** The last fetch of each key, by a hash of the key. */
export class FetchMemory {
  readonly #keyCounts = new Map<string, number>();
  readonly #fetches = new LRUCache<number, RememberedFetch>({
    max: MAX_FETCHES,
    dispose: ({ readKind }) => this.#count(readKind, -1),
  });

  get(key: number): RememberedFetch | undefined {
    return this.#fetches.get(key);
  }

  set(key: number, fetch: RememberedFetch): void {
    this.#fetches.set(key, fetch);
    this.#count(fetch.readKind, 1);
  }

  delete(key: number): void {
    this.#fetches.delete(key);
  }

  /** Number of keys of a kind of read. */
  countKeys(readKind: string): number {
    return this.#keyCounts.get(readKind) ?? 0;
  }

  #count(readKind: string, difference: number): void {
    const count = this.countKeys(readKind) + difference;
    if (count === 0) this.#keyCounts.delete(readKind);
    else this.#keyCounts.set(readKind, count);
  }
}

/** Creates the memory of a stored response; `null` if nothing is learned about its kind. */
export function rememberFetch({
  body,
  group,
  headers,
  requestTime,
  responseTime,
  status,
  tags,
}: StoredResponse): RememberedFetch | null {
  if (group === null || group.readKind === '' || body.byteLength > MAX_BODY_LENGTH) return null;
  const typeAt = headers.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'content-type');
  return {
    content: hashBytes(body, hashText(headers[typeAt + 1] ?? '', status) | 0),
    group: group.name,
    readKind: group.readKind,
    tags: Float64Array.from(tags, (tag) => hashText(tag)),
    requestTime,
    responseTime,
    unchangedBy: null,
  };
}
