import { EXTENSION_NAMES, hasMark } from '../../base/document-extensions.ts';
import { groupBy } from '../../base/group-by.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  mapMembers,
  toJsonObject,
} from '../../base/json.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { expandSchema } from '../model/conventions/schema-notation.ts';
import { typesOf } from '../model/schema/keywords.ts';
import type {
  ArgumentField,
  PathParameter,
  RouteOperation,
  SiteOperation,
  SitePath,
  SiteResource,
} from '../model/site.ts';
import common from './common-components.json' with { type: 'json' };
import type { ComponentRegistry } from './component-registry.ts';
import { contentSchemaOf, type SchemaObject } from './document-objects.ts';
import { type AccessNote, findAccess } from './operation-access.ts';
import { findLevel, highestOf } from './operation-levels.ts';
import { createRequestBody, REQUIRED_BODY, readBodySchema } from './request-bodies.ts';
import { createResourceTree, type ResourceDraft, toResourceTitle } from './resource-tree.ts';
import { type BulkSchemas, createErrorCodes, type ResponseSchemas, toResponses } from './responses.ts';

export interface OperationSurroundings {
  readonly tag: string;
  readonly template: string;
  readonly links: LinkTargets;
  readonly userSecurity: readonly JsonObject[];
  readonly bulk: BulkSchemas | undefined;
}

export function createOperationObject(
  operation: SiteOperation,
  schemas: ResponseSchemas,
  { bulk, links, tag, template, userSecurity }: OperationSurroundings,
): JsonObject {
  const { components } = schemas;
  const { routes, method } = operation;
  const [first] = routes;
  const isShared = routes.length > 1;
  const bodies = routes.map((route) => createRequestBody(route, components, bulk?.body));
  const responses = routes.map((route) =>
    withLinks(schemas.createResponsesObject(route, bulk?.result), route, links),
  );
  const errorCodes = createErrorCodes(routes);
  const access = findAccess(method, template, errorCodes ?? []);
  const declared = new Set(routes.flatMap(({ query }) => query.map(({ name }) => name)));
  return omitUndefined({
    tags: [tag],
    summary: first.summary,
    description: joinParagraphs(
      isShared
        ? `The first of these routes that matches handles the request: ${routes.map(quotePattern).join(', ')}.`
        : `Route: ${quotePattern(first)}.`,
      access?.text,
    ),
    operationId: first.id,
    parameters: [
      ...(isShared ? mergeParameterObjects(routes) : createRouteParameterObjects(first)),
      ...createGlobalParameterReferences(method, declared, components),
    ],
    requestBody: isShared ? mergeBodies(bodies) : bodies[0],
    responses: isShared ? mergeResponses(responses) : responses[0],
    [EXTENSION_NAMES.route]: first.pattern,
    [EXTENSION_NAMES.alternatives]: isShared ? createAlternatives(routes, schemas) : undefined,
    [EXTENSION_NAMES.contexts]: isShared ? undefined : schemas.createContextReferences(first.response),
    [EXTENSION_NAMES.forced]: isShared ? undefined : schemas.createForcedExtension(first.response),
    security: access?.isRequired === true ? userSecurity : undefined,
    [EXTENSION_NAMES.access]: access === undefined ? undefined : toAccessExtension(access),
    [EXTENSION_NAMES.level]: highestOf(
      routes.map((route) => findLevel(method, template, route.id, readArguments(route))),
    ),
    [EXTENSION_NAMES.errorCodes]: errorCodes,
    [EXTENSION_NAMES.allowBatch]: routes.some(({ allowBatch }) => allowBatch) ? true : undefined,
    [EXTENSION_NAMES.queryAccepted]: routes.some(({ body }) => body !== undefined) ? true : undefined,
    [EXTENSION_NAMES.openQuery]: routes.some(({ isOpen }) => isOpen === true) ? true : undefined,
  });
}

function readArguments({ body, query }: RouteOperation): ReadonlyMap<string, JsonObject> {
  const fields = jsonMembers(body?.schema['properties']);
  return new Map([
    ...query.map(({ name, schema }) => [name, schema] as const),
    ...fields.map(([name, schema]) => [name, toJsonObject(schema)] as const),
  ]);
}

