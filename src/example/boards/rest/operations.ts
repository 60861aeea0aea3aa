import type { JsonObject } from '../../../json.ts';
import type { ArgumentSchemas, EndpointMethod, SiteError } from '../../site/declarations.ts';
import type { ActivityEntry } from '../model/index.ts';
import type { BoardPermission } from './permissions.ts';
import type { BoardRequest, BoardRoute, HandlerResult } from './route.ts';

type List = readonly unknown[];

/** A kind of item, with the functions that its endpoints share. */
export interface BoardResourceDescription<Item, Parents extends List> {
  /** Schema of a response that is one item or a list of items. */
  readonly schema: JsonObject;
  /** Permission of a GET endpoint that states none. */
  readonly readPermission: BoardPermission;
  /** Permission of an endpoint with another method that states none. */
  readonly writePermission: BoardPermission;
  /** Finds the items that contain the item, innermost first: the task and the board of a time track. */
  readonly findParents: (request: BoardRequest) => Parents | SiteError;
  /** Finds the item of the path. */
  readonly findItem: (request: BoardRequest, ...parents: Parents) => Item | SiteError;
  /** Creates a function that converts the items of one response to JSON. */
  readonly createPresenter: (request: BoardRequest) => (item: Item) => JsonObject;
  /** Adds a change to the history of the board. */
  readonly logChange?: (request: BoardRequest, item: Item, entry: ActivityEntry) => void;
}

/** A kind of item with the means to declare its routes. */
export interface BoardResource<Item, Parents extends List> extends BoardResourceDescription<Item, Parents> {
  /** Finds the item of the path and its parents. */
  locate(request: BoardRequest): readonly [Item, ...Parents] | SiteError;
  /** Converts one item to JSON. */
  show(request: BoardRequest, item: Item): JsonObject;
  /** @throws {TypeError} when the description has no `log` */
  readonly logChange: (request: BoardRequest, item: Item, entry: ActivityEntry) => void;
  /** Responds with the requested page of a complete, sorted list. */
  respondPage(request: BoardRequest, items: readonly Item[]): HandlerResult;
  /**
   * Declares a route by its operations.
   *
   * @param schema schema of the response, when it is not an item of this kind
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
  Record<EndpointMethod, ResourceOperation<Item, Parents>>
>;

/** An endpoint: its arguments, its permission, and at most one function that performs it. */
export type ResourceOperation<Item, Parents extends List> = {
  readonly args?: ArgumentSchemas;
  readonly permission?: BoardPermission;
  /** Whether a method other than GET works on an archived board, whose content does not change. @default false */
  readonly allowsArchivedBoard?: boolean;
} & (ItemOperation<Item, Parents> | CollectionOperation<Item, Parents>);

/** An operation on the item of the path. Without a function, it shows the item. */
export type ItemOperation<Item, Parents extends List> =
  | Record<never, never>
  /** Changes the item and shows it. */
  | { readonly change: ItemChange<Item, Parents> }
  /** Deletes the item and shows its previous state. */
  | { readonly remove: ItemChange<Item, Parents> }
  /** Creates the response itself. */
  | { readonly handleItem: (request: BoardRequest, item: Item, ...parents: Parents) => HandlerResult };

/** Makes a change; returns an error, an entry for the history, or `undefined` when nothing is to be logged. */
export type ItemChange<Item, Parents extends List> = (
  request: BoardRequest,
  item: Item,
  ...parents: Parents
) => SiteError | ActivityEntry | undefined;

type FromParents<Parents extends List, Result> = (request: BoardRequest, ...parents: Parents) => Result;

/** An operation on the items of the parents. */
export type CollectionOperation<Item, Parents extends List> =
  /** Returns all items, of which the response shows the requested page. */
  | { readonly listPaged: FromParents<Parents, readonly Item[] | SiteError> }
  /** Returns all items, which the response shows. */
  | { readonly listAll: FromParents<Parents, readonly Item[] | SiteError> }
  /** Creates an item and shows it with status 201, and with the path of a `location` below the namespace. */
  | {
      readonly create: FromParents<Parents, Item | SiteError>;
      readonly location?: (item: Item, ...parents: Parents) => string;
    }
  /** Creates the response itself. */
  | { readonly handleCollection: FromParents<Parents, HandlerResult> };
