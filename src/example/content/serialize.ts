import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import type { ItemLink } from '../../rest-server/declarations.ts';
import { toItemLinks } from '../../rest-server/responses.ts';
import { contentSchema } from './declarations.ts';
import { listMissingSizes } from './images.ts';
import type { ContentRequest, ContentState, Entry, EntryKind, MediaFile, Revision } from './model.ts';
import { canEdit, formatDateTime, isContentHidden } from './rules.ts';
import seed from './seed.json' with { type: 'json' };
import { addParagraphs, renderTitle, sanitizeTitle, texturize } from './text.ts';

const SCHEMAS: Readonly<Record<EntryKind, JsonObject>> = {
  post: contentSchema('post'),
  page: contentSchema('page'),
  attachment: contentSchema('attachment'),
};

/** Serializes an entry for a context. */
export function serializeEntry(entry: Entry, request: ContentRequest, context: string): JsonObject {
  const fields = {
    ...createCommonFields(entry, request),
    ...(entry.kind === 'attachment'
      ? createMediaFields(entry, request)
      : createTextFields(entry, request, context)),
  };
  const shown = filterByFieldContext(fields, SCHEMAS[entry.kind], context);
  return { ...shown, _links: createEntryLinks(entry, request, context) };
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
    permalink_template: getPermalinkTemplate(entry, request),
    generated_slug: getGeneratedSlug(entry),
    class_list: listCssClasses(entry, request.state),
  };
}

/** The fields that only posts and pages have. A password hides the rendered texts. */
function createTextFields(entry: Entry, request: ContentRequest, context: string): JsonObject {
  const { user, params } = request;
  const isHidden = isContentHidden(entry, { user, password: params.string('password'), context });
  const isProtected = entry.password !== '';
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
      : {
          sticky: entry.sticky,
          format: entry.format,
          categories: entry.categories,
          tags: entry.tags,
        }),
  };
}

/** The CSS classes of the entry. */
function listCssClasses(entry: Entry, state: ContentState): readonly string[] {
  const terms = [...entry.categories, ...entry.tags].flatMap((id) => state.terms.get(id) ?? []);
  return [
    `post-${entry.id}`,
    entry.kind,
    `type-${entry.kind}`,
    `status-${entry.status}`,
    ...(entry.kind === 'post' ? [`format-${entry.format}`] : []),
    ...(entry.featuredMedia === 0 ? [] : ['has-post-thumbnail']),
    ...(entry.password === '' ? [] : ['post-password-required']),
    'hentry',
    ...terms.map(({ taxonomy, slug }) => `${taxonomy === 'category' ? 'category' : 'tag'}-${slug}`),
  ];
}

type Request = Pick<ContentRequest, 'address' | 'state'>;

function createMediaFields(entry: Entry, request: Request): JsonObject {
  const { media } = entry;
  if (media === undefined) return {};
  return {
    description: { raw: entry.content, rendered: renderDescription(entry, media, request) },
    caption: { raw: entry.excerpt, rendered: renderExcerpt(entry.excerpt, '') },
    alt_text: media.alt,
    media_type: media.image === undefined ? 'file' : 'image',
    mime_type: media.mime,
    media_details: createMediaDetails(media, request),
    post: entry.parent === 0 ? null : entry.parent,
    source_url: getUploadUrl(media.file, request),
    missing_image_sizes: listMissingSizes(media),
  };
}

/** Renders the description after the file itself, as on the attachment page. */
function renderDescription({ title, content }: Entry, media: MediaFile, request: Request): string {
  const href = getUploadUrl(media.file, request);
  const link =
    media.image === undefined
      ? `<a href='${href}'>${title}</a>`
      : `<a href='${href}'><img src="${href}" alt="" width="${media.image.width}" height="${media.image.height}" /></a>`;
  return `<p class="attachment">${link}</p>\n${renderContent(content)}`;
}

