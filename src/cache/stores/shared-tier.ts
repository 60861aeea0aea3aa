import type { Lease, PurgeMode, PurgeSelection, StoredResponse } from '../store.ts';

/** The store that several gateways share, behind the memory store of each. None of its methods rejects. */
export interface SharedTier {
  /** Whether this gateway knows every purge that another gateway has completed, so that its memory store is valid. */
  readonly knowsAllPurges: boolean;
  /** Whether {@link get} can return anything at this moment. */
  readonly isReadable: boolean;
  /**
   * Looks up the responses of a key and passes them to `receive`, the newest first. No purge that is known at the time of
   * the call has removed them. Does not call `receive` when the tier is not reachable.
   */
  get(key: string, receive: (responses: readonly StoredResponse[]) => void): Promise<void>;
  put(key: string, response: StoredResponse): Promise<boolean>;
  /** Resolves when all other gateways know the purge, or no longer consider their memory stores current. */
  purge(selection: PurgeSelection, mode: PurgeMode): Promise<void>;
  acquireLease(key: string, milliseconds: number): Promise<Lease | null>;
  close(): Promise<void>;
}

/** Events of a shared tier that the memory store in front of it must follow. */
export interface SharedTierEvents {
  /** Another gateway has purged. */
  onPurge(selection: PurgeSelection, mode: PurgeMode): void;
  /** This gateway may have missed purges. */
  onMissedPurges(): void;
}
