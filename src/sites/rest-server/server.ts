import type { Json, JsonObject } from '../../base/json.ts';
import { decodeByteString } from '../../base/php/request.ts';
import { isValidatedFirst } from '../../generator/validation/request/core-arguments.ts';
import { invalidParamsError, missingParamsError } from '../../generator/validation/request/result.ts';
import { mergeParameters, toPathParameters } from '../../generator/validation/request/validator.ts';
import { createViolation, type SchemaViolation } from '../../generator/validation/wordpress/keywords.ts';
import { type BatchItem, NOT_IN_BATCHES, readBatchedRequest, respondToBatch } from './batch.ts';
import batchArguments from './batch-arguments.json' with { type: 'json' };
import {
  type ArgumentSchemas,
  EMPTY_REQUEST,
  type NamespaceDeclaration,
  NO_VALUES,
  type RestRequest,
  type RestResponse,
  type RouteDeclaration,
  type SiteError,
  type SiteRequest,
  type SiteResponse,
} from './declarations.ts';
import { createRootIndex, describeRoute, describeRoutes, type SiteIdentity } from './index-document.ts';
import { matchRoutePattern } from './matcher.ts';
import { RequestParams } from './params.ts';
import { filterFields } from './representation.ts';
import {
  createPaginationHeaders,
  errorResponse,
  forbiddenError,
  ok,
  RefusedError,
  refuse,
  respondWith,
  restError,
  restUrl,
  toSiteError,
} from './responses.ts';
import { type RegisteredEndpoint, type RegisteredRoute, type RouteMatch, RouteRegistry } from './routes.ts';

interface MatchedRequest<State> {
  readonly kind: 'matched';
  readonly match: RouteMatch<State>;
  readonly request: SiteRequest<State>;
  readonly error?: SiteError;
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

interface ServedSite<State> {
  readonly identity: SiteIdentity;
  readonly declarations: readonly NamespaceDeclaration<State>[];
  readonly state: () => State;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
}

/** `WP_REST_Server` with WordPress's default filters. */
export class RestServer<State> {
  private readonly site: ServedSite<State>;
  private readonly registry: RouteRegistry<State>;

  constructor(site: ServedSite<State>) {
    this.site = site;
    const { identity, declarations } = site;
    this.registry = new RouteRegistry(identity.namespaces, [
      { namespace: '', routes: [this.rootIndex(), this.batchRoute()] },
      // WordPress registers a namespace's index before its routes.
      ...declarations.map(({ namespace, routes }) => ({
        namespace,
        routes: [this.namespaceIndex(namespace), ...routes],
      })),
    ]);
  }

  /** `WP_REST_Server::dispatch()` */
  async dispatch(restRequest: RestRequest): Promise<RestResponse> {
    if (restRequest.method === 'OPTIONS') return this.respondToOptions(restRequest);
    const matched = this.matchRequest(restRequest);
    return matched.kind === 'error' ? errorResponse(matched) : this.respondToRequest(matched);
  }

  /** WordPress validates before it checks permissions. */
  private matchRequest(restRequest: RestRequest): MatchedRequest<State> | SiteError {
    const match = this.registry.match(restRequest.method, restRequest.route);
    if (match === null) return NO_ROUTE_ERROR;
    const merged = mergeRequestParams(restRequest, match.endpoint.args, match.groups);
    const request = this.createSiteRequest(restRequest, merged);
    if ('kind' in restRequest.json) return { kind: 'matched', match, request, error: restRequest.json };
    const validated = validateParams(merged, match, request);
    return 'kind' in validated
      ? { kind: 'matched', match, request, error: validated }
      : { kind: 'matched', match, request: { ...request, params: new RequestParams(validated) } };
  }

  /** `WP_REST_Server::respond_to_request()` */
  private async respondToRequest({ match, request, error }: MatchedRequest<State>): Promise<RestResponse> {
    const refusal = error ?? this.checkPermission(match.endpoint, request);
    const result = refusal ?? (await this.runHandler(match.endpoint, request));
    const { page, ...response }: SiteResponse = 'kind' in result ? errorResponse(result) : result;
    const paging =
      page === undefined ? [] : createPaginationHeaders(page, request.query, request.link(request.route));
    const allowed = this.allowHeader(match.route, request);
    const headers = new Map([...paging, ...response.headers, ...allowed]);
    if (response.status >= 400) return { ...response, headers };
    const fields = request.params.get('_fields') ?? null;
    return { ...response, headers, body: filterFields(response.body, fields) };
  }

