import type { SiteCacheOptions } from '../../../generated/option-types.d.ts';
import { DependencyLearning } from '../../cache/dependencies/dependency-learning.ts';
import { ReportedLearning } from '../../cache/dependencies/shared-learning.ts';
import { createAddressKey, nameWriteKind } from '../../cache/wordpress/cache-key.ts';
import { namePageWriteKind } from '../../cache/wordpress/page-kinds.ts';
import {
  DYNAMIC_CONTENT_TAG,
  inferNamespace,
  isCoreResource,
  pageTags,
  type ResourceKind,
  type ResourceLocation,
  type ResourceMap,
  tagNames,
  toTagPath,
} from '../../cache/wordpress/resource-map.ts';
import {
  ALL_GROUPS,
  computeWriteInvalidation,
  isSuccess,
  type ResponseGroupName,
  SCRIPT_GROUPS,
  type SiteWrite,
  type WriteInvalidation,
} from '../../cache/wordpress/write-invalidation.ts';
import { type RouteGlob, splitNames } from '../../glob.ts';
import { parseHttpDate } from '../../http/date.ts';
import { fieldValue } from '../../http/fields.ts';
import { SAFE_METHODS } from '../../http/request-head.ts';
import { isJsonObject, type Json } from '../../json.ts';
import { normalizeRoute } from '../../php/request.ts';
import { hasOnlyCoreArguments } from '../../validation/evidence/core-rules.ts';
import { parseQueryParameters } from '../../validation/request/parameters.ts';
import type { PageRequest, RouteRequest, Snapshot } from '../snapshot/snapshot.ts';
import { findKnownPageWrite, findKnownRouteWrite, type KnownWrite } from './known-writes.ts';
import RESPONSES from './write-responses.json' with { type: 'json' };

/** The result of a write at the site. */
export interface WriteOutcome extends Pick<SiteWrite, 'status' | 'sentParameters' | 'responseBody'> {
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
}

/** A route, and the method of the write that changed it. */
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
  /**
   * The kind of resource that it has written, if the tables of WordPress state by tags all that WordPress itself changes then:
   * `WordPress posts`.
   */
  readonly tableKind?: string;
  /** Selects the reads that it may change, if a table knows. */
  readonly changes?: readonly RouteGlob[];
}

/** Lists the writes of a request to a REST route: none, one, or those of a batch. */
function listRouteWrites(
  { match, target }: RouteRequest,
  outcome: WriteOutcome,
  { isCautious, resources }: WrittenSite,
): readonly InvalidatingWrite[] {
  const { hasFormBody, method, route } = target;
  if (SAFE_METHODS.has(method)) {
    // `_method=GET`: the handler of a read runs, and before it, plugins that read `$_POST`.
    const write = createUnknownWrite('POST', toTagPath(route), []);
    return [hasFormBody ? write : { ...write, groups: PLUGIN_GROUPS }];
  }
  if (toTagPath(route) === '/batch/v1' && method === 'POST') return listBatchWrites(outcome, resources);
  const found = match.kind === 'found' ? match : null;
  const namespace = found?.route.namespace ?? inferNamespace(route);
  const template = found?.operation.path ?? null;
  const location = resources.locate(route, namespace, template);
  const known = isCautious || location.kind !== 'other' ? undefined : findKnownRouteWrite(location.path);
  return known === undefined
    ? describeRouteWrite(method, location, template, outcome, resources)
    : describeKnownWrite(known, createUnknownWrite(method, location.path, [location.path]), resources);
}

/** Describes a write of which a table knows what it changes. */
function describeKnownWrite(
  { changes, kinds }: KnownWrite,
  write: InvalidatingWrite,
  resources: ResourceMap,
): readonly InvalidatingWrite[] {
  if (changes.length === 0) return [];
  const collections = kinds.flatMap((kind) => resources.collectionsOfKind(kind));
  const tags = kinds.length === 0 ? write.tags : [...write.tags, ...collections, DYNAMIC_CONTENT_TAG];
  return [{ ...write, tags, changes }];
}

