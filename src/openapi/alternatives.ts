import type { Json, JsonObject } from '../json.ts';
import type { RouteOperation } from '../model/site.ts';
import { readBodyFields } from './bodies.ts';
import type { ComponentRegistry } from './component-registry.ts';
import { compact } from './parameters.ts';
import { type OperationParts, createRouteParameters, createOperationParts } from './operation-parts.ts';
import { successSchema } from './responses.ts';

/**
 * Several routes with one template and one method, which no slash tells apart: OpenAPI has one place for them. The
 * operation shows what any of them takes; under `x-waygate-alternatives` each stands whole, in the site's order.
 */
export function createAlternatives(
  routes: readonly RouteOperation[],
  components: ComponentRegistry,
): readonly JsonObject[] {
  return routes.map((route) =>
    compact({
      'x-waygate-route': route.pattern,
      operationId: route.id,
      summary: route.summary,
      parameters: createRouteParameters(route),
      requestBody: createOperationParts(route, components).requestBody,
      response: successSchema(route.response, components),
      'x-waygate-allow-batch': route.allowBatch ? true : undefined,
    }),
  );
}

/** A value is right if any route takes it, and missing only if every route misses it. */
export function mergeParameters(routes: readonly RouteOperation[]): readonly JsonObject[] {
  const byName = new Map<string, JsonObject[]>();
  for (const route of routes) {
    for (const parameter of createRouteParameters(route)) {
      const key = `${parameter['in']} ${parameter['name']}`;
      const before = byName.get(key);
      if (before === undefined) byName.set(key, [parameter]);
      else before.push(parameter);
    }
  }
  return [...byName.values()].map((given) => mergeParameter(given, routes.length));
}

function mergeParameter(given: readonly JsonObject[], routes: number): JsonObject {
  const [first = {}] = given;
  const everywhere = given.length === routes && given.every(({ required }) => required === true);
  const agreed = (key: string): Json | undefined =>
    given.every((each) => JSON.stringify(each[key]) === JSON.stringify(first[key])) ? first[key] : undefined;
  const styled = given.find(({ style }) => style !== undefined);
  return compact({
    name: first['name'],
    in: first['in'],
    description: given.find(({ description }) => description !== undefined)?.['description'],
    required: everywhere ? true : undefined,
    deprecated: agreed('deprecated'),
    style: styled?.['style'],
    explode: styled?.['explode'],
    schema: anyOf(given.map(({ schema }) => schema)),
    'x-waygate-name': agreed('x-waygate-name'),
    'x-waygate-pcre': agreed('x-waygate-pcre'),
    'x-waygate-slashes': given.some((each) => each['x-waygate-slashes'] === true) ? true : undefined,
    'x-waygate-part-of': agreed('x-waygate-part-of'),
  });
}

export function mergeOperationParts(routes: readonly RouteOperation[], components: ComponentRegistry): OperationParts {
  const parts = routes.map((route) => createOperationParts(route, components));
  return { requestBody: mergeBodies(parts), responses: mergeResponses(parts) };
}

/** The widest form first: a media type that any route takes, with the fields of each. */
function mergeBodies(parts: readonly OperationParts[]): JsonObject | undefined {
  const bodies = parts.map(({ requestBody }) => requestBody).filter((body) => body !== undefined);
  const contents = bodies.map((body) => entriesOf(body['content']));
  const mediaTypes = new Set(contents.flatMap((content) => content.map(([name]) => name)));
  if (mediaTypes.size === 0) return undefined;
  const schemaOf = (index: number, mediaType: string): Json | undefined => {
    const entry = contents[index]?.find(([name]) => name === mediaType)?.[1];
    return Object.fromEntries(entriesOf(entry))['schema'] ?? readBodyFields(bodies[index] ?? {});
  };
  return {
    content: Object.fromEntries(
      [...mediaTypes].map((mediaType) => [
        mediaType,
        { schema: anyOf(bodies.map((_, index) => schemaOf(index, mediaType))) },
      ]),
    ),
  };
}

/** A status keeps its schema where all routes that answer it have one; where one says nothing, nothing is said. */
function mergeResponses(parts: readonly OperationParts[]): JsonObject {
  const statuses = new Set(parts.flatMap(({ responses }) => Object.keys(responses)));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const answers = parts.flatMap(({ responses }) =>
        entriesOf(responses[status]).length > 0 ? [Object.fromEntries(entriesOf(responses[status]))] : [],
      );
      const [first = {}] = answers;
      if (answers.every((answer) => JSON.stringify(answer) === JSON.stringify(first))) return [status, first];
      const schemas = answers.map(({ content }) => {
        const json = Object.fromEntries(entriesOf(content))['application/json'];
        return Object.fromEntries(entriesOf(json))['schema'];
      });
      return [
        status,
        compact({
          description: 'What the route that fits answers.',
          headers: answers.find(({ headers }) => headers !== undefined)?.['headers'],
          content: schemas.includes(undefined)
            ? undefined
            : { 'application/json': { schema: anyOf(schemas) } },
        }),
      ];
    }),
  );
}

function anyOf(schemas: readonly (Json | undefined)[]): Json {
  const distinct = new Map(
    schemas.flatMap((schema) => (schema === undefined ? [] : [[JSON.stringify(schema), schema]])),
  );
  const [only, ...others] = distinct.values();
  return others.length === 0 ? (only ?? {}) : { anyOf: [...distinct.values()] };
}

function entriesOf(value: Json | undefined): [string, Json][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}
