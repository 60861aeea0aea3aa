import type { IncomingRequestHead, RequestHead } from '../../base/http/exchange.ts';
import { type DeclaredProblem, parseProblems } from '../../base/http/problems.ts';
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

export interface RouteTarget extends Pick<PageTarget, 'path' | 'hasFormBody'> {
  readonly kind: 'route';
  /** As WordPress matches it: a byte string. */
  readonly route: string;
  /** Upper case, after `_method` and `X-HTTP-Method-Override`. */
  readonly method: string;
  /** The client's query without `rest_route` and question mark, otherwise byte for byte. */
  readonly query: string;
  readonly routeParameter: RouteParameter | null;
  /** The client's spelling: `rest_route=`, `/wp-json/…`, or the gateway's short form `/…`. */
  readonly spelling: 'plain' | 'pretty' | 'short';
}

interface RouteParameter {
  /** Offset in {@link RouteTarget.query}. */
  readonly offset: number;
  /** The raw pair; `null` for several, or one that PHP versions read differently. */
  readonly raw: string | null;
}

export interface PageTarget {
  readonly kind: 'page';
  readonly path: string;
  readonly query: string;
  /** Whether PHP can read the body into `$_POST`. */
  readonly hasFormBody: boolean;
  /** Set if servers can take it for a route: `/de/?rest_route=/wp/v2/posts`, `/wp%2Djson/`. */
  readonly unclear: 'read' | 'write' | null;
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

export function createTargetResolver(options: TargetResolverOptions): (head: RequestHead) => ResolvedTarget {
  const { mountPath, site, forwardsPages, isDiscovered } = options;
  const { addresses = createOwnAddresses(forwardsPages, { mcp: null }) } = options;
  const classifyPath = createPathClassifier(site.prefix, addresses, forwardsPages);
  const plainPaths = listPlainPaths(site);

  return (head) => {
    const { target } = head;
    if (!target.startsWith('/')) return createTargetRefusal('target-form');
    if (target.length > MAX_LENGTH) return createTargetRefusal('target-length');
    if (FORBIDDEN_CHARACTERS.test(target)) return createTargetRefusal('target-characters');

    const queryStart = target.indexOf('?');
    const fullPath = queryStart < 0 ? target : target.slice(0, queryStart);
    const rawQuery = queryStart < 0 ? '' : target.slice(queryStart + 1);
    const { mcp, mcpMetadata } = addresses;
    const isMetadata =
      mcpMetadata !== null && [mcpMetadata, METADATA_PATH + mountPath + mcp].includes(fullPath);
    const path = isMetadata ? METADATA_PATH : stripMount(fullPath, mountPath);
    if (path === null) return { kind: 'not-found' };

    const { contentType, methodOverrides } = readRoutingHeaders(head.headers);
    const hasFormBody = isFormPost(head.method, contentType);
    const pathClass = classifyPath(path);
    if (pathClass.kind === 'own') {
      const { target: own } = pathClass;
      return own.kind === 'document' ? { ...own, ...readDocumentQuery(rawQuery) } : own;
    }
    const resolvePage = (unclear: PageTarget['unclear'] = null): ResolvedTarget => {
      if (!forwardsPages) return { kind: 'not-found' };
      return pathClass.kind === 'dot-segments'
        ? createTargetRefusal('dot-segments')
        : { kind: 'page', path, query: rawQuery, hasFormBody, unclear };
    };
    if (!isDiscovered) return resolvePage();

    const variables = readRoutingVariables(rawQuery);
    const { method, queryWithoutRoute, routeParameter } = variables;
    /** A page of a whole site; refused otherwise. */
    const resolveUnclear = (reason: TargetRefusalReason): ResolvedTarget => {
      const isOverridden = methodOverrides.length > 0 || method !== ABSENT;
      return forwardsPages ? resolvePage(isOverridden ? 'write' : 'read') : createTargetRefusal(reason);
    };
    if (variables.route.refusalReason !== null) return resolveUnclear(variables.route.refusalReason);

    const resolveRoute = (route: string, spelling: RouteTarget['spelling']): ResolvedTarget => {
      if (method.refusalReason !== null) return resolveUnclear(method.refusalReason);
      if (methodOverrides.length > 1) return resolveUnclear('method-repeated');
      // WordPress adds slashes to both $_GET and $_SERVER.
      const rawMethod = addSlashes(method.value ?? methodOverrides[0] ?? head.method);
      return {
        kind: 'route',
        route: toSiteRoute(route),
        // PHP's strtoupper() changes ASCII only.
        method: rawMethod.replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
        query: queryWithoutRoute,
        routeParameter,
        spelling,
        path,
        hasFormBody,
      };
    };

    if (variables.route.value !== null) {
      // rest_route in $_GET has precedence over a path (WP::parse_request); if empty, WordPress ignores the path.
      if (isPhpEmpty(variables.route.value)) return resolvePage();
      if (pathClass.kind === 'dot-segments') return createTargetRefusal('dot-segments');
      // A gateway in front names a form's route twice, so that the form can't name another.
      const isNamedTwice =
        pathClass.kind === 'other' && !forwardsPages && rawUrlDecode(path) === variables.route.value;
      if (!runsFrontController(pathClass, path) && !plainPaths.has(path) && !isNamedTwice)
        return resolveUnclear('route-path');
      return resolveRoute(variables.route.value, 'plain');
    }
    switch (pathClass.kind) {
      case 'dot-segments':
        return createTargetRefusal('dot-segments');
      case 'encoded':
        return resolveUnclear('encoded-prefix');
      case 'pretty':
        return MALFORMED.test(path)
          ? resolveUnclear('malformed-path')
          : resolveRoute(pathClass.route, 'pretty');
      case 'index-script':
        return resolvePage();
      case 'other': {
        if (forwardsPages) return resolvePage();
        return MALFORMED.test(path)
          ? createTargetRefusal('malformed-path')
          : resolveRoute(rawUrlDecode(path), 'short');
      }
    }
  };
}

const MAX_LENGTH = 16_384;

/** RFC 9112 §3.2. Some servers cut off a fragment; PHP keeps it. */
const FORBIDDEN_CHARACTERS = /[\x00-\x20\x7f#]/;

const MALFORMED = /%(?![0-9a-f]{2})|%00/i;

function toSiteRoute(route: string): string {
  return normalizeRoute(addSlashes(route));
}

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

type PathClass =
  | { readonly kind: 'pretty'; readonly route: string }
  /** A REST API path that other servers might not recognise. */
  | { readonly kind: 'encoded' }
  /** Raw or encoded, or a raw backslash. */
  | { readonly kind: 'dot-segments' }
  /** `/index.php` and possibly a path that isn't the REST API. `exact`: every web server runs the script. */
  | { readonly kind: 'index-script'; readonly exact: boolean }
  /** The gateway's own; the query of a document is read later. */
  | { readonly kind: 'own'; readonly target: Exclude<ResolvedTarget, RouteTarget | PageTarget> }
  | { readonly kind: 'other' };

const OTHER: PathClass = { kind: 'other' };
const ENCODED: PathClass = { kind: 'encoded' };
const INDEX_SCRIPT = 'index.php';

/** @param prefix of the site's REST API; `wp-json` is accepted too */
function createPathClassifier(
  prefix: string,
  { docs, mcp, mcpMetadata, openapi }: OwnAddresses,
  forwardsPages: boolean,
): (path: string) => PathClass {
  const prefixes = [...new Set(['wp-json', prefix])];
  const own = (target: Extract<PathClass, { kind: 'own' }>['target']): PathClass => ({ kind: 'own', target });
  const known = new Map<string, PathClass>([
    ['/', OTHER],
    [openapi, own({ kind: 'document', namespaces: [], isOtherVersion: false })],
    [docs, own({ kind: 'docs', path: '' })],
    [`${docs}.md`, own({ kind: 'docs', path: '.md' })],
    ...(mcp === null ? [] : [[mcp, own({ kind: 'mcp', isMetadata: false })] as const]),
    ...(mcp === null || mcpMetadata === null
      ? []
      : [METADATA_PATH, METADATA_PATH + mcp].map(
          (path) => [path, own({ kind: 'mcp', isMetadata: true })] as const,
        )),
  ]);

  return (path) => {
    const found = known.get(path);
    if (found !== undefined) return found;
    if (hasDotSegments(path)) return { kind: 'dot-segments' };
    if (path.startsWith(docs) && path.charAt(docs.length) === '/')
      return own({ kind: 'docs', path: path.slice(docs.length) });
    if (forwardsPages && path.startsWith(OWN_FOLDER)) return own({ kind: 'not-found' });

    // WordPress trims leading slashes before it looks for its prefix.
    const trimmed = path.replace(/^\/+/, '');
    const route = stripPrefix(trimmed, prefixes);
    if (route !== null) return { kind: 'pretty', route };
    // WordPress also applies its rewrite rules to the decoded path: /wp%2Djson/….
    const decoded = urlDecode(trimmed);
    if (stripPrefix(decoded.replace(/\n$/, ''), prefixes) !== null) return ENCODED;
    return classifyIndexPath(path, trimmed, prefixes) ?? OTHER;
  };
}

/** Otherwise the path can be a file, a script without routing, or another site of a network. */
function runsFrontController(pathClass: PathClass, path: string): boolean {
  if (pathClass.kind === 'index-script') return pathClass.exact;
  return pathClass.kind === 'pretty' || path === '/';
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

export function listPlainPaths(site: SiteAddress): ReadonlySet<string> {
  const front = findFront(site).slice(new URL(site.base).pathname.length);
  const folder = site.root.startsWith(site.base) ? `/${front}` : '/';
  return new Set(['/', '/index.php', folder, `${folder}index.php`]);
}

/** Web servers decode, merge and resolve the PATH_INFO of `/index.php/…` before WordPress reads it. */
function classifyIndexPath(path: string, trimmed: string, prefixes: readonly string[]): PathClass | null {
  const merged = rawUrlDecode(trimmed).replace(/\/{2,}/g, '/');
  if (merged.slice(0, INDEX_SCRIPT.length).toLowerCase() !== INDEX_SCRIPT) return null;
  const indexScript = { kind: 'index-script', exact: path.startsWith(`/${INDEX_SCRIPT}`) } as const;
  if (merged.length === INDEX_SCRIPT.length) return indexScript;
  if (merged[INDEX_SCRIPT.length] !== '/') return null;
  const info = merged.slice(INDEX_SCRIPT.length + 1);
  const route = stripPrefix(info, prefixes) ?? stripPrefix(urlDecode(info).replace(/\n$/, ''), prefixes);
  if (route === null) return indexScript;
  return merged === trimmed && trimmed.startsWith(INDEX_SCRIPT) && !/[%+]/.test(trimmed)
    ? { kind: 'pretty', route }
    : ENCODED;
}

function stripPrefix(path: string, prefixes: readonly string[]): string | null {
  for (const prefix of prefixes) {
    if (!path.startsWith(prefix)) continue;
    if (path.length === prefix.length) return '/';
    if (path[prefix.length] === '/') return path.slice(prefix.length);
  }
  return null;
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

/** A `rest_route` that servers, URL parsers and PHP with any `arg_separator.input` read alike. */
const CLEAR_ROUTE = /^rest_route=(?:[\w.~!$()*,:@/+-]|%[0-9a-f]{2})*$/i;

function readRoutingVariables(
  queryWithoutRoute: string,
): Record<'route' | 'method', RoutingVariable> & {
  readonly queryWithoutRoute: string;
  readonly routeParameter: RouteParameter | null;
} {
  if (!POSSIBLE_ROUTING_VARIABLE.test(queryWithoutRoute)) {
    return { route: ABSENT, method: ABSENT, queryWithoutRoute, routeParameter: null };
  }
  const pairs = parseQueryPairs(queryWithoutRoute);
  const route = readRoutingVariable(pairs, 'rest_route', 'route-array');
  const method = readRoutingVariable(pairs, '_method', 'method-array');
  if (route.value === null) return { route, method, queryWithoutRoute, routeParameter: null };
  const firstRoute = pairs.findIndex(({ name }) => name === 'rest_route');
  const otherPairs = pairs.filter(({ name }) => name !== 'rest_route');
  const { raw = '' } = pairs[firstRoute] ?? {};
  const isClear = otherPairs.length === pairs.length - 1 && CLEAR_ROUTE.test(raw);
  const offset = joinPairs(pairs.slice(0, firstRoute)).length;
  return {
    route,
    method,
    queryWithoutRoute: joinPairs(otherPairs),
    routeParameter: { offset, raw: isClear ? raw : null },
  };
}

function joinPairs(pairs: readonly QueryPair[]): string {
  return pairs.map((pair) => pair.raw).join('&');
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
