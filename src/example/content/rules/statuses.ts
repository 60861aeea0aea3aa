import type { Entry, EntryStatus } from '../model/entries.ts';
import type { ContentState } from '../model/state.ts';

/** What may be written. */
export const WRITABLE_STATUSES = ['publish', 'future', 'draft', 'pending', 'private'] as const;

/** What a list of posts or pages may be narrowed to. */
export const LISTABLE_STATUSES: readonly string[] = [
  ...WRITABLE_STATUSES,
  'trash',
  'auto-draft',
  'inherit',
  'request-pending',
  'request-confirmed',
  'request-failed',
  'request-completed',
  'any',
];

export const MEDIA_STATUSES = ['inherit', 'private', 'trash'] as const;

/** `any` leaves out what is thrown away. */
export function matchesStatus(entry: Entry, statuses: readonly string[]): boolean {
  return statuses.includes(entry.status) || (statuses.includes('any') && entry.status !== 'trash');
}

/** A post dated ahead waits, and one that waits for a moment in the past is out (wp_insert_post, with its minute). */
export function adjustStatusToDate(status: EntryStatus, date: number, now: number): EntryStatus {
  if (status === 'publish' && date - now >= 60_000) return 'future';
  return status === 'future' && date - now < 60_000 ? 'publish' : status;
}

/** Publishes what was scheduled for a moment that is past, as WordPress's cron does. */
export function publishScheduledEntries(state: ContentState, now: number): void {
  for (const [id, entry] of state.entries) {
    if (entry.status === 'future' && entry.date <= now) {
      state.entries.set(id, { ...entry, status: 'publish', isDateFloating: false });
    }
  }
}