  private async runHandler(
    { handle }: RegisteredEndpoint<State>,
    request: SiteRequest<State>,
  ): Promise<SiteResponse | SiteError> {
    try {
      return await handle(request);
    } catch (error) {
      if (error instanceof RefusedError) return error.error;
      this.site.onError(error);
      return CRITICAL_ERROR;
    }
  }

  private checkPermission(
    { permission }: RegisteredEndpoint<State>,
    request: SiteRequest<State>,
  ): SiteError | undefined {
    try {
      permission?.(request);
      return undefined;
    } catch (error) {
      if (error instanceof RefusedError) return error.error;
      this.site.onError(error);
      return forbiddenError(request.user);
    }
  }

  /** `rest_send_allow_header()` */
  private allowHeader(
    route: RegisteredRoute<State>,
    request: SiteRequest<State>,
  ): readonly (readonly [string, string])[] {
    const methods = route.endpoints
      .filter((endpoint) => this.checkPermission(endpoint, request) === undefined)
      .flatMap((endpoint) => endpoint.methods);
    return methods.length === 0 ? [] : [['Allow', [...new Set(methods)].join(', ')]];
  }

  /** `rest_handle_options_request()`: an empty list if no route matches. */
  private respondToOptions(restRequest: RestRequest): RestResponse {
    const route = this.registry.findByPath(restRequest.route);
    if (route === undefined) return respondWith(200, []);
    const groups = matchRoutePattern(route.expression, restRequest.route) ?? {};
    const merged = mergeRequestParams(restRequest, {}, groups);
    const request = this.createSiteRequest(restRequest, merged);
    const { linksPatterns } = this.site.identity;
    const body: Json = describeRoute(route, request.link, 'help', linksPatterns);
    const filtered = filterFields(body, request.params.get('_fields') ?? null);
    return respondWith(200, filtered, this.allowHeader(route, request));
  }

  private createSiteRequest(
    restRequest: RestRequest,
    { values, suppliedNames }: MergedParams,
  ): SiteRequest<State> {
    const { form: _form, json: _json, base, ...request } = restRequest;
    return {
      ...request,
      state: this.site.state(),
      route: decodeByteString(restRequest.route),
      params: new RequestParams(values),
      suppliedNames,
      now: this.site.now(),
      link: (route, linkQuery) => restUrl(base, route, linkQuery),
      address: (path) => base + path,
    };
  }

  private rootIndex(): RouteDeclaration<State> {
    const { identity } = this.site;
    const handle = ({ address, link, params }: SiteRequest<State>): SiteResponse => {
      const authorization = address('/wp-admin/authorize-application.php');
      return ok(
        createRootIndex(identity, address(''), {
          authentication: { 'application-passwords': { endpoints: { authorization } } },
          routes: describeRoutes(this.registry.routes, link, params.get('context'), identity.linksPatterns),
          _links: { help: [{ href: 'https://example.com/rest-api/' }] },
        }),
      );
    };
    return { route: '/', endpoints: [{ methods: ['GET'], args: { context: { default: 'view' } }, handle }] };
  }

  private namespaceIndex(namespace: string): RouteDeclaration<State> {
    const args = { namespace: { default: namespace }, context: { default: 'view' } };
    const handle = ({ params, link }: SiteRequest<State>): SiteResponse => {
      const requested = params.string('namespace', namespace);
      if (!this.site.identity.namespaces.includes(requested)) {
        refuse(404, 'rest_invalid_namespace', 'The specified namespace could not be found.');
      }
      const own = this.registry.routes.filter((route) => route.namespace === requested);
      const { linksPatterns } = this.site.identity;
      const routes = describeRoutes(own, link, params.get('context'), linksPatterns);
      return ok({ namespace: requested, routes, _links: { up: [{ href: link('/') }] } });
    };
    return { route: '', endpoints: [{ methods: ['GET'], args, handle }] };
  }

