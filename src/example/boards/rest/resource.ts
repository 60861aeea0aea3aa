import type { JsonObject } from '../../../json.ts';
import { created, ok } from '../../site/answers.ts';
import type { Args, Method, SiteError } from '../../site/declare.ts';
import {
  type ActivityEntry,
  type ActivitySubject,
  type Board,
  findBoard,
  isSiteError,
  recordActivity,
} from '../model/index.ts';
import { responsePage } from './params.ts';
import type { BoardPermission } from './permissions.ts';
import { type BoardRequest, type BoardRoute, declareRoute, type HandlerResult } from './route.ts';

type List = readonly unknown[];

/** The board of the path, as the parent of the items on it. */
export function boardOfPath({ state, params }: BoardRequest): readonly [Board] | SiteError {
  const board = findBoard(state, params.string('board_id'));
  return isSiteError(board) ? board : [board];
}

/** Logs changes of items on a board. */
export function logOnBoard(
  subject: ActivitySubject,
): (request: BoardRequest, item: { readonly boardId: number }, entry: ActivityEntry) => void {
  return (request, { boardId }, entry) =>
    recordActivity(request.state, { boardId, subject, ...entry }, request);
}

/** What all endpoints of one kind of item share. */
export interface BoardResourceDescription<Item, Parents extends List> {
  /** Schema of a response that is one item or a list of items. */
  readonly schema: JsonObject;
  /** Permission of every GET that names no other. */
  readonly read: BoardPermission;
  /** Permission of every other method that names no other. */
  readonly write: BoardPermission;
  /** Finds the items to which the item belongs, the nearest first: the task and the board of a time track. */
  readonly parents: (request: BoardRequest) => Parents | SiteError;
  /** Finds the item that the path names. */
  readonly find: (request: BoardRequest, ...parents: Parents) => Item | SiteError;
  /** Returns a function that shows items within one response. */
  readonly present: (request: BoardRequest) => (item: Item) => JsonObject;
  /** Adds a change to the history of the board. */
  readonly log?: (request: BoardRequest, item: Item, entry: ActivityEntry) => void;
}

/** A kind of item with the means to declare its routes. */
export interface BoardResource<Item, Parents extends List> extends BoardResourceDescription<Item, Parents> {
  /** Finds the item of the path and its parents. */
  locate(request: BoardRequest): readonly [Item, ...Parents] | SiteError;
  show(request: BoardRequest, item: Item): JsonObject;
  /** @throws {TypeError} when the description has no `log` */
  readonly log: (request: BoardRequest, item: Item, entry: ActivityEntry) => void;
  /** Responds with the requested page of a complete, sorted list. */
  respondPage(request: BoardRequest, items: readonly Item[]): HandlerResult;
  /**
   * Declares a route by its operations.
   *
   * @param schema of the response, when it is not an item of this kind.
   */
  route(path: string, operations: ResourceOperations<Item, Parents>, schema?: JsonObject): BoardRoute;
  /** Declares a route with a single GET; without an operation, it shows the item of the path. */
  readonly get: DeclareOperation<Item, Parents>;
  readonly post: DeclareOperation<Item, Parents>;
  readonly put: DeclareOperation<Item, Parents>;
  readonly delete: DeclareOperation<Item, Parents>;
}

/** Declares a route with one method. The schema of the response is stated when it is not an item of this kind. */
type DeclareOperation<Item, Parents extends List> = (
  path: string,
  operation?: ResourceOperation<Item, Parents> & { readonly schema?: JsonObject },
) => BoardRoute;

export type ResourceOperations<Item, Parents extends List> = Partial<
  Record<Method, ResourceOperation<Item, Parents>>
>;

/** An endpoint: its arguments, its permission, and at most one function that says what it does. */
export type ResourceOperation<Item, Parents extends List> = {
  readonly args?: Args;
  readonly permission?: BoardPermission;
} & (OneItem<Item, Parents> | Collection<Item, Parents>);

/** What an operation does to the item of the path. Without a member, it shows the item. */
type OneItem<Item, Parents extends List> =
  | Record<never, never>
  /** Changes the item and shows it. */
  | { readonly change: Change<Item, Parents> }
  /** Deletes the item and shows what it was. */
  | { readonly remove: Change<Item, Parents> }
  /** Responds with something else. */
  | { readonly respond: (request: BoardRequest, item: Item, ...parents: Parents) => HandlerResult };

