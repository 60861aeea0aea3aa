import { isJsonObject, type Json } from '../../json.ts';
import type { SiteError } from '../../rest-server/declarations.ts';
import type { RequestParams } from '../../rest-server/params.ts';
import { restError } from '../../rest-server/responses.ts';
import {
  type ContentRequest,
  type ContentState,
  createBlankEntry,
  type Entry,
  type EntryKind,
  type EntryStatus,
  type Revision,
} from './model.ts';
import {
  adjustStatusToDate,
  createUniqueEntrySlug,
  parseDateTime,
  sanitizeTitle,
  truncateToSecond,
} from './rules.ts';

/** The changes of a write request. The date `null` makes the date floating again. */
type EntryChanges = Partial<Omit<Entry, 'date' | 'id' | 'kind'>> & { readonly date?: number | null };

type FieldReader = (params: RequestParams, kind: EntryKind) => EntryChanges;

/** A reader for each field of the body. An absent or `null` field changes nothing. */
const FIELD_READERS: Readonly<Record<string, FieldReader>> = {
  title: (params) => {
    const title = readRawText(params.get('title'));
    return title === undefined ? {} : { title };
  },
  status: (params) => (params.has('status') ? { status: parseStatus(params.string('status', '')) } : {}),
  slug: (params) => (params.has('slug') ? { slug: sanitizeTitle(params.string('slug', '')) } : {}),
  author: (params) => (params.integer('author', 0) === 0 ? {} : { author: params.integer('author', 0) }),
  comments: (params) => {
    const commentStatus = readOpenStatus(params.string('comment_status'));
    return commentStatus === undefined ? {} : { commentStatus };
  },
  pings: (params) => {
    const pingStatus = readOpenStatus(params.string('ping_status'));
    return pingStatus === undefined ? {} : { pingStatus };
  },
  template: (params) => (params.has('template') ? { template: params.string('template', '') } : {}),
  texts: (params, kind) => (kind === 'attachment' ? readCaptions(params) : readTexts(params)),
  ofPosts: (params, kind) => (kind === 'post' ? readPostFields(params) : {}),
  ofPages: (params, kind) =>
    kind === 'page' && params.has('menu_order') ? { menuOrder: params.integer('menu_order', 0) } : {},
  parent: (params, kind) => {
    const name = ({ page: 'parent', attachment: 'post', post: '' } as const)[kind];
    return name !== '' && params.has(name) ? { parent: params.integer(name, 0) } : {};
  },
  footnotes: (params) => {
    const notes = params.object('meta')?.['footnotes'];
    return typeof notes === 'string' || notes === null ? { footnotes: notes ?? '' } : {};
  },
  date: (params) => readDates(params),
};

/** Reads the changes of a body and checks them. `current` is the entry that an update changes. */
export function readEntryChanges(
  { params, state, user }: ContentRequest,
  kind: EntryKind,
  current?: Entry,
): EntryChanges | SiteError {
  const changes: EntryChanges = Object.assign(
    {},
    ...Object.values(FIELD_READERS).map((read) => read(params, kind)),
  );

  const { author, password = '', parent = 0 } = changes;
  if (author !== undefined && author !== user?.id && !state.authors.has(author)) {
    return restError(400, 'rest_invalid_author', 'Invalid author ID.');
  }
  if (password !== '' && changes.sticky === true) {
    return restError(400, 'rest_invalid_field', 'A post can not be sticky and have a password.');
  }
  if (password !== '' && current?.sticky === true) {
    return restError(400, 'rest_invalid_field', 'A sticky post can not be password protected.');
  }
  if (changes.sticky === true && (current?.password ?? '') !== '') {
    return restError(400, 'rest_invalid_field', 'A password protected post can not be set to sticky.');
  }
  if (kind === 'page' && parent !== 0 && !state.entries.has(parent)) {
    return restError(400, 'rest_post_invalid_id', 'Invalid post parent ID.');
  }
  return { ...changes, ...readFeaturedMedia(params, state) };
}

/** Reads a text that is a string or `{ raw }`. */
function readRawText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  const raw = isJsonObject(value) ? value['raw'] : undefined;
  return typeof raw === 'string' ? raw : undefined;
}

function readTexts(params: RequestParams): EntryChanges {
  const content = readRawText(params.get('content'));
  const excerpt = readRawText(params.get('excerpt'));
  return {
    ...(content === undefined ? {} : { content }),
    ...(excerpt === undefined ? {} : { excerpt }),
    ...(params.has('password') ? { password: params.string('password', '') } : {}),
  };
}

function readCaptions(params: RequestParams): EntryChanges {
  const content = readRawText(params.get('description'));
  const excerpt = readRawText(params.get('caption'));
  return { ...(content === undefined ? {} : { content }), ...(excerpt === undefined ? {} : { excerpt }) };
}

function readPostFields(params: RequestParams): EntryChanges {
  const format = params.string('format', '');
  return {
    ...(format === '' ? {} : { format }),
    ...(params.has('sticky') ? { sticky: params.boolean('sticky') } : {}),
    ...(params.has('categories') ? { categories: params.integers('categories') } : {}),
    ...(params.has('tags') ? { tags: params.integers('tags') } : {}),
  };
}

