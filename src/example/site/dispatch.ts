import type { Json } from '../../json.ts';
import { decodeByteString } from '../../php/byte-string.ts';
import { forbid, refuse } from './answers.ts';
import type { SiteAnswer, SiteError, SiteRequest } from './declare.ts';
import { describeRoute } from './describe.ts';
import { filterFields } from './fields.ts';
import type { Incoming } from './incoming.ts';
import { linkTo } from './links.ts';
import { errorOutcome, isError, type Outcome } from './outcome.ts';
import { pageHeaders } from './pages.ts';
import { createParams } from './params.ts';
import { judgeParams, type Merged, mergeParams } from './read-params.ts';
import type { Found, Registry, Route } from './registry.ts';

/** What a site's requests run on. */
export interface Ground<State> {
  readonly registry: Registry<State>;
  state(): State;
  now(): Date;
  /** Told of what a handler threw. */
  readonly onFault: (fault: unknown) => void;
}

/** A request that was matched and judged, with what is wrong with it if anything is. */
export interface Prepared<State> {
  readonly found: Found<State>;
  readonly request: SiteRequest<State>;
  readonly error: SiteError | undefined;
}

const NO_ROUTE: SiteError = refuse(
  404,
  'rest_no_route',
  'No route was found matching the URL and request method.',
);
const CRITICAL: SiteError = refuse(
  500,
  'internal_server_error',
  'There has been a critical error on this website.',
);

/** WP_REST_Server::dispatch(), with the filters that WordPress sets behind it. */
export async function dispatch<State>(ground: Ground<State>, incoming: Incoming): Promise<Outcome> {
  if (incoming.method === 'OPTIONS') return describe(ground, incoming);
  const prepared = prepareRequest(ground, incoming);
  return prepared.kind === 'error' ? errorOutcome(prepared) : respond(ground, prepared);
}

/** Matches and judges: validation stands before permission. An error where no route is. */
export function prepareRequest<State>(
  { registry, state, now }: Ground<State>,
  incoming: Incoming,
): ({ readonly kind: 'prepared' } & Prepared<State>) | SiteError {
  const found = registry.match(incoming.method, incoming.route);
  if (found === null) return NO_ROUTE;
  const merged = mergeParams(incoming, found.endpoint, found.groups);
  const request = createRequest(incoming, merged, state(), now());
  if ('kind' in incoming.json) return { kind: 'prepared', found, request, error: incoming.json };
  const judged = judgeParams(merged, found, request);
  if (!judged.ok) return { kind: 'prepared', found, request, error: judged.error };
  return {
    kind: 'prepared',
    found,
    request: { ...request, params: createParams(judged.values) },
    error: undefined,
  };
}

/** WP_REST_Server::respond_to_request(): permission, then the handler. */
export async function respond<State>(ground: Ground<State>, prepared: Prepared<State>): Promise<Outcome> {
  const { found, request, error } = prepared;
  const { declaration } = found.endpoint;
  const refused = error ?? permitted(ground, declaration.permission, request);
  const answer = refused ?? (await run(ground, () => declaration.handle(request)));
  const allowed = allowHeader(ground, found.route, request);
  const outcome = answer.kind === 'error' ? errorOutcome(answer) : answerOutcome(answer, request);
  const headers = new Map([...outcome.headers, ...allowed]);
  const fields = request.params.get('_fields') ?? null;
  if (fields === null || isError(outcome)) return { ...outcome, headers };
  return { ...outcome, headers, body: filterFields(outcome.body, fields) };
}

async function run<State>(
  { onFault }: Ground<State>,
  handle: () => SiteAnswer | SiteError | Promise<SiteAnswer | SiteError>,
): Promise<SiteAnswer | SiteError> {
  try {
    return await handle();
  } catch (fault) {
    onFault(fault);
    return CRITICAL;
  }
}

function permitted<State>(
  { onFault }: Ground<State>,
  permission: ((request: SiteRequest<State>) => SiteError | undefined) | undefined,
  request: SiteRequest<State>,
): SiteError | undefined {
  try {
    return permission?.(request);
  } catch (fault) {
    onFault(fault);
    return forbid(request.user);
  }
}

/** `rest_send_allow_header()`: the methods of the route that this caller may use. */
function allowHeader<State>(
  ground: Ground<State>,
  route: Route<State>,
  request: SiteRequest<State>,
): readonly (readonly [string, string])[] {
  const methods = route.endpoints
    .filter(({ declaration }) => permitted(ground, declaration.permission, request) === undefined)
    .flatMap(({ declaration }) => declaration.methods);
  return methods.length === 0 ? [] : [['Allow', [...new Set(methods)].join(', ')]];
}

function answerOutcome<State>(answer: SiteAnswer, request: SiteRequest<State>): Outcome {
  const { status = 200, headers = {}, body, page, raw } = answer;
  const named = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : value.join(', '),
  ]);
  const paged = page === undefined ? [] : pageHeaders(page, request);
  return { status, headers: new Map([...paged, ...named]), body, ...(raw === undefined ? {} : { raw }) };
}

/** `rest_handle_options_request()`: the first route that matches, with its schema; an empty list where none does. */
function describe<State>(ground: Ground<State>, incoming: Incoming): Outcome {
  const route = ground.registry.find(incoming.route);
  const [endpoint] = route?.endpoints ?? [];
  if (route === undefined || endpoint === undefined) return { status: 200, headers: new Map(), body: [] };
  const groups = route.matcher.match(incoming.route) ?? {};
  const merged = mergeParams(incoming, { ...endpoint, args: [] }, groups);
  const request = createRequest(incoming, merged, ground.state(), ground.now());
  const body: Json = describeRoute(route, 'help', incoming.base);
  const fields = request.params.get('_fields') ?? null;
  return {
    status: 200,
    headers: new Map(allowHeader(ground, route, request)),
    body: fields === null ? body : filterFields(body, fields),
  };
}

function createRequest<State>(
  incoming: Incoming,
  { values, given }: Merged,
  state: State,
  now: Date,
): SiteRequest<State> {
  const { method, headers, user, body, files, base } = incoming;
  return {
    state,
    method,
    route: decodeByteString(incoming.route),
    params: createParams(values),
    given,
    user,
    headers,
    body,
    files,
    now,
    link: (route, query) => linkTo(base, route, query),
    address: (path) => base + path,
    query: incoming.query,
  };
}
