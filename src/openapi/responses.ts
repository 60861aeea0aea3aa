import type { JsonObject } from '../json.ts';
import type { ResponseModel, SiteResource, ResourceContext } from '../model/site.ts';
import type { ComponentRegistry } from './component-registry.ts';
import { compact } from './parameters.ts';

/** The Responses Object of an operation. */
export function responses(answer: ResponseModel, components: ComponentRegistry): JsonObject {
  const schema = successSchema(answer, components);
  const success = compact({
    description: successDescription(answer),
    headers: 'paged' in answer && answer.isPaged ? createPagingHeaders(components) : undefined,
    content: schema === undefined ? undefined : { 'application/json': { schema } },
  });
  const error = components.sharedComponent('responses', 'Error', createErrorResponse(components));
  return {
    ...Object.fromEntries(SUCCESS_STATUSES[answer.kind].map((status) => [status, success])),
    ...errorResponses(error),
  };
}

/** The schema of a successful answer; undefined where the index says nothing of it. */
export function successSchema(answer: ResponseModel, components: ComponentRegistry): JsonObject | undefined {
  switch (answer.kind) {
    case 'open':
      return undefined;
    case 'batch':
      return components.schema('BatchResult', BATCH_RESULT_SCHEMA);
    case 'item':
    case 'created':
    case 'updated':
      return contextComponent(answer, components);
    case 'list':
      return { type: 'array', items: contextComponent(answer, components) };
    case 'keyed':
      // PHP has one kind of array: an object without members is written as an empty list.
      return {
        anyOf: [
          { type: 'object', additionalProperties: contextComponent(answer, components) },
          { type: 'array', maxItems: 0 },
        ],
      };
    case 'deleted': {
      // With `force` a note of what is gone; without, the resource as it lies in the trash.
      const previous = contextComponent(answer, components);
      const deleted = components.schema(`Deleted${answer.resource.name}`, {
        type: 'object',
        properties: {
          deleted: { type: 'boolean', description: 'True: it is gone.' },
          previous,
        },
      });
      return { anyOf: [deleted, previous] };
    }
  }
}

/**
 * Which component answers in which context, for an operation that can be asked for several: `{ "edit": "#/…/PostEdit" }`.
 * The default's is the response's schema, so that a caller who asks for nothing gets a type without alternatives.
 */
export function contextReferences(answer: ResponseModel, components: ComponentRegistry): JsonObject | undefined {
  if (!('resource' in answer) || otherContexts(answer).length === 0) return undefined;
  return Object.fromEntries(
    answer.resource.contexts.map(({ context, name, schema }) => [context, components.schema(name, schema)]),
  );
}

type ResourceResponse = Extract<ResponseModel, { readonly resource: SiteResource }>;

/** The contexts that a caller may ask for to get another component than the default's. */
function otherContexts(answer: ResourceResponse): readonly ResourceContext[] {
  const own = defaultContext(answer);
  return answer.canSelectContext ? answer.resource.contexts.filter(({ name }) => name !== own?.name) : [];
}

function defaultContext({ resource, context }: ResourceResponse): ResourceContext | undefined {
  return resource.contexts.find((each) => each.context === context) ?? resource.contexts[0];
}

function contextComponent(answer: ResourceResponse, components: ComponentRegistry): JsonObject {
  const own = defaultContext(answer);
  return own === undefined ? {} : components.schema(own.name, own.schema);
}

/**
 * 201 beside 200 for what is made at a collection: WordPress's own controllers answer 201, many plugins 200, and the
 * index does not say.
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

function successDescription(answer: ResponseModel): string {
  switch (answer.kind) {
    case 'open':
      return 'What the site answers; its index does not say what.';
    case 'batch':
      return 'One answer for each request, in their order.';
    default: {
      const named = otherContexts(answer).map(({ context, name }) => `\`${context}\`: ${name}`);
      return named.length > 0
        ? `Success. In other contexts: ${named.join(', ')}.`
        : SUCCESS_DESCRIPTIONS[answer.kind];
    }
  }
}

const SUCCESS_DESCRIPTIONS = {
  item: 'Success.',
  list: 'Success.',
  keyed: 'Success: an object keyed by name.',
  created: 'What was created.',
  updated: 'What was changed, as it is now.',
  deleted: 'What was deleted, or moved to the trash.',
} as const;

function errorResponses(error: JsonObject): JsonObject {
  return { '4XX': error, '5XX': error };
}

function createErrorResponse(components: ComponentRegistry): JsonObject {
  return {
    description: 'The request was refused or failed.',
    content: { 'application/json': { schema: components.schema('Error', ERROR_SCHEMA) } },
  };
}

function createPagingHeaders(components: ComponentRegistry): JsonObject {
  return Object.fromEntries(
    Object.entries(PAGING_HEADERS).map(([name, header]) => [name, components.sharedComponent('headers', name, header)]),
  );
}

const PAGING_HEADERS: { readonly [name: string]: JsonObject } = {
  'X-WP-Total': { description: 'How many there are on all pages.', schema: { type: 'integer', minimum: 0 } },
  'X-WP-TotalPages': { description: 'How many pages there are.', schema: { type: 'integer', minimum: 0 } },
  Link: { description: 'The next and the previous page (RFC 8288).', schema: { type: 'string' } },
};

/** The shape of `WP_Error` as `rest_convert_error_to_response` writes it. */
const ERROR_SCHEMA: JsonObject = {
  type: 'object',
  description: 'How the site says no.',
  properties: {
    code: { type: ['string', 'integer'], description: 'A stable name: `rest_no_route`.' },
    message: { type: 'string', description: 'For a person, in the language of the site.' },
    data: {
      description: 'The status, and for refused parameters which and why.',
      anyOf: [
        {
          type: 'object',
          properties: {
            status: { type: 'integer' },
            params: {
              description: 'By name what is wrong, or the names of those that are missing.',
              anyOf: [
                { type: 'object', additionalProperties: { type: 'string' } },
                { type: 'array', items: { type: 'string' } },
              ],
            },
            details: { description: 'By name the error of each refused parameter.' },
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
  description: 'The answers to a batch, and what made it fail as a whole.',
  properties: {
    failed: {
      type: 'string',
      enum: ['validation'],
      description: 'Present where nothing was run, because not every request is valid.',
    },
    responses: {
      type: 'array',
      description: 'One for each request, in their order; null for what was not run.',
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

/** What may be answered anywhere; no resource of a site gets these names. */
export const COMMON_SCHEMAS: { readonly [name: string]: JsonObject } = { Error: ERROR_SCHEMA, BatchResult: BATCH_RESULT_SCHEMA };