function joinParagraphs(...paragraphs: readonly (string | undefined)[]): string {
  return paragraphs.filter((each) => each !== undefined).join('\n\n');
}

function quotePattern({ pattern }: RouteOperation): string {
  return `\`${pattern.replaceAll('`', '')}\``;
}

function toAccessExtension({ isForNobody, restricted = [], text }: AccessNote): JsonObject {
  return omitUndefined({
    description: text,
    isForNobody: isForNobody ? true : undefined,
    restricted: restricted.length > 0 ? restricted : undefined,
  });
}

export type LinkTargets = ReadonlyMap<SiteResource, { readonly id: string; readonly parameter: string }>;

export function listLinkTargets(paths: readonly SitePath[]): LinkTargets {
  const items = paths.flatMap(({ operations }) =>
    operations.flatMap(({ method, routes: [{ id, path, response }] }) => {
      const [parameter] = path;
      const isItem = method === 'GET' && response.kind === 'item' && path.length === 1 && parameter;
      return isItem ? [[response.resource, { id, parameter: parameter.name }] as const] : [];
    }),
  );
  return new Map(items.reverse());
}

/** Properties with the id that `_links` leads to (`WP_REST_Posts_Controller::prepare_links`). */
const LINKED_PROPERTIES: { readonly [relation: string]: readonly string[] } = {
  author: ['author'],
  up: ['parent', 'post'],
  'wp:featuredmedia': ['featured_media'],
};

/** OpenAPI's Link objects, e.g. from `author` of a post to the operation that returns a user. */
function withLinks(responses: JsonObject, { response }: RouteOperation, targets: LinkTargets): JsonObject {
  if (response.kind !== 'item' && response.kind !== 'created' && response.kind !== 'updated')
    return responses;
  const { contexts, embedded } = response.resource;
  const properties = toJsonObject(contexts[0]?.schema['properties']);
  const links = embedded.flatMap(({ relation, resources: [resource, ...others] }): [string, Json][] => {
    const target = resource === undefined || others.length > 0 ? undefined : targets.get(resource);
    const property = LINKED_PROPERTIES[relation]?.find((name) => Object.hasOwn(properties, name));
    if (target === undefined || property === undefined) return [];
    const parameters = { [target.parameter]: `$response.body#/${property}` };
    return [[property, { operationId: target.id, parameters }]];
  });
  if (links.length === 0) return responses;
  return mapMembers(responses, (status, declared) =>
    /^2/.test(status) && isJsonObject(declared) && declared['$ref'] === undefined
      ? { ...declared, links: Object.fromEntries(links) }
      : declared,
  );
}

interface TaggedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: SiteOperation;
}

