import type { SiteError } from '../../site/declarations.ts';
import { restError } from '../../site/responses.ts';
import type { Entry, EntryKind, EntryStatus } from '../model/entries.ts';
import { createBlankEntry } from '../model/entries.ts';
import type { ContentState } from '../model/state.ts';
import { truncateToSecond } from '../rules/dates.ts';
import { createUniqueEntrySlug, sanitizeTitle } from '../rules/slug.ts';
import { adjustStatusToDate } from '../rules/statuses.ts';
import type { EntryChanges } from './changes.ts';
import { saveRevision } from './revisions.ts';

/** The category of posts without categories. */
const DEFAULT_CATEGORY = 1;

/** The statuses in which an entry can lack a slug and a fixed date. */
const DRAFT_STATUSES: readonly EntryStatus[] = ['draft', 'pending'];

export interface WriteScope {
  readonly state: ContentState;
  readonly now: Date;
  readonly user: { readonly id: number } | null;
}

/** Creates an entry. */
export function createEntry(
  kind: EntryKind,
  changes: EntryChanges,
  { state, now, user }: WriteScope,
): Entry | SiteError {
  const time = truncateToSecond(now.getTime());
  const draft = createBlankEntry(kind, 0, time);
  const merged = mergeChanges({ ...draft, author: user?.id ?? 0 }, changes, time, state);
  if (isEmpty(merged)) return EMPTY_CONTENT_ERROR;
  const categories =
    kind === 'post' && changes.categories === undefined ? [DEFAULT_CATEGORY] : merged.categories;
  const entry = assignSlug({ ...merged, id: state.nextId(), categories }, state);
  state.entries.set(entry.id, entry);
  return entry;
}

/** Changes an entry and saves a revision of the result. */
export function updateEntry(
  current: Entry,
  changes: EntryChanges,
  { state, now, user }: WriteScope,
): Entry | SiteError {
  const time = truncateToSecond(now.getTime());
  const merged = { ...mergeChanges(current, changes, time, state), modified: time };
  if (isEmpty(merged)) return EMPTY_CONTENT_ERROR;
  const entry = assignSlug(restoreSlug(current, merged), state);
  state.entries.set(entry.id, entry);
  if (entry.kind !== 'attachment') saveRevision(state, entry, user?.id ?? entry.author, time);
  return entry;
}

const EMPTY_CONTENT_ERROR: SiteError = restError(
  400,
  'empty_content',
  'Content, title, and excerpt are empty.',
);

function isEmpty({ kind, title, content, excerpt }: Entry): boolean {
  return kind !== 'attachment' && title === '' && content === '' && excerpt === '';
}

function mergeChanges(
  current: Entry,
  { date: requestedDate, ...changes }: EntryChanges,
  time: number,
  state: ContentState,
): Entry {
  const merged: Entry = { ...current, ...changes };
  const status = merged.kind === 'attachment' ? toMediaStatus(merged.status) : merged.status;
  const isDateReset = current.isDateFloating || requestedDate === null;
  const fixedDate = requestedDate ?? (isDateReset ? undefined : current.date);
  const date = fixedDate ?? time;
  return {
    ...merged,
    status: adjustStatusToDate(status, date, time),
    date,
    isDateFloating: fixedDate === undefined && DRAFT_STATUSES.includes(status),
    // A private entry has no password.
    password: status === 'private' ? '' : merged.password,
    parent: isOwnAncestor(merged, state) ? 0 : merged.parent,
    categories: resolveCategories(merged, changes, state),
    tags: filterTerms(merged.tags, 'post_tag', state),
  };
}

/** A post without categories gets the default one. */
function resolveCategories(
  { kind, categories }: Entry,
  changes: EntryChanges,
  state: ContentState,
): readonly number[] {
  const needsDefault = kind === 'post' && changes.categories === undefined && categories.length === 0;
  return needsDefault ? [DEFAULT_CATEGORY] : filterTerms(categories, 'category', state);
}

/** A media item is private, trashed, or inherits the status of its parent. */
function toMediaStatus(status: EntryStatus): EntryStatus {
  return status === 'private' || status === 'trash' ? status : 'inherit';
}

function filterTerms(ids: readonly number[], taxonomy: string, { terms }: ContentState): readonly number[] {
  return [...new Set(ids)].filter((id) => terms.get(id)?.taxonomy === taxonomy).sort((a, b) => a - b);
}

function isOwnAncestor({ id, parent }: Entry, { entries }: ContentState): boolean {
  const seen = new Set<number>();
  for (let ancestor = entries.get(parent); ancestor !== undefined; ancestor = entries.get(ancestor.parent)) {
    if (ancestor.id === id) return true;
    if (seen.has(ancestor.id)) return false;
    seen.add(ancestor.id);
  }
  return false;
}

/** An entry that leaves the trash gets its former slug. */
function restoreSlug(current: Entry, after: Entry): Entry {
  if (current.status !== 'trash' || after.status === 'trash') return after;
  const { beforeTrash: was, ...entry } = after;
  return after.slug === current.slug && was !== undefined ? { ...entry, slug: was.slug } : entry;
}

/** Assigns a unique slug from the title, or from the id if the title has no letters or digits. */
function assignSlug(entry: Entry, state: ContentState): Entry {
  if (entry.status === 'trash') return entry;
  const slug =
    entry.slug === '' && !DRAFT_STATUSES.includes(entry.status) ? sanitizeTitle(entry.title) : entry.slug;
  if (slug === '' && DRAFT_STATUSES.includes(entry.status)) return entry;
  return {
    ...entry,
    slug: createUniqueEntrySlug(state, slug === '' ? String(entry.id) : slug, entry.kind, entry.id),
  };
}
