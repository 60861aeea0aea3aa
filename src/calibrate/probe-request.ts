import type { Json } from '../json.ts';
import type { ServedOperation } from '../openapi/index.ts';
import {
  type BodyParameters,
  type InvalidRequest,
  NO_PARAMETERS,
  type ParameterSource,
  parseQueryParameters,
  planBody,
  type RequestParameters,
  toPathParameters,
} from '../validation/request/index.ts';

/** A request to one operation, and its parameters as the site parses them. */
export interface ProbeRequest {
  readonly method: string;
  /** Path of the route, with values in place of its parameters. */
  readonly path: string;
  /** Without question mark. */
  readonly query: string;
  /** A JSON body; `null` for none. */
  readonly body: string | null;
  readonly parameters: RequestParameters;
}

/** A path that the site routes to an operation, and the values of the route's groups. */
export interface ProbePath {
  readonly path: string;
  readonly groups: Readonly<Record<string, string>>;
}

const JSON_TYPE = 'application/json';

/**
 * Creates a request with values: in a JSON body for methods that write, otherwise in the query.
 *
 * @returns `null` when the values cannot be sent
 */
export function createProbeRequest(
  { method }: Pick<ServedOperation, 'method'>,
  { path, groups }: ProbePath,
  values: ReadonlyMap<string, Json>,
): ProbeRequest | null {
  const target = { method, path, groups };
  if (!hasBody(method)) {
    const query = [...values].flatMap(([name, value]) => encodeQuery(name, value)).join('&');
    const parsed = parseQueryParameters(query);
    return parsed === null ? null : toRequest(target, { query, body: null }, { query: parsed });
  }
  const body = JSON.stringify(Object.fromEntries(values));
  const parsed = parseBody(method, body);
  return parsed?.kind === 'complete' ? toRequest(target, { query: '', body }, { json: parsed.json }) : null;
}

/** Bodies that no JSON parser accepts. */
const MALFORMED_BODIES = ['{"waygate":', '{waygate}', '["waygate"'];

/** Creates requests whose body is malformed JSON, each with the error that the site should send. */
export function createMalformedRequests(
  { method }: Pick<ServedOperation, 'method'>,
  { path, groups }: ProbePath,
): readonly { readonly request: ProbeRequest; readonly result: InvalidRequest }[] {
  if (!hasBody(method)) return [];
  return MALFORMED_BODIES.flatMap((body) => {
    const result = parseBody(method, body);
    const request = toRequest({ method, path, groups }, { query: '', body }, {});
    return result?.kind === 'invalid' ? [{ request, result }] : [];
  });
}

function parseBody(method: string, body: string): BodyParameters | null {
  const plan = planBody({ requestMethod: method, method, contentType: JSON_TYPE });
  return plan.kind === 'buffered' ? plan.parse(new TextEncoder().encode(body)) : null;
}

/** Whether the parameters of a probe are sent in its body. */
export function hasBody(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}

function toRequest(
  { method, path, groups }: ProbePath & { readonly method: string },
  sent: { readonly query: string; readonly body: string | null },
  { json = NO_PARAMETERS, query = NO_PARAMETERS }: { json?: ParameterSource; query?: ParameterSource },
): ProbeRequest {
  return {
    method,
    path,
    ...sent,
    parameters: { json, form: NO_PARAMETERS, query, path: toPathParameters(groups) },
  };
}

/** Encodes a value as PHP reads it: `a[0]=1`, `a[b]=2`. An empty list, an empty object and null have no encoding. */
function encodeQuery(name: string, value: Json): readonly string[] {
  if (value === null) return [];
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([key, member]) => encodeQuery(`${name}[${key}]`, member));
  }
  return [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`];
}
