import { isJsonObject, type Json, type JsonObject, pointerToken } from '../json.ts';
import { PATH_ITEM_METHODS } from './methods.ts';
import { type RouteOperationEntry, readOperation } from './read-operation.ts';
import { readSite } from './read-site.ts';
import { documentError } from './refusal.ts';
import type { ServedApi, ServedOperation, ServedParameter, ServedRoute } from './served-api.ts';

/**
 * What the run side needs of a document: every route of the site with its operations, references to parameters
 * followed. The only reader of the `x-waygate` extensions.
 *
 * Documents are edited by hand. What was taken away is not served; an operation that was added without
 * `x-waygate-route` is matched by its path, after all routes of the site; a route that the root does not list likewise.
 *
 * @throws ConfigurationError with the JSON pointer of what cannot be used.
 */
export function readOperations(document: unknown): ServedApi {
  if (!isJsonObject(document)) throw documentError('', 'is not a JSON object', 'give an OpenAPI document');
  const { openapi } = document;
  if (typeof openapi !== 'string' || !/^3\.[12]\./.test(openapi)) {
    throw documentError(
      '/openapi',
      `is ${JSON.stringify(openapi) ?? 'missing'}`,
      'documents of OpenAPI 3.1 are read',
    );
  }
  const { address, namespaces, routes } = readSite(document);
  const byPattern = new Map(
    routes.map((route) => [route.pattern, { ...route, operations: new Map<string, ServedOperation>() }]),
  );
  for (const { pattern, operation } of documentOperations(document)) {
    let route = byPattern.get(pattern);
    if (route === undefined) {
      route = { pattern, namespace: longestNamespace(pattern, namespaces), operations: new Map() };
      byPattern.set(pattern, route);
    }
    const before = route.operations.get(operation.method);
    route.operations.set(operation.method, before === undefined ? operation : joinOperations(before, operation));
  }
  return { address, namespaces, routes: [...byPattern.values()] satisfies ServedRoute[] };
}

function* documentOperations(document: JsonObject): Generator<RouteOperationEntry> {
  const { paths } = document;
  if (!isJsonObject(paths))
    throw documentError('/paths', 'is not an object', 'a document has its operations there');
  for (const [path, item] of Object.entries(paths)) {
    const pointer = `/paths${pointerToken(path)}`;
    if (path.startsWith('x-')) continue;
    if (!isJsonObject(item)) throw documentError(pointer, 'is not an object', 'a path has its operations there');
    const shared = item['parameters'];
    for (const [name, operation] of Object.entries(item)) {
      if (PATH_ITEM_METHODS.has(name)) {
        yield* readOperation({
          document,
          path,
          method: name.toUpperCase(),
          operation,
          shared,
          pointer: pointer + pointerToken(name),
        });
      }
    }
    const others: Json | undefined = item['x-waygate-methods'];
    if (others === undefined) continue;
    const at = `${pointer}/x-waygate-methods`;
    if (!isJsonObject(others)) throw documentError(at, 'is not an object', 'it holds operations by method');
    for (const [method, operation] of Object.entries(others)) {
      yield* readOperation({ document, path, method, operation, shared, pointer: at + pointerToken(method) });
    }
  }
}

/**
 * A route with optional parts has one path for each of its forms, and one operation here: what any form takes. The path
 * and the id are those of the first.
 */
function joinOperations(one: ServedOperation, other: ServedOperation): ServedOperation {
  const required = (all: readonly ServedParameter[], its: ServedParameter): boolean =>
    all.some((each) => each.in === its.in && each.name === its.name && each.required);
  const parameters = new Map<string, ServedParameter>();
  for (const each of [...one.parameters, ...other.parameters]) {
    const key = `${each.in} ${each.name}`;
    if (parameters.has(key)) continue;
    parameters.set(key, {
      ...each,
      required: required(one.parameters, each) && required(other.parameters, each),
    });
  }
  const body = one.body ?? other.body;
  const { response, responsePointer, contexts } = one.response === undefined ? other : one;
  return {
    ...one,
    allowBatch: one.allowBatch || other.allowBatch,
    parameters: [...parameters.values()],
    ...(body === undefined ? {} : { body }),
    ...(response === undefined ? {} : { response }),
    ...(responsePointer === undefined ? {} : { responsePointer }),
    ...(contexts === undefined ? {} : { contexts }),
  };
}

/** The longest namespace that a route of unknown registration stands in. */
function longestNamespace(pattern: string, namespaces: readonly string[]): string {
  return namespaces
    .filter((each) => `${pattern}/`.startsWith(`/${each}/`))
    .reduce((longest, each) => (each.length > longest.length ? each : longest), '');
}
