import type { Entry, EntryStatus } from '../model/entries.ts';
import type { ContentState } from '../model/state.ts';

/** The statuses that clients can write. */
export const WRITABLE_STATUSES = ['publish', 'future', 'draft', 'pending', 'private'] as const;

/** The statuses by which posts and pages can be filtered. */
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

/** Whether the entry has one of the statuses. `any` excludes the trash. */
export function matchesStatus(entry: Entry, statuses: readonly string[]): boolean {
  return statuses.includes(entry.status) || (statuses.includes('any') && entry.status !== 'trash');
}

/** Schedules a post with a future date, publishes one with a past date, with a tolerance of a minute (wp_insert_post). */
export function adjustStatusToDate(status: EntryStatus, date: number, now: number): EntryStatus {
  if (status === 'publish' && date - now >= 60_000) return 'future';
  return status === 'future' && date - now < 60_000 ? 'publish' : status;
}

/** Publishes the scheduled entries that are due, as the cron of WordPress does. */
export function publishScheduledEntries(state: ContentState, now: number): void {
  for (const [id, entry] of state.entries) {
    if (entry.status === 'future' && entry.date <= now) {
      state.entries.set(id, { ...entry, status: 'publish', isDateFloating: false });
    }
  }
}
