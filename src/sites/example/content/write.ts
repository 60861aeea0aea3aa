import { isJsonObject } from '../../../base/json.ts';
import type { RequestParams } from '../../rest-server/params.ts';
import { refuse } from '../../rest-server/responses.ts';
import { sanitizeTitle } from '../../rest-server/slug.ts';
import { parseInstant } from '../site/dates.ts';
import {
  type ContentRequest,
  type ContentState,
  createBlankEntry,
  type Entry,
  type EntryKind,
  type EntryStatus,
  isImage,
} from './model.ts';
import { adjustStatusToDate, createUniqueEntrySlug, truncateToSecond } from './rules.ts';

/** The date `null` makes the date floating again. */
type EntryChanges = Partial<Omit<Entry, 'date' | 'id' | 'kind'>> & { readonly date?: number | null };

type FieldReader = (params: RequestParams, name: string) => EntryChanges;

const text =
  (field: 'title' | 'content' | 'excerpt'): FieldReader =>
  (params, name) => {
    const value = params.get(name);
    const raw = isJsonObject(value) ? value['raw'] : value;
    return typeof raw === 'string' ? { [field]: raw } : {};
  };

const openStatus =
  (field: 'commentStatus' | 'pingStatus'): FieldReader =>
  (params, name) => {
    const value = params.string(name);
    return value === 'open' || value === 'closed' ? { [field]: value } : {};
  };

const FIELDS: Readonly<Record<string, readonly [read: FieldReader, ...kinds: EntryKind[]]>> = {
  title: [text('title')],
  content: [text('content'), 'post', 'page'],
  excerpt: [text('excerpt'), 'post', 'page'],
  description: [text('content'), 'attachment'],
  caption: [text('excerpt'), 'attachment'],
  password: [(params, name) => ({ password: params.string(name, '') }), 'post', 'page'],
  status: [
    (params, name) => ({ status: STATUSES.find((status) => status === params.string(name)) ?? 'draft' }),
  ],
  slug: [(params, name) => ({ slug: sanitizeTitle(params.string(name, '')) })],
  author: [(params, name) => (params.integer(name, 0) === 0 ? {} : { author: params.integer(name, 0) })],
  comment_status: [openStatus('commentStatus')],
  ping_status: [openStatus('pingStatus')],
  template: [(params, name) => ({ template: params.string(name, '') })],
  format: [
    (params, name) => (params.string(name, '') === '' ? {} : { format: params.string(name, '') }),
    'post',
  ],
  sticky: [(params, name) => ({ sticky: params.boolean(name) }), 'post'],
  categories: [(params, name) => ({ categories: params.integers(name) }), 'post'],
  tags: [(params, name) => ({ tags: params.integers(name) }), 'post'],
  menu_order: [(params, name) => ({ menuOrder: params.integer(name, 0) }), 'page'],
  parent: [(params, name) => ({ parent: params.integer(name, 0) }), 'page'],
  post: [(params, name) => ({ parent: params.integer(name, 0) }), 'attachment'],
  meta: [
    (params, name) => {
      const notes = params.object(name)?.['footnotes'];
      return typeof notes === 'string' || notes === null ? { footnotes: notes ?? '' } : {};
    },
  ],
};

export function readEntryChanges(
  { params, state, user }: ContentRequest,
  kind: EntryKind,
  current?: Entry,
): EntryChanges {
  const all = Object.entries(FIELDS).map(([name, [read, ...kinds]]) =>
    params.has(name) && (kinds.length === 0 || kinds.includes(kind)) ? read(params, name) : {},
  );
  const changes: EntryChanges = Object.assign({}, ...all, readDates(params));

  const { author, parent = 0, password = '', sticky } = { ...current, ...changes };
  if (author !== undefined && author !== user?.id && !state.authors.has(author)) {
    refuse(400, 'rest_invalid_author', 'Invalid author ID.');
  }
  if (sticky === true && password !== '') {
    refuse(400, 'rest_invalid_field', 'A post can not be sticky and have a password.');
  }
  if (kind === 'page' && parent !== 0 && !state.entries.has(parent)) {
    refuse(400, 'rest_post_invalid_id', 'Invalid post parent ID.');
  }
  return { ...changes, ...readFeaturedMedia(params, state) };
}

const STATUSES: readonly EntryStatus[] = ['publish', 'future', 'pending', 'private', 'trash', 'inherit'];

