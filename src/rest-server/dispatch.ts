import type { Json, JsonObject } from '../json.ts';
import { decodeByteString, encodeByteString } from '../php/encoding.ts';
import { parsePhpQuery, phpArrayToJsonMembers } from '../php/query.ts';
import { parseBatchPath } from '../validation/request/batch.ts';
import {
  type ArgumentSchemas,
  type EndpointDeclaration,
  NO_VALUES,
  type RequestValues,
  type RestRequest,
  type RouteDeclaration,
  type SiteError,
  type SiteRequest,
  type SiteResponse,
} from './declarations.ts';
import { describeRoute } from './index-document.ts';
import { matchRoutePattern } from './matcher.ts';
import { createRequestParams } from './params.ts';
import { filterFields } from './representation.ts';
import {
  createPaginationHeaders,
  errorResponse,
  forbiddenError,
  isErrorResponse,
  RefusedError,
  type RestResponse,
  restError,
  restUrl,
  wrapInEnvelope,
} from './responses.ts';
import { type RegisteredRoute, type RouteMatch, type RouteRegistry, toIndexedRoute } from './routes.ts';
import { type MergedParams, mergeRequestParams, validateParams } from './validate-params.ts';

/** The routes, the data and the clock that every request of a site uses. */
export interface ServerContext<State> {
  readonly registry: RouteRegistry<State>;
  state(): State;
  now(): Date;
  /** Receives each error that a handler throws. */
  readonly onError: (error: unknown) => void;
}

/** A request with its route and validated parameters, or with the validation error. */
interface MatchedRequest<State> {
  readonly match: RouteMatch<State>;
  readonly request: SiteRequest<State>;
  readonly error: SiteError | undefined;
}

export const NO_ROUTE_ERROR: SiteError = restError(
  404,
  'rest_no_route',
  'No route was found matching the URL and request method.',
);
const CRITICAL_ERROR: SiteError = restError(
  500,
  'internal_server_error',
  'There has been a critical error on this website.',
);

/** `WP_REST_Server::dispatch()` with the default filters of WordPress. */
export async function dispatch<State>(
  context: ServerContext<State>,
  restRequest: RestRequest,
): Promise<RestResponse> {
  if (restRequest.method === 'OPTIONS') return respondToOptions(context, restRequest);
  const matched = matchRequest(context, restRequest);
  return matched.kind === 'error' ? errorResponse(matched) : respondToRequest(context, matched);
}

/** Finds the route of a request and validates its parameters. WordPress validates before it checks permissions. */
function matchRequest<State>(
  { registry, state, now }: ServerContext<State>,
  restRequest: RestRequest,
): ({ readonly kind: 'prepared' } & MatchedRequest<State>) | SiteError {
  const match = registry.match(restRequest.method, restRequest.route);
  if (match === null) return NO_ROUTE_ERROR;
  const merged = mergeRequestParams(restRequest, match.endpoint, match.groups);
  const request = createSiteRequest(restRequest, merged, state(), now());
  if ('kind' in restRequest.json) return { kind: 'prepared', match, request, error: restRequest.json };
  const validated = validateParams(merged, match, request);
  if (!validated.ok) return { kind: 'prepared', match, request, error: validated.error };
  return {
    kind: 'prepared',
    match,
    request: { ...request, params: createRequestParams(validated.values) },
    error: undefined,
  };
}

/** `WP_REST_Server::respond_to_request()`: checks the permission, then runs the handler. */
async function respondToRequest<State>(
  context: ServerContext<State>,
  matched: MatchedRequest<State>,
): Promise<RestResponse> {
  const { match, request, error } = matched;
  const { declaration } = match.endpoint;
  const refusal = error ?? checkPermission(context, declaration.permission, request);
  const result = refusal ?? (await runHandler(context, () => declaration.handle(request)));
  const allowed = allowHeader(context, match.route, request);
  const response = result.kind === 'error' ? errorResponse(result) : toRestResponse(result, request);
  const headers = new Map([...response.headers, ...allowed]);
  const fields = request.params.get('_fields') ?? null;
  if (fields === null || isErrorResponse(response)) return { ...response, headers };
  return { ...response, headers, body: filterFields(response.body, fields) };
}

