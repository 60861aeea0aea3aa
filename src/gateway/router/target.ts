import type { IncomingRequestHead, RequestHead, ResponseHead } from '../../base/http/exchange.ts';
import { fieldValue } from '../../base/http/fields.ts';
import { type DeclaredProblem, parseProblems } from '../../base/http/problems.ts';
import { memberAt, parseJson, toJsonObject, toText } from '../../base/json.ts';
import { createLru } from '../../base/memoize.ts';
import {
  addSlashes,
  decodeByteString,
  isFormPost,
  isJsonContentType,
  isPhpEmpty,
  MAX_INPUT_VARS,
  normalizeRoute,
  parsePhpQuery,
  parseQueryPairs,
  parseVariableName,
  type QueryPair,
  rawUrlDecode,
  stripSlashes,
  toSitePath,
  urlDecode,
} from '../../base/php/request.ts';
import { decodeEntities } from '../../base/text.ts';
import type { SiteAddress } from '../../generator/discovery/site.ts';
import refusals from './target-refusals.json' with { type: 'json' };

/**
 * Cuts off a fragment, as web servers do. An absolute form's authority replaces `Host` (RFC 9112 §3.2.2). Other schemes and user
 * information are refused later.
 */
export function toOriginForm(received: IncomingRequestHead): IncomingRequestHead {
  const [target = ''] = received.target.split('#', 1);
  const head = { ...received, target };
  const [, scheme, authority = '', rest = ''] = /^(https?):\/\/([^/?@]+)([/?].*)?$/is.exec(target) ?? [];
  if (scheme?.toLowerCase() !== head.protocol) return head;
  const { headers } = head;
  const hosts = headers.flatMap((name, at) =>
    at % 2 === 0 && name.toLowerCase() === 'host' ? [at + 1] : [],
  );
  if (hosts.length > 1) return head;
  const [at] = hosts;
  return {
    ...head,
    target: rest.startsWith('/') ? rest : `/${rest}`,
    headers: at === undefined ? [...headers, 'Host', authority] : headers.with(at, authority),
  };
}

function stripMount(path: string, mount: string): string | null {
  if (!path.startsWith(mount)) return null;
  const below = path.slice(mount.length);
  if (below === '') return '/';
  return below.startsWith('/') ? below : null;
}

const NO_OVERRIDES: readonly string[] = [];

export function readRoutingHeaders(headers: readonly string[]): {
  readonly contentType: string;
  readonly methodOverrides: readonly string[];
} {
  let contentType = '';
  let methodOverrides = NO_OVERRIDES;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    if (name.length === 12 && name.toLowerCase() === 'content-type') {
      // If there are several fields, a form type counts, as the more careful assumption.
      if (!isFormPost('POST', contentType)) contentType = headers[i + 1] ?? '';
    } else if (name.length === 22 && name.toLowerCase() === 'x-http-method-override') {
      methodOverrides = [...methodOverrides, headers[i + 1] ?? ''];
    }
  }
  return { contentType, methodOverrides };
}

export type ResolvedTarget =
  | RouteTarget
  | PageTarget
  | DocumentTarget
  /** `path` follows the address of the reference, raw: `.md`, `/wp/v2/posts`, `/assets/…`. */
  | { readonly kind: 'docs'; readonly path: string }
  | AgentTarget
  | { readonly kind: 'not-found' }
  | TargetRefusal;

interface SiteTarget {
  /** Raw, below the mount. */
  readonly path: string;
  /** What rules are compared with: {@link createRouteNaming}, {@link nameAddress}. */
  readonly names: readonly string[];
  /** Folder of the subsite that responds: `/de/`, or `/` for the site itself. */
  readonly subsite: string;
  /** Upper case; at a route after `_method` and `X-HTTP-Method-Override`. */
  readonly method: string;
  /** The client's query without question mark, and at a route without `rest_route`, otherwise byte for byte. */
  readonly query: string;
  /** Whether PHP can read the body into `$_POST`. */
  readonly hasFormBody: boolean;
}

export interface RouteTarget extends SiteTarget {
  readonly kind: 'route';
  /** As WordPress matches it: a byte string. */
  readonly route: string;
  /** Whether `rest_route` names it in the query. */
  readonly isInQuery: boolean;
}

export interface PageTarget extends SiteTarget {
  readonly kind: 'page';
  /** What a subsite would run in this folder, if it had one: `/wp/v2/posts` of `/xyz/wp-json/wp/v2/posts`. */
  readonly route: string | null;
}

