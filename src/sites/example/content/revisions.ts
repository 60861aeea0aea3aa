import type { SiteResponse } from '../../rest-server/declarations.ts';
import { listResponse, ok, refuse } from '../../rest-server/responses.ts';
import { type EntryHandler, type EntryPermission, findEntry, findRequested } from './entries.ts';
import type { ContentRequest, EntryKind, Revision } from './model.ts';
import { selectPage } from './query.ts';
import { requireEditor, truncateToSecond } from './rules.ts';
import { serializeRevision } from './serialize.ts';
import { findRevisions, readEntryChanges, saveAutosave } from './write.ts';

function onParent(parentParam: 'id' | 'parent', code: string, action: string): EntryPermission {
  return ({ params, state, user }, kind) => {
    if (state.entries.get(params.integer(parentParam, 0))?.kind !== kind) {
      refuse(404, 'rest_post_invalid_parent', 'Invalid post parent ID.');
    }
    requireEditor(user, code, `${action} of this post`);
  };
}

const canDelete = onParent('parent', 'rest_cannot_delete', 'delete revisions');

export const revisionPermissions: Readonly<Record<string, EntryPermission>> = {
  readRevisions: onParent('parent', 'rest_cannot_read', 'view revisions'),
  readAutosaves: onParent('id', 'rest_cannot_read', 'view autosaves'),
  deleteRevision(request, kind) {
    canDelete(request, kind);
    findRevision(request);
  },
};

function findRevision({ params, state }: ContentRequest): Revision {
  const revision =
    state.revisions.get(params.integer('id', 0)) ??
    refuse(404, 'rest_post_invalid_id', 'Invalid revision ID.');
  const parent = params.integer('parent', 0);
  if (revision.parent === parent) return revision;
  const message = `The revision does not belong to the specified parent with id of "${parent}"`;
  return refuse(404, 'rest_revision_parent_id_mismatch', message);
}

const findAutosaves = ({ params, state }: ContentRequest, parentParam: 'id' | 'parent'): Revision[] =>
  findRevisions(state, params.integer(parentParam, 0)).filter(({ isAutosave }) => isAutosave);

const contextOf = ({ params }: ContentRequest): string => params.string('context', 'view');

export const revisionOperations: Readonly<Record<string, EntryHandler>> = {
  listRevisions(request, kind) {
    const { params, state } = request;
    const parent = params.integer('parent', 0);
    // In WordPress, a revision is a post whose slug is that of no other post.
    const entry = findEntry(state, kind, parent);
    const revisions = findRevisions(state, parent).map((revision) => ({
      ...entry,
      ...revision,
      slug: `${parent}-revision-v1`,
    }));
    const { items, pagination } = selectPage(request, revisions, 'revision');
    const shown = items.map((revision) => serializeRevision(revision, kind, request, contextOf(request)));
    return listResponse(shown, pagination);
  },

  readRevision: (request, kind) =>
    ok(serializeRevision(findRevision(request), kind, request, contextOf(request))),

  deleteRevision(request, kind) {
    const revision = findRevision(request);
    if (!request.params.boolean('force')) {
      const message = "Revisions do not support trashing. Set 'force=true' to delete.";
      refuse(501, 'rest_trash_not_supported', message);
    }
    const { _links, ...previous } = serializeRevision(revision, kind, request, 'view');
    request.state.revisions.delete(revision.id);
    return ok({ deleted: true, previous });
  },

  listAutosaves: (request, kind) =>
    ok(
      findAutosaves(request, 'id').map((autosave) =>
        serializeRevision(autosave, kind, request, contextOf(request), true),
      ),
    ),

  /** As in WordPress, returns the parent's autosave for any id. */
  readAutosave(request, kind) {
    const autosave =
      findAutosaves(request, 'parent')[0] ??
      refuse(404, 'rest_post_no_autosave', 'There is no autosave revision for this post.');
    return ok(serializeRevision(autosave, kind, request, contextOf(request), true));
  },

  saveText,
};

/**
 * An entry has one autosave for each user. Unlike at WordPress, a draft of the same author isn't an exception.
 */
function saveText(request: ContentRequest, kind: EntryKind): SiteResponse {
  const { state, user, now } = request;
  const entry = findRequested(request, kind);
  const changes = readEntryChanges(request, kind, entry);
  const { title, content, excerpt, footnotes } = { ...entry, ...changes };
  const text = { title, content, excerpt, footnotes };
  const time = truncateToSecond(now.getTime());
  const message = 'There is nothing to save. The autosave and the post content are the same.';
  const autosave =
    saveAutosave(state, entry, text, user?.id ?? entry.author, time) ??
    refuse(400, 'rest_autosave_no_changes', message);
  return ok(serializeRevision(autosave, kind, request, 'edit', true));
}