async function runHandler<State>(
  { onError }: ServerContext<State>,
  handle: () => SiteResponse | Promise<SiteResponse>,
): Promise<SiteResponse | SiteError> {
  try {
    return await handle();
  } catch (error) {
    if (error instanceof RefusedError) return error.error;
    onError(error);
    return CRITICAL_ERROR;
  }
}

function checkPermission<State>(
  { onError }: ServerContext<State>,
  permission: EndpointDeclaration<State>['permission'],
  request: SiteRequest<State>,
): SiteError | undefined {
  try {
    permission?.(request);
    return undefined;
  } catch (error) {
    if (error instanceof RefusedError) return error.error;
    onError(error);
    return forbiddenError(request.user);
  }
}

/** `rest_send_allow_header()`: the methods of the route that the user is permitted to call. */
function allowHeader<State>(
  context: ServerContext<State>,
  route: RegisteredRoute<State>,
  request: SiteRequest<State>,
): readonly (readonly [string, string])[] {
  const methods = route.endpoints
    .filter(({ declaration }) => checkPermission(context, declaration.permission, request) === undefined)
    .flatMap(({ declaration }) => declaration.methods);
  return methods.length === 0 ? [] : [['Allow', [...new Set(methods)].join(', ')]];
}

function toRestResponse<State>(result: SiteResponse, request: SiteRequest<State>): RestResponse {
  const { status = 200, headers = {}, body, page, raw } = result;
  const ownHeaders = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : value.join(', '),
  ]);
  const paginationHeaders =
    page === undefined ? [] : createPaginationHeaders(page, request.query, request.link(request.route));
  return {
    status,
    headers: new Map([...paginationHeaders, ...ownHeaders]),
    body,
    ...(raw === undefined ? {} : { raw }),
  };
}

/** `rest_handle_options_request()`: describes the first route that matches. The body is an empty list if none does. */
function respondToOptions<State>(context: ServerContext<State>, restRequest: RestRequest): RestResponse {
  const route = context.registry.findByPath(restRequest.route);
  const [endpoint] = route?.endpoints ?? [];
  if (route === undefined || endpoint === undefined) return { status: 200, headers: new Map(), body: [] };
  const groups = matchRoutePattern(route.expression, restRequest.route) ?? {};
  const merged = mergeRequestParams(restRequest, { ...endpoint, args: [] }, groups);
  const request = createSiteRequest(restRequest, merged, context.state(), context.now());
  const body: Json = describeRoute(toIndexedRoute(route), request.link, 'help');
  const fields = request.params.get('_fields') ?? null;
  return {
    status: 200,
    headers: new Map(allowHeader(context, route, request)),
    body: fields === null ? body : filterFields(body, fields),
  };
}

function createSiteRequest<State>(
  restRequest: RestRequest,
  { values, suppliedNames }: MergedParams,
  state: State,
  now: Date,
): SiteRequest<State> {
  const { method, headers, user, body, files, base } = restRequest;
  return {
    state,
    method,
    route: decodeByteString(restRequest.route),
    params: createRequestParams(values),
    suppliedNames,
    user,
    headers,
    body,
    files,
    now,
    link: (route, query) => restUrl(base, route, query),
    address: (path) => base + path,
    query: restRequest.query,
  };
}

/** Maximum number of requests in a batch. */
export const MAX_BATCH_REQUESTS = 25;

