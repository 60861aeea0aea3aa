import { isJsonObject, type Json, type JsonObject } from '../../../json.ts';
import type { BoardRequest } from './route.ts';
import type { SchemasByName } from './schema.ts';

/**
 * A property of an item in responses: its schema, and how it is read from the item. With a schema alone, the property
 * is the member of the same name, which is `boardId` for `board_id`.
 */
export type ViewField<Item, Context> =
  | JsonObject
  | readonly [schema: JsonObject, read: (item: Item, context: Context) => Json];

/** The properties of a kind of item in responses, and the function that shows items. */
export interface ItemView<Item> {
  readonly properties: SchemasByName;
  /** Creates a function that converts the items of one response to JSON. */
  createPresenter(request: BoardRequest): (item: Item) => JsonObject;
}

/**
 * Describes the properties of an item once, for its schema and for its responses.
 *
 * @param prepare computes what all items of a response share, such as counts by task
 * @throws {TypeError} from the function that `createPresenter` returns, when an item lacks a scalar member for a schema alone
 */
export function createView<Item extends object, Context>(
  prepare: (request: BoardRequest) => Context,
  fields: Readonly<Record<string, ViewField<Item, Context>>>,
): ItemView<Item> {
  const entries = Object.entries(fields).map(([name, field]) =>
    isJsonObject(field)
      ? { name, schema: field, read: memberReader(name) }
      : { name, schema: field[0], read: field[1] },
  );
  return {
    properties: Object.fromEntries(entries.map(({ name, schema }) => [name, schema])),
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
