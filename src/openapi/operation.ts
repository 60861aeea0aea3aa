import type { JsonObject } from '../json.ts';
import type { RouteOperation, SiteOperation } from '../model/site.ts';
import { createAlternatives, mergeParameters, mergeOperationParts } from './alternatives.ts';
import type { ComponentRegistry } from './component-registry.ts';
import { globalParametersFor } from './global-parameters.ts';
import { compact } from './parameters.ts';
import { createRouteParameters, createOperationParts } from './operation-parts.ts';
import { contextReferences } from './responses.ts';
import { tagName } from './tags.ts';

/** The Operation Object of one method of one path. */
export function createOperation(operation: SiteOperation, components: ComponentRegistry): JsonObject {
  const { routes, method } = operation;
  const [first] = routes;
  const several = routes.length > 1;
  const parts = several ? mergeOperationParts(routes, components) : createOperationParts(first, components);
  const declared = new Set(routes.flatMap(({ query }) => query.map(({ name }) => name)));
  return compact({
    tags: [tagName(first.namespace)],
    summary: first.summary,
    description: several ? describeAlternatives(routes) : undefined,
    operationId: first.id,
    parameters: [
      ...(several ? mergeParameters(routes) : createRouteParameters(first)),
      ...globalParametersFor(method, declared, components),
    ],
    requestBody: parts.requestBody,
    responses: parts.responses,
    'x-waygate-route': first.pattern,
    'x-waygate-alternatives': several ? createAlternatives(routes, components) : undefined,
    'x-waygate-contexts': several ? undefined : contextReferences(first.response, components),
    'x-waygate-allow-batch': routes.some(({ allowBatch }) => allowBatch) ? true : undefined,
    'x-waygate-query-accepted': routes.some(({ body }) => body !== undefined) ? true : undefined,
  });
}

function describeAlternatives(routes: readonly RouteOperation[]): string {
  const list = routes.map(({ pattern }) => `\`${pattern.replaceAll('`', '')}\``).join(', ');
  return `Answered by the first of these routes that fits: ${list}.`;
}
