import type { Json, JsonObject } from '../../../base/json.ts';
import { createSchemaValidator } from '../../../generator/validation/wordpress/validate.ts';
import type { SiteResponse } from '../../rest-server/declarations.ts';
import type { RequestParams } from '../../rest-server/params.ts';
import { created, ok, pageResponse, RefusedError, refuse } from '../../rest-server/responses.ts';
import { isCalendarDay } from '../site/dates.ts';
import {
  type BoardHandler,
  describeProperty,
  type EndpointFacts,
  listShownProperties,
} from './declarations.ts';
import { type ActivityEntry, type Board, type BoardRequest, type Timestamp, toDay } from './state.ts';

type Show<Item> = (item: Item, request: BoardRequest) => JsonObject;

/**
 * Shows the properties of a schema that are in lists. One without a reader is the member of the same name,
 * which is `boardId` for `board_id`.
 *
 * @throws {TypeError} by the returned function, if an item lacks a scalar member
 */
export function createView<Item extends object>(
  schemaName: string,
  readers: Readonly<Record<string, (item: Item, request: BoardRequest) => Json>> = {},
): Show<Item> {
  const entries = listShownProperties(schemaName).map(
    (name) => [name, readers[name] ?? memberReader(name)] as const,
  );
  return (item, request) => Object.fromEntries(entries.map(([name, read]) => [name, read(item, request)]));
}

function memberReader(property: string): (item: object) => Json {
  const member = toMemberName(property);
  return (item) => {
    const value: unknown = Reflect.get(item, member);
    if (value === null || isScalar(value)) return value;
    throw new TypeError(`A view shows ${property}, but the item has no scalar member ${member}.`);
  };
}

