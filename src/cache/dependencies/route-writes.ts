import { type RouteGlob, splitNames } from '../../glob.ts';
import { parseHttpDate } from '../../http/date.ts';
import { SAFE_METHODS } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import { isJsonObject, type Json, type JsonObject, jsonMembers, memberAt, toJsonObject } from '../../json.ts';
import { readErrorCode } from '../../php/json.ts';
import { parseQueryParameters } from '../../php/query.ts';
import { normalizeRoute } from '../../php/request.ts';
import { nameWriteKind } from '../wordpress/cache-key.ts';
import type { ItemState } from './item-states.ts';
import { findKnownRouteWrite, isUnseenWrite, type KnownWrite } from './known-writes.ts';
import { isCoreResource, type ResourceLocation, type ResourceMap } from './resource-map.ts';
import { inferNamespace, tagNames, toTagPath } from './tags.ts';
import RESPONSES from './write-responses.json' with { type: 'json' };
import {
  ALL_GROUPS,
  CONTROL_PARAMETERS,
  isSuccess,
  PLUGIN_GROUPS,
  type ResponseGroupName,
  SCRIPT_GROUPS,
  type SelectedByWrite,
  type SiteWrite,
  selectWritten,
  UNKNOWN_GROUPS,
} from './write-rules.ts';

/** A request to a route, as the site resolves it. */
export interface WrittenRoute {
  readonly method: string;
  readonly route: string;
  readonly hasFormBody: boolean;
  /** Namespace and path template of the operation; `undefined` if the document has none. */
  readonly namespace: string | undefined;
  readonly template: string | undefined;
}

/** What one write invalidates, and what identifies the write among those of its site. */
export interface InvalidatingWrite extends SelectedByWrite {
  readonly method: string;
  /** Route at the site; for a page its path and query. */
  readonly address: string;
  /** Namespace of the route; empty for a page. */
  readonly namespace: string;
  /** The item after the write, if it is known, with its path. */
  readonly written?: { readonly itemPath: string; readonly readAfter: () => ItemState };
  /** Groups of responses that may depend on it. */
  readonly groups: readonly ResponseGroupName[];
  /** Kind of the write; `null` if it is unknown, or if its effect was not seen. */
  readonly kind: string | null;
  /** Identifies the resource that was written; `null` if each write is one of its own. */
  readonly resource: string | null;
  /** Tags of the responses that show the written resource. */
  readonly effectTags: readonly string[];
  /**
   * Whether observations count without a response that has changed: the response itself shows a change, because it creates or
   * deletes, or WordPress itself changed nothing, so that each such write is like any other.
   */
  readonly hasCertainEffect: boolean;
  /** Selects the reads that it may change, if a table knows. */
  readonly changes?: readonly RouteGlob[];
}

/** What is known of the site of a write. */
export interface WrittenSite {
  readonly resources: ResourceMap;
  /** `cache.unknownWrites: cautious` */
  readonly isCautious: boolean;
  /** Returns what the item with this path was before the write; `null` if it is unknown. */
  readonly getBefore: (itemPath: string) => ItemState | null;
  /** Whether each name is that of an argument of WordPress itself at an endpoint. */
  readonly hasOnlyCoreArguments: (
    endpoint: { readonly method: string; readonly route: string },
    names: Iterable<string>,
  ) => boolean;
}

type ItemsOfSite = Pick<WrittenSite, 'getBefore' | 'hasOnlyCoreArguments'>;

