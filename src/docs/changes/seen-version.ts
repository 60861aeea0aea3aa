import { countOf, formatNumber } from '../../count-of.ts';

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

/** Describes a change after the names of its operations: `was removed`, `query parameter "order": the value "desc" was removed`. */
export function writeClause({ operationCount, subject, text }: SeenChange): string {
  if (subject !== '') return `${subject}: ${text}`;
  // The clause is about one operation: `it was removed`.
  const predicate = /^it (was )?(.*)$/s.exec(text);
  if (predicate === null || operationCount === 0) return text;
  const [, was = '', rest = ''] = predicate;
  return `${was === '' ? '' : operationCount === 1 ? 'was ' : 'were '}${rest}`;
}

/** Summarizes a version: `258 operations; 2 added, 1 removed. 3 entries, 1 of them breaking`. */
export function summarizeVersion({ changes, operations }: SeenVersion): string {
  const count = countOf(operations, 'operation');
  if (changes === null) return `${count}, the first version that the gateway has seen`;
  const moved = [
    ...(changes.added === 0 ? [] : [`${formatNumber(changes.added)} added`]),
    ...(changes.removed === 0 ? [] : [`${formatNumber(changes.removed)} removed`]),
  ].join(', ');
  const total = changes.total === 1 ? '1 entry' : `${formatNumber(changes.total)} entries`;
  const breaking =
    changes.breaking === 0 ? 'none of them breaking' : `${formatNumber(changes.breaking)} of them breaking`;
  return `${count}${moved === '' ? '' : `; ${moved}`}. ${total}, ${breaking}`;
}

/** Formats a time for everyone: `2026-11-21 08:10:23 UTC`. @param time milliseconds since the epoch */
export function formatUtc(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
