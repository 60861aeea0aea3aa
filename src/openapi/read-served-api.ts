import { EXTENSION_NAMES, getExtraMethods } from '../document-extensions.ts';
import { isJsonObject, type JsonObject, toPointerSegment } from '../json.ts';
import { runSteps, type Steps } from '../steps.ts';
import { createDocumentError } from './document-references.ts';
import { isPathItemMethod } from './path-items.ts';
import { type RouteOperationEntry, readRouteOperations } from './read-route-operations.ts';
import { readSiteExtension } from './read-site-extension.ts';
import type { ServedApi, ServedOperation, ServedParameter, ServedRoute } from './served-api.ts';

/**
 * Reads the routes of a site and their operations from a document. References to parameters are resolved.
 *
 * Users edit documents. An operation that a user removed is not served. Routes that the site
 * extension does not list are matched after all others. An operation without a route pattern is matched by its path.
 *
 * @param siteUrl the site's base URL; needed for a document that a gateway served, which does not contain it
 * @throws {ConfigurationError} with the JSON pointer of the part that cannot be used
 */
export function readServedApi(document: unknown, siteUrl?: string): ServedApi {
  return runSteps(readServedApiInSteps(document, siteUrl));
}

/** Does the work of {@link readServedApi} in steps of one operation. */
export function* readServedApiInSteps(document: unknown, siteUrl?: string): Steps<ServedApi> {
  if (!isJsonObject(document)) {
    throw createDocumentError('', 'is not a JSON object', 'expected an OpenAPI document');
  }
  const { openapi } = document;
  if (typeof openapi !== 'string' || !/^3\.[12]\./.test(openapi)) {
    throw createDocumentError(
      '/openapi',
      `is ${JSON.stringify(openapi) ?? 'missing'}`,
      'expected OpenAPI 3.1',
    );
  }
  const { address, namespaces, routes } = readSiteExtension(document, siteUrl);
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
    yield;
  }
  return { address, namespaces, routes: [...byPattern.values()] satisfies ServedRoute[] };
}

function* documentOperations(document: JsonObject): Generator<RouteOperationEntry> {
  const { paths } = document;
  if (!isJsonObject(paths)) throw createDocumentError('/paths', 'is not an object', 'expected path items');
  for (const [path, item] of Object.entries(paths)) {
    if (path.startsWith('x-')) continue;
    const pointer = `/paths${toPointerSegment(path)}`;
    if (!isJsonObject(item)) throw createDocumentError(pointer, 'is not an object', 'expected a path item');
    const pathItemParameters = item['parameters'];
    for (const [name, operation] of Object.entries(item)) {
      if (isPathItemMethod(name)) {
        yield* readRouteOperations({
          document,
          path,
          method: name.toUpperCase(),
          operation,
          pathItemParameters,
          pointer: pointer + toPointerSegment(name),
        });
      }
    }
    const extra = getExtraMethods(item);
    if (extra === undefined) continue;
    const extraPointer = `${pointer}/${EXTENSION_NAMES.methods}`;
    if (!isJsonObject(extra)) {
      throw createDocumentError(extraPointer, 'is not an object', 'expected operations by method');
    }
    for (const [method, operation] of Object.entries(extra)) {
      yield* readRouteOperations({
        document,
        path,
        method,
        operation,
        pathItemParameters,
        pointer: extraPointer + toPointerSegment(method),
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
  const bodySchema = first.bodySchema ?? second.bodySchema;
  const { responseSchema, responsePointer, contextReferences } =
    first.responseSchema === undefined ? second : first;
  return {
    ...first,
    allowBatch: first.allowBatch || second.allowBatch,
    parameters: [...parameters.values()],
    ...(bodySchema === undefined ? {} : { bodySchema }),
    ...(responseSchema === undefined ? {} : { responseSchema }),
    ...(responsePointer === undefined ? {} : { responsePointer }),
    ...(contextReferences === undefined ? {} : { contextReferences }),
  };
}

/** The longest namespace that contains a route of unknown registration; empty if none does. */
function longestNamespace(pattern: string, namespaces: readonly string[]): string {
  return namespaces
    .filter((namespace) => `${pattern}/`.startsWith(`/${namespace}/`))
    .reduce((longest, namespace) => (namespace.length > longest.length ? namespace : longest), '');
}
