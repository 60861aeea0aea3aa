import { isJsonObject, type Json, type JsonObject, jsonMembers } from '../json.ts';
import { dereference } from '../openapi/document-references.ts';

/** Returns `example`, or the first of `examples`, of a Media Type Object. */
export function getStatedExample(media: Json | undefined, document: JsonObject): Json | undefined {
  if (!isJsonObject(media)) return undefined;
  if (media['example'] !== undefined) return media['example'];
  const [, first] = jsonMembers(media['examples'])[0] ?? [];
  return dereference(first, document)?.['value'];
}
