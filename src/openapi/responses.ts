import { getNeededNames } from '../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, mapMembers } from '../json.ts';
import type { ErrorFacts } from '../model/conventions/error-codes.ts';
import { listErrorCodes } from '../model/conventions/error-codes.ts';
import { LINK_SCHEMA } from '../model/conventions/known-responses.ts';
import type {
  BulkLists,
  EmbeddedRelation,
  ResourceContext,
  ResponseModel,
  RouteOperation,
  SiteResource,
} from '../model/site.ts';
import { omitUndefined } from '../omit-undefined.ts';
import common from './common-components.json' with { type: 'json' };
import type { ComponentRegistry } from './component-registry.ts';

/**
 * `Error` is `WP_Error` as `rest_convert_error_to_response` writes it; the status of a 4xx response comes from its `data`.
 * `ServerError`: an error that states no status has the status 500 and no data; many errors of plugins do.
 * `InvalidParamError`: WP_REST_Request::has_valid_params() and sanitize_params(). `MissingCallbackParamError`: has_valid_params().
 */
const SCHEMAS = { ...common.schemas, Link: LINK_SCHEMA };

/** Schemas of responses that any operation may send. Their names are reserved, so that no resource gets them. */
export const COMMON_RESPONSE_SCHEMAS: { readonly [name: string]: JsonObject } = SCHEMAS;

/** Creates the Responses Object of an operation. */
export function createResponsesObject(route: RouteOperation, components: ComponentRegistry): JsonObject {
  const { response } = route;
  const schema = createSuccessSchema(response, components);
  const success = omitUndefined({
    description: successDescription(response),
    headers: 'isPaged' in response && response.isPaged ? createPagingHeaders(components) : undefined,
    content: schema === undefined ? undefined : { [mediaTypeOf(response)]: { schema } },
  });
  const statuses = SUCCESS_STATUSES[response.kind] ?? ['200'];
  const successes = statuses.map((status): [string, Json] => [status, success]);
  return toResponses([...successes, ...Object.entries(createErrorResponses(route, components))]);
}

/**
 * Creates an object with status codes as names. V8 reserves 5 KB for it, an element for each number up to the largest, unless a
 * far larger number was a name before: then it stores the names in a hash table.
 */
export function toResponses(responses: readonly (readonly [status: string, response: Json])[]): JsonObject {
  const object: { [status: string]: Json } = { 999999: null };
  for (const [status, response] of responses) object[status] = response;
  delete object['999999'];
  return object;
}

/** The schema of a successful response; `undefined` if the index does not describe it. */
export function createSuccessSchema(
  response: ResponseModel,
  components: ComponentRegistry,
): JsonObject | undefined {
  switch (response.kind) {
    case 'open':
      return undefined;
    case 'batch':
      return components.registerSchema('BatchResult', SCHEMAS.BatchResult);
    case 'bulk':
      return components.registerSchemaOf(response, `${response.name}Result`, () =>
        createBulkResult(response.lists, components),
      );
    case 'item':
    case 'created':
    case 'updated': {
      const item = contextComponent(response, components);
      return response.isMaybeEmpty ? { anyOf: [item, EMPTY_OBJECT_SCHEMA] } : item;
    }
    case 'list':
      return { type: 'array', items: contextComponent(response, components) };
    case 'known': {
      const schema = components.registerSchema(response.name, response.schema);
      return response.isList ? { type: 'array', items: schema } : schema;
    }
    case 'keyed': {
      const map = { type: 'object', additionalProperties: contextComponent(response, components) };
      const kind = response.resource.convention?.kind;
      // PHP has one array type, so an object without members is encoded as an empty list.
      return kind !== undefined && NEVER_EMPTY.has(kind)
        ? map
        : { anyOf: [map, { type: 'array', items: {}, maxItems: 0 }] };
    }
    case 'deleted': {
      const item = contextComponent(response, components);
      if (response.deletion === 'item') return item;
      const deleted = registerDeleted(response, components);
      return response.deletion === 'for-good' ? deleted : { anyOf: [deleted, item] };
    }
  }
}

/** The lists of a bulk operation that were not empty, with an item or an error for each. */
function createBulkResult(lists: BulkLists, components: ComponentRegistry): JsonObject {
  const { create, delete: deletion, update } = lists;
  const error = components.registerSchema('BulkItemError', SCHEMAS.BulkItemError);
  const list = (item: JsonObject | undefined): JsonObject => ({
    type: 'array',
    items: item === undefined ? {} : { anyOf: [item, error] },
  });
  const isOpen = create === undefined && update === undefined && deletion === undefined;
  const itemOf = (operation: RouteOperation | undefined): JsonObject | undefined =>
    operation && createSuccessSchema(operation.response, components);
  const deleted = deletion && createForcedSchema(deletion.response, components);
  return {
    description: 'A list that was not sent is absent.',
    type: 'object',
    properties: omitUndefined({
      create: create || isOpen ? list(itemOf(create)) : undefined,
      update: update || isOpen ? list(itemOf(update)) : undefined,
      delete: deletion || isOpen ? list(deleted) : undefined,
    }),
  };
}

