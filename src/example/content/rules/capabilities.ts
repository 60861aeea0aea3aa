import { hasRole } from '../../site/responses.ts';
import type { SiteUser } from '../../site/users.ts';
import type { Entry } from '../model/entries.ts';
import type { ContentState } from '../model/state.ts';

/** Editors and administrators write everything; a subscriber writes nothing. */
export function canEdit(user: SiteUser | null): boolean {
  return hasRole(user, 'editor');
}

/**
 * Published entries are for anybody, others for their author and for editors. A media item is as visible as what it
 * hangs on.
 */
export function canRead(state: ContentState, user: SiteUser | null, entry: Entry): boolean {
  if (entry.status === 'publish' || canEdit(user)) return true;
  if (user !== null && user.id === entry.author) return true;
  if (entry.status !== 'inherit') return false;
  const parent = state.entries.get(entry.parent);
  return parent === undefined || canRead(state, user, parent);
}

/** Whether content and excerpt are hidden: a password, which neither the caller nor a right to edit answers. */
export function isContentHidden(
  entry: Entry,
  { user, password, context }: { user: SiteUser | null; password: string | undefined; context: string },
): boolean {
  if (entry.password === '') return false;
  return !(context === 'edit' && canEdit(user)) && password !== entry.password;
}
