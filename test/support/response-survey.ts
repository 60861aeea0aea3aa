import { getContexts } from '../../src/base/document-extensions.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { resolveReference } from '../../src/generator/openapi/document-objects.ts';
import { createSchemaCompiler } from './document-schemas.ts';

// Asks a real site for the responses of a document and holds them against its schemas.

/** What a document says about responses, and what the site sent. */
export interface ResponseSurvey {
  /** Responses that were validated. */
  validated: number;
  /** Differences: `GET /wp/v2/posts edit: /0/meta must be object`. */
  readonly invalid: Set<string>;
}

export interface SurveyClient {
  request(
    method: string,
    path: string,
    options?: { readonly body?: unknown },
  ): Promise<{ readonly status: number; readonly body: Json | undefined }>;
}

/** Creates a client of a site. `authorization` is the value of the header field. */
export function createSurveyClient(siteUrl: string, authorization: string): SurveyClient {
  const root = `${siteUrl.replace(/\/$/, '')}/wp-json`;
  return {
    async request(method, path, { body } = {}) {
      const response = await fetch(root + path, {
        method,
        headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json().catch(() => undefined) };
    },
  };
}

/** Validates responses by the schemas of a document. */
export function createResponseSurvey(document: JsonObject): {
  readonly survey: ResponseSurvey;
  /** @returns whether the document says anything of the status */
  record(method: string, template: string, status: number, context: string, body: Json): boolean;
} {
  const compile = createSchemaCompiler(document, { allErrors: true });
  const survey: ResponseSurvey = { validated: 0, invalid: new Set() };

  return {
    survey,
    record(method, template, status, context, body) {
      const schema = readResponseSchema(document, method, template, status, context);
      const isStated = readResponse(document, method, template, status) !== undefined;
      if (schema === undefined) return isStated;
      const validate = compile(schema);
      survey.validated += 1;
      if (!validate(body)) {
        for (const { instancePath, message = '' } of validate.errors ?? []) {
          const at = instancePath.replace(/\/\d+/g, '/*');
          survey.invalid.add(`${method} ${template} ${status} ${context}: ${at} ${message}`);
        }
      }
      return isStated;
    },
  };
}

function readResponse(document: JsonObject, method: string, template: string, status: number) {
  const responses = member(document, 'paths', template, method.toLowerCase(), 'responses');
  return member(responses, String(status)) ?? (status < 400 ? undefined : member(responses, 'default'));
}

/** The schema of a response, with the component of the requested context in place of the default's. */
function readResponseSchema(
  document: JsonObject,
  method: string,
  template: string,
  status: number,
  context: string,
): JsonObject | undefined {
  const operation = member(document, 'paths', template, method.toLowerCase());
  if (!isJsonObject(operation)) return undefined;
  const stated = readResponse(document, method, template, status);
  const schema = member(dereference(document, stated), 'content', 'application/json', 'schema');
  const contexts = getContexts(operation);
  const wanted = contexts.get(context);
  if (!isJsonObject(schema) || wanted === undefined || status >= 300) {
    return isJsonObject(schema) ? schema : undefined;
  }
  const text = [...contexts.values()].reduce(
    (current, other) => current.replaceAll(JSON.stringify(other), '"wanted"'),
    JSON.stringify(schema),
  );
  return JSON.parse(text.replaceAll('"wanted"', JSON.stringify(wanted)));
}

function dereference(document: JsonObject, value: Json | undefined): Json | undefined {
  const reference = member(value, '$ref');
  return typeof reference === 'string' ? resolveReference(document, reference) : value;
}

function member(value: Json | undefined, ...names: readonly string[]): Json | undefined {
  return names.reduce<Json | undefined>(
    (current, name) => (isJsonObject(current) && Object.hasOwn(current, name) ? current[name] : undefined),
    value,
  );
}
