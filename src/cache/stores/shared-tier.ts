import type { Lease, PurgeMode, PurgeSelection, StoredResponse } from '../store.ts';

/** What several gateways have in common, behind the memory of each. Nothing of it ever rejects. */
export interface SharedTier {
  /** Whether every purge that was told elsewhere is known here, so that memory may be believed. */
  readonly isCurrent: boolean;
  /** Whether {@link get} can find anything at all now. */
  readonly isReadable: boolean;
  /**
   * Looks for the answers of a key, and hands them over, the newest first, in the moment in which it is known that no
   * purge has struck them; a purge that comes later comes after that.
   */
  get(key: string, take: (answers: readonly StoredResponse[]) => void): Promise<void>;
  put(key: string, answer: StoredResponse): Promise<boolean>;
  /** @returns when all others know, or can no longer believe what they hold */
  purge(selection: PurgeSelection, mode: PurgeMode): Promise<void>;
  lease(key: string, milliseconds: number): Promise<Lease | null>;
  close(): Promise<void>;
}

/** What a shared tier tells the memory in front of it. */
export interface SharedTierEvents {
  /** Another gateway has purged. */
  onPurge(selection: PurgeSelection, mode: PurgeMode): void;
  /** Purges may have been missed. */
  onMissedPurges(): void;
}
