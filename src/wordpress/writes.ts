/**
 * Purges of writes, by the first that applies: `cache.writes`, a row of `writes.json`, and whether the client
 * is anonymous: then nothing but its own address (RFC 9111 §4.4), which `WriteObserver` adds, else everything of
 * the site.
 */

import type { WriteRule } from '../config/option-types.ts';
import { createNameMatcher, parseRouteGlob, splitNames } from '../glob.ts';
import { fieldValue } from '../http/fields.ts';
import { isJsonObject, type Json, jsonItems, memberAt } from '../json.ts';
import { readErrorCode } from '../php/json.ts';
import { parseQueryParameters } from '../php/query.ts';
import { createAddressKey } from './cache-key.ts';
import { anyQueryRouteTag, EVERYTHING, normalizeEscapes, pageTag, toNamedTags, toTagPath } from './tags.ts';
import TABLE from './writes.json' with { type: 'json' };

export interface SiteWrite {
  /** The method that the site runs. */
  readonly method: string;
  /** Route, or path of a page below the mount, decoded and in lower case. */
  readonly address: string;
  readonly isPage: boolean;
  /** Whether the request has a cookie or a field of a session, or credentials. */
  readonly hasSession: boolean;
  /** Whether it has a session, or its query or body names a credential or a nonce. */
  readonly isAuthenticated: boolean;
  /** Whether WordPress's own handler runs, with no parameter that a plugin has added. */
  readonly isCore: boolean;
  /** Parameters of query and body; `null` if they are unknown. */
  readonly parameters: ReadonlyMap<string, Json> | null;
  /** `null` if not all of it was read. */
  readonly body: string | null;
  /** With the action of a form, as if it were sent there. */
  readonly query: string;
  /** `null` if there was no response. */
  readonly status: number | null;
  readonly headers: readonly string[];
  /** The body of the response: parsed, when a row asks for it, if it was JSON; a text for a page. */
  readonly json: () => Json | undefined;
  readonly text: string | null;
  readonly parts?: readonly SiteWrite[];
}

export type PurgedByWrite = 'nothing' | 'everything' | readonly string[];

type WriteTarget = Pick<SiteWrite, 'method' | 'address' | 'query'>;

/** Row of `writes.json`: a write matches that fulfils all that it states. */
interface WriteRow {
  readonly source: string;
  /** Methods, or `*`, and globs. */
  readonly match: string;
  readonly except?: string;
  readonly isPage?: boolean;
  readonly hasSession?: boolean;
  readonly isCore?: boolean;
  /** Allowed parameters: with others, another handler can write. `meta.x` is a member. */
  readonly fields?: string;
  /** Parameters of which it must have one, and that it must not have. */
  readonly has?: string;
  readonly without?: string;
  readonly body?: string;
  /** Values of parameters that it must have; of the query; and of those that it can have. */
  readonly values?: Readonly<Record<string, string | undefined>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly sends?: Readonly<Record<string, string | undefined>>;
  readonly status?: string;
  readonly errors?: string;
  readonly members?: Readonly<Record<string, string | undefined>>;
  /** Whether `Allow` of the response names the method. */
  readonly isAllowed?: boolean;
  readonly location?: string;
  readonly text?: string;
  /**
   * `nothing`, `item`, or tags. `{name}` stands for a parameter, `{location}` for the address that the client
   * is sent to, `{up}` for the item that the response's item belongs to.
   */
  readonly purges: string;
}

const narrowerRows = TABLE.narrower.map((row) => ({
  ...compileRow(row),
  listTags: compileTags(row.purges),
  readsResponse: row.text !== undefined || row.members !== undefined,
}));
const delayedRows = TABLE.delayed.map((row) => ({
  isSelected: compileMatch(row.match),
  values: compileValues(row.values),
  work: {
    delays: row.seconds.map((each) => each * 1_000),
    atMostEvery: (row.atMostEvery ?? 0) * 1_000,
    purged: row.purges === undefined ? null : splitNames(row.purges),
  },
}));

