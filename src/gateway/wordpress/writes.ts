import { createNameMatcher, parseAddressGlob, splitNames } from '../../base/glob.ts';
import { type RequestHead, SAFE_METHODS } from '../../base/http/exchange.ts';
import { fieldValue } from '../../base/http/fields.ts';
import { isJsonObject, type Json, jsonItems, memberAt } from '../../base/json.ts';
import type { WriteRule } from '../../base/option-types.ts';
import { normalizeRoute, parseQueryParameters, urlDecode } from '../../base/php/request.ts';
import { FILE_EXTENSIONS } from './bypass-rules.ts';
import {
  createAddressKey,
  EVERYTHING,
  normalizeEscapes,
  pageTag,
  toNamedTags,
  toTagPath,
} from './cache-names.ts';
import TABLE from './writes.json' with { type: 'json' };

/**
 * What a write purges beside its own address. The first that applies: `cache.writes`; nothing if it was refused; `writes.json`;
 * everything of the site if its sender is proved to edit, else the page that it was sent from.
 */

export interface SiteWrite {
  readonly method: string;
  /** Route, or path of a page below the mount, decoded and in lower case. */
  readonly address: string;
  /** What rules are compared with. @default the address */
  readonly names?: readonly string[];
  /** With the action of a form, as if it were sent there. */
  readonly query: string;
  readonly parameters: ReadonlyMap<string, Json> | null;
  readonly body: string | null;
  readonly status: number | null;
  readonly headers: readonly string[];
  readonly json: () => Json | undefined;
  readonly parts?: readonly SiteWrite[];
  /** Whether the site is believed to work on after its response. */
  readonly isLater?: boolean;
}

/** `page`: the one that it was sent from. `later`: everything, once the site has worked on. */
export type PurgedByWrite = 'nothing' | 'page' | 'later' | 'everything' | readonly string[];

export type WriteTarget = Pick<SiteWrite, 'method' | 'address' | 'names' | 'query'>;

/** Row of `writes.json`: a write matches that fulfils all that it states. */
interface WriteRow {
  readonly name: string;
  readonly source: string;
  /** Methods, or none for any, and globs. One with `?` is compared with the query, too. */
  readonly match: string;
  /** Whether its sender is proved to edit. @default either */
  readonly isEditor?: boolean;
  /** Parameters of which it must have one, and that it must not have. */
  readonly has?: string;
  readonly without?: string;
  readonly body?: string;
  /** Values of parameters, and of members of the response. */
  readonly values?: Readonly<Record<string, string | undefined>>;
  readonly members?: Readonly<Record<string, string | undefined>>;
  readonly status?: string;
  readonly location?: string;
  /** Whether the write's own address is not purged either. */
  readonly keepsAddress?: boolean;
  /** `nothing`, or tags. `{name}` stands for a parameter, `{location}` for the address of a redirect. */
  readonly purges: string;
}

const rows = (TABLE.rows as readonly WriteRow[]).map((row) => ({
  isSelected: compileMatch(row.match),
  isEditor: row.isEditor,
  keepsAddress: row.keepsAddress === true,
  matches: compileRow(row),
  readsResponse: row.members !== undefined,
  templates: row.purges === 'nothing' ? [] : splitNames(row.purges),
}));
/** Tasks by script, tasks in a page to which the site redirects, and reports of payments to WooCommerce. */
export type LaterWork = 'scripts' | 'redirected' | 'reports';

export function findLaterWork(target: WriteTarget): LaterWork | null {
  return laterMatches.find(([, isSelected]) => isSelected(target))?.[0] ?? null;
}

const laterMatches = (['scripts', 'redirected', 'reports'] as const).map(
  (work) => [work, compileMatch(TABLE.later[work])] as const,
);

/** As `spawn_cron()` writes it, and not the client, e.g. in the `Referer` that `wp-login.php?action=postpass` redirects to. */
export function isRedirectToTasks(location: string, { headers, method, target }: RequestHead): boolean {
  if (method !== 'GET' || !/[?&]doing_wp_cron=\d{10}\.\d{22}(?!\d)/.test(location)) return false;
  return ![target, ...headers].some((text) => urlDecode(text).includes('wp_cron'));
}

export type DecideWrite = (write: SiteWrite, isEditor: boolean) => PurgedByWrite;

export function createWriteRules(rules: readonly WriteRule[]): DecideWrite {
  const declared = rules.map(({ match, purges }) => ({
    isSelected: compileMatch(match),
    purges: typeof purges === 'string' ? purges : purges.flatMap(toDeclaredTags),
  }));
  const decide: DecideWrite = (write, isEditor) => {
    const rule = declared.find(({ isSelected }) => isSelected(write));
    const { isLater = false } = write;
    // What is fetched while the site works is as old as before.
    if (rule !== undefined) return isLater && rule.purges !== 'nothing' ? 'later' : rule.purges;
    if (write.parts !== undefined) return joinPurges(write.parts.map((part) => decide(part, isEditor)));
    // The tasks of a page run whatever its status is.
    if (isLater && !(isRefused(write) && findLaterWork(write) === 'scripts')) return 'later';
    if (isRefused(write) || (SAFE_METHODS.has(write.method) && findLaterWork(write) !== null))
      return 'nothing';
    const row = rows.find(
      (each) => (each.isEditor ?? isEditor) === isEditor && each.isSelected(write) && each.matches(write),
    );
    if (row === undefined) return isEditor ? 'everything' : 'page';
    const tags = row.templates.flatMap((template) => fillTemplate(template, write));
    return tags.length === 0 ? 'nothing' : tags;
  };
  return decide;
}