function readDates(params: RequestParams): EntryChanges {
  const time = parseInstant(params.string('date', params.string('date_gmt', '')));
  if (time !== undefined) return { date: time };
  return params.get('date') === null || params.get('date_gmt') === null ? { date: null } : {};
}

/** An unknown id changes nothing; a file that is not an image removes the featured image. */
function readFeaturedMedia(params: RequestParams, state: ContentState): EntryChanges {
  const id = params.integer('featured_media');
  if (id === undefined || (id !== 0 && !state.entries.has(id))) return {};
  const media = state.entries.get(id)?.media;
  return { featuredMedia: media !== undefined && isImage(media) ? id : 0 };
}

const DEFAULT_CATEGORY = 1;

const DRAFT_STATUSES: readonly EntryStatus[] = ['draft', 'pending'];

export function createEntry(
  kind: EntryKind,
  changes: EntryChanges,
  { state, now, user }: ContentRequest,
): Entry {
  const time = truncateToSecond(now.getTime());
  const draft = createBlankEntry(kind, 0, time);
  const merged = mergeChanges({ ...draft, author: user?.id ?? 0 }, changes, time, state);
  refuseEmpty(merged);
  const entry = assignSlug({ ...merged, id: state.nextId() }, state);
  state.entries.set(entry.id, entry);
  return entry;
}

export function updateEntry(current: Entry, changes: EntryChanges, { state, now }: ContentRequest): Entry {
  const time = truncateToSecond(now.getTime());
  const merged = { ...mergeChanges(current, changes, time, state), modified: time };
  refuseEmpty(merged);
  const entry = assignSlug(restoreSlug(current, merged), state);
  state.entries.set(entry.id, entry);
  return entry;
}

function refuseEmpty({ kind, title, content, excerpt }: Entry): void {
  if (kind !== 'attachment' && title === '' && content === '' && excerpt === '') {
    refuse(400, 'empty_content', 'Content, title, and excerpt are empty.');
  }
}

function mergeChanges(
  current: Entry,
  { date: requestedDate, ...changes }: EntryChanges,
  time: number,
  state: ContentState,
): Entry {
  const merged: Entry = { ...current, ...changes };
  const { kind, categories } = merged;
  // A media item is private, trashed, or inherits the status of its parent.
  const isInherited = kind === 'attachment' && !['private', 'trash'].includes(merged.status);
  const status = isInherited ? 'inherit' : merged.status;
  const needsCategory = kind === 'post' && changes.categories === undefined && categories.length === 0;
  const isDateReset = current.isDateFloating || requestedDate === null;
  const fixedDate = requestedDate ?? (isDateReset ? undefined : current.date);
  const date = fixedDate ?? time;
  return {
    ...merged,
    status: adjustStatusToDate(status, date, time),
    date,
    isDateFloating: fixedDate === undefined && DRAFT_STATUSES.includes(status),
    password: status === 'private' ? '' : merged.password,
    parent: isOwnAncestor(merged, state) ? 0 : merged.parent,
    categories: needsCategory ? [DEFAULT_CATEGORY] : filterTerms(categories, 'category', state),
    tags: filterTerms(merged.tags, 'post_tag', state),
  };
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

function restoreSlug(current: Entry, after: Entry): Entry {
  if (current.status !== 'trash' || after.status === 'trash') return after;
  const { beforeTrash: was, ...entry } = after;
  return after.slug === current.slug && was !== undefined ? { ...entry, slug: was.slug } : entry;
}

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

export function trashEntry(entry: Entry, { state, now }: ContentRequest): Entry {
  const time = truncateToSecond(now.getTime());
  const trashed: Entry = {
    ...entry,
    status: 'trash',
    slug: `${entry.slug}__trashed`,
    modified: time,
    beforeTrash: { status: entry.status, slug: entry.slug },
  };
  state.entries.set(entry.id, trashed);
  return trashed;
}

/** Deletes files too. Children move to the entry's parent. */
export function deleteEntry(entry: Entry, state: ContentState): void {
  state.entries.delete(entry.id);
  for (const other of state.entries.values()) {
    const parent = other.parent === entry.id ? entry.parent : other.parent;
    const featuredMedia = other.featuredMedia === entry.id ? 0 : other.featuredMedia;
    if (parent !== other.parent || featuredMedia !== other.featuredMedia) {
      state.entries.set(other.id, { ...other, parent, featuredMedia });
    }
  }
  if (entry.media !== undefined) state.files.delete(entry.media.file);
}
