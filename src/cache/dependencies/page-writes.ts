import { createNameMatcher, splitNames } from '../../glob.ts';
import { fieldValue } from '../../http/fields.ts';
import { type Json, jsonMembers } from '../../json.ts';
import { parseQueryParameters } from '../../php/query.ts';
import { createAddressKey } from '../wordpress/cache-key.ts';
import { namePageWriteKind } from '../wordpress/page-kinds.ts';
import { findKnownPageWrite } from './known-writes.ts';
import { isCoreResource, type ResourceMap } from './resource-map.ts';
import {
  createUnknownWrite,
  describeKnownWrite,
  describeRouteWrite,
  type InvalidatingWrite,
  isJustModified,
  isRefusedByWebServer,
  type WriteOutcome,
  type WrittenForm,
  type WrittenSite,
} from './route-writes.ts';
import { inferNamespace, pageTags, toTagPath } from './tags.ts';
import RESPONSES from './write-responses.json' with { type: 'json' };
import {
  ALL_GROUPS,
  PLUGIN_GROUPS,
  type ResponseGroupName,
  SCRIPT_GROUPS,
  selectWritten,
  UNKNOWN_GROUPS,
} from './write-rules.ts';

/** A request to a page. */
export interface WrittenPage {
  readonly method: string;
  /** Raw path below the mount. */
  readonly path: string;
  readonly query: string;
  /** Path and query at the site. */
  readonly upstreamTarget: string;
}

/** Lists the writes of a request to a page of a WordPress site: none or one. */
export function listPageWrites(
  { method, path, query, upstreamTarget }: WrittenPage,
  outcome: WriteOutcome,
  site: WrittenSite,
): readonly InvalidatingWrite[] {
  const { isCautious, resources } = site;
  const { isAnonymous, sentParameters, written } = outcome;
  const address = addressOfPage(upstreamTarget, sentParameters);
  // A script writes what it does by itself too, and other plugins read what is no form.
  const known =
    isCautious || sentParameters === null || outcome.hasUnreadBody || isOtherScript(path)
      ? undefined
      : findKnownPageWrite(sentParameters, parseQueryParameters(query));
  if (known !== undefined) {
    return describeKnownWrite(known, createUnknownWrite(method, address, []), resources);
  }
  const effect = computePageEffect(path, outcome, site);
  if (effect === null) return [];
  if (written && !isCautious) {
    const { item } = written;
    // A cache of the site may send the item as it was. Each update of a post sets its date.
    if (item['modified_gmt'] === undefined || isJustModified(item, outcome.headers ?? [])) {
      const { location, name } = written.form;
      const ofForm = { status: 200, sentParameters: null, responseBody: item, isForm: true };
      const writes = describeRouteWrite('POST', location, name, { ...outcome, ...ofForm }, site);
      return writes.map((write) => ({ ...write, hasCertainEffect: true }));
    }
  }
  // All pages are below the front page.
  const ownTags =
    path === '/'
      ? [createAddressKey(upstreamTarget.split('?', 1)[0] ?? '/')]
      : pageTags(upstreamTarget).slice(-1);
  const changesFiles = effect === UNKNOWN_EFFECT && !isAnonymous && isAdministration(path);
  const isForPlugins = effect.groups === PLUGIN_GROUPS;
  return [
    {
      ...createUnknownWrite(method, address, [...effect.tags, ...ownTags]),
      groups: changesFiles ? ALL_GROUPS : effect.groups,
      kind: nameKindOfPage(path, method, outcome, isForPlugins),
      // Each attempt of what WordPress itself refuses is like any other.
      resource: isForPlugins ? null : `${address}#${sentParameters?.get('comment_post_ID') ?? ''}`,
      effectTags: ownTags,
      hasCertainEffect: isForPlugins || effect.isCertain === true,
    },
  ];
}

const FORMS = RESPONSES.forms.map((form) => {
  const fields = RESPONSES.formFields[form.fields === 'posts' ? 'posts' : 'others'];
  return { ...form, isField: createNameMatcher(splitNames(fields)) };
});