export function createWriteRules(rules: readonly WriteRule[]): (write: SiteWrite) => PurgedByWrite {
  const declared = rules.map(({ match, purges }) => ({
    isSelected: compileMatch(match),
    purges: typeof purges === 'string' ? purges : purges.flatMap(toDeclaredTags),
  }));
  const decide = (write: SiteWrite): PurgedByWrite => {
    const rule = declared.find(({ isSelected }) => isSelected(write));
    if (rule !== undefined) return rule.purges;
    if (write.parts !== undefined) return joinPurges(write.parts.map(decide));
    const row = narrowerRows.find(({ isSelected, matches }) => isSelected(write) && matches(write));
    if (row !== undefined) return row.listTags(write);
    return write.isAuthenticated ? 'everything' : 'nothing';
  };
  return decide;
}

function joinPurges(purges: readonly PurgedByWrite[]): PurgedByWrite {
  if (purges.includes('everything')) return 'everything';
  const tags = purges.flatMap((purged) => (typeof purged === 'string' ? [] : purged));
  return tags.length === 0 ? 'nothing' : tags;
}

export function readsPageResponse(target: WriteTarget): boolean {
  return narrowerRows.some(({ isSelected, readsResponse }) => readsResponse && isSelected(target));
}

export interface LaterWork {
  /** Milliseconds. */
  readonly delays: readonly number[];
  /** Milliseconds between two purges, if anyone can ask for them. @default 0: no limit */
  readonly atMostEvery: number;
  /** Tags of what is purged. @default `null`: what the write itself purges */
  readonly purged: readonly string[] | null;
}

/**
 * What a site might do after its response, e.g. the tasks of `wp-cron.php`. Other later changes show when a
 * lifetime ends or `waygate.php` tells them.
 */
export function findLaterWork(
  target: WriteTarget,
  readParameters: () => ReadonlyMap<string, Json> | null,
): LaterWork | null {
  const row = delayedRows.find(({ isSelected, values }) => {
    if (!isSelected(target)) return false;
    const parameters = values.length === 0 ? null : readParameters();
    return parameters === null || values.every(([name, is]) => is(parameters.get(name)));
  });
  return row?.work ?? null;
}

/** @param name a route template or a path, or a name of the site or a cache rule */
function toDeclaredTags(name: string): readonly string[] {
  if (!name.startsWith('/')) return toNamedTags(name);
  // Of a template, everything below its literal beginning.
  const path = name.includes('{') ? name.slice(0, name.indexOf('{')) : name;
  const trimmed = path.replace(/(?<=.)\/$/, '');
  return trimmed === '/' ? [EVERYTHING] : [toTagPath(trimmed), pageTag(trimmed)];
}

function compileTags(purges: string): (write: SiteWrite) => PurgedByWrite {
  if (purges === 'nothing') return () => 'nothing';
  // The item of a route of WordPress, and the list that the route itself is.
  if (purges === 'item') return ({ address }) => [anyQueryRouteTag(address), ...listItem(address)];
  const templates = splitNames(purges);
  return (write) => {
    const tags = templates.flatMap((template) => fillTemplate(template, write));
    return tags.length === 0 ? 'nothing' : tags;
  };
}

function listItem(route: string): readonly string[] {
  return /^\/[^/]+\/[^/]+\/[^/]+\/[^/]+/.exec(route)?.slice(0, 1) ?? [];
}

function fillTemplate(template: string, { headers, json, parameters }: SiteWrite): readonly string[] {
  const [, name] = /\{(\w+)\}/.exec(template) ?? [];
  if (name === undefined) return [template];
  if (name === 'location') return toPostAddress(fieldValue(headers, 'location') ?? '');
  if (name === 'up') return findUpItem(json());
  const value = parameters?.get(name);
  return typeof value === 'string' && /^\d{1,20}$/.test(value) ? [template.replace(`{${name}}`, value)] : [];
}

