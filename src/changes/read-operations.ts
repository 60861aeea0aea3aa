import { getExtraMethods } from '../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../json.ts';
import { isPathItemMethod } from '../openapi/path-items.ts';

/** An operation of a document. */
export interface ComparedOperation {
  /** Method and path template: `GET /wp/v2/posts/{id}`. */
  readonly name: string;
  readonly operation: JsonObject;
  /** The parameters of the path item and of the operation; those of the operation replace those of the path item. */
  readonly parameters: readonly Json[];
}

/**
 * Reads the operations of a document, by method and path template without the names of parameters (`GET /wp/v2/posts/{}`):
 * templates that differ in these names only mean the same path.
 */
export function readOperations(document: JsonObject): ReadonlyMap<string, ComparedOperation> {
  const operations = new Map<string, ComparedOperation>();
  for (const [path, item] of jsonMembers(document['paths'])) {
    if (!isJsonObject(item)) continue;
    const standard = Object.entries(item).filter(([name]) => isPathItemMethod(name));
    for (const [method, operation] of [...standard, ...jsonMembers(getExtraMethods(item))]) {
      if (!isJsonObject(operation)) continue;
      const name = `${method.toUpperCase()} ${path}`;
      const key = name.replace(/\{[^{}]*\}/g, '{}');
      const parameters = [...jsonItems(operation['parameters']), ...jsonItems(item['parameters'])];
      if (!operations.has(key)) operations.set(key, { name, operation, parameters });
    }
  }
  return operations;
}

/** The names of an operation's path parameters, in the order of the path template. */
export function pathParameterNames({ name }: ComparedOperation): readonly string[] {
  return [...name.matchAll(/\{([^{}]*)\}/g)].map(([, parameter = '']) => parameter);
}
