import { EXTENSION_NAMES } from '../document-extensions.ts';
import type { JsonObject } from '../json.ts';
import type { RouteOperation, SiteOperation, SitePath } from '../model/site.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { createAlternatives, mergeOperationParts, mergeParameterObjects } from './alternatives.ts';
import type { ComponentRegistry } from './component-registry.ts';
import { createErrorCodes } from './errors.ts';
import { createGlobalParameterReferences } from './global-parameters.ts';
import { createOperationParts, createRouteParameterObjects } from './operation-parts.ts';
import { createContextReferences, createForcedExtension } from './responses.ts';

/** Creates the Operation Object of one method of one path. */
export function createOperationObject(operation: SiteOperation, components: ComponentRegistry): JsonObject {
  const { routes, method } = operation;
  const [first] = routes;
  const isShared = routes.length > 1;
  const parts = isShared ? mergeOperationParts(routes, components) : createOperationParts(first, components);
  const declared = new Set(routes.flatMap(({ query }) => query.map(({ name }) => name)));
  return omitUndefined({
    tags: [tagName(first.namespace)],
    summary: first.summary,
    description: isShared ? describeAlternatives(routes) : `Route: ${quotePattern(first)}.`,
    operationId: first.id,
    parameters: [
      ...(isShared ? mergeParameterObjects(routes) : createRouteParameterObjects(first)),
      ...createGlobalParameterReferences(method, declared, components),
    ],
    requestBody: parts.requestBody,
    responses: parts.responses,
    [EXTENSION_NAMES.route]: first.pattern,
    [EXTENSION_NAMES.alternatives]: isShared ? createAlternatives(routes, components) : undefined,
    [EXTENSION_NAMES.contexts]: isShared ? undefined : createContextReferences(first.response, components),
    [EXTENSION_NAMES.forced]: isShared ? undefined : createForcedExtension(first.response, components),
    [EXTENSION_NAMES.errorCodes]: createErrorCodes(routes),
    [EXTENSION_NAMES.allowBatch]: routes.some(({ allowBatch }) => allowBatch) ? true : undefined,
    [EXTENSION_NAMES.queryAccepted]: routes.some(({ body }) => body !== undefined) ? true : undefined,
  });
}

function describeAlternatives(routes: readonly RouteOperation[]): string {
  return `The first of these routes that matches handles the request: ${routes.map(quotePattern).join(', ')}.`;
}

function quotePattern({ pattern }: RouteOperation): string {
  return `\`${pattern.replaceAll('`', '')}\``;
}

/** The tag of operations outside all namespaces: the root index and the batch route. */
const ROOT_TAG = 'site';

/** The name of the tag that groups the operations of a namespace. */
function tagName(namespace: string): string {
  return namespace === '' ? ROOT_TAG : namespace;
}

/** Creates the Tag Objects of a document, in the order of the paths. */
export function createTagObjects(paths: readonly SitePath[]): readonly JsonObject[] {
  const namespaces = paths.flatMap(({ operations }) => operations.map(({ routes }) => routes[0].namespace));
  return [...new Set(namespaces)].map((namespace) => ({
    name: tagName(namespace),
    description: namespace === '' ? 'Operations outside all namespaces.' : `The namespace \`${namespace}\`.`,
  }));
}
