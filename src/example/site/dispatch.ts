import type { Json } from '../../json.ts';
import { decodeByteString } from '../../php/byte-string.ts';
import type { SiteError, SiteRequest, SiteResponse } from './declarations.ts';
import { describeRoute } from './describe-routes.ts';
import { filterFields } from './fields.ts';
import { createPaginationHeaders, restUrl } from './links.ts';
import { createRequestParams } from './request-params.ts';
import { forbiddenError, restError } from './responses.ts';
import type { RestRequest } from './rest-request.ts';
import { errorResponse, isErrorResponse, type RestResponse } from './rest-response.ts';
import type { RegisteredRoute, RouteMatch, RouteRegistry } from './route-registry.ts';
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
export interface MatchedRequest<State> {
  readonly match: RouteMatch<State>;
  readonly request: SiteRequest<State>;
  readonly error: SiteError | undefined;
}

const NO_ROUTE_ERROR: SiteError = restError(
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
export function matchRequest<State>(
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
export async function respondToRequest<State>(
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
  handle: () => SiteResponse | SiteError | Promise<SiteResponse | SiteError>,
): Promise<SiteResponse | SiteError> {
  try {
    return await handle();
  } catch (error) {
    onError(error);
    return CRITICAL_ERROR;
  }
}

function checkPermission<State>(
  { onError }: ServerContext<State>,
  permission: ((request: SiteRequest<State>) => SiteError | undefined) | undefined,
  request: SiteRequest<State>,
): SiteError | undefined {
  try {
    return permission?.(request);
  } catch (error) {
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
  const paginationHeaders = page === undefined ? [] : createPaginationHeaders(page, request);
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
  const groups = route.matcher.match(restRequest.route) ?? {};
  const merged = mergeRequestParams(restRequest, { ...endpoint, args: [] }, groups);
  const request = createSiteRequest(restRequest, merged, context.state(), context.now());
  const body: Json = describeRoute(route, 'help', restRequest.base);
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
