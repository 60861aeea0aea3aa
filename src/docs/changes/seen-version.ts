/** One version of a document, as the gateway has seen it. */
export interface SeenVersion {
  /** When it replaced the one before, in milliseconds since the epoch. */
  readonly seenAt: number;
  readonly operations: number;
  /** Why it was read, for operators. */
  readonly note?: string;
  /** What changed since the version before; `null` for the first one. */
  readonly changes: {
    readonly breaking: number;
    /** Number of operations that came. */
    readonly added: number;
    /** Number of operations that went. */
    readonly removed: number;
    readonly total: number;
    /** The first changes, the breaking ones first. */
    readonly listed: readonly SeenChange[];
  } | null;
}

/** A change between two versions. Its texts come from the site. */
export interface SeenChange {
  /** `breaking`: a program that worked may fail now. `cosmetic`: only a text for people changed. */
  readonly severity: 'breaking' | 'compatible' | 'cosmetic';
  /** The first operations that are concerned; empty if the document itself changed. */
  readonly operations: readonly string[];
  readonly operationCount: number;
  /** Such as `query parameter "order"`; empty for the operations themselves. */
  readonly subject: string;
  /** The change, as an English clause. */
  readonly text: string;
}

/** Operations that one change names. */
export const NAMED_OPERATIONS = 3;

/** Summarizes a version: `258 operations: 2 came, 1 went; 3 changes, 1 of them breaking`. */
export function summarizeVersion({ changes, operations }: SeenVersion): string {
  const count = `${operations.toLocaleString('en')} operations`;
  if (changes === null) return `${count}, the first version that the gateway has seen`;
  const moved = [
    ...(changes.added === 0 ? [] : [`${changes.added.toLocaleString('en')} came`]),
    ...(changes.removed === 0 ? [] : [`${changes.removed.toLocaleString('en')} went`]),
  ].join(', ');
  const total = `${changes.total.toLocaleString('en')} ${changes.total === 1 ? 'change' : 'changes'}`;
  const breaking = changes.breaking === 0 ? 'none of them breaking' : `${changes.breaking} of them breaking`;
  return `${count}${moved === '' ? '' : `: ${moved}`}; ${total}, ${breaking}`;
}

/** Formats a time for everyone: `2026-11-21 08:10:23 UTC`. @param time milliseconds since the epoch */
export function formatUtc(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
