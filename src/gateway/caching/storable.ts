import type { CacheRequest } from '../../cache/cache.ts';
import type { AnswerObserver, RequestHead } from '../plan.ts';
import type { PageReading, RouteReading } from '../reading.ts';
import type { Snapshot } from '../snapshot.ts';

/** A request that the store may answer. */
export interface Storable {
  /** Path and query that the site is asked for: without what means nothing. */
  readonly address: string;
  /**
   * Whether it is a request to the interface: the site is asked for plain bytes then, so that the tags of an answer can be
   * read in it, and echoes the `Origin`.
   */
  readonly isRoute: boolean;
  /** The headers, a flat list, that the request goes to the site with. */
  sent(headers: string[]): string[];
  /** @param publicBase the gateway's address of the site as the caller knows it */
  request(publicBase: string): CacheRequest;
}

/** Which requests to a site have to do with the store. */
export interface CachePlanner {
  /** Null where the store has no part in it: the request says who asks, or is no read. */
  begin(snapshot: Snapshot, reading: RouteReading | PageReading, head: RequestHead): Storable | null;
  /** Sees the answer to a write, and purges what it has changed. Null where the request changes nothing. */
  observe(snapshot: Snapshot, reading: RouteReading | PageReading, head: RequestHead): AnswerObserver | null;
}