function createMediaDetails(media: MediaFile, request: Request): JsonObject {
  if (media.image === undefined) return { filesize: getFileSize(media.file, request), sizes: {} };
  const { width, height } = media.image;
  return {
    width,
    height,
    file: media.file,
    filesize: getFileSize(media.file, request),
    sizes: {
      ...createSizeDetails(media, request),
      full: { ...createFullSize(media, request), width, height },
    },
    image_meta: seed.imageMeta,
    ...(media.edit === undefined ? {} : { parent_image: serializeEdit(media.edit) }),
  };
}

function createSizeDetails(media: MediaFile, request: Request): JsonObject {
  const folder = getFolder(media.file);
  return Object.fromEntries(
    Object.entries(media.sizes).map(([name, { file, width, height }]) => [
      name,
      {
        file,
        width,
        height,
        filesize: getFileSize(folder + file, request),
        mime_type: 'image/png',
        source_url: getUploadUrl(folder + file, request),
      },
    ]),
  );
}

function createFullSize({ file, mime }: MediaFile, request: Request): JsonObject {
  return { file: getFileName(file), mime_type: mime, source_url: getUploadUrl(file, request) };
}

/** Serializes the source and the edits of an edited image. */
function serializeEdit({ sourceId, file, edits }: NonNullable<MediaFile['edit']>): JsonObject {
  return {
    attachment_id: sourceId,
    file,
    modifiers: edits.map(({ type, ...args }) => ({ type, args: type === 'flip' ? { flip: args } : args })),
  };
}

export function getFolder(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1);
}

export function getFileName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}

/** The paths of the file of a media item and of its smaller sizes. */
export function listMediaFiles({ media }: Entry): readonly string[] {
  if (media === undefined) return [];
  return [media.file, ...Object.values(media.sizes).map(({ file }) => getFolder(media.file) + file)];
}

/** The URL of a file in the uploads folder. */
export function getUploadUrl(file: string, { address }: Pick<Request, 'address'>): string {
  return address(`/wp-content/uploads/${file}`);
}

function getFileSize(file: string, { state }: Request): number {
  return state.files.get(file)?.readBytes().length ?? 0;
}

const REVISION_SCHEMAS = {
  post: { revision: contentSchema('post-revision'), autosave: contentSchema('post-autosave') },
  page: { revision: contentSchema('page-revision'), autosave: contentSchema('page-autosave') },
} as const;

/** The schemas of the revisions of a kind; media items have none. */
const revisionSchemas = (kind: EntryKind) => REVISION_SCHEMAS[kind === 'page' ? 'page' : 'post'];

/** Serializes a revision, or an autosave, which has a link to its preview. */
export function serializeRevision(
  revision: Revision,
  kind: EntryKind,
  request: ContentRequest,
  context: string,
  isAutosave = false,
): JsonObject {
  const { parent } = revision;
  const preview = `${getIdPermalink({ id: parent, kind }, request)}&preview_id=${parent}&preview=true`;
  const shown = filterByFieldContext(
    { ...createRevisionFields(revision, request), ...(isAutosave ? { preview_link: preview } : {}) },
    revisionSchemas(kind)[isAutosave ? 'autosave' : 'revision'],
    context,
  );
  return { ...shown, _links: toItemLinks({ parent: request.link(`${COLLECTION_ROUTES[kind]}/${parent}`) }) };
}

/** Serializes a draft as an autosave. Saving one's own draft changes the draft and creates no autosave. */
export function serializeSavedDraft(draft: Entry, kind: EntryKind, request: ContentRequest): JsonObject {
  const { slug, modified, isDateFloating } = draft;
  const copy = { ...draft, parent: 0, date: modified, isAutosave: true };
  const fields = {
    ...createRevisionFields(copy, request),
    ...(isDateFloating ? { date: null, date_gmt: null } : {}),
    slug,
    preview_link: `${getIdPermalink(draft, request)}&preview=true`,
  };
  return filterByFieldContext(fields, revisionSchemas(kind).autosave, 'edit');
}

