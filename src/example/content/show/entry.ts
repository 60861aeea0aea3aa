import type { JsonObject } from '../../../json.ts';
import type { SiteRequest } from '../../site/declare.ts';
import type { Entry } from '../entries.ts';
import { showDate } from '../rules/dates.ts';
import { isLocked } from '../rules/rights.ts';
import { ANSWERED } from '../schema/answers.ts';
import type { ContentState } from '../state.ts';
import { addressOf, addressTemplate, byNumber, generatedSlug } from './address.ts';
import { inContext } from './context.ts';
import { blockVersion, renderContent, renderExcerpt } from './html.ts';
import { entryLinks } from './links.ts';
import { fileAt, mediaFields } from './media.ts';

type Request = SiteRequest<ContentState>;

/** An entry as the interface answers it, in the context that was asked for or in another. */
export function showEntry(entry: Entry, request: Request, context: string): JsonObject {
  const fields = {
    ...commonFields(entry, request),
    ...(entry.kind === 'attachment' ? mediaFields(entry, request) : textFields(entry, request, context)),
  };
  const shown = inContext(fields, ANSWERED[entry.kind], context);
  return { ...shown, _links: entryLinks(entry, request, context) };
}

function commonFields(entry: Entry, request: Request): JsonObject {
  const guid = entry.media === undefined ? byNumber(entry, request) : fileAt(entry.media.file, request);
  return {
    id: entry.id,
    date: showDate(entry.date),
    date_gmt: showDate(entry.date),
    guid: { rendered: guid, raw: guid },
    modified: showDate(entry.modified),
    modified_gmt: showDate(entry.modified),
    slug: entry.slug,
    status: entry.status,
    type: entry.kind,
    link: addressOf(entry, request),
    title: {
      raw: entry.title,
      rendered: entry.status === 'private' ? `Private: ${entry.title}` : entry.title,
    },
    author: entry.author,
    featured_media: entry.featuredMedia,
    comment_status: entry.comments,
    ping_status: entry.pings,
    template: entry.template,
    meta: entry.kind === 'attachment' ? [] : { footnotes: entry.footnotes },
    permalink_template: addressTemplate(entry, request),
    generated_slug: generatedSlug(entry),
    class_list: classes(entry, request.state),
  };
}

/** What posts and pages have and media items have not. A password hides the rendered texts. */
function textFields(entry: Entry, request: Request, context: string): JsonObject {
  const { user, params } = request;
  const locked = isLocked(entry, { user, password: params.string('password'), context });
  const guarded = entry.password !== '';
  return {
    password: entry.password,
    content: {
      raw: entry.content,
      rendered: locked ? '' : renderContent(entry.content),
      protected: guarded,
      block_version: blockVersion(entry.content),
    },
    excerpt: {
      raw: entry.excerpt,
      rendered: locked ? '' : renderExcerpt(entry.excerpt, entry.content, params.integer('excerpt_length')),
      protected: guarded,
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

/** The names by which a theme styles the entry. */
function classes(entry: Entry, state: ContentState): readonly string[] {
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
