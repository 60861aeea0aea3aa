import { hasRole } from '../../site/answers.ts';
import type { User } from '../../site/users.ts';
import type { Entry } from '../entries.ts';
import type { ContentState } from '../state.ts';

/** Editors and administrators write everything; a subscriber writes nothing. */
export function mayWrite(user: User | null): boolean {
  return hasRole(user, 'editor');
}

/**
 * Published entries are for anybody, others for their author and for editors. A media item is as visible as what it
 * hangs on.
 */
export function mayRead(state: ContentState, user: User | null, entry: Entry): boolean {
  if (entry.status === 'publish' || mayWrite(user)) return true;
  if (user !== null && user.id === entry.author) return true;
  if (entry.status !== 'inherit') return false;
  const parent = state.entries.get(entry.parent);
  return parent === undefined || mayRead(state, user, parent);
}

/** Whether content and excerpt are hidden: a password, which neither the caller nor a right to edit answers. */
export function isLocked(
  entry: Entry,
  { user, password, context }: { user: User | null; password: string | undefined; context: string },
): boolean {
  if (entry.password === '') return false;
  return !(context === 'edit' && mayWrite(user)) && password !== entry.password;
}