  /** `WP_REST_Server::serve_batch_request_v1()` */
  private batchRoute(): RouteDeclaration<State> {
    const handle = (request: SiteRequest<State>): Promise<SiteResponse> => {
      const items = request.params.objects('requests').map((item) => this.toBatchItem(request, item));
      return respondToBatch(items, request.params.string('validation'));
    };
    return { route: '/batch/v1', endpoints: [{ methods: ['POST'], args: BATCH_ARGS, handle }] };
  }

  private toBatchItem({ user, address }: SiteRequest<State>, item: JsonObject): BatchItem {
    const batched = readBatchedRequest(item);
    if ('kind' in batched) return { error: batched };
    const matched = this.matchRequest({ ...EMPTY_REQUEST, ...batched, user, base: address('') });
    if (matched.kind === 'error') return { error: matched };
    const isAllowed = matched.match.endpoint.allowBatch === true;
    const request = isAllowed ? matched : { ...matched, error: NOT_IN_BATCHES };
    return { error: request.error, respond: () => this.respondToRequest(request) };
  }
}

const BATCH_ARGS: ArgumentSchemas = batchArguments;

interface MergedParams {
  readonly values: ReadonlyMap<string, Json>;
  readonly suppliedNames: ReadonlySet<string>;
}

/** JSON, form, query, path, defaults. A `null` doesn't hide a later source. */
function mergeRequestParams(
  restRequest: RestRequest,
  args: ArgumentSchemas,
  groups: Readonly<Record<string, string>>,
): MergedParams {
  const { query, form, method } = restRequest;
  const json = 'kind' in restRequest.json ? NO_VALUES : restRequest.json;
  const values = mergeParameters({ json, form, query, path: toPathParameters(groups) }, method);
  const suppliedNames = new Set(values.keys());
  for (const [name, { default: preset = null }] of Object.entries(args)) {
    if (preset !== null && !suppliedNames.has(name)) values.set(name, preset);
  }
  return { values, suppliedNames };
}

/**
 * `has_valid_params()` and `sanitize_params()`: missing parameters first, then violations of arguments with a
 * `validate_callback`, then others.
 */
function validateParams<State>(
  { values, suppliedNames }: MergedParams,
  { endpoint, route: { pattern } }: RouteMatch<State>,
  request: SiteRequest<State>,
): ReadonlyMap<string, Json> | SiteError {
  const { args } = endpoint;
  const missing = Object.keys(args).filter(
    (name) => args[name]?.['required'] === true && (values.get(name) ?? null) === null,
  );
  if (missing.length > 0) return toSiteError(missingParamsError(missing));
  const validated = new Map(values);
  const isInFirstPass = (name: string): boolean => {
    const isGroup = pattern.includes(`(?P<${name}>`);
    return isValidatedFirst({ path: pattern, method: request.method, name, isGroup });
  };
  for (const isFirstPass of [true, false]) {
    const violations = new Map<string, SchemaViolation>();
    for (const [name, value] of values) {
      if (!Object.hasOwn(args, name) || isInFirstPass(name) !== isFirstPass) continue;
      const result = validateArgument(name, value, suppliedNames.has(name), endpoint, request);
      if (result.ok) validated.set(name, result.value);
      else violations.set(name, result.violation);
    }
    if (violations.size > 0) return toSiteError(invalidParamsError(violations));
  }
  return validated;
}

type ArgumentResult =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly violation: SchemaViolation };

function validateArgument<State>(
  name: string,
  value: Json,
  isSupplied: boolean,
  { sanitize: sanitizers, validate, validators }: RegisteredEndpoint<State>,
  request: SiteRequest<State>,
): ArgumentResult {
  const sanitize = getOwn(sanitizers, name);
  const validator = validators.get(name);
  if (isSupplied && value !== null) {
    const found = getOwn(validate, name)?.(value, request);
    if (found !== undefined) {
      const violation = typeof found === 'string' ? createViolation('rest_invalid_param', found) : found;
      return { ok: false, violation };
    }
    const violation = validator?.validate(value, name) ?? null;
    if (violation !== null) return { ok: false, violation };
  }
  if (sanitize !== undefined) return { ok: true, value: sanitize(value) };
  const sanitized = validator?.sanitize(value, name) ?? { ok: true, value };
  return sanitized.ok || isSupplied ? sanitized : { ok: true, value };
}

function getOwn<T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}
