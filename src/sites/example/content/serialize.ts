import { isJsonObject, type Json, type JsonObject, toJsonObject } from '../../../base/json.ts';
import type { ItemLink } from '../../rest-server/declarations.ts';
import { toItemLinks } from '../../rest-server/responses.ts';
import { sanitizeTitle } from '../../rest-server/slug.ts';
import { SCHEMAS } from './declarations.ts';
import {
  type ContentRequest,
  type ContentState,
  type Entry,
  type EntryKind,
  isImage,
  type MediaFile,
} from './model.ts';
import { canEdit, formatDateTime } from './rules.ts';
import seed from './seed.json' with { type: 'json' };

export function serializeEntry(entry: Entry, request: ContentRequest, context: string): JsonObject {
  const fields = {
    ...createCommonFields(entry, request),
    ...(entry.kind === 'attachment'
      ? createMediaFields(entry, request)
      : createTextFields(entry, request, context)),
  };
  const shown = filterByFieldContext(fields, SCHEMAS[entry.kind], context);
  return { ...shown, _links: createEntryLinks(entry, request) };
}

function createCommonFields(entry: Entry, request: ContentRequest): JsonObject {
  const guid =
    entry.media === undefined ? getIdPermalink(entry, request) : getUploadUrl(entry.media.file, request);
  return {
    id: entry.id,
    date: formatDateTime(entry.date),
    date_gmt: formatDateTime(entry.date),
    guid: { rendered: guid, raw: guid },
    modified: formatDateTime(entry.modified),
    modified_gmt: formatDateTime(entry.modified),
    slug: entry.slug,
    status: entry.status,
    type: entry.kind,
    link: getPermalink(entry, request),
    title: {
      raw: entry.title,
      rendered: renderTitle(entry.status === 'private' ? `Private: ${entry.title}` : entry.title),
    },
    author: entry.author,
    featured_media: entry.featuredMedia,
    comment_status: entry.commentStatus,
    ping_status: entry.pingStatus,
    template: entry.template,
    meta: entry.kind === 'attachment' ? [] : { footnotes: entry.footnotes },
    permalink_template: getPathPermalink(entry, entry.kind === 'page' ? '%pagename%' : '%postname%', request),
    generated_slug: entry.slug || sanitizeTitle(entry.title) || String(entry.id),
    class_list: listCssClasses(entry, request.state),
  };
}

function createTextFields(entry: Entry, request: ContentRequest, context: string): JsonObject {
  const { user, params } = request;
  const isProtected = entry.password !== '';
  const isEditing = context === 'edit' && canEdit(user);
  const isHidden = isProtected && !isEditing && params.string('password') !== entry.password;
  return {
    password: entry.password,
    content: {
      raw: entry.content,
      rendered: isHidden ? '' : renderContent(entry.content),
      protected: isProtected,
      block_version: getBlockVersion(entry.content),
    },
    excerpt: {
      raw: entry.excerpt,
      rendered: isHidden ? '' : renderExcerpt(entry.excerpt, entry.content, params.integer('excerpt_length')),
      protected: isProtected,
    },
    ...(entry.kind === 'page'
      ? { parent: entry.parent, menu_order: entry.menuOrder }
      : { sticky: entry.sticky, format: entry.format, categories: entry.categories, tags: entry.tags }),
  };
}

function listCssClasses(entry: Entry, state: ContentState): readonly string[] {
  const terms = [...entry.categories, ...entry.tags].flatMap((id) => state.terms.get(id) ?? []);
  return [
    `post-${entry.id}`,
    entry.kind,
    `type-${entry.kind}`,
    `status-${entry.status}`,
    ...(entry.kind === 'post' ? [`format-${entry.format}`] : []),
    'hentry',
    ...terms.map(({ taxonomy, slug }) => `${taxonomy === 'category' ? 'category' : 'tag'}-${slug}`),
  ];
}

type Request = Pick<ContentRequest, 'address' | 'state'>;

function createMediaFields(entry: Entry, request: Request): JsonObject {
  const { media } = entry;
  if (media === undefined) return {};
  const url = getUploadUrl(media.file, request);
  const shown = isImage(media) ? `<img src="${url}" alt="" />` : entry.title;
  return {
    description: {
      raw: entry.content,
      rendered: `<p class="attachment"><a href='${url}'>${shown}</a></p>\n${renderContent(entry.content)}`,
    },
    caption: { raw: entry.excerpt, rendered: renderExcerpt(entry.excerpt, '') },
    alt_text: media.alt,
    media_type: isImage(media) ? 'image' : 'file',
    mime_type: media.mime,
    media_details: createMediaDetails(media, request),
    post: entry.parent === 0 ? null : entry.parent,
    source_url: url,
    missing_image_sizes: [],
  };
}

