import { isJsonObject, type Json, type JsonObject } from '../../json.ts';

/**
 * Adds the problem documents of the gateway itself to the error responses of a document: the media type
 * `application/problem+json` beside the site's JSON, with the component `Problem`. Each error response that is a component
 * gets it, so that no operation changes.
 */
export function withProblemResponses(document: JsonObject): JsonObject {
  const { components } = document;
  if (!isJsonObject(components)) return document;
  const { responses, schemas } = components;
  if (!isJsonObject(responses)) return document;
  const known = isJsonObject(schemas) ? schemas : {};
  const name = freeName(known);
  const problem: JsonObject = { schema: { $ref: `#/components/schemas/${name}` } };
  const described = Object.entries(responses).map(([key, response]): [string, Json] => [
    key,
    withContent(response, problem),
  ]);
  return {
    ...document,
    components: {
      ...components,
      schemas: sortByName({ ...known, [name]: PROBLEM_SCHEMA }),
      responses: Object.fromEntries(described),
    },
  };
}

function withContent(response: Json, problem: JsonObject): Json {
  const content = isJsonObject(response) ? response['content'] : undefined;
  if (!isJsonObject(response) || !isJsonObject(content)) return response;
  return { ...response, content: { ...content, 'application/problem+json': problem } };
}

/** The name of the component. A site may have a resource of this name, and a served document has the component. */
function freeName(schemas: JsonObject): string {
  const text = JSON.stringify(PROBLEM_SCHEMA);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'Problem' : `Problem${number}`;
    if (!Object.hasOwn(schemas, name) || JSON.stringify(schemas[name]) === text) return name;
  }
}

function sortByName(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The shape that `problemBody()` writes. */
const PROBLEM_SCHEMA: JsonObject = {
  type: 'object',
  description:
    'An error of the gateway itself (RFC 9457): 400, 404, 408, 413, 414, 421, 431, 502, 503, 504, or 508.',
  properties: {
    type: { type: 'string', const: 'about:blank' },
    title: { type: 'string', description: 'The reason phrase of the status.' },
    status: { type: 'integer', description: 'The status code of the response.' },
    detail: { type: 'string', description: 'What is wrong and how to correct it.' },
    code: {
      type: 'string',
      description:
        'The error code of WordPress for the case (`rest_invalid_param`), or one with the prefix `gateway_`.',
    },
    message: { type: 'string', description: 'Equal to `detail`, as in the errors of the site.' },
    data: {
      type: 'object',
      properties: {
        status: { type: 'integer' },
        params: {
          description: 'The reason for each invalid parameter, by name, or the names of missing parameters.',
          anyOf: [
            { type: 'object', additionalProperties: { type: 'string' } },
            { type: 'array', items: { type: 'string' } },
          ],
        },
        details: {
          type: 'object',
          additionalProperties: true,
          description: 'The error of each invalid parameter, by name.',
        },
      },
      required: ['status'],
    },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'message', 'data'],
};
