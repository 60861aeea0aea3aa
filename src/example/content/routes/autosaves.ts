import type { SiteError, SiteResponse } from '../../site/declarations.ts';
import { isSiteError, ok, restError } from '../../site/responses.ts';
import { createWriteCallbacks } from '../argument-callbacks.ts';
import type { ContentRequest, ContentRoute } from '../model/state.ts';
import { canUpdateEntry, checkParentAccess, findEntry } from '../permissions.ts';
import { truncateToSecond } from '../rules/dates.ts';
import { createWriteArgs, WRITE_SCHEMAS } from '../schema/entry-schemas.ts';
import { CONTEXT_ARG } from '../schema/list-args.ts';
import { createAutosaveSchema } from '../schema/revision.ts';
import { COLLECTION_ROUTES } from '../serialize/links.ts';
import { serializeAutosave, serializeSavedDraft } from '../serialize/revision.ts';
import { readEntryChanges } from '../write/changes.ts';
import { findRevisions, saveAutosave } from '../write/revisions.ts';
import { canReadRevisions } from './revisions.ts';

type ParentKind = 'post' | 'page';

const PARENT_ARG = { description: 'The ID for the parent of the autosave.', type: 'integer' };
const ID_ARG = { description: 'The ID for the autosave.', type: 'integer' };

export function createAutosaveRoutes(kind: ParentKind): readonly ContentRoute[] {
  const base = COLLECTION_ROUTES[kind].replace('/core/v2', '');
  const schema = createAutosaveSchema(kind);
  return [
    {
      route: `${base}/(?P<id>[\\d]+)/autosaves`,
      schema,
      endpoints: [
        {
          methods: ['GET'],
          args: { parent: PARENT_ARG, context: CONTEXT_ARG },
          permission: canReadAutosaves(kind),
          handle: listAutosaves(kind),
        },
        {
          methods: ['POST'],
          args: { parent: PARENT_ARG, ...createWriteArgs(WRITE_SCHEMAS[kind]) },
          ...createWriteCallbacks(kind),
          permission: canUpdateEntry(kind),
          handle: saveText(kind),
        },
      ],
    },
    {
      route: `${base}/(?P<parent>[\\d]+)/autosaves/(?P<id>[\\d]+)`,
      schema,
      endpoints: [
        {
          methods: ['GET'],
          args: { parent: PARENT_ARG, id: ID_ARG, context: CONTEXT_ARG },
          permission: canReadRevisions(kind),
          handle: readAutosave(kind),
        },
      ],
    },
  ];
}

function canReadAutosaves(kind: ParentKind): (request: ContentRequest) => SiteError | undefined {
  return (request) =>
    checkParentAccess(request, kind, {
      parentParam: 'id',
      code: 'rest_cannot_read',
      message: 'Sorry, you are not allowed to view autosaves of this post.',
    });
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
