import { EXTENSION_NAMES, getExtraMethods } from '../document-extensions.ts';
import { isJsonObject, type JsonObject, pointerToken } from '../json.ts';
import { documentError } from './document-access.ts';
import { isPathItemMethod } from './path-items.ts';
import { type RouteOperationEntry, readOperation } from './read-operation.ts';
import { readSite } from './read-site.ts';
import type { ServedApi, ServedOperation, ServedParameter, ServedRoute } from './served-api.ts';

/**
 * Reads what the gateway needs from a document: every route of the site with its operations, references to parameters
 * resolved.
 *
 * Users edit documents. An operation that a user removed is not served. An operation without a route pattern is matched
 * by its path, after all routes of the site; so is a route that the site extension does not list.
 *
 * @throws {ConfigurationError} with the JSON pointer of the part that cannot be used
 */
export function readOperations(document: unknown): ServedApi {
  if (!isJsonObject(document)) {
    throw documentError('', 'is not a JSON object', 'expected an OpenAPI document');
  }
  const { openapi } = document;
  if (typeof openapi !== 'string' || !/^3\.[12]\./.test(openapi)) {
    throw documentError('/openapi', `is ${JSON.stringify(openapi) ?? 'missing'}`, 'expected OpenAPI 3.1');
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
    const known = route.operations.get(operation.method);
    route.operations.set(
      operation.method,
      known === undefined ? operation : joinOperations(known, operation),
    );
  }
  return { address, namespaces, routes: [...byPattern.values()] satisfies ServedRoute[] };
}

function* documentOperations(document: JsonObject): Generator<RouteOperationEntry> {
  const { paths } = document;
  if (!isJsonObject(paths)) throw documentError('/paths', 'is not an object', 'expected path items');
  for (const [path, item] of Object.entries(paths)) {
    if (path.startsWith('x-')) continue;
    const pointer = `/paths${pointerToken(path)}`;
    if (!isJsonObject(item)) throw documentError(pointer, 'is not an object', 'expected a path item');
    const shared = item['parameters'];
    for (const [name, operation] of Object.entries(item)) {
      if (isPathItemMethod(name)) {
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
    const extra = getExtraMethods(item);
    if (extra === undefined) continue;
    const extraPointer = `${pointer}/${EXTENSION_NAMES.methods}`;
    if (!isJsonObject(extra)) {
      throw documentError(extraPointer, 'is not an object', 'expected operations by method');
    }
    for (const [method, operation] of Object.entries(extra)) {
      yield* readOperation({
        document,
        path,
        method,
        operation,
        shared,
        pointer: extraPointer + pointerToken(method),
      });
    }
  }
}

/**
 * Joins the operations of one route at two paths. A route with optional parts has one path for each of its forms; the
 * joined operation accepts the parameters of every form and has the path and the id of the first.
 */
function joinOperations(first: ServedOperation, second: ServedOperation): ServedOperation {
  const isRequired = (all: readonly ServedParameter[], { in: location, name }: ServedParameter): boolean =>
    all.some((parameter) => parameter.in === location && parameter.name === name && parameter.required);
  const parameters = new Map<string, ServedParameter>();
  for (const parameter of [...first.parameters, ...second.parameters]) {
    const key = `${parameter.in} ${parameter.name}`;
    if (parameters.has(key)) continue;
    parameters.set(key, {
      ...parameter,
      required: isRequired(first.parameters, parameter) && isRequired(second.parameters, parameter),
    });
  }
  const body = first.body ?? second.body;
  const { response, responsePointer, contexts } = first.response === undefined ? second : first;
  return {
    ...first,
    allowBatch: first.allowBatch || second.allowBatch,
    parameters: [...parameters.values()],
    ...(body === undefined ? {} : { body }),
    ...(response === undefined ? {} : { response }),
    ...(responsePointer === undefined ? {} : { responsePointer }),
    ...(contexts === undefined ? {} : { contexts }),
  };
}

/** The longest namespace that contains a route of unknown registration; empty if none does. */
function longestNamespace(pattern: string, namespaces: readonly string[]): string {
  return namespaces
    .filter((namespace) => `${pattern}/`.startsWith(`/${namespace}/`))
    .reduce((longest, namespace) => (namespace.length > longest.length ? namespace : longest), '');
}