/** Makes a change; returns an error, an entry for the history, or `undefined` when nothing is to be logged. */
type Change<Item, Parents extends List> = (
  request: BoardRequest,
  item: Item,
  ...parents: Parents
) => SiteError | ActivityEntry | undefined;

type FromParents<Parents extends List, Result> = (request: BoardRequest, ...parents: Parents) => Result;

/** What an operation does with the items below the parents. */
type Collection<Item, Parents extends List> =
  /** Shows one page of the items. */
  | { readonly page: FromParents<Parents, readonly Item[] | SiteError> }
  /** Shows all items. */
  | { readonly list: FromParents<Parents, readonly Item[] | SiteError> }
  /** Creates an item and shows it: 201 with a `location` below the namespace, else 200. */
  | {
      readonly create: FromParents<Parents, Item | SiteError>;
      readonly location?: (item: Item, ...parents: Parents) => string;
    }
  /** Responds with something else. */
  | { readonly handle: FromParents<Parents, HandlerResult> };

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
export function createResource<Item, Parents extends List>(
  description: BoardResourceDescription<Item, Parents>,
): BoardResource<Item, Parents> {
  const { parents, find, present, log } = description;

  const resource: BoardResource<Item, Parents> = {
    ...description,
    locate(request) {
      const found = parents(request);
      if (isSiteError(found)) return found;
      const item = find(request, ...found);
      return isSiteError(item) ? item : [item, ...found];
    },
    show: (request, item) => present(request)(item),
    log(request, item, entry) {
      if (log === undefined) throw new TypeError('Changes of this resource are not logged.');
      log(request, item, entry);
    },
    respondPage: (request, items) => responsePage(request, items, present(request)),
    route: (path, operations, schema = description.schema) =>
      declareRoute(
        path,
        schema,
        Object.fromEntries(
          Object.entries(operations).map(([method, operation]) => [
            method,
            {
              ...(operation.args === undefined ? {} : { args: operation.args }),
              permission: operation.permission ?? (method === 'GET' ? description.read : description.write),
              handle: handlerOf(operation),
            },
          ]),
        ),
      ),
    get: (path, { schema, ...operation } = {}) => resource.route(path, { GET: operation }, schema),
    post: (path, { schema, ...operation } = {}) => resource.route(path, { POST: operation }, schema),
    put: (path, { schema, ...operation } = {}) => resource.route(path, { PUT: operation }, schema),
    delete: (path, { schema, ...operation } = {}) => resource.route(path, { DELETE: operation }, schema),
  };

  function handlerOf(operation: ResourceOperation<Item, Parents>): (request: BoardRequest) => HandlerResult {
    if ('page' in operation || 'list' in operation || 'create' in operation || 'handle' in operation) {
      return (request) => {
        const found = parents(request);
        return isSiteError(found) ? found : handleCollection(operation, request, found);
      };
    }
    return (request) => {
      const found = resource.locate(request);
      return isSiteError(found) ? found : handleItem(operation, request, found);
    };
  }

  function handleCollection(
    operation: Collection<Item, Parents>,
    request: BoardRequest,
    found: Parents,
  ): HandlerResult {
    if ('handle' in operation) return operation.handle(request, ...found);
    if ('create' in operation) {
      const item = operation.create(request, ...found);
      if (isSiteError(item)) return item;
      const location = operation.location?.(item, ...found);
      const body = resource.show(request, item);
      return location === undefined ? ok(body) : created(body, request.link(`/boards/v2${location}`));
    }
    const items = 'page' in operation ? operation.page(request, ...found) : operation.list(request, ...found);
    if (isSiteError(items)) return items;
    return 'page' in operation
      ? responsePage(request, items, present(request))
      : ok(items.map(present(request)));
  }

  function handleItem(
    operation: OneItem<Item, Parents>,
    request: BoardRequest,
    found: readonly [Item, ...Parents],
  ): HandlerResult {
    if ('respond' in operation) return operation.respond(request, ...found);
    const [item] = found;
    if ('remove' in operation) {
      const previous = resource.show(request, item);
      return apply(operation.remove, request, found) ?? ok({ deleted: true, previous });
    }
    const error = 'change' in operation ? apply(operation.change, request, found) : undefined;
    return error ?? ok(resource.show(request, item));
  }

  function apply(
    change: Change<Item, Parents>,
    request: BoardRequest,
    found: readonly [Item, ...Parents],
  ): SiteError | undefined {
    const result = change(request, ...found);
    if (result === undefined || isSiteError(result)) return result;
    resource.log(request, found[0], result);
    return undefined;
  }

  return resource;
}