/** What is known of the outcome of a write, of one in a batch, or of one at the site itself. */
type KnownOutcome = Omit<WriteOutcome, 'responseText' | 'hasUnknownIdentity' | 'hasUnreadBody' | 'headers'> &
  Partial<WriteOutcome>;

function describeRouteWrite(
  method: string,
  location: ResourceLocation,
  template: string | null,
  outcome: KnownOutcome,
  resources: ResourceMap,
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
  const { groups, tags } = computeWriteInvalidation({ method, location, ...outcome }, resources);
  const isNamed = isSuccess(status) && !hasUnknownIdentity && outcome.hasUnreadBody !== true;
  const kind = isNamed ? nameWriteKind({ ...outcome, method, template, path: location.path }) : null;
  const { itemPath, namespace, path } = location;
  const tableKind =
    isCore && isSuccess(status) ? nameTableKind(location.kind, outcome.isAnonymous) : undefined;
  const resource = createdResource(location, responseBody);
  // The path of a collection is a tag of all of its items, of which an unrelated one may change.
  const item = itemPath ?? (resource === path ? null : resource);
  return [
    {
      method,
      address: path,
      namespace,
      tags,
      groups,
      kind,
      resource,
      effectTags: [tagNames.exactRoute(path), ...(item === null ? [] : [item])],
      hasCertainEffect:
        status === 201 ||
        (method === 'DELETE' && isSuccess(status)) ||
        (tableKind !== undefined && isJustModified(responseBody, headers)),
      ...(tableKind === undefined ? {} : { tableKind }),
    },
  ];
}

/** Milliseconds that may pass between the change of a post and the head of the response. */
const MAX_MODIFIED_AGE = 5_000;

/** Whether a post was changed just before its response: each update sets `modified_gmt` (`wp_insert_post()`). */
function isJustModified(body: Json | undefined, headers: readonly string[]): boolean {
  const modified = isJsonObject(body) ? body['modified_gmt'] : undefined;
  const date = fieldValue(headers, 'date');
  if (typeof modified !== 'string' || date === undefined) return false;
  const age = (parseHttpDate(date, 0) ?? Number.NaN) - Date.parse(`${modified}Z`);
  return age >= 0 && age <= MAX_MODIFIED_AGE;
}