export interface DocumentTarget {
  readonly kind: 'document';
  readonly namespaces: readonly string[];
  /** Whether `?openapi=` names another version than 3.1. */
  readonly isOtherVersion: boolean;
}

export interface AgentTarget {
  readonly kind: 'mcp';
  readonly isMetadata: boolean;
}

export interface TargetResolverOptions {
  readonly mountPath: string;
  readonly site: SiteAddress;
  readonly forwardsPages: boolean;
  readonly isDiscovered: boolean;
  /** @default those of {@link createOwnAddresses} */
  readonly addresses?: OwnAddresses | undefined;
}

export interface OwnAddresses {
  readonly docs: string;
  readonly openapi: string;
  readonly mcp: string | null;
  /** Path at which clients read how the MCP server authorizes (RFC 9728); `null` without an issuer. */
  readonly mcpMetadata: string | null;
}

/** Folder of the gateway's addresses if all others are the site's. */
export const OWN_FOLDER = '/-/';

/** RFC 9728 §3.1 inserts it before the path of a resource: `/.well-known/oauth-protected-resource/shop/mcp`. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

export function createOwnAddresses(
  passthrough: boolean,
  configured: { readonly [Name in keyof OwnAddresses]?: OwnAddresses[Name] | undefined } = {},
): OwnAddresses {
  const folder = passthrough ? OWN_FOLDER : '/';
  const { docs = `${folder}docs`, openapi = `${folder}openapi.json`, mcp = `${folder}mcp` } = configured;
  const { mcpMetadata = null } = configured;
  return { docs, openapi, mcp, mcpMetadata };
}

export function createTargetResolver(
  options: TargetResolverOptions,
  findSubsite: (path: string) => string = () => '/',
): (head: RequestHead) => ResolvedTarget {
  const { mountPath, site, forwardsPages, isDiscovered } = options;
  const { addresses = createOwnAddresses(forwardsPages, { mcp: null }) } = options;
  const findOwn = createOwnLookup(addresses, forwardsPages);
  const nameRoute = createRouteNaming(site.prefix);
  const readRestPath = createRestPathReader(site.prefix);

  return (head) => {
    const { target } = head;
    if (!target.startsWith('/') || FORBIDDEN_CHARACTERS.test(target))
      return createTargetRefusal('target-form');
    if (target.length > MAX_LENGTH) return createTargetRefusal('target-length');

    const queryStart = target.indexOf('?');
    const fullPath = queryStart < 0 ? target : target.slice(0, queryStart);
    const query = queryStart < 0 ? '' : target.slice(queryStart + 1);
    const { mcp, mcpMetadata } = addresses;
    const isMetadata =
      mcpMetadata !== null && [mcpMetadata, METADATA_PATH + mountPath + mcp].includes(fullPath);
    const path = isMetadata ? METADATA_PATH : stripMount(fullPath, mountPath);
    if (path === null) return { kind: 'not-found' };
    const own = findOwn(path);
    if (own !== null) return own.kind === 'document' ? { ...own, ...readDocumentQuery(query) } : own;
    if (hasDotSegments(path)) return createTargetRefusal('dot-segments');

    const { contentType, methodOverrides } = readRoutingHeaders(head.headers);
    const hasFormBody = isFormPost(head.method, contentType);
    const subsite = findSubsite(path);
    const names = forwardsPages ? nameAddress(path) : NO_NAMES;
    const ofClient = { path, names, subsite, method: head.method, query, hasFormBody };
    const page = { ...ofClient, kind: 'page', route: null } as const;
    const resolvePage = (): ResolvedTarget => (forwardsPages ? page : { kind: 'not-found' });
    if (!isDiscovered) return resolvePage();

    const variables = readRoutingVariables(query);
    const named = variables.route;
    if (named.refusalReason !== null) return createTargetRefusal(named.refusalReason);
    const read = readRestPath(path);
    if (read === 'unclear') return createTargetRefusal('encoded-prefix');
    const rest = forwardsPages || read?.folder === '/' ? read : null;
    const isInQuery = named.value !== null;
    if (named.value !== null) {
      // rest_route in $_GET has precedence over a path (WP::parse_request); if empty, WordPress ignores the path.
      if (isPhpEmpty(named.value)) return resolvePage();
      if (read === null && !runsFrontController(path)) return createTargetRefusal('route-path');
    } else {
      if (rest === null && forwardsPages) return page;
      if (MALFORMED.test(path)) return createTargetRefusal('malformed-path');
      if (rest === null && /^\/index\.php(?:\/|$)/.test(path)) return resolvePage();
    }
    const { method, queryWithoutRoute } = variables;
    if (method.refusalReason !== null) return createTargetRefusal(method.refusalReason);
    if (methodOverrides.length > 1) return createTargetRefusal('method-repeated');
    // WordPress adds slashes to both $_GET and $_SERVER.
    const rawMethod = addSlashes(method.value ?? methodOverrides[0] ?? head.method);
    const route = normalizeRoute(addSlashes(named.value ?? rest?.route ?? rawUrlDecode(path)));
    // PHP's strtoupper() changes ASCII only.
    const run = { route, method: rawMethod.replace(/[a-z]+/g, (letters) => letters.toUpperCase()) };
    const isElsewhere = !isInQuery && rest !== null && rest.folder.toLowerCase() !== subsite;
    if (isElsewhere) return { ...page, ...run, names: [...names, ...nameRoute(route)] };
    return {
      ...page,
      ...run,
      names: nameRoute(route, subsite),
      kind: 'route',
      query: queryWithoutRoute,
      isInQuery,
    };
  };
}

const MAX_LENGTH = 16_384;

/** RFC 9112 §3.2. */
const FORBIDDEN_CHARACTERS = /[\x00-\x20\x7f]/;

