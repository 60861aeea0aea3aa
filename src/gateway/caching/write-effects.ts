import type { ItemState } from '../../cache/dependencies/item-states.ts';
import {
  isCoreResource,
  type ResourceLocation,
  type ResourceMap,
} from '../../cache/dependencies/resource-map.ts';
import { inferNamespace, tagNames, toTagPath } from '../../cache/dependencies/tags.ts';
import {
  isSuccess,
  PLUGIN_GROUPS,
  type ResponseGroupName,
  type SiteWrite,
  selectWritten,
  UNKNOWN_GROUPS,
} from '../../cache/dependencies/write-rules.ts';
import type { PurgeClause } from '../../cache/store.ts';
import { nameWriteKind } from '../../cache/wordpress/cache-key.ts';
import { type RouteGlob, splitNames } from '../../glob.ts';
import { parseHttpDate } from '../../http/date.ts';
import { SAFE_METHODS } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { normalizeRoute } from '../../php/request.ts';
import { hasOnlyCoreArguments } from '../../validation/evidence/core-rules.ts';
import { readErrorCode } from '../../validation/evidence/origin-verdict.ts';
import { parseQueryParameters } from '../../validation/request/parameters.ts';
import type { RouteRequest } from '../snapshot/snapshot.ts';
import { findKnownRouteWrite, type KnownWrite } from './known-writes.ts';
import RESPONSES from './write-responses.json' with { type: 'json' };

export interface ChangedRoute {
  readonly route: string;
  readonly method: string;
}

/** What one write invalidates, and what identifies the write among those of its site. */
export interface InvalidatingWrite {
  readonly method: string;
  /** Route at the site; for a page its path and query. */
  readonly address: string;
  /** Namespace of the route; empty for a page. */
  readonly namespace: string;
  /** Tags of the responses that are known to depend on the write. */
  readonly tags: readonly string[];
  /** The item after the write, if it is known, with its path. */
  readonly written?: { readonly itemPath: string; readonly readAfter: () => ItemState };
  /** Selects responses that show the written item and contain what it was before. */
  readonly clauses: readonly PurgeClause[];
  /** Tag of the page that shows the written item, which depends on the write unless such pages are learned not to. @default none */
  readonly ownPage?: string;
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
}

const UNKNOWN_BEFORE = (): null => null;

/** Lists the writes of a request to a REST route: none, one, or those of a batch. */
export function listRouteWrites(
  { match, target }: RouteRequest,
  outcome: WriteOutcome,
  { getBefore, isCautious, resources }: WrittenSite,
): readonly InvalidatingWrite[] {
  const { hasFormBody, method, route } = target;
  if (SAFE_METHODS.has(method)) {
    // `_method=GET`: the handler of a read runs, and before it, plugins that read `$_POST`.
    const write = createUnknownWrite('POST', toTagPath(route), []);
    return [hasFormBody ? write : { ...write, groups: PLUGIN_GROUPS }];
  }
  if (toTagPath(route) === '/batch/v1' && method === 'POST')
    return listBatchWrites(outcome, { resources, getBefore });
  const found = match.kind === 'found' ? match : null;
  const namespace = found?.route.namespace ?? inferNamespace(route);
  const template = found?.operation.path ?? null;
  const location = resources.locate(route, namespace, template);
  const known = isCautious || location.kind !== 'other' ? undefined : findKnownRouteWrite(location.path);
  return known === undefined
    ? describeRouteWrite(method, location, template, outcome, { getBefore })
    : describeKnownWrite(known, createUnknownWrite(method, location.path, [location.path]), resources);
}

/** Describes a write of which a table knows what it changes. */
export function describeKnownWrite(
  { changes, kinds }: KnownWrite,
  write: InvalidatingWrite,
  resources: ResourceMap,
): readonly InvalidatingWrite[] {
  if (changes.length === 0) return [];
  const collections = kinds.flatMap((kind) => resources.collectionsOfKind(kind));
  const tags = kinds.length === 0 ? write.tags : [...write.tags, ...collections, tagNames.anyComments];
  return [{ ...write, tags, changes }];
}

/** What is known of the outcome of a write, of one in a batch, or of one at the site itself. */
type KnownOutcome = Omit<WriteOutcome, 'responseText' | 'hasUnknownIdentity' | 'hasUnreadBody' | 'headers'> &
  Partial<WriteOutcome>;