function mediaTypeOf(response: ResponseModel): string {
  return response.kind === 'known' ? response.mediaType : 'application/json';
}

const EMPTY_OBJECT_SCHEMA: JsonObject = { type: 'object', additionalProperties: false };

/** The maps of a site that always have a member: `post`, `publish`, and the taxonomies, which are cast to an object. */
const NEVER_EMPTY: ReadonlySet<string> = new Set(['type', 'status', 'taxonomy']);

type DeletedResponse = Extract<ResponseModel, { readonly kind: 'deleted' }>;

/** The confirmation of a final deletion. A plugin's deletion may have another shape, so nothing of it is required. */
function registerDeleted(response: DeletedResponse, components: ComponentRegistry): JsonObject {
  const { deletion, resource } = response;
  const flag = resource.convention?.deletedFlag ?? 'deleted';
  const context = defaultContext(response);
  return components.registerSchemaOf(resource.contexts, `Deleted${resource.name}`, () => ({
    description: 'Confirms that the resource was deleted for good.',
    type: 'object',
    properties: {
      [flag]: {
        ...(deletion === 'unknown' ? { type: 'boolean' } : { type: 'boolean', const: true }),
        description: 'True: the resource was deleted.',
      },
      previous: context === undefined ? {} : createUnlinkedSchema(resource, context, components),
    },
    ...(deletion === 'unknown' ? {} : { required: [flag, 'previous'] }),
  }));
}

/** Creates the extension with the schema of the response to `force=true`; `undefined` if that is unknown. */
export function createForcedExtension(
  response: ResponseModel,
  components: ComponentRegistry,
): JsonObject | undefined {
  const schema = createForcedSchema(response, components);
  const isRequired = response.kind === 'deleted' && response.needsForce;
  return schema && { schema, ...(isRequired ? { required: true } : {}) };
}

function createForcedSchema(response: ResponseModel, components: ComponentRegistry): JsonObject | undefined {
  if (response.kind !== 'deleted' || response.deletion === 'unknown') return undefined;
  return response.deletion === 'item'
    ? contextComponent(response, components)
    : registerDeleted(response, components);
}

/**
 * Creates references to the component of each context: `{ "edit": { "$ref": "#/…/PostEdit" } }`. Returns `undefined` if
 * the client cannot choose the context. The response's schema itself is that of the default context.
 */
export function createContextReferences(
  response: ResponseModel,
  components: ComponentRegistry,
): JsonObject | undefined {
  if (!('resource' in response) || otherContexts(response).length === 0) return undefined;
  return Object.fromEntries(
    response.resource.contexts.map((each) => [
      each.context,
      registerResource(response.resource, each, components),
    ]),
  );
}

type ResourceResponse = Extract<ResponseModel, { readonly resource: SiteResource }>;

/** The contexts whose component differs from the default's, if the client can choose the context. */
function otherContexts(response: ResourceResponse): readonly ResourceContext[] {
  const current = defaultContext(response);
  return response.canSelectContext
    ? response.resource.contexts.filter(({ name }) => name !== current?.name)
    : [];
}

function defaultContext({ resource, context }: ResourceResponse): ResourceContext | undefined {
  return resource.contexts.find((candidate) => candidate.context === context) ?? resource.contexts[0];
}

function contextComponent(response: ResourceResponse, components: ComponentRegistry): JsonObject {
  const current = defaultContext(response);
  return current === undefined ? {} : registerResource(response.resource, current, components);
}

/**
 * Status codes of a successful response if they are others than 200. A created resource has 200 and 201: WordPress's own controllers
 * send 201, many plugins 200, and the index does not state which.
 */
const SUCCESS_STATUSES: { readonly [kind in ResponseModel['kind']]?: readonly string[] } = {
  batch: ['207'],
  created: ['200', '201'],
};

function successDescription(response: ResponseModel): string {
  const others = 'resource' in response ? otherContexts(response) : [];
  const named = others.map(({ context, name }) => `\`${context}\`: ${name}`);
  return named.length > 0
    ? `Success. In other contexts: ${named.join(', ')}.`
    : SUCCESS_DESCRIPTIONS[response.kind];
}

