import type { IncomingRequestHead, RequestHead } from '../../base/http/exchange.ts';
import { type DeclaredProblem, parseProblems } from '../../base/http/problems.ts';
import { toSitePath } from '../../base/php/path.ts';
import {
  addSlashes,
  isFormPost,
  isPhpEmpty,
  MAX_INPUT_VARS,
  normalizeRoute,
  parsePhpQuery,
  parseQueryPairs,
  parseVariableName,
  type QueryPair,
  rawUrlDecode,
  urlDecode,
} from '../../base/php/request.ts';
import type { SiteAddress } from '../../generator/discovery/site.ts';
import refusals from './target-refusals.json' with { type: 'json' };

/** An absolute form's authority replaces `Host` (RFC 9112 §3.2.2). Other schemes and user information are refused later. */
export function toOriginForm(head: IncomingRequestHead): IncomingRequestHead {
  const [, scheme, authority = '', rest = ''] =
    /^(https?):\/\/([^/?#@]+)([/?#].*)?$/is.exec(head.target) ?? [];
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
  const readRestPath = createRestPathReader(site.prefix);

  return (head) => {
    const { target } = head;
    if (!target.startsWith('/')) return createTargetRefusal('target-form');
    if (target.length > MAX_LENGTH) return createTargetRefusal('target-length');
    if (FORBIDDEN_CHARACTERS.test(target)) return createTargetRefusal('target-characters');

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
    const page = {
      kind: 'page',
      path,
      subsite,
      method: head.method,
      query,
      hasFormBody,
      route: null,
    } as const;
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
    const run = {
      // PHP's strtoupper() changes ASCII only.
      method: rawMethod.replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
      route: normalizeRoute(addSlashes(named.value ?? rest?.route ?? rawUrlDecode(path))),
    };
    if (!isInQuery && rest !== null && rest.folder.toLowerCase() !== subsite) return { ...page, ...run };
    return { ...page, ...run, kind: 'route', query: queryWithoutRoute, isInQuery };
  };
}

const MAX_LENGTH = 16_384;

/** RFC 9112 §3.2. Some servers cut off a fragment; PHP keeps it. */
const FORBIDDEN_CHARACTERS = /[\x00-\x20\x7f#]/;

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
    const found = rule.exec(trimmed) ?? rule.exec(decoded);
    if (inPathInfo.test(decoded.replace(/\/{2,}/g, '/'))) {
      if (found?.[2] === undefined || /[%+]|\/\//.test(path)) return 'unclear';
    }
    if (found === null) return null;
    const [, folder = '', , route = ''] = found;
    return { folder: `/${folder}`, route: `/${route}` };
  };
}

function escapePattern(text: string): string {
  return text.replace(/[^\w/-]/g, '\\$&');
}

/** Otherwise the path can be a file, or a script that runs no routes. */
function runsFrontController(path: string): boolean {
  const sitePath = toSitePath(path, true).replace(/\/index\.php(?=\/|$)/, '');
  return !/\/wp-|\.php|\.[^/]*$/.test(sitePath);
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
