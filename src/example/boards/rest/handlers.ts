import type { SiteError } from '../../site/declarations.ts';
import { created, ok } from '../../site/responses.ts';
import { type Board, isSiteError } from '../model/index.ts';
import type {
  BoardResource,
  CollectionOperation,
  ItemChange,
  ItemOperation,
  ResourceOperation,
} from './operations.ts';
import { refuseConflict } from './params.ts';
import type { BoardRequest, HandlerResult } from './route.ts';

type List = readonly unknown[];

/**
 * Creates the handler of an operation, which finds the item or its parents, calls the operation and responds.
 *
 * @param isRead whether the method is GET
 */
export function operationHandler<Item, Parents extends List>(
  resource: BoardResource<Item, Parents>,
  operation: ResourceOperation<Item, Parents>,
  isRead: boolean,
): (request: BoardRequest) => HandlerResult {
  const refuse = isRead || operation.allowsArchivedBoard ? () => undefined : refuseArchivedBoard;
  if (
    'listPaged' in operation ||
    'listAll' in operation ||
    'create' in operation ||
    'handleCollection' in operation
  ) {
    return (request) => {
      const parents = resource.findParents(request);
      if (isSiteError(parents)) return parents;
      return refuse(parents) ?? handleCollection(resource, operation, request, parents);
    };
  }
  return (request) => {
    const found = resource.locate(request);
    if (isSiteError(found)) return found;
    return refuse(found) ?? handleItem(resource, operation, request, found);
  };
}

/** Refuses a change on an archived board: the item, or one of its parents, is that board. */
function refuseArchivedBoard(found: List): SiteError | undefined {
  return found.some((each) => isBoard(each) && each.archivedAt !== null)
    ? refuseConflict('board_archived', 'The board is archived: restore it first.')
    : undefined;
}

function isBoard(item: unknown): item is Board {
  return typeof item === 'object' && item !== null && 'publicAccess' in item && 'archivedAt' in item;
}

function handleCollection<Item, Parents extends List>(
  resource: BoardResource<Item, Parents>,
  operation: CollectionOperation<Item, Parents>,
  request: BoardRequest,
  parents: Parents,
): HandlerResult {
  if ('handleCollection' in operation) return operation.handleCollection(request, ...parents);
  if ('create' in operation) {
    const item = operation.create(request, ...parents);
    if (isSiteError(item)) return item;
    const location = operation.location?.(item, ...parents);
    const body = resource.show(request, item);
    return created(body, location === undefined ? undefined : request.link(`/boards/v2${location}`));
  }
  const items =
    'listPaged' in operation
      ? operation.listPaged(request, ...parents)
      : operation.listAll(request, ...parents);
  if (isSiteError(items)) return items;
  return 'listPaged' in operation
    ? resource.respondPage(request, items)
    : ok(items.map(resource.createPresenter(request)));
}

function handleItem<Item, Parents extends List>(
  resource: BoardResource<Item, Parents>,
  operation: ItemOperation<Item, Parents>,
  request: BoardRequest,
  found: readonly [Item, ...Parents],
): HandlerResult {
  if ('handleItem' in operation) return operation.handleItem(request, ...found);
  const [item] = found;
  if ('remove' in operation) {
    const previous = resource.show(request, item);
    return applyChange(resource, operation.remove, request, found) ?? ok({ deleted: true, previous });
  }
  const error = 'change' in operation ? applyChange(resource, operation.change, request, found) : undefined;
  return error ?? ok(resource.show(request, item));
}

/** Makes a change and logs it. */
function applyChange<Item, Parents extends List>(
  resource: BoardResource<Item, Parents>,
  change: ItemChange<Item, Parents>,
  request: BoardRequest,
  found: readonly [Item, ...Parents],
): SiteError | undefined {
  const result = change(request, ...found);
  if (result === undefined || isSiteError(result)) return result;
  resource.logChange(request, found[0], result);
  return undefined;
}
