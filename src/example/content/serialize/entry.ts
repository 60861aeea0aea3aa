import type { JsonObject } from '../../../json.ts';
import type { Entry } from '../model/entries.ts';
import type { ContentRequest, ContentState } from '../model/state.ts';
import { isContentHidden } from '../rules/capabilities.ts';
import { formatDateTime } from '../rules/dates.ts';
import { RESPONSE_SCHEMAS } from '../schema/entry-schemas.ts';
import { filterByFieldContext } from './field-context.ts';
import { createEntryLinks } from './links.ts';
import { createMediaFields, getUploadUrl } from './media.ts';
import { getGeneratedSlug, getIdPermalink, getPermalink, getPermalinkTemplate } from './permalink.ts';
import { getBlockVersion, renderContent, renderExcerpt } from './render-html.ts';

/** Serializes an entry for a context. */
export function serializeEntry(entry: Entry, request: ContentRequest, context: string): JsonObject {
  const fields = {
    ...createCommonFields(entry, request),
    ...(entry.kind === 'attachment'
      ? createMediaFields(entry, request)
      : createTextFields(entry, request, context)),
  };
  const shown = filterByFieldContext(fields, RESPONSE_SCHEMAS[entry.kind], context);
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
      rendered: entry.status === 'private' ? `Private: ${entry.title}` : entry.title,
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
