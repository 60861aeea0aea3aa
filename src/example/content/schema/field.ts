import type { Json, JsonObject } from '../../../json.ts';

/** The `context` lists of fields: in every context, not in embeds, or for editors only. */
export const ALL_CONTEXTS = ['view', 'edit', 'embed'] as const;
export const VIEW_CONTEXTS = ['view', 'edit'] as const;
export const EDIT_CONTEXT = ['edit'] as const;

type FieldContexts = typeof ALL_CONTEXTS | typeof VIEW_CONTEXTS | typeof EDIT_CONTEXT;

/** Creates a property of a response schema in the form of WordPress. */
export function schemaField(
  description: string,
  type: string | readonly string[],
  context: FieldContexts,
  keywords: JsonObject = {},
): JsonObject {
  return { description, type, context, ...keywords };
}

/** Creates a read-only property. */
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

/** Creates the keywords of a text with a raw and a rendered form. */
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
