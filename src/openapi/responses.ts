import type { JsonObject } from '../json.ts';
import { LINK_SCHEMA } from '../model/conventions/known-response-schemas.ts';
import type { ResourceContext, ResponseModel, RouteOperation, SiteResource } from '../model/site.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { ComponentRegistry } from './component-registry.ts';
import { createErrorResponses, ERROR_SCHEMAS } from './errors.ts';
import { createUnlinkedSchema, registerResource } from './resource-components.ts';

/** Creates the Responses Object of an operation. */
export function createResponsesObject(route: RouteOperation, components: ComponentRegistry): JsonObject {
  const { response } = route;
  const schema = createSuccessSchema(response, components);
  const success = omitUndefined({
    description: successDescription(response),
    headers: 'isPaged' in response && response.isPaged ? createPagingHeaders(components) : undefined,
    content: schema === undefined ? undefined : { [mediaTypeOf(response)]: { schema } },
  });
  return {
    ...Object.fromEntries(SUCCESS_STATUSES[response.kind].map((status) => [status, success])),
    ...createErrorResponses(route, components),
  };
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
      return components.registerSchema('BatchResult', BATCH_RESULT_SCHEMA);
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
      const deleted = registerDeleted(response, components);
      return response.deletion === 'for-good'
        ? deleted
        : { anyOf: [deleted, contextComponent(response, components)] };
    }
  }
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
  const context = defaultContext(response);
  return components.registerSchemaOf(resource.contexts, `Deleted${resource.name}`, () => ({
    description: 'Confirms that the resource was deleted for good.',
    type: 'object',
    properties: {
      deleted: {
        ...(deletion === 'unknown' ? { type: 'boolean' } : { type: 'boolean', const: true }),
        description: 'True: the resource was deleted.',
      },
      previous: context === undefined ? {} : createUnlinkedSchema(resource, context, components),
    },
    ...(deletion === 'unknown' ? {} : { required: ['deleted', 'previous'] }),
  }));
}

/** Creates the extension with the schema of the response to `force=true`; `undefined` if that is unknown. */
export function createForcedExtension(
  response: ResponseModel,
  components: ComponentRegistry,
): JsonObject | undefined {
  return response.kind === 'deleted' && response.deletion !== 'unknown'
    ? { schema: registerDeleted(response, components) }
    : undefined;
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
 * Status codes of a successful response. A created resource has 200 and 201: WordPress's own controllers send 201, many
 * plugins 200, and the index does not state which.
 */
const SUCCESS_STATUSES: { readonly [kind in ResponseModel['kind']]: readonly string[] } = {
  open: ['200'],
  batch: ['207'],
  known: ['200'],
  item: ['200'],
  list: ['200'],
  keyed: ['200'],
  created: ['200', '201'],
  updated: ['200'],
  deleted: ['200'],
};

function successDescription(response: ResponseModel): string {
  switch (response.kind) {
    case 'open':
      return 'The response of the site, which its index does not describe.';
    case 'known':
      return 'Success.';
    case 'batch':
      return 'One response for each request, in their order.';
    default: {
      const named = otherContexts(response).map(({ context, name }) => `\`${context}\`: ${name}`);
      return named.length > 0
        ? `Success. In other contexts: ${named.join(', ')}.`
        : SUCCESS_DESCRIPTIONS[response.kind];
    }
  }
}

const SUCCESS_DESCRIPTIONS = {
  item: 'Success.',
  list: 'Success.',
  keyed: 'Success: an object keyed by name.',
  created: 'The created resource.',
  updated: 'The changed resource.',
  deleted: 'The resource that was deleted or moved to the trash.',
} as const;

function createPagingHeaders(components: ComponentRegistry): JsonObject {
  return Object.fromEntries(
    Object.entries(PAGING_HEADERS).map(([name, header]) => [
      name,
      components.registerComponent('headers', name, header),
    ]),
  );
}

const PAGING_HEADERS: { readonly [name: string]: JsonObject } = {
  'X-WP-Total': { description: 'Number of items on all pages.', schema: { type: 'integer', minimum: 0 } },
  'X-WP-TotalPages': { description: 'Number of pages.', schema: { type: 'integer', minimum: 0 } },
  Link: { description: 'Links to the next and the previous page (RFC 8288).', schema: { type: 'string' } },
};

const BATCH_RESULT_SCHEMA: JsonObject = {
  type: 'object',
  description: 'The responses to a batch, and the reason if the batch failed as a whole.',
  properties: {
    failed: {
      type: 'string',
      enum: ['validation'],
      description: 'Present if no request was run, because at least one is invalid.',
    },
    responses: {
      type: 'array',
      description: 'One response for each request, in their order; null for a request that was not run.',
      items: {
        anyOf: [
          {
            type: 'object',
            properties: {
              body: {},
              status: { type: 'integer' },
              headers: {
                anyOf: [
                  { type: 'object', additionalProperties: true },
                  { type: 'array', items: {}, maxItems: 0 },
                ],
              },
            },
            required: ['body', 'status', 'headers'],
          },
          { type: 'null' },
        ],
      },
    },
  },
  required: ['responses'],
};

/** Schemas of responses that any operation may send. Their names are reserved, so that no resource gets them. */
export const COMMON_RESPONSE_SCHEMAS: { readonly [name: string]: JsonObject } = {
  ...ERROR_SCHEMAS,
  BatchResult: BATCH_RESULT_SCHEMA,
  Link: LINK_SCHEMA,
};