function readOpenStatus(value: string | undefined): Entry['commentStatus'] | undefined {
  return value === 'open' || value === 'closed' ? value : undefined;
}

function parseStatus(text: string): EntryStatus {
  const statuses: readonly EntryStatus[] = [
    'publish',
    'future',
    'draft',
    'pending',
    'private',
    'trash',
    'inherit',
  ];
  return statuses.find((status) => status === text) ?? 'draft';
}

/** `date` precedes `date_gmt`. Either one as `null` resets the date. */
function readDates(params: RequestParams): EntryChanges {
  const time = parseDateTime(params.string('date', params.string('date_gmt', '')));
  if (time !== undefined) return { date: time };
  return params.get('date') === null || params.get('date_gmt') === null ? { date: null } : {};
}

/** An unknown id changes nothing. 0 or a file that is not an image removes the featured image. */
function readFeaturedMedia(params: RequestParams, state: ContentState): EntryChanges {
  const id = params.integer('featured_media');
  if (id === undefined) return {};
  const media = state.entries.get(id)?.media;
  if (id !== 0 && !state.entries.has(id)) return {};
  return { featuredMedia: media?.image === undefined ? 0 : id };
}

/** The category of posts without categories. */
const DEFAULT_CATEGORY = 1;

/** The statuses in which an entry can lack a slug and a fixed date. */
const DRAFT_STATUSES: readonly EntryStatus[] = ['draft', 'pending'];

interface WriteScope {
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

type RevisionText = Pick<Entry, 'title' | 'content' | 'excerpt' | 'footnotes'>;

const TEXT_FIELD_NAMES = ['title', 'content', 'excerpt', 'footnotes'] as const;

/** Saves a revision of an entry unless the latest one has the same text. */
function saveRevision(state: ContentState, entry: Entry, author: number, time: number): void {
  const latest = findRevisions(state, entry.id).find(({ isAutosave }) => !isAutosave);
  if (latest !== undefined && hasSameText(latest, entry)) return;
  putRevision(state, entry, { author, time, isAutosave: false });
}

/** Saves the autosave of a user. An earlier one is replaced, or only deleted (`null`) if the text equals the entry's. */
export function saveAutosave(
  state: ContentState,
  entry: Entry,
  text: RevisionText,
  author: number,
  time: number,
): Revision | null {
  const previous = findRevisions(state, entry.id).find((kept) => kept.isAutosave && kept.author === author);
  if (previous !== undefined) state.revisions.delete(previous.id);
  if (previous !== undefined && hasSameText(text, entry)) return null;
  return putRevision(state, { ...entry, ...text }, { author, time, isAutosave: true }, previous?.id);
}

/** The revisions and autosaves of an entry, newest first. */
export function findRevisions(state: ContentState, parent: number): readonly Revision[] {
  return [...state.revisions.values()]
    .filter((revision) => revision.parent === parent)
    .sort((a, b) => b.date - a.date || b.id - a.id);
}

function putRevision(
  state: ContentState,
  { id: parent, title, content, excerpt, footnotes }: Entry,
  {
    author,
    time,
    isAutosave,
  }: { readonly author: number; readonly time: number; readonly isAutosave: boolean },
  id: number = state.nextId(),
): Revision {
  const revision = { id, parent, author, date: time, title, content, excerpt, footnotes, isAutosave };
  state.revisions.set(id, revision);
  return revision;
}

function hasSameText(a: RevisionText, b: RevisionText): boolean {
  return TEXT_FIELD_NAMES.every((field) => a[field].trim() === b[field].trim());
}

/** Moves an entry to the trash. Its slug becomes free. */
export function trashEntry(entry: Entry, { state, now, user }: WriteScope): Entry {
  const time = truncateToSecond(now.getTime());
  const trashed: Entry = {
    ...entry,
    status: 'trash',
    slug: `${entry.slug}__trashed`,
    modified: time,
    beforeTrash: { status: entry.status, slug: entry.slug },
  };
  state.entries.set(entry.id, trashed);
  saveRevision(state, trashed, user?.id ?? entry.author, time);
  return trashed;
}

/** Deletes an entry with its revisions and files. Its children move to its parent. */
export function deleteEntry(entry: Entry, state: ContentState): void {
  state.entries.delete(entry.id);
  for (const { id, parent } of state.revisions.values()) {
    if (parent === entry.id) state.revisions.delete(id);
  }
  for (const other of state.entries.values()) {
    const parent = other.parent === entry.id ? entry.parent : other.parent;
    const featuredMedia = other.featuredMedia === entry.id ? 0 : other.featuredMedia;
    if (parent !== other.parent || featuredMedia !== other.featuredMedia) {
      state.entries.set(other.id, { ...other, parent, featuredMedia });
    }
  }
  for (const file of listFiles(entry)) state.files.delete(file);
}

function listFiles({ media }: Entry): readonly string[] {
  if (media === undefined) return [];
  const folder = media.file.slice(0, media.file.lastIndexOf('/') + 1);
  return [media.file, ...Object.values(media.sizes).map(({ file }) => folder + file)];
}