/** Finds the item that a form of WordPress has written; `null` if it has sent something else too, or if the item is of a plugin. */
export function findWrittenForm(
  path: string,
  { sentParameters, status }: WriteOutcome,
  resources: ResourceMap,
): WrittenForm | null {
  const text = (name: string): string => String(sentParameters?.get(name) ?? '');
  if (sentParameters === null || !(isRedirect(status) || status === 200)) return null;
  const script = /\/wp-admin\/([a-z-]+\.php)$/.exec(path)?.[1];
  const form = FORMS.find((each) => each.script === script && each.action === text('action'));
  if (form === undefined || !/^[1-9]\d{0,18}$/.test(text(form.id))) return null;
  // WordPress sends empty fields too, those of a custom field among them.
  const isForeign = ([name, value]: readonly [string, Json]): boolean => value !== '' && !form.isField(name);
  // Taxonomies of plugins may be no part of the REST API.
  const taxonomies = sentParameters.get('tax_input') ?? {};
  const isOwn =
    typeof taxonomies === 'object' && Object.keys(taxonomies).every((name) => FORM_TYPES.has(name));
  if (!isOwn || [...sentParameters].some(isForeign)) return null;
  const collection = FORM_TYPES.get(form.fields === 'comments' ? 'comment' : text(form.type));
  const location = collection && resources.locateKnown(`/wp/v2/${collection}/${text(form.id)}`);
  if (!location || !isCoreResource(location)) return null;
  return { name: `${form.script}?${form.action} ${location.collectionPath}/{id}`, location };
}

const FORM_TYPES: ReadonlyMap<string, string> = new Map(Object.entries(RESPONSES.formTypes));

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
  const isUnknownClient =
    sentParameters.get('action') === 'heartbeat' && !responseText?.includes('"wp-auth-check":true');
  const sent = { method, path: decodePath(path), status, sentParameters };
  const kind = namePageWriteKind({ ...sent, isAnonymous: isAnonymous || isUnknownClient });
  // A comment that is held back does not decide about those that are shown.
  return kind === null || !isForPlugins ? kind : `${kind} (plugins)`;
}

/** An action in the body of a form is part of the address, as if it were sent in the query. */
function addressOfPage(upstreamTarget: string, sentParameters: WriteOutcome['sentParameters']): string {
  const action = sentParameters?.get('action');
  if (typeof action !== 'string' || /[?&]action=/.test(upstreamTarget)) return upstreamTarget;
  return `${upstreamTarget}${upstreamTarget.includes('?') ? '&' : '?'}action=${action}`;
}

/** Decodes the ASCII characters of a path. */
function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  return path.replace(/%([0-7][0-9a-f])/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}

/**
 * Whether a request with a safe method may write all the same: links of the administration pages carry a nonce,
 * `wp-cron.php` runs scheduled tasks, as does a page with `doing_wp_cron` (`ALTERNATE_WP_CRON`), and `wp-mail.php` publishes posts that
 * were mailed.
 */
export function isWritingRead(path: string, query: string): boolean {
  if (/\/wp-(?:cron|mail)\.php/.test(toPlainPath(path))) return true;
  if (query.includes('doing_wp_cron')) return true;
  if (!isAdministration(path)) return false;
  const parameters = parseQueryParameters(query);
  return parameters === null || Array.from(parameters.keys()).some((name) => NONCE_NAME.test(name));
}

/** Names of parameters with a nonce: `_wpnonce`, `_ajax_nonce`, those of plugins, and `security`, as many call it. */
const NONCE_NAME = /nonce|^security$/i;

/** Decodes the ASCII characters of a path, and converts them to lower case. */
export function toPlainPath(path: string): string {
  return toTagPath(decodePath(path));
}

/** Whether the effects of a write to a page depend on the body of its response: a rule reads it. */
export function readsPageResponse(path: string, status: number): boolean {
  return findKnownPage(toTagPath(path))?.readsResponse?.(status) ?? false;
}

/**
 * Actions of `admin-ajax.php` that change nothing that a stored response shows: the editor's browser sends them by itself,
 * or they are reads by `POST`.
 */
const HARMLESS_ACTIONS: ReadonlySet<string> = new Set(splitNames(RESPONSES.harmlessActions));

/** Fields of WordPress's own login form. With other fields, such as an action, a plugin may write. */
const LOGIN_FIELDS: ReadonlySet<string> = new Set(splitNames(RESPONSES.loginFields));

/** Fields of WordPress's own heartbeat, and members of its `data`: locks of posts, nonces, the session (`wp-admin/includes/misc.php`). */
const HEARTBEAT_FIELDS: ReadonlySet<string> = new Set(splitNames(RESPONSES.heartbeatFields));

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

