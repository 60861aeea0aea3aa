import { EXTENSION_NAMES } from '../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonMembers, memberAt } from '../json.ts';

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

interface PathItemOperation {
  /** Upper case. */
  readonly method: string;
  readonly operation: Json;
  /** The names that lead to the operation from the path item. */
  readonly location: readonly string[];
}

/** Lists the operations of a path item, those of methods that OpenAPI has no field for last. */
export function listPathItemOperations(item: Json): readonly PathItemOperation[] {
  const extra = EXTENSION_NAMES.methods;
  return [
    ...jsonMembers(item)
      .filter(([name]) => isPathItemMethod(name))
      .map(([name, operation]) => ({ method: name.toUpperCase(), operation, location: [name] })),
    ...jsonMembers(memberAt(item, extra)).map(([method, operation]) => {
      return { method, operation, location: [extra, method] };
    }),
  ];
}

/** Every operation of a path item that is an object. */
export function getPathItemOperations(item: Json): readonly JsonObject[] {
  return listPathItemOperations(item)
    .map(({ operation }) => operation)
    .filter(isJsonObject);
}

/**
 * Counts the operations of a document: one for each method of each path. A route with an optional part has several paths,
 * and several routes may share a path, so the number differs from that of the methods of routes.
 */
export function countOperations({ paths }: JsonObject): number {
  return jsonMembers(paths).reduce((count, [, item]) => count + getPathItemOperations(item).length, 0);
}
