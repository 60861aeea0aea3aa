import type { Json, JsonObject } from '../../../json.ts';

/** Who sees a field: readers, other documents that embed it, editors. */
export const EVERYWHERE = ['view', 'edit', 'embed'] as const;
export const READERS = ['view', 'edit'] as const;
export const EDITORS = ['edit'] as const;

type Contexts = typeof EVERYWHERE | typeof READERS | typeof EDITORS;

/** A property of a response schema, as WordPress writes them. */
export function field(
  description: string,
  type: string | readonly string[],
  context: Contexts,
  more: JsonObject = {},
): JsonObject {
  return { description, type, context, ...more };
}

/** A property that only responses have. */
export function shown(
  description: string,
  type: string | readonly string[],
  context: Contexts,
  more: JsonObject = {},
): JsonObject {
  return field(description, type, context, { ...more, readonly: true });
}

export function schemaOf(title: string, properties: Readonly<Record<string, JsonObject>>): JsonObject {
  return { $schema: 'http://json-schema.org/draft-04/schema#', title, type: 'object', properties };
}

/** A text that is stored raw and shown rendered. */
export function rendered(
  what: string,
  owner: string,
  contexts: Contexts,
  more: Readonly<Record<string, JsonObject>> = {},
): Readonly<Record<string, Json>> {
  return {
    properties: {
      raw: field(`${what} for the ${owner}, as it exists in the database.`, 'string', EDITORS),
      rendered: shown(
        `HTML ${what.toLowerCase()} for the ${owner}, transformed for display.`,
        'string',
        contexts,
      ),
      ...more,
    },
  };
}