const SUCCESS_DESCRIPTIONS = {
  open: 'The response of the site, which its index does not describe.',
  known: 'Success.',
  batch: 'One response for each request, in their order.',
  bulk: 'The items of each list, in their order, or why one failed.',
  item: 'Success.',
  list: 'Success.',
  keyed: 'Success: an object keyed by name.',
  created: 'The created resource.',
  updated: 'The changed resource.',
  deleted: 'The resource that was deleted or moved to the trash.',
} as const;

function createPagingHeaders(components: ComponentRegistry): JsonObject {
  return mapMembers<JsonObject, JsonObject>(common.headers, (name, header) =>
    components.registerComponent('headers', name, header),
  );
}

/**
 * Registers the component of a resource in one context, with its links and, except in the context `embed`, with the
 * resources that `_embed` adds.
 *
 * @returns a reference to the component
 */
function registerResource(
  resource: SiteResource,
  context: ResourceContext,
  components: ComponentRegistry,
): JsonObject {
  // Contexts with equal schemas share one component, so it is described by the first of them.
  const shared = resource.contexts.find(({ name }) => name === context.name) ?? context;
  return components.registerSchemaOf(shared, shared.name, () => addLinks(resource, shared, components));
}

/** The schema of a resource in one context without links, as the response to a forced deletion contains it. */
function createUnlinkedSchema(
  resource: SiteResource,
  context: ResourceContext,
  components: ComponentRegistry,
): JsonObject {
  const links = resource.convention?.links;
  const isLinked = links !== undefined && links !== 'none' && links.always.length > 0;
  return isLinked ? context.schema : registerResource(resource, context, components);
}

function addLinks(
  resource: SiteResource,
  { context, schema }: ResourceContext,
  components: ComponentRegistry,
): JsonObject {
  const { properties, required } = schema;
  const links = resource.convention?.links;
  const canHaveLinks = isJsonObject(properties) && !Object.hasOwn(properties, '_links');
  if (!canHaveLinks || links === 'none') return schema;
  const added: { [name: string]: Json } = { _links: createLinksReference(resource, components) };
  if (context !== 'embed' && resource.embedded.length > 0 && !Object.hasOwn(properties, '_embedded')) {
    added['_embedded'] = createEmbeddedReference(resource, components);
  }
  const isAlwaysLinked = links !== undefined && links.always.length > 0;
  const all = { ...schema, properties: { ...properties, ...added } };
  return isAlwaysLinked ? { ...all, required: [...jsonItems(required), '_links'] } : all;
}

/** The resources whose links are alike share a component: those of one convention. */
function createLinksReference({ convention }: SiteResource, components: ComponentRegistry): JsonObject {
  const links = convention?.links;
  if (links === undefined || links === 'none') return registerAnyLinks(components);
  const { always, sometimes = [], embeddable = [], name: stated } = links;
  const others = [...sometimes, ...embeddable.map(({ relation }) => relation)];
  const name = stated.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return components.registerSchemaOf(links, `${name}Links`, () =>
    createLinksSchema('The links of the resource by relation.', always, others, components),
  );
}

const ANY_LINKS = {};

function registerAnyLinks(components: ComponentRegistry): JsonObject {
  return components.registerSchemaOf(ANY_LINKS, 'Links', () =>
    createLinksSchema('The links of a resource by relation.', [], [], components),
  );
}

function createLinksSchema(
  description: string,
  always: readonly string[],
  sometimes: readonly string[],
  components: ComponentRegistry,
): JsonObject {
  const link = components.registerSchema('Link', SCHEMAS.Link);
  const list: JsonObject = { type: 'array', items: link };
  const relations = [...new Set([...always, ...sometimes])];
  return {
    description,
    type: 'object',
    ...(always.length > 0 ? { required: always } : {}),
    ...(relations.length > 0
      ? { properties: Object.fromEntries(relations.map((relation) => [relation, list])) }
      : {}),
    additionalProperties: list,
  };
}

/** `_embedded`: each relation has a value for each of its links; a resource that cannot be read is an error. */
function createEmbeddedReference(resource: SiteResource, components: ComponentRegistry): JsonObject {
  return components.registerSchemaOf(resource.embedded, `${resource.name}Embedded`, () => ({
    description: 'The linked resources that `_embed` requests, by relation. An unreadable one is an error.',
    type: 'object',
    properties: Object.fromEntries(
      resource.embedded.map((relation) => [relation.relation, createRelationSchema(relation, components)]),
    ),
  }));
}

