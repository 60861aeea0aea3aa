import type { Lease, PurgeMode, PurgeSelection, StoredResponse } from '../store.ts';

/** The store that several gateways share, each with a memory store in front of it. Its methods never reject. */
export interface SharedTier {
  /** Whether this gateway knows every purge that another gateway has completed, so that its memory store is valid. */
  readonly knowsAllPurges: boolean;
  /** Whether {@link get} can return anything at this moment. */
  readonly isReadable: boolean;
  /**
   * Looks up the responses of a key and calls `receive` with them, newest first. No purge that this gateway knows at the
   * time of that call selects them. Does not call `receive` if the tier is not reachable.
   */
  get(key: string, receive: (responses: readonly StoredResponse[]) => void): Promise<void>;
  /** Stores a response. Returns false if it was not stored. */
  put(key: string, response: StoredResponse): Promise<boolean>;
  /** Purges responses. Resolves when each other gateway knows the purge, or no longer uses its memory store. */
  purge(selection: PurgeSelection, mode: PurgeMode): Promise<void>;
  /** See `CacheStore.acquireLease`. */
  acquireLease(key: string, milliseconds: number): Promise<Lease | null>;
  close(): Promise<void>;
}

/** Events of a shared tier that the memory store in front of it must follow. */
export interface SharedTierEvents {
  /** Another gateway has purged responses. */
  onPurge(selection: PurgeSelection, mode: PurgeMode): void;
  /** This gateway may have missed purges. */
  onMissedPurges(): void;
}
