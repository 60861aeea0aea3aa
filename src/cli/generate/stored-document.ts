import { isComparable } from '../../changes/index.ts';
import { messageOf } from '../../errors.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';
import type { OpenApiDocument } from '../../openapi/index.ts';
import { readFileIfPresent } from '../output-files.ts';

/** The document that an earlier run wrote, or why there is none to compare with. */
export type StoredDocument =
  | { readonly state: 'readable'; readonly document: JsonObject }
  | { readonly state: 'missing' }
  /** `reason` continues a sentence that begins with the file: `is not JSON: …`. */
  | { readonly state: 'unreadable'; readonly reason: string };

/**
 * Reads the document that an earlier run wrote.
 *
 * @throws {ConfigurationError} when the file exists and cannot be read
 */
export async function readStoredDocument(path: string): Promise<StoredDocument> {
  const text = await readFileIfPresent(path);
  if (text === null) return { state: 'missing' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return { state: 'unreadable', reason: `is not JSON: ${messageOf(cause)}` };
  }
  if (!isJsonObject(value) || !isJsonObject(value['paths'])) {
    return { state: 'unreadable', reason: 'is not an OpenAPI document' };
  }
  if (!isComparable(value)) return { state: 'unreadable', reason: 'is nested too deeply' };
  return { state: 'readable', document: value };
}

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
