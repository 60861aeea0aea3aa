import { isJsonObject, type JsonObject } from '../../json.ts';
import type { OpenApiDocument } from '../../openapi/index.ts';

/**
 * Replaces the title and the description of a document by those of a stored one. A site that is renamed has the same
 * interface, so its files are not stale.
 */
export function keepInfoTexts(document: OpenApiDocument, stored: JsonObject): OpenApiDocument {
  const storedInfo = stored['info'];
  if (!isJsonObject(storedInfo)) return document;
  const { title: _title, description: _description, ...rest } = document.info;
  const { description, title } = storedInfo;
  return {
    ...document,
    info: {
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      ...rest,
    },
  };
}
