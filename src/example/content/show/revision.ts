import type { JsonObject } from '../../../json.ts';
import { asLinks } from '../../site/answers.ts';
import type { SiteRequest } from '../../site/declare.ts';
import type { Entry, Revision } from '../entries.ts';
import { showDate } from '../rules/dates.ts';
import { autosaveSchema, revisionSchema } from '../schema/revision.ts';
import type { ContentState } from '../state.ts';
import { byNumber } from './address.ts';
import { inContext } from './context.ts';
import { renderContent, renderExcerpt } from './html.ts';
import { COLLECTIONS } from './links.ts';

type Request = SiteRequest<ContentState>;

const SCHEMAS = {
  post: { revision: revisionSchema('post'), autosave: autosaveSchema('post') },
  page: { revision: revisionSchema('page'), autosave: autosaveSchema('page') },
} as const;

export function showRevision(
  revision: Revision,
  kind: 'post' | 'page',
  request: Request,
  context: string,
): JsonObject {
  const shown = inContext(fields(revision, request), SCHEMAS[kind].revision, context);
  return { ...shown, _links: parentLink(revision.parent, kind, request) };
}

export function showAutosave(
  autosave: Revision,
  kind: 'post' | 'page',
  request: Request,
  context: string,
): JsonObject {
  const preview = `${byNumber({ id: autosave.parent, kind }, request)}&preview_id=${autosave.parent}&preview=true`;
  const shown = inContext(
    { ...fields(autosave, request), preview_link: preview },
    SCHEMAS[kind].autosave,
    context,
  );
  return { ...shown, _links: parentLink(autosave.parent, kind, request) };
}

/** A draft that its own author saves keeps no copy aside: what is answered is the draft, in an autosave's form. */
export function showSavedDraft(draft: Entry, kind: 'post' | 'page', request: Request): JsonObject {
  const { id, author, title, content, excerpt, footnotes, modified, slug } = draft;
  const copy = { id, author, title, content, excerpt, footnotes, parent: 0, date: modified, autosave: true };
  const preview = `${byNumber(draft, request)}&preview=true`;
  return inContext(
    { ...fields(copy, request), ...(draft.floating ? UNDATED : {}), slug, preview_link: preview },
    SCHEMAS[kind].autosave,
    'edit',
  );
}

/** What is no revision shows that it has no date yet. */
const UNDATED = { date: null, date_gmt: null };

function fields(revision: Revision, request: Request): JsonObject {
  const time = showDate(revision.date);
  const guid = byNumber({ id: revision.id, kind: 'post' }, request);
  return {
    author: revision.author,
    date: time,
    date_gmt: time,
    id: revision.id,
    modified: time,
    modified_gmt: time,
    parent: revision.parent,
    slug: `${revision.parent}-${revision.autosave ? 'autosave' : 'revision'}-v1`,
    guid: { rendered: guid, raw: guid },
    title: { raw: revision.title, rendered: revision.title },
    content: { raw: revision.content, rendered: renderContent(revision.content) },
    excerpt: { raw: revision.excerpt, rendered: renderExcerpt(revision.excerpt, '') },
    meta: { footnotes: revision.footnotes },
  };
}

function parentLink(parent: number, kind: 'post' | 'page', { link }: Request): JsonObject {
  return asLinks({ parent: link(`${COLLECTIONS[kind]}/${parent}`) });
}
