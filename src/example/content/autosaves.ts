import { forbid, ok, refuse } from '../site/answers.ts';
import type { RouteDeclaration, SiteAnswer, SiteError, SiteRequest } from '../site/declare.ts';
import { findEntry, findParent, isRefusal, mayUpdate } from './access.ts';
import { writeRules } from './judged.ts';
import { mayReadRevisions } from './revisions.ts';
import { wholeSecond } from './rules/dates.ts';
import { mayWrite } from './rules/rights.ts';
import { WRITTEN } from './schema/answers.ts';
import { CONTEXT } from './schema/list-args.ts';
import { autosaveSchema } from './schema/revision.ts';
import { writableArgs } from './schema/writable.ts';
import { COLLECTIONS } from './show/links.ts';
import { showAutosave, showSavedDraft } from './show/revision.ts';
import type { ContentState } from './state.ts';
import { readChanges } from './write/changes.ts';
import { keepAutosave, revisionsOf } from './write/revise.ts';

type Request = SiteRequest<ContentState>;
type ParentKind = 'post' | 'page';

const PARENT = { description: 'The ID for the parent of the autosave.', type: 'integer' };
const ID = { description: 'The ID for the autosave.', type: 'integer' };

export function autosaveRoutes(kind: ParentKind): readonly RouteDeclaration<ContentState>[] {
  const base = COLLECTIONS[kind].replace('/core/v2', '');
  const schema = autosaveSchema(kind);
  return [
    {
      route: `${base}/(?P<id>[\\d]+)/autosaves`,
      schema,
      endpoints: [
        {
          methods: ['GET'],
          args: { parent: PARENT, context: CONTEXT },
          permission: mayReadAutosaves(kind),
          handle: list(kind),
        },
        {
          methods: ['POST'],
          args: { parent: PARENT, ...writableArgs(WRITTEN[kind]) },
          ...writeRules(kind),
          permission: mayUpdate(kind),
          handle: save(kind),
        },
      ],
    },
    {
      route: `${base}/(?P<parent>[\\d]+)/autosaves/(?P<id>[\\d]+)`,
      schema,
      endpoints: [
        {
          methods: ['GET'],
          args: { parent: PARENT, id: ID, context: CONTEXT },
          permission: mayReadRevisions(kind),
          handle: read(kind),
        },
      ],
    },
  ];
}

function mayReadAutosaves(kind: ParentKind): (request: Request) => SiteError | undefined {
  return ({ params, state, user }) => {
    const parent = findParent(state, kind, params.integer('id', 0));
    if (isRefusal(parent)) return parent;
    return mayWrite(user)
      ? undefined
      : forbid(user, 'rest_cannot_read', 'Sorry, you are not allowed to view autosaves of this post.');
  };
}

function list(kind: ParentKind) {
  return (request: Request): SiteAnswer => {
    const { params, state } = request;
    const kept = revisionsOf(state, params.integer('id', 0)).filter(({ autosave }) => autosave);
    return ok(
      kept.map((autosave) => showAutosave(autosave, kind, request, params.string('context', 'view'))),
    );
  };
}

/** WordPress answers with the autosave that the parent has, whatever id the path ends in. */
function read(kind: ParentKind) {
  return (request: Request): SiteAnswer | SiteError => {
    const { params, state } = request;
    const kept = revisionsOf(state, params.integer('parent', 0)).find(({ autosave }) => autosave);
    return kept === undefined
      ? refuse(404, 'rest_post_no_autosave', 'There is no autosave revision for this post.')
      : ok(showAutosave(kept, kind, request, params.string('context', 'view')));
  };
}

/**
 * Sets text aside without publishing anything. A draft that its own author saves takes the text itself; of any other
 * entry each user keeps one copy.
 */
function save(kind: ParentKind) {
  return (request: Request): SiteAnswer | SiteError => {
    const { params, state, user, now } = request;
    const entry = findEntry(state, kind, params.integer('id', 0));
    if (isRefusal(entry)) return entry;
    const changes = readChanges(request, kind, entry);
    if (isRefusal(changes)) return changes;

    const { title, content, excerpt, footnotes } = { ...entry, ...changes };
    const text = { title, content, excerpt, footnotes };
    const time = wholeSecond(now.getTime());
    if (entry.status === 'draft' && entry.author === user?.id) {
      const draft = { ...entry, ...text, modified: time };
      state.entries.set(entry.id, draft);
      return ok(showSavedDraft(draft, kind, request));
    }
    const kept = keepAutosave(state, entry, text, user?.id ?? entry.author, time);
    return kept === null
      ? refuse(
          400,
          'rest_autosave_no_changes',
          'There is nothing to save. The autosave and the post content are the same.',
        )
      : ok(showAutosave(kept, kind, request, 'edit'));
  };
}
