import type { SiteError } from '../../site/declarations.ts';
import { isSiteError, listResponse, ok, restError } from '../../site/responses.ts';
import type { Revision } from '../model/entries.ts';
import type { ContentRequest, ContentRoute } from '../model/state.ts';
import { checkParentAccess } from '../permissions.ts';
import { paginate, validateOrder } from '../query/list.ts';
import { getRelevanceRank, matchesSearch, parseSearch } from '../query/search.ts';
import { CONTEXT_ARG, REVISION_LIST_ARGS } from '../schema/list-args.ts';
import { createRevisionSchema } from '../schema/revision.ts';
import { COLLECTION_ROUTES } from '../serialize/links.ts';
import { serializeRevision } from '../serialize/revision.ts';
import { findRevisions } from '../write/revisions.ts';

type ParentKind = 'post' | 'page';

const PARENT_ARG = { description: 'The ID for the parent of the revision.', type: 'integer' };
const ID_ARG = { description: 'Unique identifier for the revision.', type: 'integer' };
const FORCE_ARG = {
  type: 'boolean',
  default: false,
  description: 'Required to be true, as revisions do not support trashing.',
};

export function createRevisionRoutes(kind: ParentKind): readonly ContentRoute[] {
  const base = `${COLLECTION_ROUTES[kind].replace('/core/v2', '')}/(?P<parent>[\\d]+)/revisions`;
  const schema = createRevisionSchema(kind);
  return [
    {
      route: base,
      schema,
      endpoints: [
        {
          methods: ['GET'],
          args: REVISION_LIST_ARGS,
          permission: canReadRevisions(kind),
          handle: listRevisions(kind),
        },
      ],
    },
    {
      route: `${base}/(?P<id>[\\d]+)`,
      schema,
      endpoints: [
        {
          methods: ['GET'],
          args: { parent: PARENT_ARG, id: ID_ARG, context: CONTEXT_ARG },
          permission: canReadRevisions(kind),
          handle(request) {
            const revision = findRevision(request);
            if (isSiteError(revision)) return revision;
            return ok(serializeRevision(revision, kind, request, request.params.string('context', 'view')));
          },
        },
        {
          methods: ['DELETE'],
          args: { parent: PARENT_ARG, id: ID_ARG, force: FORCE_ARG },
          permission: canDeleteRevision(kind),
          handle: deleteRevision(kind),
        },
      ],
    },
  ];
}

export function canReadRevisions(kind: ParentKind): (request: ContentRequest) => SiteError | undefined {
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
