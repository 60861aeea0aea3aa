import type { SiteAddress } from '../discovery/site.ts';
import type { RequestHead } from '../http/request-head.ts';
import { isFormPost } from '../php/content-type.ts';
import { addSlashes, rawUrlDecode } from '../php/encoding.ts';
import { isPhpEmpty, normalizeRoute } from '../php/route-spelling.ts';
import { parsePhpQuery } from '../php/variables.ts';
import { createPathClassifier, runsFrontController } from './classify-path.ts';
import { readRoutingHeaders, stripMount, toAsciiUpperCase, toOriginForm } from './routing-head.ts';
import { readRoutingVariables } from './routing-variables.ts';
import { createTargetRefusal, type TargetRefusal } from './target-refusals.ts';

/** The resource that a request addresses. Later steps do not parse the request target again. */
export type ResolvedTarget =
  | RouteTarget
  | PageTarget
  | DocumentTarget
  | DocsTarget
  | { readonly kind: 'types' }
  | { readonly kind: 'not-found' }
  | TargetRefusal;

/** A request to the REST API. */
export interface RouteTarget {
  readonly kind: 'route';
  /** The route path as WordPress matches it: a byte string. */
  readonly route: string;
  /** The effective method, after `_method` and `X-HTTP-Method-Override`; upper case. */
  readonly method: string;
  /** The client's query without all spellings of `rest_route`, otherwise byte for byte; without question mark. */
  readonly query: string;
  /** Offset in `query` at which the client sent `rest_route`; `null` if the route was in the path. */
  readonly routeOffset: number | null;
  /** The client's spelling: `rest_route=`, `/wp-json/…`, or the short form `/…` that only the gateway has. */
  readonly spelling: 'plain' | 'pretty' | 'short';
  /** Whether PHP may read the body into `$_POST`. */
  readonly hasFormBody: boolean;
}

/** A page of the site, or anything else below its base. */
export interface PageTarget {
  readonly kind: 'page';
  /** Raw path below the mount, with its leading slash. */
  readonly path: string;
  readonly query: string;
  readonly hasFormBody: boolean;
}

/** The OpenAPI document of a site. */
export interface DocumentTarget {
  readonly kind: 'document';
  readonly format: 'json' | 'yaml';
  /** Namespaces to which the document is limited; empty for all. */
  readonly namespaces: readonly string[];
  /** Version of OpenAPI; `null` for one that the gateway does not serve. */
  readonly version: '3.0' | '3.1' | null;
}

/** A page of the documentation or one of its assets. */
export interface DocsTarget {
  readonly kind: 'docs';
  /** What follows `/docs`, raw: empty, `.md`, `/`, `/wp/v2/posts`, `/assets/…`. */
  readonly path: string;
}

/** Properties of a site and its mount that determine the targets of requests. */
export interface TargetResolverOptions {
  /** Path prefix of this site at the gateway: empty or `/name`. */
  readonly mountPath: string;
  readonly site: SiteAddress;
  /** Whether requests to other paths than routes are forwarded to the site. */
  readonly forwardsPages: boolean;
  /** `false` for an origin whose REST API was not discovered: every request is a page. */
  readonly isDiscovered: boolean;
  /** Whether this path is one of the REST API and not of a page. Used with `passthrough` only. */
  readonly isRestPath: (route: string) => boolean;
  /** Maximum length of a request target in bytes. @default 16384 */
  readonly maxTargetLength?: number;
}