const MALFORMED = /%(?![0-9a-f]{2})|%00/i;

function readDocumentQuery(query: string): Pick<DocumentTarget, 'namespaces' | 'isOtherVersion'> {
  const variables = parsePhpQuery(query);
  const value = variables.get('namespace');
  const values = value === undefined ? [] : typeof value === 'string' ? [value] : [...value.values()];
  const namespaces = values
    .flatMap((item) => (typeof item === 'string' ? item.split(',') : []))
    .filter((name) => name !== '');
  const version = variables.get('openapi') ?? '3.1';
  // Patch releases of a version have the same content (OpenAPI 3.1 §4.1).
  return { namespaces, isOtherVersion: typeof version !== 'string' || !/^3\.1(?:\.\d+)?$/.test(version) };
}

type OwnTarget = Exclude<ResolvedTarget, RouteTarget | PageTarget>;

/** Finds the gateway's own addresses; the query of a document is read later. */
function createOwnLookup(
  { docs, mcp, mcpMetadata, openapi }: OwnAddresses,
  forwardsPages: boolean,
): (path: string) => OwnTarget | null {
  const agents = (isMetadata: boolean): OwnTarget => ({ kind: 'mcp', isMetadata });
  const known = new Map<string, OwnTarget>([
    [openapi, { kind: 'document', namespaces: [], isOtherVersion: false }],
    [docs, { kind: 'docs', path: '' }],
    [`${docs}.md`, { kind: 'docs', path: '.md' }],
    ...(mcp === null ? [] : [[mcp, agents(false)] as const]),
    ...(mcp === null || mcpMetadata === null
      ? []
      : [METADATA_PATH, METADATA_PATH + mcp].map((path) => [path, agents(true)] as const)),
  ]);
  return (path) => {
    const found = known.get(path);
    if (found !== undefined) return found;
    const isBelowDocs = path.startsWith(docs) && path.charAt(docs.length) === '/';
    if (!isBelowDocs && !(forwardsPages && path.startsWith(OWN_FOLDER))) return null;
    if (hasDotSegments(path)) return createTargetRefusal('dot-segments');
    return isBelowDocs ? { kind: 'docs', path: path.slice(docs.length) } : { kind: 'not-found' };
  };
}

interface RestPath {
  /** In front of the prefix: `/`, or `/de/` of a subsite. */
  readonly folder: string;
  readonly route: string;
}

/**
 * Reads a path as WordPress matches it with its rewrite rules: as it is, else decoded (`/%77p-json/…`). `unclear` is one with an escape
 * or repeated slashes behind `index.php`, which web servers decode and merge before.
 * @param prefix of the site's REST API; `wp-json` is accepted too
 */