function nameTableKind(kind: ResourceKind, isAnonymous: boolean): string {
  return `${isAnonymous ? 'anonymous ' : ''}WordPress ${kind}`;
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

function listBatchWrites(outcome: WriteOutcome, resources: ResourceMap): readonly InvalidatingWrite[] {
  const hasForeignArguments =
    outcome.sentParameters === null ||
    !hasOnlyCoreArguments({ method: 'POST', route: '/batch/v1' }, outcome.sentParameters.keys());
  if (isRefusedWrite({ ...outcome, method: 'POST', isCore: true, hasForeignArguments })) return [];
  const writes = isSuccess(outcome.status) ? parseBatchWrites(outcome) : null;
  // Any route may have changed.
  if (writes === null) return [createUnknownWrite('POST', '/batch/v1', [])];
  return writes.flatMap(({ method, outcome: ofWrite, route }) => {
    const location = locate(normalizeRoute(route), resources);
    const { isAnonymous } = outcome;
    return describeRouteWrite(method, location, null, { ...ofWrite, isAnonymous }, resources);
  });
}

/** Describes a write at the site itself. Its fields and its response are unknown. */
export function describeExternalWrite(
  { method, route }: ChangedRoute,
  resources: ResourceMap,
): readonly InvalidatingWrite[] {
  const outcome = { status: 200, sentParameters: null, responseBody: undefined, isAnonymous: false };
  const location = locate(normalizeRoute(route), resources);
  return describeRouteWrite(method, location, null, outcome, resources);
}

function locate(route: string, resources: ResourceMap): ResourceLocation {
  return resources.locateKnown(route) ?? resources.locate(route, inferNamespace(route), null);
}

/** Lists the writes of a request to a page of a WordPress site: none or one. */
function listPageWrites(
  { target, upstreamTarget }: PageRequest,
  outcome: WriteOutcome,
  method: string,
  { isCautious, resources }: WrittenSite,
): readonly InvalidatingWrite[] {
  const address = addressOfPage(upstreamTarget, outcome.sentParameters);
  // A script writes what it does by itself too, and other plugins read what is no form.
  const known =
    isCautious || outcome.sentParameters === null || outcome.hasUnreadBody || isOtherScript(target.path)
      ? undefined
      : findKnownPageWrite(outcome.sentParameters, parseQueryParameters(target.query));
  if (known !== undefined) {
    return describeKnownWrite(known, createUnknownWrite(method, address, []), resources);
  }
  const effect = computePageEffect(target.path, outcome, resources, isCautious);
  if (effect === null) return [];
  // All pages are below the front page.
  const ownTags =
    target.path === '/'
      ? [createAddressKey(upstreamTarget.split('?', 1)[0] ?? '/')]
      : pageTags(upstreamTarget).slice(-1);
  const changesFiles = effect === UNKNOWN_EFFECT && !outcome.isAnonymous && isAdministration(target.path);
  const isForPlugins = effect.groups === PLUGIN_GROUPS;
  return [
    {
      ...createUnknownWrite(method, address, [...effect.tags, ...ownTags]),
      groups: changesFiles ? ALL_GROUPS : effect.groups,
      kind: nameKindOfPage(target.path, method, outcome, isForPlugins),
      // Each attempt of what WordPress itself refuses is like any other.
      resource: isForPlugins ? null : `${address}#${outcome.sentParameters?.get('comment_post_ID') ?? ''}`,
      effectTags: ownTags,
      hasCertainEffect: isForPlugins || effect.isCertain === true,
      ...(effect.isCertain === true ? { tableKind: nameTableKind('comments', outcome.isAnonymous) } : {}),
    },
  ];
}

/** Names the kind of a write to a page; `null` if nothing can be learned about it. */
function nameKindOfPage(
  path: string,
  method: string,
  outcome: WriteOutcome,
  isForPlugins: boolean,
): string | null {
  const { hasUnknownIdentity, hasUnreadBody, isAnonymous, responseText, sentParameters, status } = outcome;
  if (status === null || status >= 500 || sentParameters === null) return null;
  if (hasUnknownIdentity || hasUnreadBody) return null;
  // The heartbeat itself tells whether the session is valid (`wp_auth_check()`): anyone can send a cookie.
  const isHeartbeat = sentParameters.get('action') === 'heartbeat';
  const isUnknownClient = isHeartbeat && responseText?.includes('"wp-auth-check":true') !== true;
  const client = { isAnonymous: isAnonymous || isUnknownClient };
  const kind = namePageWriteKind({ method, path: decodePath(path), status, sentParameters, ...client });
  // A comment that is held back does not decide about those that are shown.
  return kind === null || !isForPlugins ? kind : `${kind} (plugins)`;
}

/** An action in the body of a form is part of the address, as if it were sent in the query. */
function addressOfPage(upstreamTarget: string, sentParameters: WriteOutcome['sentParameters']): string {
  const action = sentParameters?.get('action');
  if (typeof action !== 'string' || /[?&]action=/.test(upstreamTarget)) return upstreamTarget;
  return `${upstreamTarget}${upstreamTarget.includes('?') ? '&' : '?'}action=${action}`;
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
  return { ...identity, tags, effectTags: [], groups: SCRIPT_GROUPS, kind: null, hasCertainEffect: false };
}

/**
 * Observations without a counter-example after which a kind of read is kept. By the rule of three, what never happened in n
 * trials happens in fewer than 3/n of them with a confidence of 95 %: here 10 %. One of many addresses that a write changes is
 * found by the observations for each address, with the same confidence. What is rarer is found by the comparisons that go on: at
 * the end of each freshness lifetime, and after every 50th write.
 */
const DEFAULT_OBSERVATIONS = 30;

/**
 * Creates the learning of one site; `null` if it is turned off.
 *
 * @param isReported whether this process reports to another one, which learns
 */
export function createLearning(
  { learn = true }: SiteCacheOptions,
  isReported: boolean,
  onContradiction: () => void,
): DependencyLearning | null {
  if (learn === false) return null;
  if (isReported) return new ReportedLearning();
  const { observations = DEFAULT_OBSERVATIONS } = learn === true ? {} : learn;
  return new DependencyLearning({ observations, onContradiction });
}

/** What is known of the site of a write. */
export interface WrittenSite {
  readonly resources: ResourceMap;
  /** `cache.unknownWrites: cautious` */
  readonly isCautious: boolean;
}

/** Lists what a request has written, of which the outcome is known. */
export function listWrites(
  resolved: RouteRequest | PageRequest,
  outcome: WriteOutcome,
  method: string,
  context: WrittenSite,
): readonly InvalidatingWrite[] {
  const writes =
    resolved.kind === 'route'
      ? listRouteWrites(resolved, outcome, context)
      : listPageWrites(resolved, outcome, method, context);
  if (!context.isCautious) return writes;
  // What a plugin may have changed, it may show on pages; what is unknown may have changed files.
  return writes.map((write) => {
    if (write.groups.includes('core')) return { ...write, groups: ALL_GROUPS };
    return write.groups.includes('pages') ? write : { ...write, groups: CAUTIOUS_GROUPS };
  });
}

/** Decodes the ASCII characters of a path. */
export function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  return path.replace(/%([0-7][0-9a-f])/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}

/**
 * Whether the effects of a write depend on the body of its response. Those of a page depend on it only where a rule reads it,
 * or to tell the error page of a web server; those of a plain origin never do.
 */
export function readsWriteResponse(
  snapshot: Snapshot,
  resolved: RouteRequest | PageRequest,
  status: number,
): boolean {
  if (!snapshot.isDiscovered || snapshot.isProvisional) return false;
  if (resolved.kind === 'route') return true;
  return findKnownPage(toTagPath(resolved.target.path))?.readsResponse?.(status) ?? false;
}

/**
 * Actions of `admin-ajax.php` that change nothing that a stored response shows: the editor's browser sends them by itself,
 * or they are reads by `POST`.
 */
const HARMLESS_ACTIONS: ReadonlySet<string> = new Set(splitNames(RESPONSES.harmlessActions));

/** Fields of WordPress's own login form. With other fields, such as an action, a plugin may write. */
const LOGIN_FIELDS: ReadonlySet<string> = new Set(splitNames(RESPONSES.loginFields));

/** Fields of WordPress's own comment form. */
const COMMENT_FIELDS: ReadonlySet<string> = new Set(splitNames(RESPONSES.commentFields));

/** Bodies of `admin-ajax.php` with status 400 or 403 for an unknown action (`0`) or an invalid nonce (`-1`). */
const AJAX_REFUSAL = /^\s*(?:0|-1)\s*$/;

interface WritingPage {
  readonly path: RegExp;
  /** Whether the invalidation depends on the body of a response. @default false */
  readsResponse?(status: number): boolean;
  /** Returns `null` if the request changes nothing. */
  getInvalidation(outcome: WriteOutcome, resources: ResourceMap): PageEffect | null;
}

interface PageEffect extends WriteInvalidation {
  /** Whether the response shows that something has changed. @default false */
  readonly isCertain?: boolean;
}

/** Pages of WordPress whose writes are known. The first that matches applies. */
const KNOWN_PAGES: readonly WritingPage[] = [
  // A comment changes the comments, and what plugins derive from them; it is done once the client is sent on.
  {
    path: /\/wp-comments-post\.php$/,
    readsResponse: (status) => !isRedirect(status),
    getInvalidation: (outcome, resources) => {
      if (isRefusedComment(outcome)) {
        const isPlain = outcome.isAnonymous && hasOnlyFields(outcome, COMMENT_FIELDS);
        return isPlain ? null : PLUGIN_EFFECT;
      }
      // Nobody sees a comment that is held for moderation.
      if (isRedirect(outcome.status) && isHeld(outcome)) return PLUGIN_EFFECT;
      const post = outcome.sentParameters?.get('comment_post_ID');
      const collections = resources.collectionsOfKind('comments');
      const ofPost = collections.map((path) =>
        typeof post === 'string' && /^[1-9]\d*$/.test(post)
          ? tagNames.listFilteredTo(path, 'post', post)
          : tagNames.listFilteredBy(path, 'post'),
      );
      const tags = [...collections, ...ofPost, DYNAMIC_CONTENT_TAG];
      return { tags, groups: CAUTIOUS_GROUPS, isCertain: isRedirect(outcome.status) };
    },
  },
  // WordPress writes a session, or nothing; plugins hear of each attempt (`wp_login_failed`, `wp_login`).
  {
    path: /\/wp-login\.php$/,
    getInvalidation: (outcome) => (hasOnlyFields(outcome, LOGIN_FIELDS) ? PLUGIN_EFFECT : UNKNOWN_EFFECT),
  },
  // Each method checks the login before it writes; any later fault may follow a write (`_insert_post()`).
  {
    path: /\/xmlrpc\.php$/,
    readsResponse: () => true,
    getInvalidation: ({ responseText, status }) => {
      // WordPress responds to each call with the status 200. Others come from a web server or a plugin that blocks calls.
      const isBlocked = status !== null && status >= 400 && status < 500;
      const [, code = '', message] = XMLRPC_FAULT.exec(responseText ?? '') ?? [];
      const isLoginFault = message !== undefined && LOGIN_FAULTS.get(code) === message;
      return isBlocked || isLoginFault ? PLUGIN_EFFECT : UNKNOWN_EFFECT;
    },
  },
  // The action decides what a request does; plugins take part in a heartbeat, and in a refusal.
  {
    path: /\/wp-admin\/admin-ajax\.php$/,
    readsResponse: (status) => status === 200 || isAjaxError(status),
    getInvalidation: ({ responseText, sentParameters, status }) => {
      if (isAjaxError(status) && responseText !== null && AJAX_REFUSAL.test(responseText))
        return PLUGIN_EFFECT;
      const action = sentParameters?.get('action');
      if (action === 'heartbeat') return PLUGIN_EFFECT;
      return typeof action === 'string' && HARMLESS_ACTIONS.has(action) ? null : UNKNOWN_EFFECT;
    },
  },
];

function isAjaxError(status: number | null): boolean {
  return status === 400 || status === 403;
}

function isRedirect(status: number | null): boolean {
  return status !== null && status >= 300 && status < 400;
}

function hasOnlyFields({ sentParameters }: WriteOutcome, fields: ReadonlySet<string>): boolean {
  return sentParameters !== null && Array.from(sentParameters.keys()).every((name) => fields.has(name));
}

/** Whether WordPress sends the client on to a comment that awaits moderation (`wp-comments-post.php`). */
function isHeld({ headers, sentParameters }: WriteOutcome): boolean {
  // The client may choose the address, to which WordPress adds these parameters.
  if (sentParameters === null || String(sentParameters.get('redirect_to') ?? '').includes('unapproved'))
    return false;
  const location = fieldValue(headers, 'location') ?? '';
  return /[?&]unapproved=\d+&moderation-hash=/.test(location);
}

/**
 * Whether WordPress refused a comment before it wrote it: with its error page and a link back (`wp_die()`), or without content
 * because the form has no post or no text (`wp-comments-post.php`). A plugin that responds to a comment by script has another
 * response.
 */
function isRefusedComment({ responseText, sentParameters, status }: WriteOutcome): boolean {
  if (status === null || status >= 500 || isRedirect(status) || responseText === null) return false;
  if (responseText.includes('<body id="error-page">'))
    return responseText.includes('javascript:history.back()');
  if (responseText !== '' || sentParameters === null) return false;
  const [post, text] = ['comment_post_ID', 'comment'].map((name) => String(sentParameters.get(name) ?? ''));
  return !/^[1-9]\d*$/.test(post ?? '') || text?.trim() === '';
}

/** A fault of XML-RPC (`IXR_Error::getXml()`). */
const XMLRPC_FAULT =
  /^\s*(?:<\?xml[^>]*>\s*)?<methodResponse>\s*<fault>\s*<value>\s*<struct>\s*<member>\s*<name>faultCode<\/name>\s*<value><int>(\d+)<\/int><\/value>\s*<\/member>\s*<member>\s*<name>faultString<\/name>\s*<value><string>([^<]*)<\/string>/;

/** The faults of `wp_xmlrpc_server::login()`, in English. Those of a site in another language count as unknown. */
const LOGIN_FAULTS: ReadonlyMap<string, string> = new Map(Object.entries(RESPONSES.xmlrpcLoginFaults));

/** What a request may change that WordPress itself does not: what plugins do that hear of it. */
const PLUGIN_GROUPS: readonly ResponseGroupName[] = ['text', 'other'];
const CAUTIOUS_GROUPS: readonly ResponseGroupName[] = ['text', 'other', 'pages'];
const PLUGIN_EFFECT: PageEffect = { tags: [], groups: PLUGIN_GROUPS };
const UNKNOWN_EFFECT: PageEffect = { tags: [], groups: SCRIPT_GROUPS };

/** Computes what a request to a page of a WordPress site invalidates; `null` for nothing. */
function computePageEffect(
  path: string,
  outcome: WriteOutcome,
  resources: ResourceMap,
  isCautious: boolean,
): PageEffect | null {
  const known = findKnownPage(toTagPath(path));
  const effect = known === undefined ? UNKNOWN_EFFECT : known.getInvalidation(outcome, resources);
  const isRefusal = outcome.status !== null && REFUSAL_STATUSES.has(outcome.status);
  if (effect !== UNKNOWN_EFFECT || !isRefusal) return effect;
  if (isRefusedByWebServer(outcome) && (isCautious || known !== undefined)) return PLUGIN_EFFECT;
  if (isCautious || known !== undefined) return UNKNOWN_EFFECT;
  return outcome.isAnonymous && !isHandler(path) ? null : PLUGIN_EFFECT;
}

/**
 * Statuses by which a page says that there is nothing to write to, or that it does not take the request. A form's own handler may
 * respond with them too.
 */
const REFUSAL_STATUSES: ReadonlySet<number> = new Set([
  404, 405, 410, 411, 413, 414, 415, 417, 421, 429, 431,
]);

/** Whether a path runs a script of WordPress itself, or one of its administration. */
function isHandler(path: string): boolean {
  const decoded = toTagPath(decodePath(path));
  const scriptEnd = decoded.indexOf('.php');
  const script = scriptEnd < 0 ? decoded : decoded.slice(0, scriptEnd + '.php'.length);
  return /\/(?:wp-[\w-]+|xmlrpc)\.php$/.test(script) || isAdministration(path);
}

/** Whether a path runs a script other than that of the front page, through which plugins add handlers to pages. */
function isOtherScript(path: string): boolean {
  const decoded = toTagPath(decodePath(path));
  const isOther = decoded.replace('/index.php', '').includes('.php') || decoded.includes('/wp-content/');
  return isOther || isAdministration(path);
}

function isAdministration(path: string): boolean {
  return toTagPath(decodePath(path)).includes('/wp-admin/');
}

function findKnownPage(path: string): WritingPage | undefined {
  // What follows the name of a script is its path information, so the first script runs.
  const isScript = path.indexOf('.php') === path.length - '.php'.length;
  return isScript ? KNOWN_PAGES.find((page) => page.path.test(path)) : undefined;
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

/** The response to a write, with what decides whether the site refused the write before it changed anything. */
export interface WriteResponse
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

/** Reads the code of an error in the form of `WP_Error`; `null` for any other body. */
function readErrorCode(body: Json | undefined): string | null {
  const { code, message } = isJsonObject(body) ? body : {};
  return typeof code === 'string' && typeof message === 'string' ? code : null;
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
