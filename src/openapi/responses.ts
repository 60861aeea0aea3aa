import type { JsonObject } from '../json.ts';
import type { ResourceContext, ResponseModel, SiteResource } from '../model/site.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { ComponentRegistry } from './component-registry.ts';

/** Creates the Responses Object of an operation. */
export function createResponsesObject(response: ResponseModel, components: ComponentRegistry): JsonObject {
  const schema = createSuccessSchema(response, components);
  const success = omitUndefined({
    description: successDescription(response),
    headers: 'isPaged' in response && response.isPaged ? createPagingHeaders(components) : undefined,
    content: schema === undefined ? undefined : { 'application/json': { schema } },
  });
  const error = components.registerComponent('responses', 'Error', createErrorResponse(components));
  return {
    ...Object.fromEntries(SUCCESS_STATUSES[response.kind].map((status) => [status, success])),
    ...errorResponses(error),
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
    case 'updated':
      return contextComponent(response, components);
    case 'list':
      return { type: 'array', items: contextComponent(response, components) };
    case 'keyed':
      // PHP has one array type, so an object without members is encoded as an empty list.
      return {
        anyOf: [
          { type: 'object', additionalProperties: contextComponent(response, components) },
          { type: 'array', maxItems: 0 },
        ],
      };
    case 'deleted': {
      // With `force` the response confirms the deletion; without, it is the resource in the trash.
      const previous = contextComponent(response, components);
      const deleted = components.registerSchema(`Deleted${response.resource.name}`, {
        type: 'object',
        properties: {
          deleted: { type: 'boolean', description: 'True: the resource was deleted.' },
          previous,
        },
      });
      return { anyOf: [deleted, previous] };
    }
  }
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
    response.resource.contexts.map(({ context, name, schema }) => [
      context,
      components.registerSchema(name, schema),
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
  return current === undefined ? {} : components.registerSchema(current.name, current.schema);
}

/**
 * Status codes of a successful response. A created resource has 200 and 201: WordPress's own controllers send 201, many
 * plugins 200, and the index does not state which.
 */
const SUCCESS_STATUSES: { readonly [kind in ResponseModel['kind']]: readonly string[] } = {
  open: ['200'],
  batch: ['207'],
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

function errorResponses(error: JsonObject): JsonObject {
  return { '4XX': error, '5XX': error };
}

function createErrorResponse(components: ComponentRegistry): JsonObject {
  return {
    description: 'The request was rejected or failed.',
    content: { 'application/json': { schema: components.registerSchema('Error', ERROR_SCHEMA) } },
  };
}

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

/** `WP_Error` as `rest_convert_error_to_response` writes it. */
const ERROR_SCHEMA: JsonObject = {
  type: 'object',
  description: 'An error of the site.',
  properties: {
    code: { type: ['string', 'integer'], description: 'Stable error code: `rest_no_route`.' },
    message: { type: 'string', description: 'Error message in the language of the site.' },
    data: {
      description: 'The status and, for rejected parameters, the reason for each.',
      anyOf: [
        {
          type: 'object',
          properties: {
            status: { type: 'integer' },
            params: {
              description:
                'The reason for each invalid parameter, by name, or the names of missing parameters.',
              anyOf: [
                { type: 'object', additionalProperties: { type: 'string' } },
                { type: 'array', items: { type: 'string' } },
              ],
            },
            details: { description: 'The error of each rejected parameter, by name.' },
          },
        },
        { type: ['array', 'string', 'number', 'boolean', 'null'] },
      ],
    },
    additional_errors: { type: 'array', items: { type: 'object' } },
  },
  required: ['code', 'message'],
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
                  { type: 'array', maxItems: 0 },
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
  Error: ERROR_SCHEMA,
  BatchResult: BATCH_RESULT_SCHEMA,
};
