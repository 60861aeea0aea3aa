import type { SiteError, SiteResponse } from '../../rest-server/declarations.ts';
import { isSiteError, listResponse, ok, restError } from '../../rest-server/responses.ts';
import type { ContentOperations } from './declarations.ts';
import { canUpdateEntry, checkParentAccess, createWriteCallbacks, findEntry } from './entries.ts';
import type { ContentRequest, Revision } from './model.ts';
import { getRelevanceRank, matchesSearch, paginate, parseSearch, validateOrder } from './query.ts';
import { truncateToSecond } from './rules.ts';
import { serializeAutosave, serializeRevision, serializeSavedDraft } from './serialize.ts';
import { findRevisions, readEntryChanges, saveAutosave } from './write.ts';

type ParentKind = 'post' | 'page';

/** Creates the operations on the revisions and autosaves of posts or pages. */
export function revisionOperations(kind: ParentKind, base: string): ContentOperations {
  const revisions = `${base}/(?P<parent>[\\d]+)/revisions`;
  return {
    [`GET ${revisions}`]: { permission: canReadRevisions(kind), handle: listRevisions(kind) },
    [`GET ${revisions}/(?P<id>[\\d]+)`]: {
      permission: canReadRevisions(kind),
      handle(request) {
        const revision = findRevision(request);
        if (isSiteError(revision)) return revision;
        return ok(serializeRevision(revision, kind, request, request.params.string('context', 'view')));
      },
    },
    [`DELETE ${revisions}/(?P<id>[\\d]+)`]: {
      permission: canDeleteRevision(kind),
      handle: deleteRevision(kind),
    },
    [`GET ${base}/(?P<id>[\\d]+)/autosaves`]: {
      permission: (request) =>
        checkParentAccess(request, kind, {
          parentParam: 'id',
          code: 'rest_cannot_read',
          message: 'Sorry, you are not allowed to view autosaves of this post.',
        }),
      handle: listAutosaves(kind),
    },
    [`POST ${base}/(?P<id>[\\d]+)/autosaves`]: {
      ...createWriteCallbacks(kind),
      permission: canUpdateEntry(kind),
      handle: saveText(kind),
    },
    [`GET ${base}/(?P<parent>[\\d]+)/autosaves/(?P<id>[\\d]+)`]: {
      permission: canReadRevisions(kind),
      handle: readAutosave(kind),
    },
  };
}

function canReadRevisions(kind: ParentKind): (request: ContentRequest) => SiteError | undefined {
  return (request) =>
    checkParentAccess(request, kind, {
      parentParam: 'parent',
      code: 'rest_cannot_read',
      message: 'Sorry, you are not allowed to view revisions of this post.',
    });
}

function canDeleteRevision(kind: ParentKind): (request: ContentRequest) => SiteError | undefined {
  return (request) => {
    const error = checkParentAccess(request, kind, {
      parentParam: 'parent',
      code: 'rest_cannot_delete',
      message: 'Sorry, you are not allowed to delete revisions of this post.',
    });
    if (error !== undefined) return error;
    const revision = findRevision(request);
    return isSiteError(revision) ? revision : undefined;
  };
}

function findRevision({ params, state }: ContentRequest): Revision | SiteError {
  const revision = state.revisions.get(params.integer('id', 0));
  if (revision === undefined) return restError(404, 'rest_post_invalid_id', 'Invalid revision ID.');
  const parent = params.integer('parent', 0);
  return revision.parent === parent
    ? revision
    : restError(
        404,
        'rest_revision_parent_id_mismatch',
        `The revision does not belong to the specified parent with id of "${parent}"`,
      );
}

function listRevisions(kind: ParentKind) {
  return (request: ContentRequest): ReturnType<typeof listResponse> | SiteError => {
    const orderError = validateOrder(request);
    if (orderError !== undefined) return orderError;
    const resultPage = paginate(request, selectRevisions(request), ({ page, pages, offset, total }) => {
      if (total > 0 && offset >= total) {
        return restError(
          400,
          'rest_revision_invalid_offset_number',
          'The offset number requested is larger than or equal to the number of available revisions.',
        );
      }
      return total > 0 && offset === 0 && page > pages
        ? restError(
            400,
            'rest_revision_invalid_page_number',
            'The page number requested is larger than the number of pages available.',
          )
        : undefined;
    });
    if (isSiteError(resultPage)) return resultPage;
    const context = request.params.string('context', 'view');
    return listResponse(
      resultPage.items.map((revision) => serializeRevision(revision, kind, request, context)),
      resultPage.pagination,
    );
  };
}

