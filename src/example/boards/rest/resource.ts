import type { SiteError } from '../../site/declarations.ts';
import type { ActivityEntry, ActivitySubject, Board } from '../model/index.ts';
import { findBoard, isSiteError, recordActivity } from '../model/index.ts';
import { operationHandler } from './handlers.ts';
import type { BoardResource, BoardResourceDescription } from './operations.ts';
import { pageResponse } from './params.ts';
import { type BoardRequest, declareRoute } from './route.ts';

/**
 * Creates a resource: endpoints that find, check, change, log and show the same kind of item state only their
 * differences.
 *
 * ```ts
 * labelResource.route('/projects/{board_id:str}/labels/{label_id:str}', {
 *   PUT: { args: LABEL_ARGS, change: (request, label, board) => … },
 *   DELETE: { remove: (request, label) => … },
 * });
 * ```
 */
export function createResource<Item, Parents extends readonly unknown[]>(
  description: BoardResourceDescription<Item, Parents>,
): BoardResource<Item, Parents> {
  const { findParents, findItem, createPresenter, logChange } = description;

  const resource: BoardResource<Item, Parents> = {
    ...description,
    locate(request) {
      const found = findParents(request);
      if (isSiteError(found)) return found;
      const item = findItem(request, ...found);
      return isSiteError(item) ? item : [item, ...found];
    },
    show: (request, item) => createPresenter(request)(item),
    logChange(request, item, entry) {
      if (logChange === undefined) throw new TypeError('Changes of this resource are not logged.');
      logChange(request, item, entry);
    },
    respondPage: (request, items) => pageResponse(request, items, createPresenter(request)),
    route: (path, operations, schema = description.schema) =>
      declareRoute(
        path,
        schema,
        Object.fromEntries(
          Object.entries(operations).map(([method, operation]) => [
            method,
            {
              ...(operation.args === undefined ? {} : { args: operation.args }),
              permission:
                operation.permission ??
                (method === 'GET' ? description.readPermission : description.writePermission),
              handle: operationHandler(resource, operation, method === 'GET'),
            },
          ]),
        ),
      ),
    get: (path, { schema, ...operation } = {}) => resource.route(path, { GET: operation }, schema),
    post: (path, { schema, ...operation } = {}) => resource.route(path, { POST: operation }, schema),
    put: (path, { schema, ...operation } = {}) => resource.route(path, { PUT: operation }, schema),
    delete: (path, { schema, ...operation } = {}) => resource.route(path, { DELETE: operation }, schema),
  };

  return resource;
}

/** Finds the board of the path, as the parent of the items on it. */
export function findBoardOfPath({ state, params }: BoardRequest): readonly [Board] | SiteError {
  const board = findBoard(state, params.string('board_id'));
  return isSiteError(board) ? board : [board];
}

/** Creates a function that adds changes of items to the history of their board. */
export function createBoardLogger(
  subject: ActivitySubject,
): (request: BoardRequest, item: { readonly boardId: number }, entry: ActivityEntry) => void {
  return (request, { boardId }, entry) =>
    recordActivity(request.state, { boardId, subject, ...entry }, request);
}