/** Finds the post of a comment's page. The client may choose the address, so nothing else is purged by it. */
function toPostAddress(location: string): readonly string[] {
  if (!URL.canParse(location, 'http://site')) return [];
  const { pathname, search } = new URL(location, 'http://site');
  const address = pathname.replace(/comment-page-\d+\/?$/, '') + search.replace(/[?&]cpage=\d+/, '');
  return [createAddressKey(normalizeEscapes(address))];
}

/** Finds e.g. the post of a comment, by the response's link. */
function findUpItem(json: Json | undefined): readonly string[] {
  const [up] = isJsonObject(json) ? jsonItems(memberAt(json['_links'], 'up')) : [];
  const href = memberAt(up, 'href');
  return typeof href === 'string' ? listItem(href.replace(/^.*?(?=\/wp\/v2\/)/s, '')) : [];
}

/** @param match `POST PUT /wp/v2/*`, or without methods. A glob with `?` is compared with the query, too */
function compileMatch(match: string): (target: WriteTarget) => boolean {
  const declared = splitWriteMatch(match);
  const methods = new Set(declared.methods);
  const globs = declared.globs.map((glob) => ({
    ...parseRouteGlob(toTagPath(glob)),
    hasQuery: glob.includes('?'),
  }));
  return ({ address, method, query }) =>
    (methods.size === 0 || methods.has(method)) &&
    globs.some(({ hasQuery, matches }) => matches(hasQuery ? `${address}?${query}` : address));
}

export function splitWriteMatch(match: string): {
  readonly methods: readonly string[];
  readonly globs: readonly string[];
} {
  const words = splitNames(match);
  const methods = words.filter((word) => /^[A-Z]+$/.test(word));
  return { methods, globs: words.slice(methods.length) };
}

function compileRow(row: WriteRow): {
  readonly isSelected: (target: WriteTarget) => boolean;
  readonly matches: (write: SiteWrite) => boolean;
} {
  const isMatch = compileMatch(row.match);
  const isExcepted = row.except === undefined ? () => false : compileMatch(row.except);
  const isSent = compileSent(row);
  const isAnswered = compileAnswered(row);
  return {
    isSelected: (target) => isMatch(target) && !isExcepted(target),
    matches: (write) =>
      (row.isPage === undefined || row.isPage === write.isPage) &&
      (row.isPage !== true || !hasPathInfo(write.address)) &&
      (row.hasSession === undefined || row.hasSession === write.hasSession) &&
      (row.isCore === undefined || write.isCore) &&
      isAnswered(write) &&
      isSent(write),
  };
}

function compileSent({
  body,
  fields,
  has,
  query,
  sends,
  values,
  without,
}: WriteRow): (write: SiteWrite) => boolean {
  const isField = fields === undefined ? null : createNameMatcher(splitNames(fields));
  const forbidden = splitNames(without ?? '');
  const oneOf = splitNames(has ?? '');
  const inBody = body === undefined ? null : new RegExp(body);
  const needed = compileValues(values);
  const ofQuery = compileValues(query);
  const optional = compileValues(sends);
  if (inBody !== null) return (write) => write.body !== null && inBody.test(write.body);
  if ([fields, has, query, sends, values, without].every((each) => each === undefined)) return () => true;
  return (write) => {
    const { parameters } = write;
    if (parameters === null) return false;
    const inQuery = ofQuery.length === 0 ? null : parseQueryParameters(write.query);
    return (
      (isField === null ||
        (parameters.size > 0 && listFieldNames(parameters, write.isPage).every(isField))) &&
      !forbidden.some((name) => parameters.has(name)) &&
      (oneOf.length === 0 || oneOf.some((name) => parameters.has(name))) &&
      needed.every(([name, is]) => is(parameters.get(name))) &&
      ofQuery.every(([name, is]) => is(inQuery?.get(name))) &&
      optional.every(([name, is]) => !parameters.has(name) || is(parameters.get(name)))
    );
  };
}