function createRelationSchema(
  { isCollection, resources }: EmbeddedRelation,
  components: ComponentRegistry,
): JsonObject {
  const targets = resources.flatMap((target) => {
    const context = target.contexts.find((each) => each.context === 'embed') ?? target.contexts[0];
    return context === undefined ? [] : [registerResource(target, context, components)];
  });
  const known = [...new Map(targets.map((target) => [target['$ref'], target])).values()];
  const distinct = known.length > 0 ? known : [registerAnyResource(components)];
  const error = registerError(components);
  if (!isCollection) return { type: 'array', items: { anyOf: [...distinct, error] } };
  const [only, ...others] = distinct;
  const items: JsonObject = others.length === 0 ? (only ?? {}) : { anyOf: distinct };
  return { type: 'array', items: { anyOf: [{ type: 'array', items }, error] } };
}

const ANY_RESOURCE = {};

/** The resource of a relation whose route the site does not have, or does not describe. */
function registerAnyResource(components: ComponentRegistry): JsonObject {
  return components.registerSchemaOf(ANY_RESOURCE, 'EmbeddedResource', () => ({
    description: 'A resource that the site does not describe.',
    type: 'object',
    properties: { _links: registerAnyLinks(components) },
    additionalProperties: true,
  }));
}

/** Registers the schema of any error of the site. */
function registerError(components: ComponentRegistry): JsonObject {
  return components.registerSchema('Error', SCHEMAS.Error);
}

/** The responses to requests that are rejected or fail, by status. Operations with equal ones share the object. */
function createErrorResponses(route: RouteOperation, components: ComponentRegistry): JsonObject {
  const { hasArguments, hasRequired } = toErrorFacts(route);
  const known = responsesOf.get(components) ?? new Map<string, JsonObject>();
  responsesOf.set(components, known);
  const key = `${hasArguments} ${hasRequired}`;
  const responses = known.get(key) ?? {
    ...(hasArguments ? { '400': createInvalidRequest(hasRequired, components) } : {}),
    ...createOtherErrors(components),
  };
  known.set(key, responses);
  return responses;
}

const responsesOf = new WeakMap<ComponentRegistry, Map<string, JsonObject>>();

function createOtherErrors(components: ComponentRegistry): JsonObject {
  return {
    '4XX': registerErrorResponse('Error', 'The request was rejected.', registerError(components), components),
    '5XX': registerErrorResponse(
      'ServerError',
      'The request failed.',
      components.registerSchema('ServerError', SCHEMAS.ServerError),
      components,
    ),
  };
}

function registerErrorResponse(
  name: string,
  description: string,
  schema: JsonObject,
  components: ComponentRegistry,
): JsonObject {
  const content = { 'application/json': { schema } };
  return components.registerComponent('responses', name, { description, content });
}

/** The extension of an operation that lists the codes of its errors. */
export function createErrorCodes(routes: readonly RouteOperation[]): readonly string[] | undefined {
  const codes = new Set(routes.flatMap((route) => listErrorCodes(toErrorFacts(route))));
  return codes.size === 0 ? undefined : [...codes].sort();
}

function createInvalidRequest(hasRequired: boolean, components: ComponentRegistry): JsonObject {
  const invalid = components.registerSchema('InvalidParamError', SCHEMAS.InvalidParamError);
  const error = registerError(components);
  if (!hasRequired) {
    const description = 'A parameter is invalid, or the request cannot be served.';
    return registerErrorResponse('InvalidParam', description, { anyOf: [invalid, error] }, components);
  }
  const missing = components.registerSchema('MissingCallbackParamError', SCHEMAS.MissingCallbackParamError);
  const description = 'A parameter is invalid or missing, or the request cannot be served.';
  const schema = { anyOf: [invalid, missing, error] };
  return registerErrorResponse('InvalidOrMissingParam', description, schema, components);
}

function toErrorFacts({ body, method, path, pattern, query, response }: RouteOperation): ErrorFacts {
  const fields = body === undefined ? {} : body.schema['properties'];
  const needed = getNeededNames(body?.schema ?? {});
  const required = jsonItems(body?.schema['required']).filter((name) => !needed.has(name));
  const resource = 'resource' in response ? response.resource : undefined;
  return {
    method,
    route: pattern,
    kind: response.kind,
    convention: resource?.convention,
    hasContext: query.some(({ name }) => name === 'context'),
    hasPages: query.some(({ name }) => name === 'page'),
    hasArguments:
      path.length > 0 || query.length > 0 || (isJsonObject(fields) && Object.keys(fields).length > 0),
    hasRequired: query.some((field) => field.required) || required.length > 0,
    hasJsonBody: body !== undefined,
    isItem: path.length > 0,
  };
}
