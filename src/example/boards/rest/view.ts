import type { Json, JsonObject } from '../../../json.ts';
import type { BoardRequest } from './route.ts';
import type { SchemasByName } from './schema.ts';

/** The properties of an item in responses, each with its schema and how it is read from the item. */
export type ViewFields<Item, Context> = Readonly<
  Record<string, readonly [schema: JsonObject, read: (item: Item, context: Context) => Json]>
>;

/** How items of one kind are shown: the properties of their schema and the function that writes them. */
export interface ItemView<Item> {
  readonly properties: SchemasByName;
  /** Returns a function that shows items within one response. */
  present(request: BoardRequest): (item: Item) => JsonObject;
}

/**
 * Describes the properties of an item once, for its schema and for its responses.
 *
 * @param prepare computes what all items of a response share, such as counts by task.
 */
export function createView<Item, Context>(
  prepare: (request: BoardRequest) => Context,
  fields: ViewFields<Item, Context>,
): ItemView<Item> {
  const entries = Object.entries(fields);
  return {
    properties: Object.fromEntries(entries.map(([name, [schema]]) => [name, schema])),
    present(request) {
      const context = prepare(request);
      return (item) => Object.fromEntries(entries.map(([name, [, read]]) => [name, read(item, context)]));
    },
  };
}