function createRevisionFields(revision: Revision, request: ContentRequest): JsonObject {
  const time = formatDateTime(revision.date);
  const guid = getIdPermalink({ id: revision.id, kind: 'post' }, request);
  return {
    author: revision.author,
    date: time,
    date_gmt: time,
    id: revision.id,
    modified: time,
    modified_gmt: time,
    parent: revision.parent,
    slug: `${revision.parent}-${revision.isAutosave ? 'autosave' : 'revision'}-v1`,
    guid: { rendered: guid, raw: guid },
    title: { raw: revision.title, rendered: renderTitle(revision.title) },
    content: { raw: revision.content, rendered: renderContent(revision.content) },
    excerpt: { raw: revision.excerpt, rendered: renderExcerpt(revision.excerpt, '') },
    meta: { footnotes: revision.footnotes },
  };
}

/** The collection route of each kind. */
export const COLLECTION_ROUTES: Readonly<Record<EntryKind, string>> = {
  post: '/core/v2/posts',
  page: '/core/v2/pages',
  attachment: '/core/v2/media',
};

const TAXONOMY_ROUTES = [
  ['category', '/core/v2/categories'],
  ['post_tag', '/core/v2/tags'],
] as const;

/** The CURIE that expands relations such as `wp:term`. */
const CURIES: ItemLink = { name: 'wp', href: 'https://api.w.org/{rel}', templated: true };

/** Creates the `_links` of an entry. In the context `edit` they include the actions of the user. */
function createEntryLinks(entry: Entry, request: ContentRequest, context: string): JsonObject {
  const { link } = request;
  const self = link(`${COLLECTION_ROUTES[entry.kind]}/${entry.id}`);
  const links: Record<string, string | ItemLink | ItemLink[]> = {
    self,
    collection: link(COLLECTION_ROUTES[entry.kind]),
    about: link(`/core/v2/types/${entry.kind}`),
    author: { embeddable: true, href: link(`/core/v2/users/${entry.author}`) },
    replies: { embeddable: true, href: link('/core/v2/comments', { post: entry.id }) },
    ...(entry.kind === 'attachment' ? {} : createRevisionLinks(entry, request)),
    ...createRelatedLinks(entry, request),
    ...(context === 'edit' && canEdit(request.user) ? createActionLinks(entry.kind, self) : {}),
  };
  const needsCuries = Object.keys(links).some((relation) => relation.startsWith('wp:'));
  return toItemLinks(needsCuries ? { ...links, curies: CURIES } : links);
}

function createRevisionLinks({ id, kind }: Entry, { state, link }: ContentRequest): Record<string, ItemLink> {
  const route = `${COLLECTION_ROUTES[kind]}/${id}/revisions`;
  const revisions = [...state.revisions.values()].filter((revision) => revision.parent === id);
  const latest = revisions.at(-1);
  return {
    'version-history': { count: revisions.length, href: link(route) },
    ...(latest === undefined
      ? {}
      : { 'predecessor-version': { id: latest.id, href: link(`${route}/${latest.id}`) } }),
  };
}

function createRelatedLinks(
  entry: Entry,
  { state, link }: ContentRequest,
): Record<string, ItemLink | ItemLink[]> {
  const { id, kind, parent, featuredMedia } = entry;
  const links: Record<string, ItemLink | ItemLink[]> = {};
  if (kind === 'page' && state.entries.has(parent)) {
    links['up'] = { embeddable: true, href: link(`${COLLECTION_ROUTES.page}/${parent}`) };
  }
  if (featuredMedia !== 0) {
    links['wp:featuredmedia'] = {
      embeddable: true,
      href: link(`${COLLECTION_ROUTES.attachment}/${featuredMedia}`),
    };
  }
  if (kind !== 'attachment') {
    links['wp:attachment'] = { href: link(COLLECTION_ROUTES.attachment, { parent: id }) };
  }
  if (kind === 'post') {
    links['wp:term'] = TAXONOMY_ROUTES.map(([taxonomy, route]) => ({
      taxonomy,
      embeddable: true,
      href: link(route, { post: id }),
    }));
  }
  return links;
}

const EDITOR_ACTIONS: Readonly<Record<EntryKind, readonly string[]>> = {
  post: [
    ...['publish', 'unfiltered-html', 'sticky', 'assign-author'],
    ...['create-categories', 'assign-categories', 'create-tags', 'assign-tags'],
  ],
  page: ['publish', 'unfiltered-html', 'assign-author'],
  attachment: ['unfiltered-html', 'assign-author'],
};

