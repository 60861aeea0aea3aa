import { hasRole } from '../../site/responses.ts';
import type { SiteUser } from '../../site/users.ts';
import type { Entry } from '../model/entries.ts';
import type { ContentState } from '../model/state.ts';

/** Editors and administrators can edit everything, subscribers nothing. */
export function canEdit(user: SiteUser | null): boolean {
  return hasRole(user, 'editor');
}

/**
 * Everyone can read published entries. The author and editors can read the others. A media item has the visibility of
 * its parent.
 */
export function canRead(state: ContentState, user: SiteUser | null, entry: Entry): boolean {
  if (entry.status === 'publish' || canEdit(user)) return true;
  if (user !== null && user.id === entry.author) return true;
  if (entry.status !== 'inherit') return false;
  const parent = state.entries.get(entry.parent);
  return parent === undefined || canRead(state, user, parent);
}

/** Whether a password hides content and excerpt: the request lacks it, and the user does not edit the entry. */
export function isContentHidden(
  entry: Entry,
  { user, password, context }: { user: SiteUser | null; password: string | undefined; context: string },
): boolean {
  if (entry.password === '') return false;
  return !(context === 'edit' && canEdit(user)) && password !== entry.password;
}