/** Describes a write to a route. @param template `null` if the document has none for it */
export function describeRouteWrite(
  method: string,
  location: ResourceLocation,
  template: string | null,
  outcome: KnownOutcome,
  { getBefore }: Pick<WrittenSite, 'getBefore'>,
): readonly InvalidatingWrite[] {
  const { hasUnknownIdentity = false, headers = [], responseBody, status } = outcome;
  if (SAFE_METHODS.has(method)) return [];
  const isCore = isCoreResource(location);
  const hasForeignArguments = !isCore || !sendsOnlyCoreArguments(method, location, outcome.sentParameters);
  const response = { ...outcome, headers, method, isCore, hasForeignArguments };
  if (isRefusedWrite(response)) return [];
  // The REST server sends `Allow` for each route that it has (`rest_send_allow_header()`), so with that field a handler ran. A
  // route that the index hides has a handler, which may write and answer as if it had none.
  const isUnmatched =
    readErrorCode(responseBody) === 'rest_no_route' && fieldValue(headers, 'allow') === undefined;
  if (template === null && isUnmatched) {
    const write = createUnknownWrite(method, location.path, []);
    return [outcome.isAnonymous ? { ...write, groups: PLUGIN_GROUPS } : write];
  }
  const { changesLists, clauses, groups, ownPage, readAfter, sentParameters, tags } = selectWritten(
    { method, location, ...outcome },
    getBefore,
  );
  const isNamed = !changesLists && isSuccess(status) && !hasUnknownIdentity && outcome.hasUnreadBody !== true;
  // WordPress has one handler for all methods that edit (`WP_REST_Server::EDITABLE`).
  const named = isCore && (method === 'PUT' || method === 'PATCH') ? 'POST' : method;
  const ofKind = { ...outcome, method: named, template, path: location.path, sentParameters };
  const kind = isNamed ? nameWriteKind(ofKind) : null;
  const { itemPath, namespace, path } = location;
  const resource = createdResource(location, responseBody);
  // The path of a collection is a tag of all of its items, of which an unrelated one may change.
  const item = itemPath ?? (resource === path ? null : resource);
  return [
    {
      method,
      address: path,
      namespace,
      tags,
      clauses,
      ...(ownPage === undefined ? {} : { ownPage }),
      ...(readAfter === null ? {} : { written: { itemPath: path, readAfter } }),
      groups,
      kind,
      resource,
      effectTags: [tagNames.exactRoute(path), ...(item === null ? [] : [item, tagNames.ownPage(item)])],
      hasCertainEffect:
        status === 201 ||
        (method === 'DELETE' && isSuccess(status)) ||
        (isCore && isSuccess(status) && isJustModified(responseBody, headers)),
    },
  ];
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

/** Whether each argument is WordPress's own at this route. Callbacks of plugins for others may refuse after the item is written. */
function sendsOnlyCoreArguments(
  method: string,
  { collectionPath, isBelowItem, itemPath }: ResourceLocation,
  sentParameters: WriteOutcome['sentParameters'],
): boolean {
  if (sentParameters === null || isBelowItem) return false;
  const collection = collectionPath.replace(/^\/core\/v2\//, '/wp/v2/');
  const route = itemPath === null ? collection : `${collection}/(?P<id>[\\d]+)`;
  return hasOnlyCoreArguments({ method, route }, sentParameters.keys());
}

/** Returns the route that was written; for an item that a write to its collection created, its own. */
function createdResource({ itemPath, path }: ResourceLocation, responseBody: Json | undefined): string {
  const id = isJsonObject(responseBody) ? responseBody['id'] : undefined;
  return itemPath === null && (typeof id === 'number' || typeof id === 'string') ? `${path}/${id}` : path;
}

function listBatchWrites(
  outcome: WriteOutcome,
  site: Omit<WrittenSite, 'isCautious'>,
): readonly InvalidatingWrite[] {
  const hasForeignArguments =
    outcome.sentParameters === null ||
    !hasOnlyCoreArguments({ method: 'POST', route: '/batch/v1' }, outcome.sentParameters.keys());
  if (isRefusedWrite({ ...outcome, method: 'POST', isCore: true, hasForeignArguments })) return [];
  const writes = isSuccess(outcome.status) ? parseBatchWrites(outcome) : null;
  // Any route may have changed.
  if (writes === null) return [createUnknownWrite('POST', '/batch/v1', [])];
  return writes.flatMap(({ method, outcome: ofWrite, route }) => {
    const location = locate(normalizeRoute(route), site.resources);
    const { isAnonymous } = outcome;
    return describeRouteWrite(method, location, null, { ...ofWrite, isAnonymous }, site);
  });
}

/** Describes a write at the site itself. Its fields and its response are unknown. */
export function describeExternalWrite(
  { method, route }: ChangedRoute,
  resources: ResourceMap,
): readonly InvalidatingWrite[] {
  const outcome = { status: 200, sentParameters: null, responseBody: undefined, isAnonymous: false };
  const location = locate(normalizeRoute(route), resources);
  return describeRouteWrite(method, location, null, outcome, { getBefore: UNKNOWN_BEFORE });
}

function locate(route: string, resources: ResourceMap): ResourceLocation {
  return resources.locateKnown(route) ?? resources.locate(route, inferNamespace(route), null);
}

/** One request of a batch, with its own outcome. */
interface BatchWrite {
  readonly method: string;
  /** As the site reads it. */
  readonly route: string;
  readonly outcome: Pick<WriteOutcome, 'status' | 'sentParameters' | 'responseBody' | 'headers'>;
}

/**
 * Splits `POST /batch/v1` into its writes: `{"requests":[{method,path,body}]}`, with the response
 * `{"responses":[{status,body}|null]}`. The outcome of a request without readable response is unknown.
 *
 * @returns `null` if the request body is unknown
 */
function parseBatchWrites({
  sentParameters,
  responseBody,
}: Pick<WriteOutcome, 'sentParameters' | 'responseBody'>): readonly BatchWrite[] | null {
  const requests = sentParameters?.get('requests');
  if (!Array.isArray(requests)) return null;
  const { failed, responses } = isJsonObject(responseBody) ? responseBody : {};
  const known = Array.isArray(responses) && responses.length === requests.length ? responses : [];
  const writes: BatchWrite[] = [];
  for (const [index, request] of requests.entries()) {
    const response = known[index];
    // Validation of the whole batch failed (`require-all-validate`), so the site ran no request.
    if (response === null && failed === 'validation') continue;
    const write = parseBatchWrite(request, response);
    if (write === null) return null;
    writes.push(write);
  }
  return writes;
}

function parseBatchWrite(request: Json, response: Json | undefined): BatchWrite | null {
  if (!isJsonObject(request)) return null;
  const { body, method, path } = request;
  // WordPress parses the path as a URL (`wp_parse_url()`), so one with an origin or a fragment is another route.
  if (typeof path !== 'string' || !/^\/(?!\/)[^#]*$/.test(path)) return null;
  const queryStart = path.indexOf('?');
  const inQuery = parseQueryParameters(queryStart < 0 ? '' : path.slice(queryStart + 1));
  const { headers, status, body: responseBody } = isJsonObject(response) ? response : {};
  return {
    method: typeof method === 'string' ? method.toUpperCase() : 'POST',
    route: queryStart < 0 ? path : path.slice(0, queryStart),
    outcome: {
      status: typeof status === 'number' ? status : null,
      sentParameters:
        inQuery === null ? null : new Map([...inQuery, ...(isJsonObject(body) ? Object.entries(body) : [])]),
      responseBody: responseBody ?? undefined,
      headers: isJsonObject(headers)
        ? Object.entries(headers).flatMap(([name, value]) => [name, String(value)])
        : [],
    },
  };
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

/** The result of a write at the site. */
export interface WriteOutcome extends Omit<SiteWrite, 'method' | 'location'> {
  /** Whether nothing in the request may identify the client. */
  readonly isAnonymous: boolean;
  /** Whether it identifies the client, if at all, by something other than the credentials of WordPress. */
  readonly hasUnknownIdentity: boolean;
  /** Whether the request has a body that WordPress does not parse. A handler may read it. */
  readonly hasUnreadBody: boolean;
  /** The body of the response of a page as text; `null` if it is too long, or if no rule reads it. */
  readonly responseText: string | null;
  /** Header fields of the response, a flat list. */
  readonly headers: readonly string[];
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
interface WriteResponse
  extends Pick<WriteOutcome, 'status' | 'sentParameters' | 'responseBody' | 'headers' | 'isAnonymous'> {
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
export function isRefusedByWebServer({
  headers,
  responseBody,
  status,
}: Pick<WriteResponse, 'headers' | 'responseBody' | 'status'>): boolean {
  if (status === null || !UNHANDLED_STATUSES.has(status) || isJsonObject(responseBody)) return false;
  const type = fieldValue(headers, 'content-type') ?? '';
  const isScript = headers.some((name, at) => at % 2 === 0 && SCRIPT_FIELDS.test(name));
  return !isScript && /^(?:$|text\/(?:html|plain)\b)/i.test(type);
}

/**
 * Whether the permission callback of a route has refused the client. `Allow` lists the methods of the route that the client may
 * run (`rest_send_allow_header()`).
 */
function isNotAllowed({ headers, method }: WriteResponse): boolean {
  const allowed = fieldValue(headers, 'allow');
  return (
    allowed !== undefined &&
    !allowed
      .toUpperCase()
      .split(/[\s,]+/)
      .includes(method)
  );
}

/** Whether the server itself found invalid parameters (`WP_REST_Request::has_valid_params()`). */
function isParameterError(code: string, body: Json | undefined): boolean {
  const { data } = isJsonObject(body) ? body : {};
  return code === 'rest_invalid_param' && isJsonObject(data) && isJsonObject(data['details']);
}