/** Filters and sorts the revisions. Orders by slug sort by date because revisions have no own slugs. */
function selectRevisions({ params, state }: ContentRequest): readonly Revision[] {
  const include = params.integers('include');
  const exclude = params.integers('exclude');
  const search = parseSearch(params.string('search', ''));
  const selected = findRevisions(state, params.integer('parent', 0)).filter(
    (revision) =>
      (include.length === 0 || include.includes(revision.id)) &&
      !exclude.includes(revision.id) &&
      (search === undefined || matchesSearch(revision, search)),
  );
  const orderBy = params.string('orderby', 'date');
  if (orderBy === 'include') return selected.sort((a, b) => include.indexOf(a.id) - include.indexOf(b.id));
  if (orderBy === 'relevance' && search !== undefined) {
    return selected.sort((a, b) => getRelevanceRank(a, search) - getRelevanceRank(b, search));
  }
  if (orderBy === 'title') selected.sort((a, b) => b.title.localeCompare(a.title));
  if (orderBy === 'id') selected.sort((a, b) => b.id - a.id);
  return params.string('order') === 'asc' ? selected.reverse() : selected;
}

function deleteRevision(kind: ParentKind) {
  return (request: ContentRequest): ReturnType<typeof ok> | SiteError => {
    const revision = findRevision(request);
    if (isSiteError(revision)) return revision;
    if (!request.params.boolean('force')) {
      const message = "Revisions do not support trashing. Set 'force=true' to delete.";
      return restError(501, 'rest_trash_not_supported', message);
    }
    const { _links, ...previous } = serializeRevision(revision, kind, request, 'view');
    request.state.revisions.delete(revision.id);
    return ok({ deleted: true, previous });
  };
}

function listAutosaves(kind: ParentKind) {
  return (request: ContentRequest): SiteResponse => {
    const { params, state } = request;
    const autosaves = findRevisions(state, params.integer('id', 0)).filter(({ isAutosave }) => isAutosave);
    return ok(
      autosaves.map((autosave) =>
        serializeAutosave(autosave, kind, request, params.string('context', 'view')),
      ),
    );
  };
}

/** As in WordPress, returns the autosave of the parent for any id. */
function readAutosave(kind: ParentKind) {
  return (request: ContentRequest): SiteResponse | SiteError => {
    const { params, state } = request;
    const autosave = findRevisions(state, params.integer('parent', 0)).find(({ isAutosave }) => isAutosave);
    return autosave === undefined
      ? restError(404, 'rest_post_no_autosave', 'There is no autosave revision for this post.')
      : ok(serializeAutosave(autosave, kind, request, params.string('context', 'view')));
  };
}

/**
 * Saves text without publishing it. A draft of the same author is changed itself; any other entry has one autosave for
 * each user.
 */
function saveText(kind: ParentKind) {
  return (request: ContentRequest): SiteResponse | SiteError => {
    const { params, state, user, now } = request;
    const entry = findEntry(state, kind, params.integer('id', 0));
    if (isSiteError(entry)) return entry;
    const changes = readEntryChanges(request, kind, entry);
    if (isSiteError(changes)) return changes;

    const { title, content, excerpt, footnotes } = { ...entry, ...changes };
    const text = { title, content, excerpt, footnotes };
    const time = truncateToSecond(now.getTime());
    if (entry.status === 'draft' && entry.author === user?.id) {
      const draft = { ...entry, ...text, modified: time };
      state.entries.set(entry.id, draft);
      return ok(serializeSavedDraft(draft, kind, request));
    }
    const autosave = saveAutosave(state, entry, text, user?.id ?? entry.author, time);
    return autosave === null
      ? restError(
          400,
          'rest_autosave_no_changes',
          'There is nothing to save. The autosave and the post content are the same.',
        )
      : ok(serializeAutosave(autosave, kind, request, 'edit'));
  };
}
