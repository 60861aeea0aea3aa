import { EXTENSION_NAMES } from '../document-extensions.ts';
import { type Json, type JsonObject, jsonMembers } from '../json.ts';
import type { RouteOperation } from '../model/site.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { ComponentRegistry } from './component-registry.ts';
import { createOperationParts, createRouteParameterObjects, type OperationParts } from './operation-parts.ts';
import { REQUIRED_BODY, readBodySchema } from './request-bodies.ts';
import { createSuccessSchema } from './responses.ts';

/**
 * Creates the extension `alternatives` for routes that share a path template and a method, for which OpenAPI has only one
 * operation. The operation describes what any of the routes accepts; the extension describes each route completely, in
 * the site's order.
 */
export function createAlternatives(
  routes: readonly RouteOperation[],
  components: ComponentRegistry,
): readonly JsonObject[] {
  return routes.map((route) =>
    omitUndefined({
      [EXTENSION_NAMES.route]: route.pattern,
      operationId: route.id,
      summary: route.summary,
      parameters: createRouteParameterObjects(route),
      requestBody: createOperationParts(route, components).requestBody,
      response: createSuccessSchema(route.response, components),
      [EXTENSION_NAMES.allowBatch]: route.allowBatch ? true : undefined,
    }),
  );
}

/** Merges the parameters of routes: any schema of a parameter may match; it is required if every route requires it. */
export function mergeParameterObjects(routes: readonly RouteOperation[]): readonly JsonObject[] {
  const byName = new Map<string, JsonObject[]>();
  for (const route of routes) {
    for (const parameter of createRouteParameterObjects(route)) {
      const key = `${parameter['in']} ${parameter['name']}`;
      const known = byName.get(key);
      if (known === undefined) byName.set(key, [parameter]);
      else known.push(parameter);
    }
  }
  return [...byName.values()].map((variants) => mergeParameter(variants, routes.length));
}

function mergeParameter(variants: readonly JsonObject[], routes: number): JsonObject {
  const [first = {}] = variants;
  const everywhere = variants.length === routes && variants.every(({ required }) => required === true);
  const agreed = (key: string): Json | undefined =>
    variants.every((parameter) => JSON.stringify(parameter[key]) === JSON.stringify(first[key]))
      ? first[key]
      : undefined;
  const styled = variants.find(({ style }) => style !== undefined);
  return omitUndefined({
    name: first['name'],
    in: first['in'],
    description: variants.find(({ description }) => description !== undefined)?.['description'],
    required: everywhere ? true : undefined,
    deprecated: agreed('deprecated'),
    style: styled?.['style'],
    explode: styled?.['explode'],
    schema: anyOf(variants.map(({ schema }) => schema)),
    [EXTENSION_NAMES.name]: agreed(EXTENSION_NAMES.name),
    [EXTENSION_NAMES.pcre]: agreed(EXTENSION_NAMES.pcre),
    [EXTENSION_NAMES.slashes]: variants.some((parameter) => parameter[EXTENSION_NAMES.slashes] === true)
      ? true
      : undefined,
    [EXTENSION_NAMES.partOf]: agreed(EXTENSION_NAMES.partOf),
  });
}

export function mergeOperationParts(
  routes: readonly RouteOperation[],
  components: ComponentRegistry,
): OperationParts {
  const parts = routes.map((route) => createOperationParts(route, components));
  return { requestBody: mergeBodies(parts), responses: mergeResponses(parts) };
}

/** Merges request bodies: each media type that any route accepts, with the fields of every route. */
function mergeBodies(parts: readonly OperationParts[]): JsonObject | undefined {
  const bodies = parts.map(({ requestBody }) => requestBody).filter((body) => body !== undefined);
  const contents = bodies.map((body) => jsonMembers(body['content']));
  const mediaTypes = new Set(contents.flatMap((content) => content.map(([name]) => name)));
  if (mediaTypes.size === 0) return undefined;
  const schemaOf = (index: number, mediaType: string): Json | undefined => {
    const entry = contents[index]?.find(([name]) => name === mediaType)?.[1];
    return Object.fromEntries(jsonMembers(entry))['schema'] ?? readBodySchema(bodies[index] ?? {});
  };
  const isRequired = bodies.length === parts.length && bodies.every(({ required }) => required === true);
  return {
    ...(isRequired ? REQUIRED_BODY : {}),
    content: Object.fromEntries(
      [...mediaTypes].map((mediaType) => [
        mediaType,
        { schema: anyOf(bodies.map((_, index) => schemaOf(index, mediaType))) },
      ]),
    ),
  };
}

/** Merges responses. A status has a schema only if every route that states the status has one. */
function mergeResponses(parts: readonly OperationParts[]): JsonObject {
  const statuses = new Set(parts.flatMap(({ responses }) => Object.keys(responses)));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const variants = parts
        .map(({ responses }) => Object.fromEntries(jsonMembers(responses[status])))
        .filter((variant) => Object.keys(variant).length > 0);
      const [first = {}] = variants;
      const text = JSON.stringify(first);
      if (variants.every((variant) => JSON.stringify(variant) === text)) return [status, first];
      const schemas = variants.map(({ content }) => {
        const json = Object.fromEntries(jsonMembers(content))['application/json'];
        return Object.fromEntries(jsonMembers(json))['schema'];
      });
      return [
        status,
        omitUndefined({
          description: 'The response of the route that matches.',
          headers: variants.find(({ headers }) => headers !== undefined)?.['headers'],
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