/** Lists the writes of a request to a REST route: none, one, or those of a batch. */
export function listRouteWrites(
  { hasFormBody, method, route, namespace = inferNamespace(route), template }: WrittenRoute,
  outcome: WriteOutcome,
  site: WrittenSite,
): readonly InvalidatingWrite[] {
  if (SAFE_METHODS.has(method)) {
    // `_method=GET`: the handler of a read runs, and before it, plugins that read `$_POST`.
    const write = createUnknownWrite('POST', toTagPath(route), []);
    return [hasFormBody ? write : { ...write, groups: PLUGIN_GROUPS }];
  }
  if (toTagPath(route) === '/batch/v1' && method === 'POST') return listBatchWrites(outcome, site);
  const { isCautious, resources } = site;
  const location = resources.locate(route, namespace, template ?? null);
  const known = isCautious || location.kind !== 'other' ? undefined : findKnownRouteWrite(location.path);
  return known === undefined
    ? describeRouteWrite(method, location, template ?? null, outcome, site)
    : describeKnownWrite(known, createUnknownWrite(method, location.path, [location.path]), resources);
}

/** Describes a write of which a table knows what it changes. */
export function describeKnownWrite(
  { changes, changesComments }: KnownWrite,
  write: InvalidatingWrite,
  resources: ResourceMap,
): readonly InvalidatingWrite[] {
  if (changes.length === 0) return [];
  const comments = [...resources.collectionsOfKind('comments'), tagNames.anyComments];
  return [{ ...write, tags: changesComments ? [...write.tags, ...comments] : write.tags, changes }];
}

/** Describes a write to a route. @param template `null` if the document has none for it */
export function describeRouteWrite(
  method: string,
  location: ResourceLocation,
  template: string | null,
  outcome: WriteOutcome,
  { getBefore, hasOnlyCoreArguments }: ItemsOfSite,
): readonly InvalidatingWrite[] {
  const { hasUnknownIdentity = false, headers = [], responseBody, status } = outcome;
  if (SAFE_METHODS.has(method)) return [];
  const isCore = isCoreResource(location);
  const names = outcome.sentParameters?.keys();
  // Callbacks of plugins for other arguments may refuse after the item is written.
  const hasForeignArguments =
    !isCore ||
    names === undefined ||
    !hasOnlyCoreArguments({ method, route: toCoreEndpoint(location, template) }, names);
  if (isRefusedWrite({ ...outcome, method, isCore, hasForeignArguments })) return [];
  // The REST server sends `Allow` for each route that it has (`rest_send_allow_header()`), so with that field a handler ran. A
  // route that the index hides has a handler, which may write and answer as if it had none.
  const isUnmatched =
    readErrorCode(responseBody) === 'rest_no_route' && fieldValue(headers, 'allow') === undefined;
  if (template === null && isUnmatched) {
    const write = createUnknownWrite(method, location.path, []);
    return [outcome.isAnonymous ? { ...write, groups: PLUGIN_GROUPS } : write];
  }
  if (isCore && isUnseen(method, location, outcome)) {
    const { itemPath, path } = location;
    // The path of a collection is a tag of all of its items. The target itself is invalidated in any case (RFC 9111 §4.4).
    const tags = [tagNames.exactRoute(path), ...(itemPath === null ? [] : [path, itemPath])];
    return [{ ...createUnknownWrite(method, path, tags), groups: [] }];
  }
  const { changesLists, groups, readAfter, sentParameters, ...selected } = selectWritten(
    { method, location, ...outcome },
    getBefore,
  );
  const isNamed = !changesLists && isSuccess(status) && !hasUnknownIdentity && outcome.hasUnreadBody !== true;
  // WordPress has one handler for all methods that edit (`WP_REST_Server::EDITABLE`).
  const named = isCore && (method === 'PUT' || method === 'PATCH') ? 'POST' : method;
  const ofKind = { ...outcome, method: named, template, path: location.path, sentParameters };
  const kind = isNamed ? nameWriteKind(ofKind) : null;
  const { itemPath, namespace, path } = location;
  const { id } = isJsonObject(responseBody) ? responseBody : {};
  const isId = typeof id === 'number' || typeof id === 'string';
  // The path of a collection is a tag of all of its items, of which an unrelated one may change.
  const item = itemPath ?? (isId ? `${path}/${id}` : null);
  return [
    {
      method,
      address: path,
      namespace,
      ...selected,
      ...(readAfter === null ? {} : { written: { itemPath: path, readAfter } }),
      groups,
      kind,
      resource: itemPath === null && item !== null ? item : path,
      effectTags: [tagNames.exactRoute(path), ...(item === null ? [] : [item, tagNames.ownPage(item)])],
      hasCertainEffect:
        status === 201 ||
        (method === 'DELETE' && isSuccess(status)) ||
        (isCore && isSuccess(status) && isJustModified(responseBody, headers)),
    },
  ];
}