/** `board_id` → `boardId` */
function toMemberName(property: string): string {
  return property.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Makes a change; returns an entry for the history, if any. */
type ItemChange<Item, Parents extends readonly unknown[]> = (
  request: BoardRequest,
  item: Item,
  ...parents: Parents
) => ActivityEntry | undefined;

type ItemList<Item, Parents extends readonly unknown[]> = (
  request: BoardRequest,
  ...parents: Parents
) => readonly Item[];

interface ResourceDescription<Item, Parents extends readonly unknown[]> {
  /** The items that contain the item, innermost first, e.g. the task and the board of a time track. */
  readonly findParents: (request: BoardRequest) => Parents;
  readonly findItem: (request: BoardRequest, ...parents: Parents) => Item;
  readonly show: Show<Item>;
  readonly logChange?: (request: BoardRequest, item: Item, entry: ActivityEntry) => void;
}

/** A kind of item. Its handlers find the items of the path and refuse changes of an archived board. */
export class BoardResource<Item, Parents extends readonly unknown[]> {
  private readonly description: ResourceDescription<Item, Parents>;

  constructor(description: ResourceDescription<Item, Parents>) {
    this.description = description;
  }

  with(other: Partial<ResourceDescription<Item, Parents>>): BoardResource<Item, Parents> {
    return new BoardResource({ ...this.description, ...other });
  }

  readonly locate = (request: BoardRequest): [Item, ...Parents] => {
    const parents = this.description.findParents(request);
    return [this.description.findItem(request, ...parents), ...parents];
  };

  show(item: Item, request: BoardRequest): JsonObject {
    return this.description.show(item, request);
  }

  showAll(items: readonly Item[], request: BoardRequest): JsonObject[] {
    return items.map((item) => this.description.show(item, request));
  }

  respondPage(request: BoardRequest, items: readonly Item[]): SiteResponse {
    return pageResponse(request, items, (item) => this.description.show(item, request));
  }

  logChange(request: BoardRequest, item: Item, entry: ActivityEntry): void {
    this.description.logChange?.(request, item, entry);
  }

  withParents(handle: (request: BoardRequest, ...parents: Parents) => SiteResponse): BoardHandler {
    return (request, facts) => handle(request, ...this.findParents(request, facts));
  }

  private findParents(request: BoardRequest, { refusesArchived }: EndpointFacts): Parents {
    const parents = this.description.findParents(request);
    if (refusesArchived) refuseArchivedBoard(parents);
    return parents;
  }

  withItem(handle: (request: BoardRequest, item: Item, ...parents: Parents) => SiteResponse): BoardHandler {
    return this.withFacts((request, _facts, item, ...parents) => handle(request, item, ...parents));
  }

  withFacts(
    handle: (request: BoardRequest, facts: EndpointFacts, item: Item, ...parents: Parents) => SiteResponse,
  ): BoardHandler {
    return (request, facts) => {
      const found = this.locate(request);
      if (facts.refusesArchived) refuseArchivedBoard(found);
      return handle(request, facts, ...found);
    };
  }

  read(): BoardHandler {
    return this.withItem((request, item, ..._parents) => ok(this.show(item, request)));
  }

  listAll(list: ItemList<Item, Parents>): BoardHandler {
    return this.withParents((request, ...parents) => ok(this.showAll(list(request, ...parents), request)));
  }

  listPage(list: ItemList<Item, Parents>): BoardHandler {
    return this.withParents((request, ...parents) => this.respondPage(request, list(request, ...parents)));
  }

  /** Responds 201. Names in the location are members of the response or parameters. */
  create(create: (request: BoardRequest, ...parents: Parents) => Item): BoardHandler {
    return (request, facts) => {
      const body = this.show(create(request, ...this.findParents(request, facts)), request);
      const path = facts.location.replace(/\{(\w+)\}/g, (_, name: string) =>
        String(body[name] ?? request.params.get(name)),
      );
      return created(body, request.link(`/boards/v2${path}`));
    };
  }

  change(change: ItemChange<Item, Parents>): BoardHandler {
    return this.withItem((request, item, ...parents) => {
      this.apply(change, request, item, ...parents);
      return ok(this.show(item, request));
    });
  }

  /** Sets the members of the sent arguments, then calls `change`. */
  update(change: ItemChange<Item, Parents> = () => undefined): BoardHandler {
    return this.withFacts((request, { fields }, item, ...parents) => {
      if (item instanceof Object) assignFields(request, item, fields);
      this.apply(change, request, item, ...parents);
      return ok(this.show(item, request));
    });
  }

  /** Sets the member `property` to `value`, validated as the property of the group, then calls `change`. */
  updateProperty(group: string, change: ItemChange<Item, Parents>): BoardHandler {
    return this.change((request, item, ...parents) => {
      const property = request.params.string('property', '');
      const value = request.params.get('value') ?? null;
      const validator = createSchemaValidator(describeProperty(group, property));
      const violation = validator.validate(value, 'value');
      if (violation !== null) refuseArgument('value', violation.message);
      const sanitized = validator.sanitize(value, 'value');
      if (item instanceof Object && sanitized.ok) setMember(item, property, sanitized.value);
      return change(request, item, ...parents);
    });
  }

  /** Responds with the previous state of the item. */
  remove(remove: ItemChange<Item, Parents>): BoardHandler {
    return this.withItem((request, item, ...parents) => {
      const previous = this.show(item, request);
      this.apply(remove, request, item, ...parents);
      return ok({ deleted: true, previous });
    });
  }

  private apply(
    change: ItemChange<Item, Parents>,
    request: BoardRequest,
    item: Item,
    ...parents: Parents
  ): void {
    const entry = change(request, item, ...parents);
    if (entry !== undefined) this.logChange(request, item, entry);
  }
}

/** An absent argument changes nothing, nor does null if its schema has no null. */
export function assignFields(
  { params, suppliedNames }: BoardRequest,
  item: object,
  fields: EndpointFacts['fields'],
): void {
  for (const [name, takesNull] of fields) {
    if (params.has(name) || (takesNull && suppliedNames.has(name))) setMember(item, name, params.get(name));
  }
}

function setMember(item: object, name: string, value: Json = null): void {
  Object.assign(item, { [name in item ? name : toMemberName(name)]: value });
}

function refuseArchivedBoard(found: readonly unknown[]): void {
  if (found.some((each) => isBoard(each) && each.archivedAt !== null)) {
    refuse(409, 'board_archived', 'The board is archived: restore it first.');
  }
}

function isBoard(item: unknown): item is Board {
  return typeof item === 'object' && item !== null && 'isPublic' in item && 'archivedAt' in item;
}

export function findBoardOfPath({ state, params }: BoardRequest): [Board] {
  return [state.findBoard(params.string('board_id'))];
}

/** Refuses with 400 and WordPress's message. */
export function refuseArgument(name: string, message: string): never {
  return refuse(400, 'rest_invalid_param', `Invalid parameter(s): ${name}`, {
    params: { [name]: message },
    details: { [name]: { code: 'rest_invalid_param', message, data: null } },
  });
}

/** Refuses the argument, not the whole request, if what it names does not exist. */
export function findForArgument<Found>(name: string, find: () => Found): Found {
  try {
    return find();
  } catch (error) {
    if (error instanceof RefusedError) return refuseArgument(name, error.message);
    throw error;
  }
}

export function enumParam<Value extends string>(
  params: RequestParams,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = params.string(name);
  return values.find((value) => value === text);
}

export function readRequiredText(
  { params }: BoardRequest,
  name: string,
  message: string,
  otherwise = '',
): string {
  const text = params.string(name, otherwise).trim();
  return text === '' ? refuseArgument(name, message) : text;
}

/** Every word of `search`, in any case. */
export function createWordFilter({ params }: BoardRequest): (text: string) => boolean {
  const words = params.string('search', '').toLowerCase().split(/\s+/);
  return (text) => words.every((word) => text.toLowerCase().includes(word));
}

export type DayPeriod = Readonly<Record<'from' | 'to', string>>;

export function readPeriod({ params }: BoardRequest): DayPeriod {
  const from = params.string('from', '0001-01-01');
  const to = params.string('to', '9999-12-31');
  for (const [name, day] of Object.entries({ from, to })) {
    if (!isCalendarDay(day)) refuseArgument(name, `${name} is not a day of the calendar.`);
  }
  return from <= to ? { from, to } : refuseArgument('to', 'to lies before from.');
}

export function isWithinPeriod({ from, to }: DayPeriod, at: Timestamp | null): boolean {
  return at !== null && from <= toDay(at) && toDay(at) <= to;
}

export function sumOf<Item>(items: readonly Item[], amountOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + amountOf(item), 0);
}