function createActionLinks(kind: EntryKind, href: string): Record<string, string> {
  return Object.fromEntries(EDITOR_ACTIONS[kind].map((action) => [`wp:action-${action}`, href]));
}

type PermalinkContext = Pick<ContentRequest, 'address' | 'state'>;

/** The URL of an entry: by date and slug, by the slugs of its ancestors, or by id while it is unpublished. */
export function getPermalink(entry: Entry, site: PermalinkContext): string {
  if (hasIdPermalink(entry)) return getIdPermalink(entry, site);
  return site.address(getPathTemplate(entry, site.state).replace('%slug%', entry.slug));
}

/** The URL by id, which never changes. */
function getIdPermalink(
  entry: Pick<Entry, 'id' | 'kind'>,
  { address }: Pick<PermalinkContext, 'address'>,
): string {
  return address(entry.kind === 'page' ? `/?page_id=${entry.id}` : `/?p=${entry.id}`);
}

/** The URL with a placeholder for the slug, for editors. */
function getPermalinkTemplate(entry: Entry, site: PermalinkContext): string {
  const placeholder = entry.kind === 'page' ? '%pagename%' : '%postname%';
  return site.address(getPathTemplate(entry, site.state).replace('%slug%', placeholder));
}

/** The slug, or the one that the title gives. */
function getGeneratedSlug(entry: Entry): string {
  return entry.slug === '' ? sanitizeTitle(entry.title) || String(entry.id) : entry.slug;
}

function hasIdPermalink({ status, slug }: Entry): boolean {
  return slug === '' || ['draft', 'pending', 'future', 'trash'].includes(status);
}

function getPathTemplate(entry: Entry, state: ContentState): string {
  if (entry.kind === 'post')
    return `/${new Date(entry.date).toISOString().slice(0, 10).replaceAll('-', '/')}/%slug%/`;
  const ancestors: string[] = [];
  const seen = new Set([entry.id]);
  for (
    let ancestor = state.entries.get(entry.parent);
    ancestor !== undefined;
    ancestor = state.entries.get(ancestor.parent)
  ) {
    // Pages can be each other's parents.
    if (seen.has(ancestor.id)) break;
    seen.add(ancestor.id);
    ancestors.unshift(ancestor.slug || String(ancestor.id));
  }
  return `/${[...ancestors, '%slug%'].join('/')}/`;
}

/** The maximal length of a generated excerpt, in words. */
const EXCERPT_WORDS = 55;

/** Renders content: blocks without their comments, or plain text in paragraphs (the filters of `the_content`). */
export function renderContent(raw: string): string {
  return getBlockVersion(raw) > 0 ? texturize(stripBlockComments(raw)) : addParagraphs(texturize(raw));
}

/** Renders the excerpt, or the first words of the content if the excerpt is empty. */
export function renderExcerpt(excerpt: string, content: string, words: number = EXCERPT_WORDS): string {
  if (excerpt.trim() !== '') return addParagraphs(texturize(excerpt));
  const all = stripTags(renderContent(content))
    .split(/\s+/)
    .filter((word) => word !== '');
  const text = all.slice(0, Math.max(0, words)).join(' ');
  return addParagraphs(all.length > words ? `${text} [&hellip;]` : text);
}

/** The version of the block format: 1 if the content has blocks, else 0. */
function getBlockVersion(raw: string): number {
  return raw.includes('<!-- wp:') ? 1 : 0;
}

/** Uses `indexOf` because a regular expression could be slow on hostile text. */
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

/**
 * Removes the fields, at any depth, whose schema does not list the context (rest_filter_response_by_context). Fields
 * without a schema remain, `_links` among them.
 */
function filterByFieldContext(record: JsonObject, schema: JsonObject, context: string): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]): [string, Json][] => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!isJsonObject(property)) return [[name, value]];
      if (!isInContext(property, context)) return [];
      return [[name, isJsonObject(value) ? filterByFieldContext(value, property, context) : value]];
    }),
  );
}

function isInContext(property: JsonObject, context: string): boolean {
  const contexts = property['context'];
  return !Array.isArray(contexts) || contexts.includes(context);
}