const BATCH_ARGS: ArgumentSchemas = {
  validation: { type: 'string', enum: ['require-all-validate', 'normal'], default: 'normal' },
  requests: {
    required: true,
    type: 'array',
    maxItems: MAX_BATCH_REQUESTS,
    items: {
      type: 'object',
      properties: {
        method: { type: 'string', enum: ['POST', 'PUT', 'PATCH', 'DELETE'], default: 'POST' },
        path: { type: 'string', required: true },
        body: { type: 'object', properties: {}, additionalProperties: true },
        headers: {
          type: 'object',
          properties: {},
          additionalProperties: { type: ['string', 'array'], items: { type: 'string' } },
        },
      },
    },
  },
};

/** `/batch/v1`: WP_REST_Server::serve_batch_request_v1(). */
export function batchRoute<State>(context: () => ServerContext<State>): RouteDeclaration<State> {
  return {
    route: '/batch/v1',
    endpoints: [{ methods: ['POST'], args: BATCH_ARGS, handle: (request) => runBatch(context(), request) }],
  };
}

async function runBatch<State>(
  context: ServerContext<State>,
  request: SiteRequest<State>,
): Promise<SiteResponse> {
  const items = request.params.objects('requests').map((item) => matchItem(context, request, item));
  const hasError = items.some((item) => getItemError(item) !== undefined);
  if (hasError && request.params.get('validation') === 'require-all-validate') {
    const responses = items.map((item): Json => {
      const error = getItemError(item);
      return error === undefined ? null : wrapInEnvelope(errorResponse(error));
    });
    return { kind: 'response', status: 207, body: { failed: 'validation', responses } };
  }
  const responses: Json[] = [];
  // Requests run in sequence because a later one can depend on an earlier one.
  for (const item of items) {
    responses.push(
      wrapInEnvelope(item.kind === 'error' ? errorResponse(item) : await respondToRequest(context, item)),
    );
  }
  return { kind: 'response', status: 207, body: { responses } };
}

type BatchItem<State> = ({ readonly kind: 'prepared' } & MatchedRequest<State>) | SiteError;

function getItemError<State>(item: BatchItem<State>): SiteError | undefined {
  return item.kind === 'error' ? item : item.error;
}

function matchItem<State>(
  context: ServerContext<State>,
  request: SiteRequest<State>,
  item: JsonObject,
): BatchItem<State> {
  const batched = readBatchedRequest(item);
  if (batched === null) return restError(400, 'parse_path_failed', 'Could not parse the path.');
  const { user } = request;
  const base = request.address('');
  const matched = matchRequest(context, { ...batched, json: NO_VALUES, body: null, files: [], user, base });
  if (matched.kind === 'error') return matched;
  if (matched.match.endpoint.declaration.allowBatch === true) return matched;
  const error = restError(
    400,
    'rest_batch_not_allowed',
    'The requested route does not support batch requests.',
  );
  return { ...matched, error };
}

/** A request of a batch. */
interface BatchedRequest {
  readonly method: string;
  /** The route path as a byte string. */
  readonly route: string;
  readonly query: RequestValues;
  readonly form: RequestValues;
  readonly headers: Headers;
}

/** Reads one request of a batch; `null` if its path is invalid. */
export function readBatchedRequest({ method, path, body, headers }: JsonObject): BatchedRequest | null {
  const address = parseBatchPath(encodeByteString(String(path)));
  if (address.kind === 'ambiguous') return null;
  return {
    method: typeof method === 'string' ? method.toUpperCase() : 'POST',
    route: address.route,
    query: phpArrayToJsonMembers(parsePhpQuery(address.query)),
    form: new Map(objectEntries(body)),
    headers: toHeaders(headers),
  };
}

function toHeaders(members: Json | undefined): Headers {
  const headers = new Headers();
  for (const [name, value] of objectEntries(members)) {
    try {
      headers.set(name, Array.isArray(value) ? value.join(', ') : String(value));
    } catch {
      // PHP ignores an invalid header too.
    }
  }
  return headers;
}

function objectEntries(value: Json | undefined): readonly [string, Json][] {
  return typeof value === 'object' && value !== null ? Object.entries<Json>(value) : [];
}
