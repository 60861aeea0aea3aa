import { getExtraMethods } from '../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonMembers } from '../json.ts';

/** The methods that a Path Item Object has a field for, in the specification's order (OpenAPI 3.1.1 §4.8.9). */
export const PATH_ITEM_METHODS = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
] as const;

/** The name of an operation's field in a Path Item Object. */
export type PathItemMethod = (typeof PATH_ITEM_METHODS)[number];

export function isPathItemMethod(name: string): name is PathItemMethod {
  return METHOD_NAMES.has(name);
}

const METHOD_NAMES: ReadonlySet<string> = new Set(PATH_ITEM_METHODS);

/** Every operation of a path item, including those of methods that OpenAPI has no field for. */
export function getPathItemOperations(item: Json): readonly JsonObject[] {
  if (!isJsonObject(item)) return [];
  const standard = Object.entries(item).filter(([name]) => isPathItemMethod(name));
  return [...standard, ...jsonMembers(getExtraMethods(item))]
    .map(([, operation]) => operation)
    .filter(isJsonObject);
}

/**
 * Counts the operations of a document: one for each method of each path. A route with an optional part has several paths,
 * and several routes may share a path, so the number differs from that of the methods of routes.
 */
export function countOperations({ paths }: JsonObject): number {
  return jsonMembers(paths).reduce((count, [, item]) => count + getPathItemOperations(item).length, 0);
}