interface PageEffect {
  readonly tags: readonly string[];
  readonly groups: readonly ResponseGroupName[];
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
      const isKnown = typeof post === 'string' && /^[1-9]\d*$/.test(post);
      const created = {
        ...{ method: 'POST', status: 201, sentParameters: new Map(isKnown ? [['post', post]] : []) },
        responseBody: { link: fieldValue(outcome.headers ?? [], 'location') ?? null },
      };
      const known = resources.collectionsOfKind('comments');
      const tags = (known.length === 0 ? ['/wp/v2/comments'] : known).flatMap((path) => {
        const collection = { path, collectionPath: path, itemPath: null, isBelowItem: false };
        const location = { ...collection, namespace: inferNamespace(path), kind: 'comments' } as const;
        return selectWritten({ ...created, location }, () => null).tags;
      });
      return { tags, groups: SCRIPT_GROUPS, isCertain: isRedirect(outcome.status) };
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
      if (isBlocked || isLoginFault) return PLUGIN_EFFECT;
      // A call uploads and deletes files.
      return message === undefined ? { tags: [], groups: ALL_GROUPS } : UNKNOWN_EFFECT;
    },
  },
  // The action decides what a request does; plugins take part in a heartbeat, and in a refusal.
  {
    path: /\/wp-admin\/admin-ajax\.php$/,
    readsResponse: (status) => status === 200 || isAjaxError(status),
    getInvalidation: ({ responseText = null, sentParameters, status }) => {
      if (isAjaxError(status) && responseText !== null && AJAX_REFUSAL.test(responseText))
        return PLUGIN_EFFECT;
      const action = sentParameters?.get('action');
      if (action === 'heartbeat')
        return isPlainHeartbeat(sentParameters, responseText) ? null : PLUGIN_EFFECT;
      return typeof action === 'string' && HARMLESS_ACTIONS.has(action) ? null : UNKNOWN_EFFECT;
    },
  },
];

/** Whether a heartbeat of a valid session (`wp_auth_check()`) asks for nothing but WordPress's own answers: anyone can send a cookie. */
function isPlainHeartbeat(
  sentParameters: WriteOutcome['sentParameters'] | undefined,
  responseText: string | null,
): boolean {
  if (!responseText?.includes('"wp-auth-check":true')) return false;
  const sent = jsonMembers(sentParameters?.get('data')).map(([name]) => `data.${name}`);
  return [...(sentParameters?.keys() ?? []), ...sent].every((name) => HEARTBEAT_FIELDS.has(name));
}

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
function isHeld({ headers = [], sentParameters }: WriteOutcome): boolean {
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
function isRefusedComment({ responseText = null, sentParameters, status }: WriteOutcome): boolean {
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

const PLUGIN_EFFECT: PageEffect = { tags: [], groups: PLUGIN_GROUPS };
const UNKNOWN_EFFECT: PageEffect = { tags: [], groups: UNKNOWN_GROUPS };

/** Computes what a request to a page of a WordPress site invalidates; `null` for nothing. */
function computePageEffect(
  path: string,
  outcome: WriteOutcome,
  { isCautious, resources }: WrittenSite,
): PageEffect | null {
  const known = findKnownPage(toTagPath(path));
  const effect = known === undefined ? UNKNOWN_EFFECT : known.getInvalidation(outcome, resources);
  const isRefusal = outcome.status !== null && REFUSAL_STATUSES.has(outcome.status);
  if (effect !== UNKNOWN_EFFECT || !isRefusal) return effect;
  if (isCautious || known !== undefined)
    return isRefusedByWebServer(outcome) ? PLUGIN_EFFECT : UNKNOWN_EFFECT;
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
  const script = toPlainPath(path).replace(/(?<=\.php).*$/s, '');
  return /\/(?:wp-[\w-]+|xmlrpc)\.php$/.test(script) || isAdministration(path);
}

/** Whether a path runs a script other than that of the front page, through which plugins add handlers to pages. */
function isOtherScript(path: string): boolean {
  const plain = toPlainPath(path);
  const isOther = plain.replace('/index.php', '').includes('.php') || plain.includes('/wp-content/');
  return isOther || isAdministration(path);
}

function isAdministration(path: string): boolean {
  return toPlainPath(path).includes('/wp-admin/');
}

function findKnownPage(path: string): WritingPage | undefined {
  // What follows the name of a script is its path information, so the first script runs.
  const isScript = path.indexOf('.php') === path.length - '.php'.length;
  return isScript ? KNOWN_PAGES.find((page) => page.path.test(path)) : undefined;
}
