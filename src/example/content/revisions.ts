import { collection, forbid, ok, refuse } from '../site/answers.ts';
import type { RouteDeclaration, SiteError, SiteRequest } from '../site/declare.ts';
import { findParent, isRefusal } from './access.ts';
import type { Revision } from './entries.ts';
import { cutPage, missingForOrder } from './query/list.ts';
import { matches, readSearch, relevance } from './query/search.ts';
import { mayWrite } from './rules/rights.ts';
import { CONTEXT, REVISION_LIST_ARGS } from './schema/list-args.ts';
import { revisionSchema } from './schema/revision.ts';
import { COLLECTIONS } from './show/links.ts';
import { showRevision } from './show/revision.ts';
import type { ContentState } from './state.ts';
import { revisionsOf } from './write/revise.ts';

type Request = SiteRequest<ContentState>;
type ParentKind = 'post' | 'page';

const PARENT = { description: 'The ID for the parent of the revision.', type: 'integer' };
const ID = { description: 'Unique identifier for the revision.', type: 'integer' };
const FORCE = {
  type: 'boolean',
  default: false,
  description: 'Required to be true, as revisions do not support trashing.',
};

export function revisionRoutes(kind: ParentKind): readonly RouteDeclaration<ContentState>[] {
  const base = `${COLLECTIONS[kind].replace('/core/v2', '')}/(?P<parent>[\\d]+)/revisions`;
  const schema = revisionSchema(kind);
  return [
    {
      route: base,
      schema,
      endpoints: [
        {
          methods: ['GET'],
          args: REVISION_LIST_ARGS,
          permission: mayReadRevisions(kind),
          handle: list(kind),
        },
      ],
    },
    {
      route: `${base}/(?P<id>[\\d]+)`,
      schema,
      endpoints: [
        {
          methods: ['GET'],
          args: { parent: PARENT, id: ID, context: CONTEXT },
          permission: mayReadRevisions(kind),
          handle(request) {
            const revision = findRevision(request);
            if (isRefusal(revision)) return revision;
            return ok(showRevision(revision, kind, request, request.params.string('context', 'view')));
          },
        },
        {
          methods: ['DELETE'],
          args: { parent: PARENT, id: ID, force: FORCE },
          permission: mayDeleteRevision(kind),
          handle: remove(kind),
        },
      ],
    },
  ];
}

export function mayReadRevisions(kind: ParentKind): (request: Request) => SiteError | undefined {
  return ({ params, state, user }) => {
    const parent = findParent(state, kind, params.integer('parent', 0));
    if (isRefusal(parent)) return parent;
    return mayWrite(user)
      ? undefined
      : forbid(user, 'rest_cannot_read', 'Sorry, you are not allowed to view revisions of this post.');
  };
}

function mayDeleteRevision(kind: ParentKind): (request: Request) => SiteError | undefined {
  return (request) => {
    const { params, state, user } = request;
    const parent = findParent(state, kind, params.integer('parent', 0));
    if (isRefusal(parent)) return parent;
    if (!mayWrite(user)) {
      return forbid(
        user,
        'rest_cannot_delete',
        'Sorry, you are not allowed to delete revisions of this post.',
      );
    }
    const revision = findRevision(request);
    return isRefusal(revision) ? revision : undefined;
  };
}

function findRevision({ params, state }: Request): Revision | SiteError {
  const revision = state.revisions.get(params.integer('id', 0));
  if (revision === undefined) return refuse(404, 'rest_post_invalid_id', 'Invalid revision ID.');
  const parent = params.integer('parent', 0);
  return revision.parent === parent
    ? revision
    : refuse(
        404,
        'rest_revision_parent_id_mismatch',
        `The revision does not belong to the specified parent with id of "${parent}"`,
      );
}

function list(kind: ParentKind) {
  return (request: Request): ReturnType<typeof collection> | SiteError => {
    const missing = missingForOrder(request);
    if (missing !== undefined) return missing;
    const listed = cutPage(request, ordered(request), ({ page, pages, offset, total }) => {
      if (total > 0 && offset >= total) {
        return refuse(
          400,
          'rest_revision_invalid_offset_number',
          'The offset number requested is larger than or equal to the number of available revisions.',
        );
      }
      return total > 0 && offset === 0 && page > pages
        ? refuse(
            400,
            'rest_revision_invalid_page_number',
            'The page number requested is larger than the number of pages available.',
          )
        : undefined;
    });
    if (isRefusal(listed)) return listed;
    const context = request.params.string('context', 'view');
    return collection(
      listed.items.map((revision) => showRevision(revision, kind, request, context)),
      listed.page,
    );
  };
}

/** Those that the parameters ask for. Slugs tell nothing of revisions, so such orders go by date. */
function ordered({ params, state }: Request): readonly Revision[] {
  const include = params.integers('include');
  const exclude = params.integers('exclude');
  const search = readSearch(params.string('search', ''));
  const found = revisionsOf(state, params.integer('parent', 0)).filter(
    (revision) =>
      (include.length === 0 || include.includes(revision.id)) &&
      !exclude.includes(revision.id) &&
      (search === undefined || matches(revision, search)),
  );
  const by = params.string('orderby', 'date');
  if (by === 'include') return found.sort((a, b) => include.indexOf(a.id) - include.indexOf(b.id));
  if (by === 'relevance' && search !== undefined) {
    return found.sort((a, b) => relevance(a, search) - relevance(b, search));
  }
  if (by === 'title') found.sort((a, b) => b.title.localeCompare(a.title));
  if (by === 'id') found.sort((a, b) => b.id - a.id);
  return params.string('order') === 'asc' ? found.reverse() : found;
}

function remove(kind: ParentKind) {
  return (request: Request): ReturnType<typeof ok> | SiteError => {
    const revision = findRevision(request);
    if (isRefusal(revision)) return revision;
    if (!request.params.boolean('force')) {
      const message = "Revisions do not support trashing. Set 'force=true' to delete.";
      return refuse(501, 'rest_trash_not_supported', message);
    }
    const { _links, ...previous } = showRevision(revision, kind, request, 'view');
    request.state.revisions.delete(revision.id);
    return ok({ deleted: true, previous });
  };
}
