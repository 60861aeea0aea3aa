import type { Json } from '../../json.ts';
import { authenticate } from './authenticate.ts';
import type { SiteDefinition } from './definition.ts';
import { dispatch, type ServerContext } from './dispatch.ts';
import { embedLinks, parseEmbed } from './embed.ts';
import { parseRequestBody, readRequestBytes } from './parse-body.ts';
import {
  isRouteMismatch,
  parseRequestTarget,
  type RequestTarget,
  resolveMethod,
  resolveRoute,
} from './request-target.ts';
import { createInternalRequest, type RestRequest } from './rest-request.ts';
import { errorResponse, type RestResponse, wrapInEnvelope } from './rest-response.ts';
import { servePage } from './serve-page.ts';
import { createCallbackErrorResponse, type WriteContext, writeResponse } from './write-response.ts';

interface HandlerOptions {
  /** The delay of each REST response, in milliseconds. */
  readonly latency: number;
  /** The size limit of a request body, in bytes. */
  readonly bodyLimit: number;
  /** The URL of the site in links; `undefined` uses the origin of the request. */
  readonly base: string | undefined;
}

/** Creates the request handler of a site: REST routes, pages and files. */
export function createRequestHandler<State>(
  definition: SiteDefinition<State>,
  context: ServerContext<State>,
  { latency, bodyLimit, base: fixedBase }: HandlerOptions,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const url = new URL(request.url);
    const base = fixedBase ?? url.origin;
    const target = parseRequestTarget(url);
    const requestMethod = request.method;
    const method = resolveMethod(requestMethod, target.query, request.headers);
    const bytes = await readRequestBytes(request, bodyLimit);
    const parsedBody =
      'kind' in bytes
        ? null
        : await parseRequestBody(bytes, request.headers.get('content-type'), { requestMethod, method });
    const form = requestMethod === 'POST' && parsedBody !== null ? parsedBody.form : new Map<string, Json>();
    if (isRouteMismatch(target, form)) return mismatchResponse();
    const route = resolveRoute(target, form);
    if (route === null)
      return servePage(definition, url, { base, state: context.state(), now: context.now() });

    const authentication = authenticate(request.headers.get('authorization'), definition.users);
    const restRequest: RestRequest = {
      method,
      route,
      query: target.query,
      form: new Map(),
      json: new Map(),
      body: null,
      files: [],
      ...parsedBody,
      headers: request.headers,
      user: authentication.ok ? authentication.user : null,
      base,
    };
    const jsonp = parseJsonpCallback(target);
    const writeContext: WriteContext = {
      request: restRequest,
      requestMethod,
      isMethodOverridden: method !== requestMethod && !target.query.has('_method'),
      jsonp: jsonp ?? undefined,
    };
    if (latency > 0) await new Promise((resolve) => setTimeout(resolve, latency));
    if (jsonp === null) return createCallbackErrorResponse(base);
    if ('kind' in bytes) return writeResponse(errorResponse(bytes), writeContext);
    const response = authentication.ok
      ? await dispatch(context, restRequest)
      : errorResponse(authentication.error);
    return writeResponse(await applyEmbedAndEnvelope(context, restRequest, response), writeContext);
  };
}

/** Parses `_jsonp`: `undefined` if it is absent, `null` if it is not a function name (wp_check_jsonp_callback). */
function parseJsonpCallback({ query }: RequestTarget): string | undefined | null {
  const name = query.get('_jsonp');
  if (name === undefined || name === '') return undefined;
  return typeof name === 'string' && /^[\w.]+$/.test(name) ? name : null;
}

/** Applies `_embed` and `_envelope`. WordPress reads them from the query only. */
async function applyEmbedAndEnvelope<State>(
  context: ServerContext<State>,
  restRequest: RestRequest,
  response: RestResponse,
): Promise<RestResponse> {
  const { query } = restRequest;
  const embedParam = query.get('_embed');
  const body =
    embedParam === undefined || response.raw !== undefined
      ? response.body
      : await embedLinks(response.body, parseEmbed(embedParam), (href) =>
          fetchInternally(context, restRequest, href),
        );
  if (!query.has('_envelope')) return { ...response, body };
  return { status: 200, headers: new Map(), body: wrapInEnvelope(response, body) };
}

/** Fetches a link to the site's own REST API for the user of the outer request, in the context `embed`. */
async function fetchInternally<State>(
  context: ServerContext<State>,
  outer: RestRequest,
  href: string,
): Promise<Json | null> {
  if (!href.startsWith(`${outer.base}/`)) return null;
  const target = parseRequestTarget(new URL(href));
  const route = resolveRoute(target, new Map());
  if (route === null) return null;
  const query = new Map([...target.query].filter(([name]) => name !== 'rest_route'));
  if (!query.has('context')) query.set('context', 'embed');
  const response = await dispatch(context, createInternalRequest(outer, { method: 'GET', route, query }));
  return response.body;
}

function mismatchResponse(): Response {
  return new Response('A variable mismatch has been detected.\n', {
    status: 400,
    headers: { 'Content-Type': 'text/html; charset=UTF-8' },
  });
}
