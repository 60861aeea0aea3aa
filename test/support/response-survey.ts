import { getContexts } from '../../src/base/document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems } from '../../src/base/json.ts';
import { resolveReference } from '../../src/generator/openapi/document-objects.ts';
import { createSchemaCompiler } from './document-schemas.ts';

// Asks a real site for the responses of a document and holds them against its schemas.

/** What a document says about responses, and what the site sent. */
export interface ResponseSurvey {
  /** Responses that were validated. */
  validated: number;
  /** Differences: `GET /wp/v2/posts edit: /0/meta must be object`. */
  readonly invalid: Set<string>;
  /** Operations of which at least one response was validated. */
  readonly sampled: Set<string>;
  /** How often each member was there, by component. */
  readonly members: Map<
    string,
    { objects: number; required: readonly string[]; counts: Map<string, number> }
  >;
}

export interface SurveyClient {
  request(
    method: string,
    path: string,
    options?: { readonly body?: unknown; readonly anonymous?: boolean },
  ): Promise<{ readonly status: number; readonly body: Json | undefined }>;
}

/** Creates a client of a site. `authorization` is the value of the header field. */
export function createSurveyClient(siteUrl: string, authorization: string): SurveyClient {
  const root = `${siteUrl.replace(/\/$/, '')}/wp-json`;
  return {
    async request(method, path, { anonymous = false, body } = {}) {
      const response = await fetch(root + path, {
        method,
        headers: {
          ...(anonymous ? {} : { authorization }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json().catch(() => undefined) };
    },
  };
}

/** Validates responses by the schemas of a document. */
export function createResponseSurvey(document: JsonObject): {
  readonly survey: ResponseSurvey;
  record(method: string, template: string, status: number, context: string, body: Json): void;
} {
  const compile = createSchemaCompiler(document, { allErrors: true });
  const survey: ResponseSurvey = { validated: 0, invalid: new Set(), sampled: new Set(), members: new Map() };

  return {
    survey,
    record(method, template, status, context, body) {
      const schema = readResponseSchema(document, method, template, status, context);
      if (schema === undefined) return;
      const validate = compile(schema);
      survey.validated += 1;
      survey.sampled.add(`${method} ${template}`);
      if (!validate(body)) {
        for (const { instancePath, message = '' } of validate.errors ?? []) {
          const at = instancePath.replace(/\/\d+/g, '/*');
          survey.invalid.add(`${method} ${template} ${status} ${context}: ${at} ${message}`);
        }
      }
      if (status < 300) countMembers(document, schema, body, survey);
    },
  };
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
  const responses = member(operation, 'responses');
  const stated =
    member(responses, String(status)) ?? (status < 400 ? undefined : member(responses, 'default'));
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

function countMembers(document: JsonObject, schema: JsonObject, body: Json, survey: ResponseSurvey): void {
  const { items, additionalProperties } = schema;
  const reference = [schema, items, additionalProperties].map((each) => member(each, '$ref')).find(Boolean);
  const component = dereference(document, { $ref: reference ?? '' });
  if (typeof reference !== 'string' || !isJsonObject(component)) return;
  const objects = reference === schema['$ref'] ? [body] : isJsonObject(body) ? Object.values(body) : body;
  const required = jsonItems(component['required']).filter((name) => typeof name === 'string');
  const entry = survey.members.get(reference) ?? { objects: 0, required, counts: new Map<string, number>() };
  survey.members.set(reference, entry);
  for (const object of jsonItems(objects).filter(isJsonObject)) {
    entry.objects += 1;
    for (const name of Object.keys(object)) entry.counts.set(name, (entry.counts.get(name) ?? 0) + 1);
  }
}

/** The members that were always there: how many, and how many of them the document requires. */
export function compareMembers({ members }: ResponseSurvey): {
  readonly always: number;
  readonly required: number;
  /** Members that the document requires and that were absent at least once. */
  readonly untrue: readonly string[];
} {
  let always = 0;
  let isRequired = 0;
  const untrue: string[] = [];
  for (const [reference, { objects, required, counts }] of members) {
    for (const [name, count] of counts) {
      if (count < objects) continue;
      always += 1;
      if (required.includes(name)) isRequired += 1;
    }
    untrue.push(
      ...required.filter((name) => (counts.get(name) ?? 0) < objects).map((name) => `${reference}.${name}`),
    );
  }
  return { always, required: isRequired, untrue };
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
