import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import { listErrorCodes } from '../model/conventions/error-codes.ts';
import type { ErrorFacts } from '../model/conventions/error-convention.ts';
import type { RouteOperation } from '../model/site.ts';
import type { ComponentRegistry } from './component-registry.ts';

/** Registers the schema of any error of the site. */
export function registerError(components: ComponentRegistry): JsonObject {
  return components.registerSchema('Error', ERROR_SCHEMA);
}

/** The responses to requests that are rejected or fail, by status. Operations with equal ones share the object. */
export function createErrorResponses(route: RouteOperation, components: ComponentRegistry): JsonObject {
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
    '4XX': components.registerComponent('responses', 'Error', {
      description: 'The request was rejected.',
      content: { 'application/json': { schema: registerError(components) } },
    }),
    '5XX': components.registerComponent('responses', 'ServerError', {
      description: 'The request failed.',
      content: {
        'application/json': { schema: components.registerSchema('ServerError', SERVER_ERROR_SCHEMA) },
      },
    }),
  };
}

/** The extension of an operation that lists the codes of its errors. */
export function createErrorCodes(routes: readonly RouteOperation[]): readonly string[] | undefined {
  const codes = new Set(routes.flatMap((route) => listErrorCodes(toErrorFacts(route))));
  return codes.size === 0 ? undefined : [...codes].sort();
}

function createInvalidRequest(hasRequired: boolean, components: ComponentRegistry): JsonObject {
  const invalid = components.registerSchema('InvalidParamError', INVALID_PARAM_SCHEMA);
  const error = registerError(components);
  if (!hasRequired) {
    return components.registerComponent('responses', 'InvalidParam', {
      description: 'A parameter is invalid, or the request cannot be served.',
      content: { 'application/json': { schema: { anyOf: [invalid, error] } } },
    });
  }
  const missing = components.registerSchema('MissingCallbackParamError', MISSING_PARAM_SCHEMA);
  return components.registerComponent('responses', 'InvalidOrMissingParam', {
    description: 'A parameter is invalid or missing, or the request cannot be served.',
    content: { 'application/json': { schema: { anyOf: [invalid, missing, error] } } },
  });
}

function toErrorFacts({ body, method, path, query, response }: RouteOperation): ErrorFacts {
  const fields = body === undefined ? {} : body.schema['properties'];
  const required = body?.schema['required'];
  const resource = 'resource' in response ? response.resource : undefined;
  return {
    method,
    kind: response.kind,
    convention: resource?.convention,
    hasContext: query.some(({ name }) => name === 'context'),
    hasPages: query.some(({ name }) => name === 'page'),
    hasArguments:
      path.length > 0 || query.length > 0 || (isJsonObject(fields) && Object.keys(fields).length > 0),
    hasRequired: query.some((field) => field.required) || (Array.isArray(required) && required.length > 0),
    hasJsonBody: body !== undefined,
    isItem: path.length > 0,
  };
}

const STRING: JsonObject = { type: 'string' };

const MESSAGE: JsonObject = { type: 'string', description: 'Error message in the language of the site.' };

const STATUS: JsonObject = { type: 'integer', description: 'The status code of the response.' };

/** `WP_Error` as `rest_convert_error_to_response` writes it. The status of a 4xx response comes from its `data`. */
const ERROR_SCHEMA: JsonObject = {
  type: 'object',
  description: 'An error of the site.',
  properties: {
    code: { type: 'string', description: 'Stable error code: `rest_forbidden`.' },
    message: MESSAGE,
    data: {
      type: 'object',
      description: 'The status, and members that depend on the code.',
      properties: { status: STATUS },
      required: ['status'],
    },
    additional_errors: { type: 'array', items: { type: 'object' }, description: 'Further errors.' },
  },
  required: ['code', 'message', 'data'],
};

/** An error that states no status has the status 500 and no data. Many errors of plugins do. */
const SERVER_ERROR_SCHEMA: JsonObject = {
  type: 'object',
  description: 'An error of the site or of its server.',
  properties: {
    code: STRING,
    message: MESSAGE,
    data: {
      type: ['object', 'null'],
      description: 'The status, and members that depend on the code.',
      properties: { status: STATUS },
    },
    additional_errors: { type: 'array', items: { type: 'object' }, description: 'Further errors.' },
  },
  required: ['code', 'message'],
};

/** WP_REST_Request::has_valid_params() and sanitize_params() */
const INVALID_PARAM_SCHEMA: JsonObject = {
  type: 'object',
  description: 'Parameters are invalid.',
  properties: {
    code: { type: 'string', const: 'rest_invalid_param' },
    message: MESSAGE,
    data: {
      type: 'object',
      properties: {
        status: { type: 'integer', const: 400 },
        params: {
          type: 'object',
          description: 'The reason for each invalid parameter, by name.',
          additionalProperties: STRING,
        },
        details: {
          description: 'The error of each invalid parameter, by name, as far as its check states one.',
          anyOf: [
            {
              type: 'object',
              additionalProperties: {
                type: ['object', 'null'],
                properties: { code: STRING, message: STRING, data: {} },
                required: ['code', 'message'],
              },
            },
            { type: 'array', items: {}, maxItems: 0 },
          ],
        },
      },
      required: ['status', 'params'],
    },
  },
  required: ['code', 'message', 'data'],
};

/** WP_REST_Request::has_valid_params() */
const MISSING_PARAM_SCHEMA: JsonObject = {
  type: 'object',
  description: 'Required parameters are missing.',
  properties: {
    code: { type: 'string', const: 'rest_missing_callback_param' },
    message: MESSAGE,
    data: {
      type: 'object',
      properties: {
        status: { type: 'integer', const: 400 },
        params: { type: 'array', items: STRING, description: 'The names of the missing parameters.' },
      },
      required: ['status', 'params'],
    },
  },
  required: ['code', 'message', 'data'],
};

/** Schemas of errors. Their names are reserved, so that no resource gets them. */
export const ERROR_SCHEMAS: { readonly [name: string]: JsonObject } = {
  Error: ERROR_SCHEMA,
  ServerError: SERVER_ERROR_SCHEMA,
  InvalidParamError: INVALID_PARAM_SCHEMA,
  MissingCallbackParamError: MISSING_PARAM_SCHEMA,
};
