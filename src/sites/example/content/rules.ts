import type { SiteUser } from '../../rest-server/declarations.ts';
import { hasRole, refuseUser } from '../../rest-server/responses.ts';
import { findFreeName, MAX_SLUG_LENGTH } from '../../rest-server/slug.ts';
import type { ContentState, Entry, EntryKind, EntryStatus } from './model.ts';

export function canEdit(user: SiteUser | null): boolean {
  return hasRole(user, 'editor');
}

/** @param action e.g. `edit this post` */
export function requireEditor(user: SiteUser | null, code: string, action: string): void {
  if (!canEdit(user)) refuseUser(user, code, `Sorry, you are not allowed to ${action}.`);
}

/** Authors and editors can read unpublished entries. A media item is as visible as its parent. */
export function canRead(state: ContentState, user: SiteUser | null, entry: Entry): boolean {
  if (entry.status === 'publish' || canEdit(user)) return true;
  if (user !== null && user.id === entry.author) return true;
  if (entry.status !== 'inherit') return false;
  const parent = state.entries.get(entry.parent);
  return parent === undefined || canRead(state, user, parent);
}

/** WordPress's format without a zone, e.g. `2025-01-15T09:00:00`. */
export function formatDateTime(time: number): string {
  return new Date(time).toISOString().slice(0, 19);
}

export function truncateToSecond(time: number): number {
  return Math.floor(time / 1000) * 1000;
}

/** `wp_insert_post()`: schedules a post with a future date, with a tolerance of a minute. */
export function adjustStatusToDate(status: EntryStatus, date: number, now: number): EntryStatus {
  if (status === 'publish' && date - now >= 60_000) return 'future';
  return status === 'future' && date - now < 60_000 ? 'publish' : status;
}

/** Like WP-Cron. */
export function publishScheduledEntries(state: ContentState, now: number): void {
  for (const [id, entry] of state.entries) {
    if (entry.status === 'future' && entry.date <= now) {
      state.entries.set(id, { ...entry, status: 'publish', isDateFloating: false });
    }
  }
}

export function createUniqueEntrySlug(
  state: ContentState,
  slug: string,
  kind: EntryKind,
  id: number,
): string {
  if (slug === '') return '';
  const taken = new Set<string>();
  for (const entry of state.entries.values()) {
    if (entry.kind === kind && entry.id !== id) taken.add(entry.slug);
  }
  return findFreeName(
    (name) => taken.has(name),
    (suffix) => slug.slice(0, MAX_SLUG_LENGTH - suffix.length) + suffix,
  );
}