export function keepsAddress(write: SiteWrite): boolean {
  return rows.some((row) => row.keepsAddress && row.isSelected(write) && row.matches(write));
}

export function isNamedByTable(write: SiteWrite): boolean {
  return typeof decideByTable(write, false) === 'object';
}

const decideByTable = createWriteRules([]);

function joinPurges(purges: readonly PurgedByWrite[]): PurgedByWrite {
  if (purges.includes('everything')) return 'everything';
  const tags = purges.flatMap((purged) => (typeof purged === 'string' ? [] : purged));
  return tags.length > 0 ? tags : purges.includes('page') ? 'page' : 'nothing';
}

export function isRefused({ headers, status }: Pick<SiteWrite, 'headers' | 'status'>): boolean {
  if (status === null || status < 300) return false;
  return status < 400 ? /\/wp-login\.php/.test(fieldValue(headers, 'location') ?? '') : status < 500;
}

export function readsPageResponse(target: WriteTarget): boolean {
  return rows.some((row) => row.readsResponse && row.isSelected(target));
}

function toDeclaredTags(name: string): readonly string[] {
  if (!name.startsWith('/')) return toNamedTags(name);
  // A template purges everything below its literal beginning.
  const path = name.includes('{') ? name.slice(0, name.indexOf('{')) : name;
  const trimmed = path.replace(/(?<=.)\/$/, '');
  return trimmed === '/' ? [EVERYTHING] : [toTagPath(trimmed), pageTag(trimmed)];
}

function fillTemplate(template: string, { headers, parameters }: SiteWrite): readonly string[] {
  const [, name] = /\{(\w+)\}/.exec(template) ?? [];
  if (name === undefined) return [template];
  if (name === 'location') return toCommentAddresses(fieldValue(headers, 'location') ?? '');
  const value = String(parameters?.get(name) ?? '');
  return /^\d{1,20}$/.test(value) ? [template.replace(`{${name}}`, value)] : [];
}

/** Names the page that shows a comment, and its post. The client may choose the address, so it purges nothing else. */
function toCommentAddresses(location: string): readonly string[] {
  if (!URL.canParse(location, 'http://site')) return [];
  const { pathname, search } = new URL(location, 'http://site');
  const post = pathname.replace(/comment-page-\d+\/?$/, '') + search.replace(/[?&]cpage=\d+/, '');
  const addresses = new Set([pathname + search, post]);
  return [...addresses].map((address) => createAddressKey(normalizeEscapes(address)));
}

function compileMatch(match: string): (target: WriteTarget) => boolean {
  const { globs, methods } = splitWriteMatch(match);
  const matchers = globs.map((glob) => ({
    ...parseAddressGlob(glob),
    hasQuery: glob.includes('?') && !/[?&]rest_route=/.test(glob),
  }));
  return ({ address, method, names = [address], query }) =>
    (methods.length === 0 || methods.includes(method)) &&
    matchers.some(({ hasQuery, matches }) =>
      names.some((name) => matches(hasQuery ? `${name}?${query}` : name)),
    );
}

export function splitWriteMatch(match: string): {
  readonly methods: readonly string[];
  readonly globs: readonly string[];
} {
  const words = splitNames(match);
  const methods = words.filter((word) => /^[A-Z]+$/.test(word));
  return { methods, globs: words.slice(methods.length) };
}

function compileRow(row: WriteRow): (write: SiteWrite) => boolean {
  const oneOf = splitNames(row.has ?? '');
  const [values, members] = [compileValues(row.values), compileValues(row.members)];
  const statuses = splitNames(row.status ?? '');
  const [body, location] = [row.body, row.location].map((text) => new RegExp(text ?? ''));
  return ({ body: sent, headers, json, parameters, status }) =>
    (statuses.length === 0 || statuses.includes(String(status))) &&
    (row.location === undefined || location?.test(fieldValue(headers, 'location') ?? '') === true) &&
    (row.body === undefined || (sent !== null && body?.test(sent) === true)) &&
    (oneOf.length === 0 || oneOf.some((name) => parameters?.has(name) === true)) &&
    (row.without === undefined || parameters?.has(row.without) === false) &&
    values.every(([name, is]) => is(parameters?.get(name))) &&
    members.every(([name, is]) => is(memberAt(json(), name)));
}

type ValueMatcher = readonly [name: string, is: (value: Json | undefined) => boolean];

/** @param texts one that ends in `*` is a prefix, and an empty one is the empty text */
function compileValues(texts: Readonly<Record<string, string | undefined>> = {}): readonly ValueMatcher[] {
  return Object.entries(texts).map(([name, values = '']) => {
    const isValue = createNameMatcher(values === '' ? [''] : splitNames(values));
    return [name, (value) => typeof value === 'string' && isValue(value)] as const;
  });
}