function isUnseen(
  method: string,
  { path }: ResourceLocation,
  { hasUnreadBody, responseBody, sentParameters, status }: WriteOutcome,
): boolean {
  if (sentParameters === null || hasUnreadBody === true || !isJsonObject(responseBody)) return false;
  const sent = [...sentParameters].filter(([name]) => !CONTROL_PARAMETERS.has(name));
  return isUnseenWrite({ method, path, status, sentParameters: sent, responseBody });
}

/** Milliseconds that may pass between the change of a post and the head of the response. */
const MAX_MODIFIED_AGE = 5_000;

/** Whether a post was changed just before its response: each update sets `modified_gmt` (`wp_insert_post()`). */
export function isJustModified(body: Json | undefined, headers: readonly string[]): boolean {
  const modified = isJsonObject(body) ? body['modified_gmt'] : undefined;
  const date = fieldValue(headers, 'date');
  if (typeof modified !== 'string' || date === undefined) return false;
  const age = (parseHttpDate(date, 0) ?? Number.NaN) - Date.parse(`${modified}Z`);
  return age >= 0 && age <= MAX_MODIFIED_AGE;
}

/** Returns the pattern of the endpoint of WordPress itself at a route, e.g. of autosaves below an item. */
function toCoreEndpoint(
  { collectionPath, isBelowItem, itemPath }: ResourceLocation,
  template: string | null,
): string {
  if (isBelowItem) return (template ?? '').replaceAll(/\{(\w+)\}/g, '(?P<$1>[\\d]+)');
  const collection = collectionPath.replace(/^\/core\/v2\//, '/wp/v2/');
  return itemPath === null ? collection : `${collection}/(?P<id>[\\d]+)`;
}

/**
 * Splits `POST /batch/v1` into its writes: `{"requests":[{method,path,body}]}`, with the response
 * `{"responses":[{status,body}|null]}`. The outcome of a request without readable response is unknown.
 */
function listBatchWrites(outcome: WriteOutcome, site: WrittenSite): readonly InvalidatingWrite[] {
  const { responseBody, sentParameters, status } = outcome;
  const method = 'POST';
  const hasForeignArguments =
    sentParameters === null ||
    !site.hasOnlyCoreArguments({ method, route: '/batch/v1' }, sentParameters.keys());
  if (isRefusedWrite({ ...outcome, method, isCore: true, hasForeignArguments })) return [];
  const requests = isSuccess(status) ? sentParameters?.get('requests') : undefined;
  // Any route may have changed.
  const unknown = [createUnknownWrite(method, '/batch/v1', [])];
  if (!Array.isArray(requests)) return unknown;
  const { failed, responses } = toJsonObject(responseBody);
  const known = Array.isArray(responses) && responses.length === requests.length ? responses : [];
  const writes: InvalidatingWrite[] = [];
  for (const [index, request] of requests.entries()) {
    const response = known[index];
    // Validation of the whole batch failed (`require-all-validate`), so the site ran no request.
    if (response === null && failed === 'validation') continue;
    const described = describeBatchRequest(request, toJsonObject(response), outcome, site);
    if (described === null) return unknown;
    writes.push(...described);
  }
  return writes;
}

/** Describes one request of a batch, with its own outcome. @returns `null` if it cannot be read */
function describeBatchRequest(
  request: Json,
  { body: responseBody, headers, status }: JsonObject,
  { isAnonymous }: WriteOutcome,
  site: WrittenSite,
): readonly InvalidatingWrite[] | null {
  const { body, method, path } = toJsonObject(request);
  // WordPress parses the path as a URL (`wp_parse_url()`), so one with an origin or a fragment is another route.
  if (typeof path !== 'string' || !/^\/(?!\/)[^#]*$/.test(path)) return null;
  const [route = '', query = ''] = path.split(/\?(.*)/s);
  const inQuery = parseQueryParameters(query);
  const outcome = {
    isAnonymous,
    status: typeof status === 'number' ? status : null,
    sentParameters: inQuery === null ? null : new Map([...inQuery, ...jsonMembers(body)]),
    responseBody: responseBody ?? undefined,
    headers: jsonMembers(headers).flatMap(([name, value]) => [name, String(value)]),
  };
  const named = typeof method === 'string' ? method.toUpperCase() : 'POST';
  return describeRouteWrite(named, locate(route, site.resources), null, outcome, site);
}

export interface ChangedRoute {
  readonly route: string;
  readonly method: string;
}

/** Describes a write at the site itself. Its fields and its response are unknown. */
export function describeExternalWrite(
  { method, route }: ChangedRoute,
  resources: ResourceMap,
): readonly InvalidatingWrite[] {
  const outcome = { status: 200, sentParameters: null, responseBody: undefined, isAnonymous: false };
  return describeRouteWrite(method, locate(route, resources), null, outcome, NOTHING_KNOWN);
}

const NOTHING_KNOWN: ItemsOfSite = { getBefore: () => null, hasOnlyCoreArguments: () => false };

function locate(stated: string, resources: ResourceMap): ResourceLocation {
  const route = normalizeRoute(stated);
  return resources.locateKnown(route) ?? resources.locate(route, inferNamespace(route), null);
}

/** Describes a change of unknown extent in a namespace, at the site itself. */
export function describeNamespaceChange(namespace: string): InvalidatingWrite {
  const address = `/${namespace}`;
  return { ...createUnknownWrite('PUT', address, [address]), namespace };
}

/** Describes a write of which nothing but its address is known: with the tags, all groups may depend on it. */
export function createUnknownWrite(
  method: string,
  address: string,
  tags: readonly string[],
): InvalidatingWrite {
  const identity = { method, address, namespace: '', resource: address };
  const unknown = { clauses: [], effectTags: [], groups: UNKNOWN_GROUPS, kind: null };
  return { ...identity, ...unknown, tags, hasCertainEffect: false };
}

/** Widens a write for `cache.unknownWrites: cautious`: what a plugin may have changed, it may show on pages; what is unknown may have changed files. */
export function widen(write: InvalidatingWrite): InvalidatingWrite {
  if (write.groups.includes('items')) return { ...write, groups: ALL_GROUPS };
  return write.groups.includes('pages') ? write : { ...write, groups: SCRIPT_GROUPS };
}

/** The result of a write at the site. */
export interface WriteOutcome extends Omit<SiteWrite, 'method' | 'location'> {
  /** Whether nothing in the request may identify the client. */
  readonly isAnonymous: boolean;
  /** Whether it identifies the client, if at all, by something other than the credentials of WordPress. @default false */
  readonly hasUnknownIdentity?: boolean;
  /** Whether the request has a body that WordPress does not parse. A handler may read it. @default false */
  readonly hasUnreadBody?: boolean;
  /** The body of the response of a page as text; `null` if it is too long, or if no rule reads it. @default null */
  readonly responseText?: string | null;
  /** Header fields of the response, a flat list. @default none */
  readonly headers?: readonly string[];
  /** What a form has written, as the site sends it after the write; `null` if it is unknown. */
  readonly written?: { readonly form: WrittenForm; readonly item: JsonObject } | null;
}

/** A form of WordPress that writes an item of the REST API. */
export interface WrittenForm {
  /** The script, with its action. */
  readonly name: string;
  readonly location: ResourceLocation;
}

/** The response to a write, with what decides whether the site refused the write before it changed anything. */
interface WriteResponse extends WriteOutcome {
  /** The method that the site runs. */
  readonly method: string;
  /** Whether the handler of the route is WordPress's own. */
  readonly isCore: boolean;
  /** Whether an argument may be one that a plugin has added to the route, so that its callback decides too. */
  readonly hasForeignArguments: boolean;
}

/** Statuses of requests that no handler and no script runs: web servers refuse them. */
const UNHANDLED_STATUSES: ReadonlySet<number> = new Set([405, 411, 413, 414, 415, 417, 421, 431]);

/** Fields that PHP and the REST server add before a handler runs, and that error pages of web servers do not have. */
const SCRIPT_FIELDS = /^(?:x-powered-by|link|set-cookie|x-robots-tag|x-wp-)/i;

/** Errors that WordPress's REST server finds before the handler of any route runs (`WP_REST_Server::dispatch()`). */
const SERVER_ERRORS: ReadonlySet<string> = new Set(splitNames(RESPONSES.serverErrors));

/** Errors of WordPress's own handlers, and of its authentication, that are found before anything is written. */
const CORE_ERRORS: ReadonlySet<string> = new Set(splitNames(RESPONSES.coreErrors));

/**
 * Whether the site refused a write to a route, so that nothing has changed. A handler may write a part and fail then, with any
 * error, also with one of WordPress's own that it got from another route. So an error proves a refusal only if it comes from
 * WordPress's own handlers and precedes their writes, or if the response shows that no handler ran.
 */
export function isRefusedWrite(response: WriteResponse): boolean {
  const { hasForeignArguments, isAnonymous, isCore, responseBody, sentParameters, status } = response;
  if (status === null || status < 400 || status >= 500) return false;
  if (isRefusedByWebServer(response)) return true;
  const code = readErrorCode(responseBody);
  if (code === null || code === 'rest_no_route') return false;
  if (!isCore) return SERVER_ERRORS.has(code) && isNotAllowed(response);
  // Who may write can change with the write itself, but nothing gives an anonymous client a right.
  if (hasForeignArguments)
    return (SERVER_ERRORS.has(code) || CORE_ERRORS.has(code)) && isAnonymous && isNotAllowed(response);
  if (SERVER_ERRORS.has(code) || isParameterError(code, responseBody)) return true;
  // Meta fields are checked and written one by one after the item, with the same errors.
  return CORE_ERRORS.has(code) && sentParameters !== null && !sentParameters.has('meta');
}

/** Whether a web server refused a request without running a script: by such a status, with an error page of its own. */
export function isRefusedByWebServer({ headers = [], responseBody, status }: WriteOutcome): boolean {
  if (status === null || !UNHANDLED_STATUSES.has(status) || isJsonObject(responseBody)) return false;
  const type = fieldValue(headers, 'content-type') ?? '';
  const isScript = headers.some((name, at) => at % 2 === 0 && SCRIPT_FIELDS.test(name));
  return !isScript && /^(?:$|text\/(?:html|plain)\b)/i.test(type);
}

/**
 * Whether the permission callback of a route has refused the client. `Allow` lists the methods of the route that the client may
 * run (`rest_send_allow_header()`).
 */
function isNotAllowed({ headers = [], method }: WriteResponse): boolean {
  const allowed = fieldValue(headers, 'allow')
    ?.toUpperCase()
    .split(/[\s,]+/);
  return allowed?.includes(method) === false;
}

/** Whether the server itself found invalid parameters (`WP_REST_Request::has_valid_params()`). */
function isParameterError(code: string, body: Json | undefined): boolean {
  return code === 'rest_invalid_param' && isJsonObject(memberAt(body, 'data', 'details'));
}
