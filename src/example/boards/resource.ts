import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../../json.ts';
import type {
  RouteDeclaration,
  SiteError,
  SiteRequest,
  SiteResponse,
  SiteUser,
} from '../../rest-server/declarations.ts';
import type { RequestParams } from '../../rest-server/params.ts';
import {
  created,
  forbiddenError,
  hasRole,
  isSiteError,
  listResponse,
  ok,
  restError,
  slicePage,
} from '../../rest-server/responses.ts';
import { joinOperations, memberOf, SchemaNotation } from '../schema-notation.ts';
import declarations from './declarations.json' with { type: 'json' };
import {
  ACTIVITY_ACTIONS,
  ACTIVITY_SUBJECTS,
  type ActivityEntry,
  type ActivitySubject,
  AI_TONES,
  type Board,
  type BoardState,
  COMPANION_PLUGINS,
  type Comment,
  CURRENCY_CODES,
  DASHBOARD_WIDGETS,
  FEATURES,
  findBoard,
  isCalendarDay,
  type MemberRole,
  NOTIFICATION_EVENTS,
  recordActivity,
  type SiteFeature,
  TASK_PRIORITIES,
  TASK_TABS,
  type Task,
  type Timestamp,
  toDay,
} from './state.ts';

export type BoardRequest = SiteRequest<BoardState>;

/** The result of a handler: the content of a response, or an error. */
export type HandlerResult = SiteResponse | SiteError;

/** @param refusesArchived whether the content of an archived board does not change */
export type BoardHandler = (request: BoardRequest, refusesArchived: boolean) => HandlerResult;

/** Handlers by method and path: `GET /projects/{board_id:str}/labels`. A permission that no name says stands beside one. */
export type BoardOperations = Readonly<
  Record<string, BoardHandler | { readonly permission: BoardPermission; readonly handle: BoardHandler }>
>;

const DATA: JsonObject = declarations;
const SCHEMAS = memberOf(DATA, 'schemas');

const notation = new SchemaNotation({
  groups: memberOf(DATA, 'groups'),
  schemas: SCHEMAS,
  lists: {
    ACTIVITY_ACTIONS,
    ACTIVITY_SUBJECTS,
    AI_TONES,
    COMPANION_PLUGINS,
    CURRENCY_CODES,
    DASHBOARD_WIDGETS,
    FEATURES,
    NOTIFICATION_EVENTS,
    TASK_PRIORITIES,
    TASK_TABS,
  },
});

/** Patterns of path parameters, as WordPress plugins write them. `str` also excludes `(`, `?`, `!`, `/` and `)`. */
const GROUPS: Readonly<Record<string, readonly [pattern: string, type: string]>> = {
  int: ['[\\d]+', 'integer'],
  str: ['[^\\s(?!/)]+', 'string'],
  slug: ['[a-zA-Z0-9_-]+', 'string'],
};

/**
 * Declares the routes of the data file in its order. A path is written as `/projects/{board_id:int}/labels`: its parameters
 * become groups of the pattern and required arguments of every endpoint.
 *
 * @throws {TypeError} when a route has no handler, or a handler no route
 */
export function declareRoutes(operations: BoardOperations): readonly RouteDeclaration<BoardState>[] {
  return joinOperations(memberOf(DATA, 'routes'), operations, (path, schema, endpoints) => {
    const pathArgs: Record<string, JsonObject> = {};
    const route = path.replace(/\{(\w+):(\w+)\}/g, (_, name: string, group: string) => {
      const [pattern, type] = GROUPS[group] ?? ['', ''];
      pathArgs[name] = { description: memberOf(DATA, 'parameters')[name] ?? '', type, required: true };
      return `(?P<${name}>${pattern})`;
    });
    return {
      route,
      schema: responseSchema(schema ?? ''),
      endpoints: endpoints.map(
        ({ methods, stated: { args, permit: name, feature, archived }, operation }) => {
          const isHandler = typeof operation === 'function';
          const handle = isHandler ? operation : operation.handle;
          const refusesArchived = !methods.includes('GET') && archived !== true;
          return {
            methods,
            args: { ...pathArgs, ...notation.members(args) },
            permission: isHandler ? permissionOf(name ?? null, feature ?? null) : operation.permission,
            handle: (request: BoardRequest) => handle(request, refusesArchived),
          };
        },
      ),
    };
  });
}