/**
 * Whether a safe method can write: links with a nonce (`wp_nonce_url()`), `wp-mail.php`, and scheduled tasks (`wp-cron.php`, or
 * `doing_wp_cron` for `ALTERNATE_WP_CRON`). Only administration pages write by a nonce of another name.
 */
export function isWritingRead(path: string, query: string): boolean {
  const address = toPlainPath(path);
  if (findLaterWork({ method: 'GET', address, query }) !== null) return true;
  if (query === '' || isStaticFile(address)) return false;
  const names = [...(parseQueryParameters(query)?.keys() ?? ['_wpnonce'])];
  const isNonce = /\/wp-admin\/(?!(?:.*\/)?admin-ajax\.php$)/.test(address) ? /nonce/i : /^_wpnonce$/;
  return names.some((name) => isNonce.test(name));
}

const STATIC_FILE = new RegExp(`^(?!.*\\.php).*\\.(?:${FILE_EXTENSIONS})$`);

export function isStaticFile(address: string): boolean {
  return STATIC_FILE.test(address);
}

export function toPlainPath(path: string): string {
  const decode = (_: string, digits: string): string => String.fromCharCode(parseInt(digits, 16));
  return toTagPath(path.includes('%') ? path.replace(/%([0-7][0-9a-f])/gi, decode) : path);
}

export function isXmlRpc({ address, method }: Pick<WriteTarget, 'address' | 'method'>): boolean {
  return method === 'POST' && address.endsWith('/xmlrpc.php');
}

/** A call that only editors can make: neither `wp.newComment` and `wp.editProfile` nor `system.multicall`. */
const CALL =
  /^\s{0,99}(?:<\?xml[^<>]{0,99}\?>\s{0,99})?<methodCall>\s{0,99}<methodName>\s{0,99}(?:wp|blogger|metaWeblog|mt)\.(?:new(?!Comment)|edit(?!Profile)|delete|set|publish|upload|restore)\w{1,40}\s{0,99}<\/methodName>/;

/** No fault. */
const RESULT = /^\s{0,99}(?:<\?xml[^<>]{0,99}\?>\s{0,99})?<methodResponse>\s{0,99}<params>/;

/** Other encodings can hide tags: PHP reads `+ADw-` as `<` in UTF-7. */
const OTHER_ENCODING = /^[^>]{0,200}\bencoding\s{0,99}=\s{0,99}(?!["'](?:utf-8|iso-8859-1|us-ascii)["'])/i;

export function isProvenCall(call: string, response: string): boolean {
  // WordPress takes the last name (`IXR_Message::tag_close()`).
  const isOneName = call.indexOf('<methodName') === call.lastIndexOf('<methodName');
  return isOneName && CALL.test(call) && !OTHER_ENCODING.test(call) && RESULT.test(response);
}

const BATCH_ROUTE = /^\/(?:batch\/v1|wc\/store(?:\/v1)?\/batch)\/?$/i;

interface BatchPart {
  readonly method: string;
  readonly address: string;
  readonly query: string;
  readonly parameters: ReadonlyMap<string, Json> | null;
  readonly status: number | null;
  readonly headers: readonly string[];
  readonly json: () => Json | undefined;
}

export function isBatchRoute(route: string): boolean {
  return BATCH_ROUTE.test(route);
}

/** @param status of the batch @returns `null` if it is none, or its parts cannot be read */
export function readBatch(
  route: string,
  parameters: ReadonlyMap<string, Json> | null,
  status: number | null = null,
  json: () => Json | undefined = () => undefined,
): readonly BatchPart[] | null {
  if (!isBatchRoute(route)) return null;
  const requests = parameters?.get('requests');
  if (!Array.isArray(requests) && !isJsonObject(requests)) return null;
  const answer = json();
  if (memberAt(answer, 'failed') !== undefined) return [];
  const responses = jsonItems(memberAt(answer, 'responses'));
  return Object.values(requests).map((request, at) => readPart(request, responses[at], status));
}

function readPart(request: Json, response: Json | undefined, batchStatus: number | null): BatchPart {
  const [method, path, body] = ['method', 'path', 'body'].map((name) => memberAt(request, name));
  const [route = '', query = ''] = (typeof path === 'string' ? path : '').split(/\?(.*)/s, 2);
  const inQuery = parseQueryParameters(query);
  const inBody = isJsonObject(body) ? Object.entries(body) : [];
  const [status, headers] = ['status', 'headers'].map((name) => memberAt(response, name));
  return {
    method: typeof method === 'string' ? method.toUpperCase() : 'POST',
    address: toPlainPath(normalizeRoute(route)),
    query,
    parameters: inQuery === null ? null : new Map([...inQuery, ...inBody]),
    status: typeof status === 'number' ? status : batchStatus,
    headers: isJsonObject(headers)
      ? Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [name, value] : []))
      : [],
    json: () => memberAt(response, 'body'),
  };
}
