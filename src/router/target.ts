import type { SiteAddress } from '../discovery/site.ts';
import type { RequestHead } from '../http/request-head.ts';
import { isFormPost } from '../php/content-type.ts';
import { addSlashes, rawUrlDecode } from '../php/encoding.ts';
import { isPhpEmpty, normalizeRoute } from '../php/route-spelling.ts';
import { parsePhpQuery } from '../php/variables.ts';
import { createPathClassifier } from './classify-path.ts';
import { readRoutingHeaders, stripMount, toAsciiUpperCase, toOriginForm } from './read-head.ts';
import { refuseTarget, type TargetRefusal } from './refusals.ts';
import { readRoutingVariables } from './routing-variables.ts';

/** What a request means. It is decided once, here, and no later step reads the address again. */
export type ResolvedTarget =
  | RouteTarget
  | PageTarget
  | DocumentTarget
  | DocsTarget
  | { readonly kind: 'notFound' }
  | TargetRefusal;

/** A request to the interface. */
export interface RouteTarget {
  readonly kind: 'route';
  /** The route path that the site will see and match, a byte string. */
  readonly route: string;
  /** The method that the site will run, after `_method` and `X-HTTP-Method-Override`; upper case. */
  readonly method: string;
  /** The caller's query without every spelling of `rest_route`, otherwise byte for byte; without question mark. */
  readonly query: string;
  /** Where in `query` the caller had `rest_route`: an offset. Null where the route stood in the path. */
  readonly routeOffset: number | null;
  /** How the caller spelled it: `rest_route=`, `/wp-json/…`, or the gateway's own `/…`. */
  readonly spelling: 'plain' | 'pretty' | 'own';
  /** Whether PHP may read the body into `$_POST`. */
  readonly hasFormBody: boolean;
}

/** A page of the site, or anything else that stands below its base. */
export interface PageTarget {
  readonly kind: 'page';
  /** Raw, below the mount, with its leading slash. */
  readonly path: string;
  readonly query: string;
  readonly hasFormBody: boolean;
}

export interface DocumentTarget {
  readonly kind: 'document';
  readonly format: 'json' | 'yaml';
  /** The namespaces to narrow it to; empty for all. */
  readonly namespaces: readonly string[];
}

export interface DocsTarget {
  readonly kind: 'docs';
  /** The path below `/docs/`, undecoded; empty for the page itself. */
  readonly asset: string;
}

export interface TargetResolverOptions {
  /** What stands before every path of this site at the gateway: empty, or `/name`. */
  readonly mount: string;
  readonly site: SiteAddress;
  /** Whether what is no route goes to the site. */
  readonly passthrough: boolean;
  /** False for an origin whose interface was not discovered: everything is a page. */
  readonly discovery: boolean;
  /** Whether the document has a route for this path, whatever the method; asked with `passthrough` only. */
  readonly hasRoute: (route: string) => boolean;
  /** @default 16384 bytes */
  readonly maxTargetLength?: number;
}

/** What does not depend on the request is computed here, once a snapshot. */
export function createTargetResolver(options: TargetResolverOptions): (head: RequestHead) => ResolvedTarget {
  const { mount, site, passthrough, discovery } = options;
  const readPath = createPathClassifier(site.prefix);
  const maxLength = options.maxTargetLength ?? 16_384;

  return (head) => {
    const target = toOriginForm(head.target);
    if (target === null) return refuseTarget('target-form');
    if (target.length > maxLength) return refuseTarget('target-length');
    // RFC 3986 §3 allows none of these; a fragment is cut by some servers and kept by PHP.
    if (/[\x00-\x20\x7f#]/.test(target)) return refuseTarget('target-characters');

    const questionMark = target.indexOf('?');
    const fullPath = questionMark < 0 ? target : target.slice(0, questionMark);
    const rawQuery = questionMark < 0 ? '' : target.slice(questionMark + 1);
    const path = stripMount(fullPath, mount);
    if (path === null) return { kind: 'notFound' };

    const { contentType, methodOverrides } = readRoutingHeaders(head.headers);
    const hasFormBody = isFormPost(head.method, contentType);
    const pathClass = readPath(path);
    const resolvePage = (): ResolvedTarget => {
      if (!passthrough) return { kind: 'notFound' };
      return pathClass.kind === 'dots'
        ? refuseTarget('dot-segments')
        : { kind: 'page', path, query: rawQuery, hasFormBody };
    };
    if (!discovery) return resolvePage();

    const variables = readRoutingVariables(rawQuery);
    if (variables.route.refusal !== null) return refuseTarget(variables.route.refusal);
    const { query, routeOffset } = variables;

    const resolveRoute = (given: string, spelling: RouteTarget['spelling']): ResolvedTarget => {
      if (variables.method.refusal !== null) return refuseTarget(variables.method.refusal);
      if (methodOverrides.length > 1) return refuseTarget('method-repeated');
      // WordPress adds its slashes to $_GET and $_SERVER alike.
      const method = toAsciiUpperCase(
        addSlashes(variables.method.value ?? methodOverrides[0] ?? head.method),
      );
      return { kind: 'route', route: toSiteRoute(given), method, query, routeOffset, spelling, hasFormBody };
    };

    if (variables.route.value !== null) {
      // $_GET wins over the path on every address (WP::parse_request); empty, it keeps WordPress from reading the path.
      if (isPhpEmpty(variables.route.value)) return resolvePage();
      return resolveRoute(variables.route.value, 'plain');
    }
    switch (pathClass.kind) {
      case 'dots':
        return refuseTarget('dot-segments');
      case 'encoded':
        return refuseTarget('encoded-prefix');
      case 'pretty':
        return MALFORMED.test(path)
          ? refuseTarget('malformed-path')
          : resolveRoute(pathClass.route, 'pretty');
      case 'front':
        return resolvePage();
      case 'document':
        return { kind: 'document', format: pathClass.format, namespaces: readNamespaces(query) };
      case 'docs':
        return { kind: 'docs', asset: pathClass.asset };
      case 'other': {
        if (passthrough && pathClass.root) return resolvePage();
        if (MALFORMED.test(path)) return passthrough ? resolvePage() : refuseTarget('malformed-path');
        const given = rawUrlDecode(path);
        return passthrough && !options.hasRoute(toSiteRoute(given))
          ? resolvePage()
          : resolveRoute(given, 'own');
      }
    }
  };
}

/** Web servers refuse these before PHP sees them; a caller cannot mean the three characters `%00` or `%zz`. */
const MALFORMED = /%(?![0-9a-f]{2})|%00/i;

/** What WordPress sees of a route that was given: the same for all spellings. */
function toSiteRoute(given: string): string {
  return normalizeRoute(addSlashes(given));
}

function readNamespaces(query: string): string[] {
  const asked = parsePhpQuery(query).get('namespace');
  if (asked === undefined) return [];
  const values = typeof asked === 'string' ? [asked] : [...asked.values()];
  return values
    .flatMap((value) => (typeof value === 'string' ? value.split(',') : []))
    .filter((name) => name !== '');
}
