import type { JsonObject } from '../json.ts';
import type { RouteOperation, SiteOperation } from '../model/site.ts';
import { alternatives, mergedParameters, mergedView } from './alternatives.ts';
import type { Components } from './components.ts';
import { globalsFor } from './globals.ts';
import { compact } from './parameters.ts';
import { parametersOf, partsOf } from './parts.ts';
import { contextReferences } from './responses.ts';
import { tagOf } from './tags.ts';

/** The Operation Object of one method of one path. */
export function operationObject(operation: SiteOperation, components: Components): JsonObject {
  const { routes, method } = operation;
  const [first] = routes;
  const several = routes.length > 1;
  const parts = several ? mergedView(routes, components) : partsOf(first, components);
  const declared = new Set(routes.flatMap(({ query }) => query.map(({ name }) => name)));
  return compact({
    tags: [tagOf(first.namespace)],
    summary: first.summary,
    description: several ? describeAlternatives(routes) : undefined,
    operationId: first.id,
    parameters: [
      ...(several ? mergedParameters(routes) : parametersOf(first)),
      ...globalsFor(method, declared, components),
    ],
    requestBody: parts.requestBody,
    responses: parts.responses,
    'x-waygate-route': first.pattern,
    'x-waygate-alternatives': several ? alternatives(routes, components) : undefined,
    'x-waygate-contexts': several ? undefined : contextReferences(first.answer, components),
    'x-waygate-allow-batch': routes.some(({ allowBatch }) => allowBatch) ? true : undefined,
    'x-waygate-query-accepted': routes.some(({ body }) => body !== undefined) ? true : undefined,
  });
}

function describeAlternatives(routes: readonly RouteOperation[]): string {
  const list = routes.map(({ pattern }) => `\`${pattern.replaceAll('`', '')}\``).join(', ');
  return `Answered by the first of these routes that fits: ${list}.`;
}
