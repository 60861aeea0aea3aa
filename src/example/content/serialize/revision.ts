import type { JsonObject } from '../../../json.ts';
import { toItemLinks } from '../../site/responses.ts';
import type { Entry, Revision } from '../model/entries.ts';
import type { ContentRequest } from '../model/state.ts';
import { formatDateTime } from '../rules/dates.ts';
import { createAutosaveSchema, createRevisionSchema } from '../schema/revision.ts';
import { filterByFieldContext } from './field-context.ts';
import { COLLECTION_ROUTES } from './links.ts';
import { getIdPermalink } from './permalink.ts';
import { renderContent, renderExcerpt } from './render-html.ts';

const SCHEMAS = {
  post: { revision: createRevisionSchema('post'), autosave: createAutosaveSchema('post') },
  page: { revision: createRevisionSchema('page'), autosave: createAutosaveSchema('page') },
} as const;

export function serializeRevision(
  revision: Revision,
  kind: 'post' | 'page',
  request: ContentRequest,
  context: string,
): JsonObject {
  const shown = filterByFieldContext(
    createRevisionFields(revision, request),
    SCHEMAS[kind].revision,
    context,
  );
  return { ...shown, _links: createParentLink(revision.parent, kind, request) };
}

export function serializeAutosave(
  autosave: Revision,
  kind: 'post' | 'page',
  request: ContentRequest,
  context: string,
): JsonObject {
  const preview = `${getIdPermalink({ id: autosave.parent, kind }, request)}&preview_id=${autosave.parent}&preview=true`;
  const shown = filterByFieldContext(
    { ...createRevisionFields(autosave, request), preview_link: preview },
    SCHEMAS[kind].autosave,
    context,
  );
  return { ...shown, _links: createParentLink(autosave.parent, kind, request) };
}

/** Serializes a draft as an autosave. Saving one's own draft changes the draft and creates no autosave. */
export function serializeSavedDraft(
  draft: Entry,
  kind: 'post' | 'page',
  request: ContentRequest,
): JsonObject {
  const { id, author, title, content, excerpt, footnotes, modified, slug } = draft;
  const copy = {
    id,
    author,
    title,
    content,
    excerpt,
    footnotes,
    parent: 0,
    date: modified,
    isAutosave: true,
  };
  const preview = `${getIdPermalink(draft, request)}&preview=true`;
  return filterByFieldContext(
    {
      ...createRevisionFields(copy, request),
      ...(draft.isDateFloating ? NO_DATE : {}),
      slug,
      preview_link: preview,
    },
    SCHEMAS[kind].autosave,
    'edit',
  );
}

/** The dates of a draft whose date is not fixed. */
const NO_DATE = { date: null, date_gmt: null };

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
    title: { raw: revision.title, rendered: revision.title },
    content: { raw: revision.content, rendered: renderContent(revision.content) },
    excerpt: { raw: revision.excerpt, rendered: renderExcerpt(revision.excerpt, '') },
    meta: { footnotes: revision.footnotes },
  };
}

function createParentLink(parent: number, kind: 'post' | 'page', { link }: ContentRequest): JsonObject {
  return toItemLinks({ parent: link(`${COLLECTION_ROUTES[kind]}/${parent}`) });
}