/** One tag for each resource, as the reference has one page, in groups by namespace. */
export function createTags(paths: readonly SitePath[]): {
  readonly tagOf: ReadonlyMap<SiteOperation, string>;
  readonly tags: readonly JsonObject[];
  readonly groups: readonly JsonObject[];
} {
  const tagOf = new Map<SiteOperation, string>();
  const tags = new Map<string, JsonObject>();
  const placed = paths.flatMap(({ operations, template: path }) =>
    operations.map((operation): TaggedOperation => ({ method: operation.method, path, operation })),
  );
  const byNamespace = groupBy(placed, ({ operation }) => operation.routes[0].namespace);
  const groups = Array.from(byNamespace, ([namespace, members]) => {
    const names = new Set<string>();
    const group = namespace === '' ? 'site' : namespace;
    const visit = (draft: ResourceDraft<TaggedOperation>, name: string, titles: readonly string[]): void => {
      const title = titles.join(' / ');
      if (draft.operations.length > 0) {
        names.add(name);
        const description = `${title === '' ? 'Operations' : title} of ${namespace === '' ? 'the site' : `the namespace \`${namespace}\``}.`;
        tags.set(name, { name, description, 'x-displayName': title === '' ? group : title });
      }
      for (const { operation } of draft.operations) tagOf.set(operation.operation, name);
      for (const child of draft.children.values())
        visit(child, `${name}/${child.name}`, [...titles, toResourceTitle(child.name)]);
    };
    visit(createResourceTree(namespace, members), group, []);
    return { name: group, tags: [...names] };
  });
  return { tagOf, tags: [...tags.values()], groups };
}

function createRouteParameterObjects(route: RouteOperation): readonly JsonObject[] {
  return [
    ...route.path.map(createPathParameterObject),
    ...route.query.map(createQueryParameterObject),
    ...(route.body?.upload === 'file' ? [FILE_NAME_HEADER] : []),
  ];
}

/** `WP_REST_Attachments_Controller::upload_from_data()` refuses a file without it. */
const FILE_NAME_HEADER: JsonObject = {
  name: 'Content-Disposition',
  in: 'header',
  description: 'Required if the body is the file itself: `attachment; filename="photo.jpg"`.',
  schema: { type: 'string' },
};

/** Routes that share path template and method are one operation, which accepts what any accepts. */
function createAlternatives(
  routes: readonly RouteOperation[],
  schemas: ResponseSchemas,
): readonly JsonObject[] {
  return routes.map((route) =>
    omitUndefined({
      [EXTENSION_NAMES.route]: route.pattern,
      operationId: route.id,
      summary: route.summary,
      parameters: createRouteParameterObjects(route),
      requestBody: createRequestBody(route, schemas.components),
      response: schemas.createSuccessSchema(route.response),
      [EXTENSION_NAMES.allowBatch]: route.allowBatch ? true : undefined,
    }),
  );
}

function mergeParameterObjects(routes: readonly RouteOperation[]): readonly JsonObject[] {
  const parameters = routes.flatMap(createRouteParameterObjects);
  const byName = groupBy(parameters, ({ in: location, name }) => `${location} ${name}`);
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
    [EXTENSION_NAMES.slashes]: variants.some((variant) => hasMark(variant, 'slashes')) ? true : undefined,
  });
}

function mergeBodies(bodiesOfRoutes: readonly (JsonObject | undefined)[]): JsonObject | undefined {
  const bodies = bodiesOfRoutes.filter((body) => body !== undefined);
  const contents = Object.fromEntries(bodies.flatMap(({ content }) => jsonMembers(content)));
  if (Object.keys(contents).length === 0) return undefined;
  const isRequired = bodiesOfRoutes.every((body) => body?.['required'] === true);
  return {
    ...(isRequired ? REQUIRED_BODY : {}),
    content: mapMembers(contents, (mediaType) => {
      return {
        schema: anyOf(bodies.map((body) => contentSchemaOf(body, mediaType) ?? readBodySchema(body))),
      };
    }),
  };
}

/** A status has a schema only if every route that states the status has one. */
function mergeResponses(all: readonly JsonObject[]): JsonObject {
  const statuses = new Set(all.flatMap((responses) => Object.keys(responses)));
  return toResponses(
    [...statuses].map((status): [string, Json] => {
      const variants = all.map((responses) => responses[status]).filter(isJsonObject);
      const [first = {}] = variants;
      const text = JSON.stringify(first);
      if (variants.every((variant) => JSON.stringify(variant) === text)) return [status, first];
      const schemas = variants.map((variant) => contentSchemaOf(variant));
      const merged = omitUndefined({
        description: 'The response of the route that matches.',
        headers: variants.find(({ headers }) => headers !== undefined)?.['headers'],
        content: schemas.includes(undefined) ? undefined : { 'application/json': { schema: anyOf(schemas) } },
      });
      return [status, merged];
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

const READ_AND_WRITE = ['GET', 'POST', 'PUT', 'PATCH'];
const METHODS_BY_PARAMETER: ReadonlyMap<string, readonly string[]> = new Map([
  ['_fields', [...READ_AND_WRITE, 'DELETE']],
  ['_embed', READ_AND_WRITE],
  ['_envelope', [...READ_AND_WRITE, 'DELETE', 'HEAD', 'OPTIONS', 'TRACE']],
  ['_locale', [...READ_AND_WRITE, 'DELETE', 'HEAD', 'OPTIONS', 'TRACE']],
]);

export const GLOBAL_PARAMETER_NAMES: ReadonlySet<string> = new Set(METHODS_BY_PARAMETER.keys());

/** Without `_jsonp`, `_method`, `_wpnonce` and `rest_route`, which the gateway interprets. */
function createGlobalParameterReferences(
  method: string,
  declared: ReadonlySet<string>,
  components: ComponentRegistry,
): readonly JsonObject[] {
  return common.parameters
    .filter(({ name }) => METHODS_BY_PARAMETER.get(name)?.includes(method) === true && !declared.has(name))
    .map(({ name, schema, ...rest }) =>
      components.registerComponent('parameters', name, { name, ...rest, schema: expandSchema(schema) }),
    );
}

function createPathParameterObject(parameter: PathParameter): JsonObject {
  const { description, deprecated, schema } = liftParameterFields(parameter.schema);
  return omitUndefined({
    name: parameter.name,
    in: 'path',
    description,
    required: true,
    deprecated,
    schema,
    [EXTENSION_NAMES.name]: parameter.name === parameter.siteName ? undefined : parameter.siteName,
    // The template needs a name for every group; the site ignores unnamed ones.
    [EXTENSION_NAMES.unnamed]: parameter.siteName === undefined ? true : undefined,
    [EXTENSION_NAMES.pcre]: parameter.pcre,
    [EXTENSION_NAMES.slashes]: parameter.canContainSlash ? true : undefined,
  });
}

function createQueryParameterObject(field: ArgumentField): JsonObject {
  const { description, deprecated, schema } = liftParameterFields(field.schema);
  return omitUndefined({
    name: field.name,
    in: 'query',
    description,
    required: field.required || field.isNeeded ? true : undefined,
    [EXTENSION_NAMES.needed]: field.isNeeded,
    deprecated,
    ...serializationStyle(schema),
    schema,
  });
}

/**
 * The serialization style that PHP reads.
 * - Lists: PHP keeps only the last value of `a=1&a=2`, but WordPress splits `a=1,2` (`wp_parse_list`): `form`
 *   without `explode`. Clients send values with commas or spaces as `a[]=`.
 * - Objects: `a[k]=v` is `deepObject`. No style describes lists of objects, `a[0][k]=v`.
 * - A list or an object (e.g. `categories`): the list's style, which fits single values too.
 * - Any type (`input` of an ability): the object's style, which only that can express.
 */
function serializationStyle(schema: SchemaObject): { readonly style?: string; readonly explode?: boolean } {
  const kinds = collectValueKinds(schema);
  if (acceptsAnything(schema)) return { style: 'deepObject', explode: true };
  if (kinds.has('nested')) return {};
  if (kinds.has('array')) return { style: 'form', explode: false };
  if (kinds.has('object') && !kinds.has('scalar')) return { style: 'deepObject', explode: true };
  return {};
}

function acceptsAnything(schema: SchemaObject): boolean {
  const types = typesOf(schema);
  const hasOpenItems = jsonMembers(schema['items']).length === 0;
  return types.includes('array') && types.includes('object') && hasOpenItems && schema['oneOf'] === undefined;
}

type ValueKind = 'array' | 'nested' | 'object' | 'scalar';

function collectValueKinds(schema: SchemaObject, depth = 0): ReadonlySet<ValueKind> {
  const kinds = new Set<ValueKind>();
  const types = typesOf(schema);
  for (const type of types) {
    if (type === 'object') kinds.add('object');
    else if (type === 'array') kinds.add(hasContainerItems(schema) ? 'nested' : 'array');
    else if (type !== 'null') kinds.add('scalar');
  }
  if (depth > 4) return kinds;
  const members = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => jsonItems(schema[keyword]));
  for (const member of members.filter(isJsonObject))
    for (const kind of collectValueKinds(member, depth + 1)) kinds.add(kind);
  return kinds;
}

function hasContainerItems(schema: SchemaObject): boolean {
  const types = typesOf(toJsonObject(schema['items']));
  return types.length > 0 && types.every((type) => type === 'object' || type === 'array');
}

function liftParameterFields(schema: SchemaObject): {
  readonly description: Json | undefined;
  readonly deprecated: true | undefined;
  readonly schema: SchemaObject;
} {
  const { description, deprecated, ...rest } = schema;
  return { description, deprecated: deprecated === true ? true : undefined, schema: rest };
}