function compileAnswered(row: WriteRow): (write: SiteWrite) => boolean {
  const statuses = new Set(splitNames(row.status ?? ''));
  const errors = new Set(splitNames(row.errors ?? ''));
  const members = compileValues(row.members);
  const [text, location] = [row.text, row.location].map((each) =>
    each === undefined ? null : new RegExp(each),
  );
  return (write) => {
    const { headers, json, method, status } = write;
    const isStatus =
      statuses.size === 0 ||
      statuses.has(`${status}`) ||
      statuses.has(`${Math.floor((status ?? 0) / 100)}xx`);
    if (!isStatus) return false;
    const allowed = fieldValue(headers, 'allow')
      ?.toUpperCase()
      .split(/[\s,]+/);
    return (
      (errors.size === 0 || errors.has(readErrorCode(json()) ?? '')) &&
      (members.length === 0 || hasMembers(json(), members)) &&
      (row.isAllowed === undefined || allowed?.includes(method) === row.isAllowed) &&
      (location == null || location.test(fieldValue(headers, 'location') ?? '')) &&
      (text == null || (write.text !== null && text.test(write.text)))
    );
  };
}

function hasMembers(json: Json | undefined, members: readonly ValueMatcher[]): boolean {
  return isJsonObject(json) && members.every(([name, is]) => is(json[name]));
}

type ValueMatcher = readonly [name: string, is: (value: Json | undefined) => boolean];

/** @param texts one that ends in `*` is a prefix, and an empty one is the empty text */
function compileValues(texts: Readonly<Record<string, string | undefined>> = {}): readonly ValueMatcher[] {
  return Object.entries(texts).map(([name, values = '']) => {
    const isValue = createNameMatcher(values === '' ? [''] : splitNames(values));
    return [name, (value) => typeof value === 'string' && isValue(value)] as const;
  });
}

/** Lists names, with the members of objects whose fields the table names. */
function listFieldNames(parameters: ReadonlyMap<string, Json>, isPage: boolean): readonly string[] {
  return [...parameters]
    .filter(([name]) => isPage || !CONTROL_PARAMETERS.has(name))
    .flatMap(([name, value]) =>
      isJsonObject(value) && (name === 'meta' || name === 'data')
        ? Object.keys(value).map((key) => `${name}.${key}`)
        : [name],
    );
}

/** Parameters that are no fields of the item. */
const CONTROL_PARAMETERS: ReadonlySet<string> = new Set(
  splitNames('context force id _fields _embed _envelope _locale _method _wpnonce'),
);

/** Whether a path goes on after a script, which runs. */
function hasPathInfo(path: string): boolean {
  const at = path.indexOf('.php');
  return at >= 0 && at + '.php'.length < path.length;
}

/**
 * Whether a safe method can write all the same: links of the administration with a nonce, `wp-mail.php`, and
 * scheduled tasks (`wp-cron.php`, or `doing_wp_cron` for `ALTERNATE_WP_CRON`).
 */
export function isWritingRead(path: string, query: string): boolean {
  const plain = toPlainPath(path);
  if (/\/wp-(?:cron|mail)\.php/.test(plain) || query.includes('doing_wp_cron')) return true;
  if (!plain.includes('/wp-admin/')) return false;
  const parameters = parseQueryParameters(query);
  return parameters === null || Array.from(parameters.keys()).some((name) => NONCE_NAME.test(name));
}

/** `_wpnonce`, `_ajax_nonce`, those of plugins, and `security`, as many call it. */
const NONCE_NAME = /nonce|^security$/i;

/** Decodes the ASCII characters, and converts them to lower case. */
export function toPlainPath(path: string): string {
  const decode = (_: string, digits: string): string => String.fromCharCode(parseInt(digits, 16));
  return toTagPath(path.includes('%') ? path.replace(/%([0-7][0-9a-f])/gi, decode) : path);
}
