import { refuse } from '../../site/answers.ts';
import type { SiteError } from '../../site/declare.ts';
import type { Entry, Kind, Status } from '../entries.ts';
import { wholeSecond } from '../rules/dates.ts';
import { slugOf, uniqueSlug } from '../rules/slug.ts';
import { statusByDate } from '../rules/statuses.ts';
import { blankEntry } from '../seed/blank.ts';
import type { ContentState } from '../state.ts';
import type { Changes } from './changes.ts';
import { keepRevision } from './revise.ts';

/** The category of a post that names none. */
const DEFAULT_CATEGORY = 1;

/** While it has one of these, an entry needs no name, and its date is only that of the last change. */
const UNFINISHED: readonly Status[] = ['draft', 'pending'];

export interface Writing {
  readonly state: ContentState;
  readonly now: Date;
  readonly user: { readonly id: number } | null;
}

/** Makes an entry of a body. */
export function create(kind: Kind, changes: Changes, { state, now, user }: Writing): Entry | SiteError {
  const time = wholeSecond(now.getTime());
  const draft = blankEntry(kind, 0, time);
  const merged = merge({ ...draft, author: user?.id ?? 0 }, changes, time, state);
  if (isEmpty(merged)) return EMPTY;
  const categories =
    kind === 'post' && changes.categories === undefined ? [DEFAULT_CATEGORY] : merged.categories;
  const entry = named({ ...merged, id: state.nextId(), categories }, state);
  state.entries.set(entry.id, entry);
  return entry;
}

/** Changes an entry and keeps a revision of what it became. */
export function update(before: Entry, changes: Changes, { state, now, user }: Writing): Entry | SiteError {
  const time = wholeSecond(now.getTime());
  const merged = { ...merge(before, changes, time, state), modified: time };
  if (isEmpty(merged)) return EMPTY;
  const entry = named(restored(before, merged), state);
  state.entries.set(entry.id, entry);
  if (entry.kind !== 'attachment') keepRevision(state, entry, user?.id ?? entry.author, time);
  return entry;
}

const EMPTY: SiteError = refuse(400, 'empty_content', 'Content, title, and excerpt are empty.');

function isEmpty({ kind, title, content, excerpt }: Entry): boolean {
  return kind !== 'attachment' && title === '' && content === '' && excerpt === '';
}

function merge(before: Entry, { date, ...changes }: Changes, time: number, state: ContentState): Entry {
  const merged: Entry = { ...before, ...changes };
  const status = merged.kind === 'attachment' ? ofMedia(merged.status) : merged.status;
  const given = date ?? (before.floating || date === null ? undefined : before.date);
  const floating = given === undefined && UNFINISHED.includes(status);
  const at = given ?? time;
  return {
    ...merged,
    status: statusByDate(status, at, time),
    date: at,
    floating,
    // What is private needs no password.
    password: status === 'private' ? '' : merged.password,
    parent: isBelowItself(merged, state) ? 0 : merged.parent,
    categories: categoriesOf(merged, changes, state),
    tags: known(merged.tags, 'post_tag', state),
  };
}

/** A post that names none, now or before, gets the usual one. */
function categoriesOf({ kind, categories }: Entry, changes: Changes, state: ContentState): readonly number[] {
  const usual = kind === 'post' && changes.categories === undefined && categories.length === 0;
  return usual ? [DEFAULT_CATEGORY] : known(categories, 'category', state);
}

/** A media item is as public as what it hangs on, or private, or thrown away. */
function ofMedia(status: Status): Status {
  return status === 'private' || status === 'trash' ? status : 'inherit';
}

function known(ids: readonly number[], taxonomy: string, { terms }: ContentState): readonly number[] {
  return [...new Set(ids)].filter((id) => terms.get(id)?.taxonomy === taxonomy).sort((a, b) => a - b);
}

function isBelowItself({ id, parent }: Entry, { entries }: ContentState): boolean {
  const seen = new Set<number>();
  for (let above = entries.get(parent); above !== undefined; above = entries.get(above.parent)) {
    if (above.id === id) return true;
    if (seen.has(above.id)) return false;
    seen.add(above.id);
  }
  return false;
}

/** What comes out of the trash gets its name back. */
function restored(before: Entry, after: Entry): Entry {
  if (before.status !== 'trash' || after.status === 'trash') return after;
  const { before: was, ...entry } = after;
  return after.slug === before.slug && was !== undefined ? { ...entry, slug: was.slug } : entry;
}

/** Gives an entry the name that it needs, from its title, or from its number where that has no letters. */
function named(entry: Entry, state: ContentState): Entry {
  if (entry.status === 'trash') return entry;
  const slug = entry.slug === '' && !UNFINISHED.includes(entry.status) ? slugOf(entry.title) : entry.slug;
  if (slug === '' && UNFINISHED.includes(entry.status)) return entry;
  return { ...entry, slug: uniqueSlug(state, slug === '' ? String(entry.id) : slug, entry.kind, entry.id) };
}