function createMediaDetails({ file, mime, image }: MediaFile, request: Request): JsonObject {
  const filesize = request.state.files.get(file)?.readBytes().length ?? 0;
  if (image === undefined) return { filesize, sizes: {} };
  const source_url = getUploadUrl(file, request);
  const full = { file: file.replace(/.*\//, ''), mime_type: mime, source_url, ...image };
  return { ...image, file, filesize, sizes: { full }, image_meta: seed.imageMeta };
}

export function getUploadUrl(file: string, { address }: Pick<Request, 'address'>): string {
  return address(`/wp-content/uploads/${file}`);
}

export const COLLECTION_ROUTES: Readonly<Record<EntryKind, string>> = {
  post: '/core/v2/posts',
  page: '/core/v2/pages',
  attachment: '/core/v2/media',
};

const CURIES: ItemLink = { name: 'wp', href: 'https://api.w.org/{rel}', templated: true };

const embeddable = (href: string): ItemLink => ({ embeddable: true, href });

function createEntryLinks(entry: Entry, { state, link }: ContentRequest): JsonObject {
  const { id, kind, parent, featuredMedia } = entry;
  const collection = COLLECTION_ROUTES[kind];
  const links: Record<string, string | ItemLink | ItemLink[]> = {
    self: link(`${collection}/${id}`),
    collection: link(collection),
    about: link(`/core/v2/types/${kind}`),
    author: link(`/core/v2/users/${entry.author}`),
    replies: link('/core/v2/comments', { post: id }),
  };
  if (kind === 'page' && state.entries.has(parent)) links['up'] = embeddable(link(`${collection}/${parent}`));
  if (featuredMedia !== 0) {
    links['wp:featuredmedia'] = embeddable(link(`${COLLECTION_ROUTES.attachment}/${featuredMedia}`));
  }
  if (kind !== 'attachment') {
    links['wp:attachment'] = { href: link(COLLECTION_ROUTES.attachment, { parent: id }) };
  }
  if (kind === 'post') {
    links['wp:term'] = [
      { taxonomy: 'category', href: link('/core/v2/categories', { post: id }) },
      { taxonomy: 'post_tag', href: link('/core/v2/tags', { post: id }) },
    ];
  }
  const needsCuries = Object.keys(links).some((relation) => relation.startsWith('wp:'));
  return toItemLinks(needsCuries ? { ...links, curies: CURIES } : links);
}

/** By date and slug, by the slugs of its ancestors, or by id while it is unpublished. */
export function getPermalink(entry: Entry, site: Request): string {
  const { status, slug } = entry;
  const isUnpublished = slug === '' || ['draft', 'pending', 'future', 'trash'].includes(status);
  return isUnpublished ? getIdPermalink(entry, site) : getPathPermalink(entry, slug, site);
}

function getIdPermalink(
  { id, kind }: Pick<Entry, 'id' | 'kind'>,
  { address }: Pick<Request, 'address'>,
): string {
  return address(kind === 'page' ? `/?page_id=${id}` : `/?p=${id}`);
}

function getPathPermalink(entry: Entry, slug: string, { state, address }: Request): string {
  if (entry.kind === 'post') {
    return address(`/${new Date(entry.date).toISOString().slice(0, 10).replaceAll('-', '/')}/${slug}/`);
  }
  const path = [slug];
  const seen = new Set([entry.id]);
  let ancestor = state.entries.get(entry.parent);
  while (ancestor !== undefined && !seen.has(ancestor.id)) {
    seen.add(ancestor.id);
    path.unshift(ancestor.slug || String(ancestor.id));
    ancestor = state.entries.get(ancestor.parent);
  }
  return address(`/${path.join('/')}/`);
}

const EXCERPT_WORDS = 55;

/** The filters of `the_content`. */
export function renderContent(raw: string): string {
  return getBlockVersion(raw) > 0
    ? escapeAmpersands(stripBlockComments(raw))
    : addParagraphs(escapeAmpersands(raw));
}

function renderExcerpt(excerpt: string, content: string, words: number = EXCERPT_WORDS): string {
  if (excerpt.trim() !== '') return addParagraphs(escapeAmpersands(excerpt));
  const all = stripTags(renderContent(content))
    .split(/\s+/)
    .filter((word) => word !== '');
  const text = all.slice(0, Math.max(0, words)).join(' ');
  return addParagraphs(all.length > words ? `${text} [&hellip;]` : text);
}

/** 1 if the content has blocks, else 0. */
function getBlockVersion(raw: string): number {
  return raw.includes('<!-- wp:') ? 1 : 0;
}

function stripBlockComments(raw: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let at = raw.indexOf('<!--'); at !== -1; at = raw.indexOf('<!--', from)) {
    const end = raw.indexOf('-->', at);
    if (end === -1) break;
    const mark = /^<!--\s{0,9}\/?wp:/.test(raw.slice(at, at + 20));
    kept.push(raw.slice(from, mark ? at : end + 3));
    from = end + 3;
  }
  return kept.join('') + raw.slice(from);
}

export function stripTags(html: string): string {
  return html.replace(/<[^<>]*>/g, '');
}

/** `rest_filter_response_by_context()`: fields without a schema remain, e.g. `_links`. */
function filterByFieldContext(
  record: JsonObject,
  schema: JsonObject | undefined,
  context: string,
): JsonObject {
  const properties = toJsonObject(schema?.['properties']);
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]): [string, Json][] => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!isJsonObject(property)) return [[name, value]];
      const contexts = property['context'];
      if (Array.isArray(contexts) && !contexts.includes(context)) return [];
      return [[name, isJsonObject(value) ? filterByFieldContext(value, property, context) : value]];
    }),
  );
}

const BARE_AMPERSAND = /&(?!#(?:\d+|x[a-f0-9]+);|[a-z1-4]{1,8};)/gi;

function escapeAmpersands(html: string): string {
  return html.replace(BARE_AMPERSAND, '&#038;');
}

export function renderTitle(title: string): string {
  return escapeAmpersands(title).trim();
}

const BLOCK =
  /^<\/?(?:table|div|dl|ul|ol|li|pre|form|blockquote|figure|p|h[1-6]|hr|section|article|details)\b/i;

/** `wpautop()` for text and block elements. */
function addParagraphs(html: string): string {
  return html
    .split(/\r?\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((text) => (BLOCK.test(text) ? `${text}\n` : `<p>${text.replace(/\s*\n/g, '<br />\n')}</p>\n`))
    .join('');
}