/** Creates a function that resolves request heads to targets of one site. */
export function createTargetResolver(options: TargetResolverOptions): (head: RequestHead) => ResolvedTarget {
  const { mountPath, site, forwardsPages, isDiscovered } = options;
  const classifyPath = createPathClassifier(site.prefix);
  const maxLength = options.maxTargetLength ?? 16_384;

  return (head) => {
    const target = toOriginForm(head.target);
    if (target === null) return createTargetRefusal('target-form');
    if (target.length > maxLength) return createTargetRefusal('target-length');
    if (FORBIDDEN_CHARACTERS.test(target)) return createTargetRefusal('target-characters');

    const [fullPath, rawQuery] = splitAtQuestionMark(target);
    const path = stripMount(fullPath, mountPath);
    if (path === null) return { kind: 'not-found' };

    const { contentType, methodOverrides } = readRoutingHeaders(head.headers);
    const hasFormBody = isFormPost(head.method, contentType);
    const pathClass = classifyPath(path);
    const resolvePage = (): ResolvedTarget => {
      if (!forwardsPages) return { kind: 'not-found' };
      return pathClass.kind === 'dot-segments'
        ? createTargetRefusal('dot-segments')
        : { kind: 'page', path, query: rawQuery, hasFormBody };
    };
    if (!isDiscovered) return resolvePage();

    const variables = readRoutingVariables(rawQuery);
    if (variables.route.refusalReason !== null) return createTargetRefusal(variables.route.refusalReason);
    const { queryWithoutRoute, routeOffset } = variables;

    const resolveRoute = (route: string, spelling: RouteTarget['spelling']): ResolvedTarget => {
      if (variables.method.refusalReason !== null) return createTargetRefusal(variables.method.refusalReason);
      if (methodOverrides.length > 1) return createTargetRefusal('method-repeated');
      // WordPress adds slashes to both $_GET and $_SERVER.
      const rawMethod = addSlashes(variables.method.value ?? methodOverrides[0] ?? head.method);
      const method = toAsciiUpperCase(rawMethod);
      return {
        kind: 'route',
        route: toSiteRoute(route),
        method,
        query: queryWithoutRoute,
        routeOffset,
        spelling,
        hasFormBody,
      };
    };

    if (variables.route.value !== null) {
      // rest_route in $_GET takes precedence over any path (WP::parse_request). If empty, WordPress ignores the path.
      if (isPhpEmpty(variables.route.value)) return resolvePage();
      if (pathClass.kind === 'dot-segments') return createTargetRefusal('dot-segments');
      if (!runsFrontController(pathClass)) return createTargetRefusal('route-path');
      return resolveRoute(variables.route.value, 'plain');
    }
    switch (pathClass.kind) {
      case 'dot-segments':
        return createTargetRefusal('dot-segments');
      case 'encoded':
        return createTargetRefusal('encoded-prefix');
      case 'pretty':
        return MALFORMED.test(path)
          ? createTargetRefusal('malformed-path')
          : resolveRoute(pathClass.route, 'pretty');
      case 'index-script':
        return resolvePage();
      case 'document':
        return { kind: 'document', format: pathClass.format, ...readDocumentQuery(queryWithoutRoute) };
      case 'docs':
        return { kind: 'docs', path: pathClass.path };
      case 'llms':
        return forwardsPages ? resolvePage() : { kind: 'docs', path: '/llms.txt' };
      case 'types':
        return { kind: 'types' };
      case 'other': {
        if (forwardsPages && pathClass.root) return resolvePage();
        if (MALFORMED.test(path)) {
          return forwardsPages ? resolvePage() : createTargetRefusal('malformed-path');
        }
        const route = rawUrlDecode(path);
        return forwardsPages && !options.isRestPath(toSiteRoute(route))
          ? resolvePage()
          : resolveRoute(route, 'short');
      }
    }
  };
}

function splitAtQuestionMark(target: string): [path: string, query: string] {
  const at = target.indexOf('?');
  return at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)];
}

/** Characters that a target must not contain (RFC 9112 §3.2). Some servers cut off a fragment; PHP keeps it. */
const FORBIDDEN_CHARACTERS = /[\x00-\x20\x7f#]/;

/** Matches percent-encodings that web servers reject before PHP runs: `%00`, and incomplete ones such as `%zz`. */
const MALFORMED = /%(?![0-9a-f]{2})|%00/i;

/** Converts a decoded route to the form that WordPress matches; the same for all spellings. */
function toSiteRoute(route: string): string {
  return normalizeRoute(addSlashes(route));
}

function readDocumentQuery(query: string): Pick<DocumentTarget, 'namespaces' | 'version'> {
  const variables = parsePhpQuery(query);
  const value = variables.get('namespace');
  const values = value === undefined ? [] : typeof value === 'string' ? [value] : [...value.values()];
  const namespaces = values
    .flatMap((item) => (typeof item === 'string' ? item.split(',') : []))
    .filter((name) => name !== '');
  const version = variables.get('openapi') ?? '3.1';
  return {
    namespaces,
    version: typeof version === 'string' ? toServedVersion(version) : null,
  };
}

/** Patch releases of a version have the same content (OpenAPI 3.1 §4.1). */
function toServedVersion(version: string): DocumentTarget['version'] {
  const [, minor] = /^(3\.[01])(?:\.\d+)?$/.exec(version) ?? [];
  return minor === '3.0' || minor === '3.1' ? minor : null;
}
