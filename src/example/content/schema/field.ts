import type { Json, JsonObject } from '../../../json.ts';

/** Who sees a field: readers, other documents that embed it, editors. */
export const ALL_CONTEXTS = ['view', 'edit', 'embed'] as const;
export const VIEW_CONTEXTS = ['view', 'edit'] as const;
export const EDIT_CONTEXT = ['edit'] as const;

type FieldContexts = typeof ALL_CONTEXTS | typeof VIEW_CONTEXTS | typeof EDIT_CONTEXT;

/** A property of a response schema, as WordPress writes them. */
export function schemaField(
  description: string,
  type: string | readonly string[],
  context: FieldContexts,
  keywords: JsonObject = {},
): JsonObject {
  return { description, type, context, ...keywords };
}

/** A property that only responses have. */
export function readOnlyField(
  description: string,
  type: string | readonly string[],
  context: FieldContexts,
  keywords: JsonObject = {},
): JsonObject {
  return schemaField(description, type, context, { ...keywords, readonly: true });
}

export function createRecordSchema(
  title: string,
  properties: Readonly<Record<string, JsonObject>>,
): JsonObject {
  return { $schema: 'http://json-schema.org/draft-04/schema#', title, type: 'object', properties };
}

/** A text that is stored raw and shown rendered. */
export function renderedTextField(
  label: string,
  owner: string,
  contexts: FieldContexts,
  keywords: Readonly<Record<string, JsonObject>> = {},
): Readonly<Record<string, Json>> {
  return {
    properties: {
      raw: schemaField(`${label} for the ${owner}, as it exists in the database.`, 'string', EDIT_CONTEXT),
      rendered: readOnlyField(
        `HTML ${label.toLowerCase()} for the ${owner}, transformed for display.`,
        'string',
        contexts,
      ),
      ...keywords,
    },
  };
}