function permissionOf(name: Json, feature: Json): BoardPermission {
  const permission = Object.entries(permit).find(([each]) => each === name)?.[1];
  if (permission === undefined) throw new TypeError(`There is no permission ${String(name)}.`);
  const known = FEATURES.find((each) => each === feature);
  return known === undefined ? permission : withFeature(known, permission);
}

/** Creates the schema of a response object, or of each object of a list. */
function responseSchema(title: string): JsonObject {
  const { description = '', optional = [], properties } = memberOf(SCHEMAS, title);
  const schema = requireAllProperties({
    $schema: 'http://json-schema.org/draft-04/schema#',
    title,
    description,
    type: 'object',
    properties: notation.members(properties),
  });
  const absent = jsonItems(optional);
  return { ...schema, required: jsonItems(schema['required']).filter((name) => !absent.includes(name)) };
}

/** Makes every described property of an object required, at all depths. Generated types then have no optional members. */
function requireAllProperties(schema: JsonObject): JsonObject {
  const { properties, items } = schema;
  const all = jsonMembers(properties).map(([name, property]): [string, Json] => [
    name,
    isJsonObject(property) ? requireAllProperties(property) : property,
  ]);
  return {
    ...schema,
    ...(isJsonObject(properties)
      ? { properties: Object.fromEntries(all), required: Object.keys(properties) }
      : {}),
    ...(isJsonObject(items) ? { items: requireAllProperties(items) } : {}),
  };
}

/** The functions that show the items of one response as JSON. */
export interface ItemView<Item> {
  /** Creates a function that converts the items of one response to JSON. */
  createPresenter(request: BoardRequest): (item: Item) => JsonObject;
}

/**
 * Shows the properties that the schema of a name describes, without those that are not in lists. A property without a
 * reader is the member of the same name, which is `boardId` for `board_id`.
 *
 * @param prepare computes what all items of a response share, such as counts by task
 * @throws {TypeError} from the function that `createPresenter` returns, when an item lacks a scalar member
 */
export function createView<Item extends object, Context>(
  schemaName: string,
  prepare: (request: BoardRequest) => Context,
  readers: Readonly<Record<string, (item: Item, context: Context) => Json>>,
): ItemView<Item> {
  const { properties, optional = [] } = memberOf(SCHEMAS, schemaName);
  const shown = Object.keys(notation.members(properties)).filter(
    (name) => !jsonItems(optional).includes(name),
  );
  const entries = shown.map((name) => ({ name, read: readers[name] ?? memberReader(name) }));
  return {
    createPresenter(request) {
      const context = prepare(request);
      return (item) => Object.fromEntries(entries.map(({ name, read }) => [name, read(item, context)]));
    },
  };
}

