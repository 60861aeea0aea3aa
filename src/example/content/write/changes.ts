import { isJsonObject, type Json } from '../../../json.ts';
import type { SiteError } from '../../site/declarations.ts';
import type { RequestParams } from '../../site/request-params.ts';
import { restError } from '../../site/responses.ts';
import type { Entry, EntryKind, EntryStatus } from '../model/entries.ts';
import type { ContentRequest, ContentState } from '../model/state.ts';
import { parseDateTime } from '../rules/dates.ts';
import { sanitizeTitle } from '../rules/slug.ts';

/** The changes of a write request. The date `null` makes the date floating again. */
export type EntryChanges = Partial<Omit<Entry, 'date' | 'id' | 'kind'>> & { readonly date?: number | null };

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
  comments: (params) => readOpenStatus('comments', params.string('comment_status')),
  pings: (params) => readOpenStatus('pings', params.string('ping_status')),
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

function readOpenStatus(field: 'comments' | 'pings', value: string | undefined): EntryChanges {
  return value === 'open' || value === 'closed' ? { [field]: value } : {};
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