function createRestPathReader(prefix: string): (path: string) => RestPath | 'unclear' | null {
  const prefixes = [...new Set(['wp-json', prefix])].map(escapePattern).join('|');
  // `.` of the rule does not match a newline, and `$` matches before one at the end.
  const rule = new RegExp(`^((?:[^/]*/)*?)(index\\.php/)?(?:${prefixes})(?:/([^\\n]*).*|\\n?)$`, 's');
  const inPathInfo = new RegExp(`(?:^|/)index\\.php/(?:${prefixes})(?:/|\\n?$)`, 'i');
  return (path) => {
    const trimmed = path.replace(/^\/+/, '');
    const decoded = urlDecode(trimmed);
    const asSent = rule.exec(trimmed);
    const found = asSent ?? rule.exec(decoded);
    if (inPathInfo.test(decoded.replace(/\/{2,}/g, '/'))) {
      if (found?.[2] === undefined || /[%+]|\/\//.test(path)) return 'unclear';
    }
    if (found === null) return null;
    const [, folder = '', , route = ''] = found;
    // WordPress trims slashes behind the folder, before it decodes.
    return { folder: `/${asSent ? folder.replace(/\/+$/, '/') : folder}`, route: `/${route}` };
  };
}

const NO_NAMES: readonly string[] = [];

/**
 * A route as people write it, in lower case: `/wp/v2/users`, `/wp-json/wp/v2/users`, and at a subsite with its folder.
 * @param prefix of the site's REST API
 */
export function createRouteNaming(prefix: string): (route: string, subsite?: string) => readonly string[] {
  const prefixes = [...new Set(['/wp-json', `/${prefix}`])];
  return (route, subsite = '/') => {
    const plain = decodeByteString(stripSlashes(route))
      .toLowerCase()
      .replace(/\/{2,}/g, '/');
    const names = [plain, ...prefixes.map((each) => each + plain)];
    if (subsite !== '/') names.push(...prefixes.map((each) => subsite.slice(0, -1) + each + plain));
    return names;
  };
}

/** A path, decoded and in lower case. Web servers run a script of WordPress in any folder: `/xyz/wp-login.php`. */
function nameAddress(path: string): readonly string[] {
  const plain = toSitePath(path, true) + (/.\/$/.test(path) ? '/' : '');
  const at = plain.slice(1).search(/\/(?:wp-|[^/]*\.php(?:\/|$))/);
  return at < 0 ? [plain] : [plain, plain.slice(at + 1)];
}

function escapePattern(text: string): string {
  return text.replace(/[^\w/-]/g, '\\$&');
}

/** Otherwise the path can be a file, or a script that runs no routes. */
function runsFrontController(path: string): boolean {
  const sitePath = toSitePath(path, true).replace(/\/index\.php(?=\/|$)/, '');
  return !/\/wp-|\.php|\.[^/]*$/.test(sitePath);
}

/** @param folder of a subsite, with the path of the site's base */
export function toSubsiteRoot({ base, root }: Pick<SiteAddress, 'base' | 'root'>, folder: string): string {
  const { pathname, search } = new URL(root);
  return folder + pathname.slice(new URL(base).pathname.length) + search;
}

/** The path of the front page that a root index belongs to: `/en/` of `/en/wp-json/`. */
export function findFront({ base, prefix, root, spelling }: SiteAddress): string {
  const { pathname } = new URL(root);
  if (spelling === 'plain') return pathname.replace(/[^/]*$/, '');
  const front = pathname.replace(/(?:index\.php\/)?wp-json\/$/, '');
  if (front !== pathname) return front;
  // A renamed prefix can have several segments.
  return root.startsWith(base) ? new URL(base).pathname : pathname.slice(0, -prefix.length - 1) || '/';
}

/** Clients, caches and servers resolve dot segments, and some take a backslash for a slash; PHP doesn't. */
function hasDotSegments(path: string): boolean {
  if (!/[.%\\]/.test(path)) return false;
  if (path.includes('\\')) return true;
  return rawUrlDecode(path)
    .split(/[/\\]/)
    .some((segment) => segment === '.' || segment === '..');
}

/** Folders of networks and of other installations. Any number could be invented at a site that answers them all. */
const MAX_SUBSITES = 4_096;
const MAX_FOLDER_LENGTH = 200;
const MAX_SEGMENTS = 8;

/** `rest_output_link_header()`, `WP_REST_Server::serve_request()`: the REST root, in each response of WordPress. */
const ROOT_LINK = /<([^<>]{1,2000})>(?=[^,<]{0,200};\s*rel="https:\/\/api\.w\.org\/")/;

/** The subsites of a site that have answered, by the folder in front of their addresses: `/de/`. */
export class Subsites {
  readonly #basePath: string;
  readonly #ownHost: string;
  readonly #ownFolder: string;
  /** Whether its index names it as the site's address. A language plugin's folder answers as a REST root, too. */
  readonly #folders = createLru<{ isOwnSite: boolean }>(MAX_SUBSITES);
  /** The same by host name: mapped domains of a network, and other names of the site, e.g. one for each language. */
  readonly #hosts = createLru<{ isOwnSite: boolean }>(MAX_SUBSITES);
  /** Grows with each one, so that earlier readings of targets are known to be old. */
  count = 0;

  /**
   * @param base URL of the site
   * @param ownFolder of the site's own root index, e.g. `/en/` with a language plugin
   */
  constructor(base: string, ownFolder: string) {
    const { hostname, pathname } = new URL(base);
    this.#basePath = pathname;
    this.#ownHost = hostname;
    this.#ownFolder = ownFolder;
  }

  listFolders(): readonly string[] {
    return [...this.#folders.keys()];
  }

  /** @returns the folder in lower case, as WordPress finds a site by its path; `/` for the site itself */
  readonly find = (path: string): string => this.#findDeepest(path, () => true);

  /**
   * As {@link find}, of sites of their own: what an editor of one changes, the others don't show.
   * @param url at the host that the client has asked, whose name is in front of a mapped domain's folder: `//example.org/`
   */
  findOwnSite(path: string, url = ''): string {
    const folder = this.#findDeepest(path, ({ isOwnSite }) => isOwnSite);
    const host = this.#hosts.size > 0 && URL.canParse(url) ? new URL(url).hostname : '';
    return this.#hosts.get(host)?.isOwnSite === true ? `//${host}${folder}` : folder;
  }

  /**
   * The sites of their own that a write can belong to: the one that is known, otherwise each that could be below its path. Stored
   * responses can name one that this process has not seen yet.
   */
  listWritten(path: string, url: string): readonly string[] {
    const known = this.#findDeepest(path, ({ isOwnSite }) => isOwnSite);
    const segments = path.toLowerCase().split('/').slice(0, MAX_SEGMENTS);
    const folders =
      known === '/' ? segments.map((_, at) => `${segments.slice(0, at + 1).join('/')}/`) : [known];
    const host = URL.canParse(url) ? new URL(url).hostname : this.#ownHost;
    return host === this.#ownHost ? folders : folders.flatMap((folder) => [folder, `//${host}${folder}`]);
  }

  /** The REST root that a response names, which can be at another host. */
  readRoot({ headers }: ResponseHead): string | undefined {
    return ROOT_LINK.exec(fieldValue(headers, 'link') ?? '')?.[1];
  }

  #findDeepest(path: string, matches: (folder: { isOwnSite: boolean }) => boolean): string {
    if (this.#folders.size === 0) return '/';
    let found = '/';
    const text = path.replace(/^\/*/, '/').toLowerCase();
    for (let at = text.indexOf('/', 1); at > 0 && at < MAX_FOLDER_LENGTH; at = text.indexOf('/', at + 1)) {
      const folder = text.slice(0, at + 1);
      const known = this.#folders.get(folder);
      if (known !== undefined && matches(known)) found = folder;
    }
    return found;
  }

  /** @param index of a folder that was learned: its `url` is the site's own address, which no language plugin changes */
  noteIndex(folder: string, index: string): void {
    const url = toText(memberAt(parseJson(index), 'url') ?? null);
    this.#noteOwnSite(this.#folders.get(folder), this.#readFolder(`${url}/wp-json/`) === folder);
  }

  /**
   * @param index at a host that was learned. A site that takes its address from the request has the same name at each host.
   * @param siteName of the site itself
   */
  noteHostIndex(host: string, index: string, siteName: string): void {
    const { name = '', url = '' } = toJsonObject(parseJson(index));
    const isAtHost = URL.canParse(toText(url)) && new URL(toText(url)).hostname === host;
    this.#noteOwnSite(
      this.#hosts.get(host),
      isAtHost && decodeEntities(toText(name)) !== decodeEntities(siteName),
    );
  }

  #noteOwnSite(known: { isOwnSite: boolean } | undefined, isOwnSite: boolean): void {
    if (known === undefined || !isOwnSite) return;
    known.isOwnSite = true;
    this.count += 1;
  }

  /** @returns the host of a root, if it is not the site's own, and was not known */
  learnHost(root: string): string | null {
    const host = URL.canParse(root) ? new URL(root).hostname : this.#ownHost;
    if (host === this.#ownHost || this.#hosts.has(host)) return null;
    this.#hosts.set(host, { isOwnSite: false });
    return host;
  }

  /**
   * Only the site's own word counts: the link to the REST root that its response has, or a root that answers in JSON.
   * @returns a folder that was not known
   */
  learn(
    method: string,
    { path, route, subsite }: Pick<PageTarget | RouteTarget, 'path' | 'route' | 'subsite'>,
    head: ResponseHead,
  ): string | null {
    if (subsite !== '/') return null;
    const { headers, status } = head;
    const root = this.readRoot(head);
    const text = path.replace(/^\/*/, '/').toLowerCase();
    let folder = root === undefined ? undefined : this.#readFolder(root);
    const isRoot = root === undefined && route === '/' && method === 'GET' && status === 200;
    if (isRoot && isJsonContentType(fieldValue(headers, 'content-type') ?? null))
      folder = /^(.*\/)(?:index\.php\/)?[^/]+\/?$/.exec(text)?.[1];
    if (folder === undefined || folder.length > MAX_FOLDER_LENGTH || !text.startsWith(folder)) return null;
    if (folder === '/' || folder === this.#ownFolder || this.#folders.has(folder)) return null;
    this.#folders.set(folder, { isOwnSite: false });
    this.count += 1;
    return folder;
  }

  /** @param root `https://example.com/de/wp-json/` or `https://example.com/de/index.php?rest_route=/` */
  #readFolder(root: string): string | undefined {
    if (!URL.canParse(root)) return undefined;
    const { pathname, search } = new URL(root);
    const folder = pathname
      .replace(search === '' ? /(?:index\.php\/)?[^/]+\/?$/ : /index\.php$/, '')
      .toLowerCase();
    return folder.startsWith(this.#basePath) ? folder.slice(this.#basePath.length - 1) : undefined;
  }
}

interface RoutingVariable {
  readonly value: string | null;
  readonly refusalReason: TargetRefusalReason | null;
}

const ABSENT: RoutingVariable = { value: null, refusalReason: null };

/** Queries that can hold a routing variable under a mangled name, or with a `%`. */
const POSSIBLE_ROUTING_VARIABLE = /%|[._]method|rest[._ +[]route/;

function readRoutingVariables(
  query: string,
): Record<'route' | 'method', RoutingVariable> & { readonly queryWithoutRoute: string } {
  if (!POSSIBLE_ROUTING_VARIABLE.test(query))
    return { route: ABSENT, method: ABSENT, queryWithoutRoute: query };
  const pairs = parseQueryPairs(query);
  const route = readRoutingVariable(pairs, 'rest_route', 'route-array');
  const method = readRoutingVariable(pairs, '_method', 'method-array');
  if (route.value === null) return { route, method, queryWithoutRoute: query };
  const others = pairs.filter(({ name }) => name !== 'rest_route');
  return { route, method, queryWithoutRoute: others.map(({ raw }) => raw).join('&') };
}

function readRoutingVariable(
  pairs: readonly QueryPair[],
  name: string,
  arrayRefusal: TargetRefusalReason,
): RoutingVariable {
  let value: string | null = null;
  let refusalReason: TargetRefusalReason | null = null;
  for (const [position, pair] of pairs.entries()) {
    // PHP's arg_separator.input is "&" by default, and ";&" on some sites.
    const pieces = pair.raw.includes(';') ? pair.raw.split(';').slice(1) : [];
    if (pieces.some((piece) => parseVariableName(piece.split('=', 1)[0] ?? '').name === name))
      refusalReason ??= 'variable-semicolon';
    if (pair.name !== name) continue;
    // An array is a type error in WordPress, also one that a later string replaces.
    if (pair.isArray) refusalReason ??= arrayRefusal;
    // One fewer than PHP reads, because the gateway can insert rest_route in front.
    if (position >= MAX_INPUT_VARS - 1) refusalReason ??= 'variable-position';
    value = urlDecode(pair.value);
  }
  return value === null && refusalReason === null ? ABSENT : { value, refusalReason };
}

type TargetRefusalReason = keyof typeof refusals;

export const TARGET_REFUSALS: Readonly<Record<TargetRefusalReason, DeclaredProblem>> =
  parseProblems(refusals);

interface TargetRefusal extends DeclaredProblem {
  readonly kind: 'refused';
  readonly reason: TargetRefusalReason;
}

function createTargetRefusal(reason: TargetRefusalReason): TargetRefusal {
  return { kind: 'refused', reason, ...TARGET_REFUSALS[reason] };
}