/** Reads the member of an item that has the name of a property. */
function memberReader(property: string): (item: object) => Json {
  const member = property.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return (item) => {
    const value: unknown = Reflect.get(item, member);
    if (value === null || isScalar(value)) return value;
    throw new TypeError(`A view shows ${property}, but the item has no scalar member ${member}.`);
  };
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Makes a change; returns an error, an entry for the history, or `undefined` when nothing is to be logged. */
type ItemChange<Item, Parents extends readonly unknown[]> = (
  request: BoardRequest,
  item: Item,
  ...parents: Parents
) => SiteError | ActivityEntry | undefined;

/** What a kind of item is. */
interface ResourceDescription<Item, Parents extends readonly unknown[]> {
  /** Finds the items that contain the item, innermost first: the task and the board of a time track. */
  readonly findParents: (request: BoardRequest) => Parents | SiteError;
  /** Finds the item of the path. */
  readonly findItem: (request: BoardRequest, ...parents: Parents) => Item | SiteError;
  /** Creates a function that converts the items of one response to JSON. */
  readonly createPresenter: (request: BoardRequest) => (item: Item) => JsonObject;
  /** Adds a change to the history of the board. */
  readonly logChange?: (request: BoardRequest, item: Item, entry: ActivityEntry) => void;
}

/**
 * A kind of item. Its handlers find the item of the path or its parents, refuse changes of an archived board, call the
 * function that they are given, and respond.
 */
export class BoardResource<Item, Parents extends readonly unknown[]> {
  readonly createPresenter: (request: BoardRequest) => (item: Item) => JsonObject;
  private readonly description: ResourceDescription<Item, Parents>;

  constructor(description: ResourceDescription<Item, Parents>) {
    this.description = description;
    this.createPresenter = description.createPresenter;
  }

  /** The same items, which are found or shown in another way. */
  with(other: Partial<ResourceDescription<Item, Parents>>): BoardResource<Item, Parents> {
    return new BoardResource({ ...this.description, ...other });
  }

  /** Finds the item of the path and its parents. */
  readonly locate = (request: BoardRequest): [Item, ...Parents] | SiteError => {
    const found = this.description.findParents(request);
    if (isSiteError(found)) return found;
    const item = this.description.findItem(request, ...found);
    return isSiteError(item) ? item : [item, ...found];
  };

  /** Converts one item to JSON. */
  show(request: BoardRequest, item: Item): JsonObject {
    return this.createPresenter(request)(item);
  }

  /** Responds with the requested page of a complete, sorted list. */
  respondPage(request: BoardRequest, items: readonly Item[]): SiteResponse {
    return pageResponse(request, items, this.createPresenter(request));
  }

  /** @throws {TypeError} when changes of the items are not logged */
  logChange(request: BoardRequest, item: Item, entry: ActivityEntry): void {
    const { logChange } = this.description;
    if (logChange === undefined) throw new TypeError('Changes of this resource are not logged.');
    logChange(request, item, entry);
  }

  /** A handler that gets the parents of the path. */
  withParents(handle: (request: BoardRequest, ...parents: Parents) => HandlerResult): BoardHandler {
    return (request, refusesArchived) => {
      const found = this.description.findParents(request);
      if (isSiteError(found)) return found;
      return (refusesArchived ? refuseArchivedBoard(found) : undefined) ?? handle(request, ...found);
    };
  }

  /** A handler that gets the item of the path and its parents. */
  withItem(handle: (request: BoardRequest, item: Item, ...parents: Parents) => HandlerResult): BoardHandler {
    return (request, refusesArchived) => {
      const found = this.locate(request);
      if (isSiteError(found)) return found;
      return (refusesArchived ? refuseArchivedBoard(found) : undefined) ?? handle(request, ...found);
    };
  }

  /** Shows the item of the path. */
  read(): BoardHandler {
    return this.withItem((request, item, ..._parents) => ok(this.show(request, item)));
  }

  /** Shows all items. */
  listAll(list: (request: BoardRequest, ...parents: Parents) => readonly Item[] | SiteError): BoardHandler {
    return this.withParents((request, ...parents) => {
      const items = list(request, ...parents);
      return isSiteError(items) ? items : ok(items.map(this.createPresenter(request)));
    });
  }

  /** Shows the requested page of all items. */
  listPage(list: (request: BoardRequest, ...parents: Parents) => readonly Item[] | SiteError): BoardHandler {
    return this.withParents((request, ...parents) => {
      const items = list(request, ...parents);
      return isSiteError(items) ? items : this.respondPage(request, items);
    });
  }

  /** Creates an item and shows it with status 201. Names in the location are members of the response or parameters. */
  create(
    location: string,
    create: (request: BoardRequest, ...parents: Parents) => Item | SiteError,
  ): BoardHandler {
    return this.withParents((request, ...parents) => {
      const item = create(request, ...parents);
      if (isSiteError(item)) return item;
      const body = this.show(request, item);
      const path = location.replace(/\{(\w+)\}/g, (_, name: string) =>
        String(body[name] ?? request.params.get(name)),
      );
      return created(body, request.link(`/boards/v2${path}`));
    });
  }

  /** Changes the item, logs the change and shows the item. */
  change(change: ItemChange<Item, Parents>): BoardHandler {
    return this.withItem((request, item, ...parents) => {
      const error = this.apply(change, request, item, ...parents);
      return error ?? ok(this.show(request, item));
    });
  }

  /** Deletes the item, logs it and shows the previous state of the item. */
  remove(remove: ItemChange<Item, Parents>): BoardHandler {
    return this.withItem((request, item, ...parents) => {
      const previous = this.show(request, item);
      return this.apply(remove, request, item, ...parents) ?? ok({ deleted: true, previous });
    });
  }

  private apply(
    change: ItemChange<Item, Parents>,
    request: BoardRequest,
    item: Item,
    ...parents: Parents
  ): SiteError | undefined {
    const result = change(request, item, ...parents);
    if (result === undefined || isSiteError(result)) return result;
    this.logChange(request, item, result);
    return undefined;
  }
}

/** Refuses a change on an archived board: the item, or one of its parents, is that board. */
function refuseArchivedBoard(found: readonly unknown[]): SiteError | undefined {
  return found.some((each) => isBoard(each) && each.archivedAt !== null)
    ? refuseConflict('board_archived', 'The board is archived: restore it first.')
    : undefined;
}

function isBoard(item: unknown): item is Board {
  return typeof item === 'object' && item !== null && 'publicAccess' in item && 'archivedAt' in item;
}

/** Finds the board of the path, as the parent of the items on it. */
export function findBoardOfPath({ state, params }: BoardRequest): [Board] | SiteError {
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

/** Creates the error 400 for an argument that its schema allows and the state does not, in the words of WordPress. */
export function invalidArgument(name: string, message: string): SiteError {
  return {
    kind: 'error',
    status: 400,
    code: 'rest_invalid_param',
    message: `Invalid parameter(s): ${name}`,
    params: { [name]: message },
    details: { [name]: { code: 'rest_invalid_param', message, data: null } },
  };
}

/** Creates the error 409 for a change that the state does not allow: `refuseConflict('task_archived', '…')`. */
export function refuseConflict(code: string, message: string): SiteError {
  return restError(409, code, message);
}

/** Returns the value of an argument with an `enum`; `undefined` when the client sent none. */
export function enumParam<Value extends string>(
  params: RequestParams,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = params.string(name);
  return values.find((value) => value === text);
}

/** Returns the values of an array argument whose items have an `enum`. */
export function enumParams<Value extends string>(
  params: RequestParams,
  name: string,
  values: readonly Value[],
): Value[] {
  return params.strings(name).flatMap((text) => values.find((value) => value === text) ?? []);
}

/** Returns the trimmed text of an argument; an error when the text is empty. */
export function readRequiredText(
  { params }: BoardRequest,
  name: string,
  message: string,
  otherwise = '',
): string | SiteError {
  const text = params.string(name, otherwise).trim();
  return text === '' ? invalidArgument(name, message) : text;
}

/** Creates a test for texts that contain every word of the argument `search`, in any case. */
export function createWordFilter({ params }: BoardRequest): (text: string) => boolean {
  const words = params.string('search', '').toLowerCase().split(/\s+/);
  return (text) => words.every((word) => text.toLowerCase().includes(word));
}

/** Creates a test for texts that contain the argument `search`, in any case. */
export function createSubstringFilter({ params }: BoardRequest): (text: string) => boolean {
  const part = params.string('search', '').toLowerCase();
  return (text) => text.toLowerCase().includes(part);
}

/** Creates the response with the requested page of a complete, sorted list. */
export function pageResponse<T>(
  { params }: BoardRequest,
  items: readonly T[],
  show: (item: T) => JsonObject,
): SiteResponse {
  const page = params.integer('page', 1);
  const perPage = params.integer('per_page', 20);
  return listResponse(slicePage(items, { page, perPage }).map(show), { total: items.length, page, perPage });
}

/** A range of days that includes its first and its last day. */
export interface DayPeriod {
  readonly from: string;
  readonly to: string;
}

const EARLIEST_DAY = '0000-01-01';

export function readPeriod({ params }: BoardRequest): DayPeriod | SiteError {
  const from = params.string('from', EARLIEST_DAY);
  const to = params.string('to', '9999-12-31');
  for (const [name, day] of Object.entries({ from, to })) {
    if (day !== EARLIEST_DAY && !isCalendarDay(day)) {
      return invalidArgument(name, `${name} is not a day of the calendar.`);
    }
  }
  return from <= to ? { from, to } : invalidArgument('to', 'to lies before from.');
}

export function isWithinPeriod({ from, to }: DayPeriod, at: Timestamp | null): boolean {
  return at !== null && from <= toDay(at) && toDay(at) <= to;
}

/** The rights of a user on a board: to read it, to edit its content, to administer it. */
type BoardRight = 'read' | 'edit' | 'manage';

/** Roles that have a right. Administrators of the site have every right on every board. */
const ROLES: Readonly<Record<BoardRight, readonly MemberRole[]>> = {
  read: ['manager', 'member', 'viewer'],
  edit: ['manager', 'member'],
  manage: ['manager'],
};

export function roleOnBoard(user: SiteUser | null, board: Board): MemberRole | undefined {
  return board.members.find((member) => member.userId === user?.id)?.role;
}

/** Whether a user is a member of a board or an administrator of the site. */
export function isMemberOrAdmin(user: SiteUser | null, board: Board): boolean {
  return hasRole(user, 'administrator') || roleOnBoard(user, board) !== undefined;
}

/** Members may read a board. Everybody may while its public access is on, except an archived board. */
export function canReadBoard(user: SiteUser | null, board: Board): boolean {
  return hasRight(user, board, 'read');
}

export function hasRight(user: SiteUser | null, board: Board, right: BoardRight): boolean {
  if (hasRole(user, 'administrator')) return true;
  const role = roleOnBoard(user, board);
  if (role !== undefined && ROLES[right].includes(role)) return true;
  return right === 'read' && board.publicAccess.enabled && board.archivedAt === null;
}

/** The boards that a user may read, by number. */
export function readableBoards({ boards }: BoardState, user: SiteUser | null): Board[] {
  return [...boards.values()].filter((board) => canReadBoard(user, board));
}

/** Members read every comment; other readers read public ones, if the board shows comments. */
export function canReadComment({ user }: BoardRequest, board: Board, comment: Comment): boolean {
  return isMemberOrAdmin(user, board) || (comment.privacy === 'public' && board.publicAccess.showComments);
}

/** Archived tasks and ideas that await approval are visible to members and to their creator. */
export function canReadTask({ user }: BoardRequest, board: Board, task: Task): boolean {
  return task.archivedAt === null || isMemberOrAdmin(user, board) || task.createdBy === user?.id;
}

/** Whether the client may see assignees and authors of a board. */
export function canReadPeople({ user }: BoardRequest, board: Board): boolean {
  return isMemberOrAdmin(user, board) || board.publicAccess.showAssignees;
}

/** Returns an error for a client without permission: 401 without an account, else 403. */
export type BoardPermission = (request: BoardRequest) => SiteError | undefined;

/** Refuses a client without a right on a board. */
export function requireRight(user: SiteUser | null, board: Board, right: BoardRight): SiteError | undefined {
  return hasRight(user, board, right) ? undefined : forbiddenError(user);
}

/** Permission on the board of the path. A client without an account does not learn whether the board exists. */
function onBoard(right: BoardRight): BoardPermission {
  return ({ state, user, params }) => {
    const board = findBoard(state, params.string('board_id'));
    if (isSiteError(board)) return user === null ? forbiddenError(user) : board;
    return requireRight(user, board, right);
  };
}

const CREATORS = { administrators: 'administrator', editors: 'editor', everyone: 'subscriber' } as const;

/** Every client, with or without an account. */
const everyone: BoardPermission = () => undefined;

/** Clients who may read the board: its members, and everybody while its public access is on. */
const viewers = onBoard('read');

/** Members of the board with any role, for content that public access does not include. */
const anyMember: BoardPermission = (request) => {
  const error = viewers(request);
  if (error !== undefined) return error;
  const board = findBoard(request.state, request.params.string('board_id'));
  return isSiteError(board) || isMemberOrAdmin(request.user, board)
    ? undefined
    : forbiddenError(request.user);
};

/** Members of the board with the role `member` or `manager`. */
const members = onBoard('edit');

/** Managers of the board. */
const managers = onBoard('manage');

/** Administrators of the site. */
const administrators: BoardPermission = ({ user }) =>
  hasRole(user, 'administrator') ? undefined : forbiddenError(user);

/** Users with an account. */
const signedIn: BoardPermission = ({ user }) =>
  user === null ? restError(401, 'rest_not_logged_in', 'You are not currently logged in.') : undefined;

/** Users whom the general settings let create boards. */
const boardCreators: BoardPermission = ({ state, user }) =>
  hasRole(user, CREATORS[state.settings.general.board_creators])
    ? undefined
    : forbiddenError(user, 'rest_cannot_create', 'Sorry, you are not allowed to create boards.');

type PermissionName =
  | 'everyone'
  | 'viewers'
  | 'anyMember'
  | 'members'
  | 'managers'
  | 'administrators'
  | 'signedIn'
  | 'boardCreators';

/** The permissions that routes name. */
export const permit: Readonly<Record<PermissionName, BoardPermission>> = {
  everyone,
  viewers,
  anyMember,
  members,
  managers,
  administrators,
  signedIn,
  boardCreators,
};

/** Adds the condition that the administrators have not switched a feature off. */
export function withFeature(feature: SiteFeature, permission: BoardPermission): BoardPermission {
  return (request) =>
    request.state.settings.features[feature]
      ? permission(request)
      : restError(403, 'feature_disabled', `The module ${feature} is switched off on this site.`);
}

/** Refuses everybody but the owner of an item and the managers of its board. */
export function requireOwner({ user }: BoardRequest, board: Board, ownerId: number): SiteError | undefined {
  return user?.id === ownerId || hasRight(user, board, 'manage')
    ? undefined
    : forbiddenError(user, 'rest_forbidden', 'Sorry, this belongs to somebody else.');
}
