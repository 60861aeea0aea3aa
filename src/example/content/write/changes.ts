import { isJsonObject, type Json } from '../../../json.ts';
import { refuse } from '../../site/answers.ts';
import type { SiteError, SiteRequest } from '../../site/declare.ts';
import type { Params } from '../../site/params.ts';
import type { Entry, Kind, Status } from '../entries.ts';
import { readDate } from '../rules/dates.ts';
import { slugOf } from '../rules/slug.ts';
import type { ContentState } from '../state.ts';

/** What a request changes; a date of null makes it the draft's again. */
export type Changes = Partial<Omit<Entry, 'date' | 'id' | 'kind'>> & { readonly date?: number | null };

type Read = (params: Params, kind: Kind) => Changes;

/** One field of the body each. A field that the caller did not give changes nothing, and null is as if not given. */
const FIELDS: Readonly<Record<string, Read>> = {
  title: (params) => {
    const title = rawText(params.get('title'));
    return title === undefined ? {} : { title };
  },
  status: (params) => (params.has('status') ? { status: toStatus(params.string('status', '')) } : {}),
  slug: (params) => (params.has('slug') ? { slug: slugOf(params.string('slug', '')) } : {}),
  author: (params) => (params.integer('author', 0) === 0 ? {} : { author: params.integer('author', 0) }),
  comments: (params) => openness('comments', params.string('comment_status')),
  pings: (params) => openness('pings', params.string('ping_status')),
  template: (params) => (params.has('template') ? { template: params.string('template', '') } : {}),
  texts: (params, kind) => (kind === 'attachment' ? captions(params) : texts(params)),
  ofPosts: (params, kind) => (kind === 'post' ? ofPosts(params) : {}),
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
  date: (params) => dates(params),
};

/** Reads a body and refuses what contradicts the site or itself. `before` is what is changed, if anything is. */
export function readChanges(
  { params, state, user }: SiteRequest<ContentState>,
  kind: Kind,
  before?: Entry,
): Changes | SiteError {
  const changes: Changes = Object.assign({}, ...Object.values(FIELDS).map((read) => read(params, kind)));

  const { author, password = '', parent = 0 } = changes;
  if (author !== undefined && author !== user?.id && !state.authors.has(author)) {
    return refuse(400, 'rest_invalid_author', 'Invalid author ID.');
  }
  if (password !== '' && changes.sticky === true) {
    return refuse(400, 'rest_invalid_field', 'A post can not be sticky and have a password.');
  }
  if (password !== '' && before?.sticky === true) {
    return refuse(400, 'rest_invalid_field', 'A sticky post can not be password protected.');
  }
  if (changes.sticky === true && (before?.password ?? '') !== '') {
    return refuse(400, 'rest_invalid_field', 'A password protected post can not be set to sticky.');
  }
  if (kind === 'page' && parent !== 0 && !state.entries.has(parent)) {
    return refuse(400, 'rest_post_invalid_id', 'Invalid post parent ID.');
  }
  return { ...changes, ...featured(params, state) };
}

/** A text is given plain or as `{ raw }`. */
export function rawText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  const raw = isJsonObject(value) ? value['raw'] : undefined;
  return typeof raw === 'string' ? raw : undefined;
}

function texts(params: Params): Changes {
  const content = rawText(params.get('content'));
  const excerpt = rawText(params.get('excerpt'));
  return {
    ...(content === undefined ? {} : { content }),
    ...(excerpt === undefined ? {} : { excerpt }),
    ...(params.has('password') ? { password: params.string('password', '') } : {}),
  };
}

function captions(params: Params): Changes {
  const content = rawText(params.get('description'));
  const excerpt = rawText(params.get('caption'));
  return { ...(content === undefined ? {} : { content }), ...(excerpt === undefined ? {} : { excerpt }) };
}

function ofPosts(params: Params): Changes {
  const format = params.string('format', '');
  return {
    ...(format === '' ? {} : { format }),
    ...(params.has('sticky') ? { sticky: params.boolean('sticky') } : {}),
    ...(params.has('categories') ? { categories: params.integers('categories') } : {}),
    ...(params.has('tags') ? { tags: params.integers('tags') } : {}),
  };
}

function openness(field: 'comments' | 'pings', value: string | undefined): Changes {
  return value === 'open' || value === 'closed' ? { [field]: value } : {};
}

function toStatus(text: string): Status {
  const known: readonly Status[] = ['publish', 'future', 'draft', 'pending', 'private', 'trash', 'inherit'];
  return known.find((status) => status === text) ?? 'draft';
}

/** `date` goes before `date_gmt`; either as null takes the date away. */
function dates(params: Params): Changes {
  const time = readDate(params.string('date', params.string('date_gmt', '')));
  if (time !== undefined) return { date: time };
  return params.get('date') === null || params.get('date_gmt') === null ? { date: null } : {};
}

/** An image that does not exist leaves what was; a file that is no image takes it away, as 0 does. */
function featured(params: Params, state: ContentState): Changes {
  const id = params.integer('featured_media');
  if (id === undefined) return {};
  const media = state.entries.get(id)?.media;
  if (id !== 0 && !state.entries.has(id)) return {};
  return { featuredMedia: media?.image === undefined ? 0 : id };
}
