import type { SiteAddress } from '../discovery/site.ts';
import { rawUrlDecode } from '../php/encoding.ts';
import { isForm } from '../php/form.ts';
import { addSlashes } from '../php/slashes.ts';
import { isEmpty, trimRoute } from '../php/spelling.ts';
import { parseQuery } from '../php/variables.ts';
import { readControls } from './controls.ts';
import { belowMount, originForm, type RequestHead, readHeaders, upperCase } from './head.ts';
import { createPathReader } from './path.ts';
import { type Refused, refuse } from './refusals.ts';

export type { RequestHead } from './head.ts';

/** What a request means. It is decided once, here, and no later step reads the address again. */
export type Target =
  | RouteTarget
  | PageTarget
  | DocumentTarget
  | DocsTarget
  | { readonly kind: 'notFound' }
  | Refused;

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
  readonly routeAt: number | null;
  /** How the caller spelled it: `rest_route=`, `/wp-json/…`, or the gateway's own `/…`. */
  readonly spelling: 'plain' | 'pretty' | 'own';
  /** Whether PHP may read the body into `$_POST`. */
  readonly formBody: boolean;
}

/** A page of the site, or anything else that stands below its base. */
export interface PageTarget {
  readonly kind: 'page';
  /** Raw, below the mount, with its leading slash. */
  readonly path: string;
  readonly query: string;
  readonly formBody: boolean;
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

export interface TargetOptions {
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
export function createTargetResolver(options: TargetOptions): (head: RequestHead) => Target {
  const { mount, site, passthrough, discovery } = options;
  const readPath = createPathReader(site.prefix);
  const maxLength = options.maxTargetLength ?? 16_384;

  return (head) => {
    const target = originForm(head.target);
    if (target === null) return refuse('target-form');
    if (target.length > maxLength) return refuse('target-length');
    // RFC 3986 §3 allows none of these; a fragment is cut by some servers and kept by PHP.
    if (/[\x00-\x20\x7f#]/.test(target)) return refuse('target-characters');

    const mark = target.indexOf('?');
    const whole = mark < 0 ? target : target.slice(0, mark);
    const rawQuery = mark < 0 ? '' : target.slice(mark + 1);
    const path = belowMount(whole, mount);
    if (path === null) return { kind: 'notFound' };

    const { contentType, overrides } = readHeaders(head.headers);
    const formBody = isForm(head.method, contentType);
    const place = readPath(path);
    const asPage = (): Target => {
      if (!passthrough) return { kind: 'notFound' };
      return place.kind === 'dots'
        ? refuse('dot-segments')
        : { kind: 'page', path, query: rawQuery, formBody };
    };
    if (!discovery) return asPage();

    const controls = readControls(rawQuery);
    if (controls.route.fault !== null) return refuse(controls.route.fault);
    const { query, routeAt } = controls;

    const asRoute = (given: string, spelling: RouteTarget['spelling']): Target => {
      if (controls.method.fault !== null) return refuse(controls.method.fault);
      if (overrides.length > 1) return refuse('method-repeated');
      // WordPress adds its slashes to $_GET and $_SERVER alike.
      const method = upperCase(addSlashes(controls.method.value ?? overrides[0] ?? head.method));
      return { kind: 'route', route: seen(given), method, query, routeAt, spelling, formBody };
    };

    if (controls.route.value !== null) {
      // $_GET wins over the path on every address (WP::parse_request); empty, it keeps WordPress from reading the path.
      if (isEmpty(controls.route.value)) return asPage();
      return asRoute(controls.route.value, 'plain');
    }
    switch (place.kind) {
      case 'dots':
        return refuse('dot-segments');
      case 'encoded':
        return refuse('encoded-prefix');
      case 'pretty':
        return MALFORMED.test(path) ? refuse('malformed-path') : asRoute(place.route, 'pretty');
      case 'front':
        return asPage();
      case 'document':
        return { kind: 'document', format: place.format, namespaces: readNamespaces(query) };
      case 'docs':
        return { kind: 'docs', asset: place.asset };
      case 'other': {
        if (passthrough && place.root) return asPage();
        if (MALFORMED.test(path)) return passthrough ? asPage() : refuse('malformed-path');
        const given = rawUrlDecode(path);
        return passthrough && !options.hasRoute(seen(given)) ? asPage() : asRoute(given, 'own');
      }
    }
  };
}

/** Web servers refuse these before PHP sees them; a caller cannot mean the three characters `%00` or `%zz`. */
const MALFORMED = /%(?![0-9a-f]{2})|%00/i;

/** What WordPress sees of a route that was given: the same for all spellings. */
function seen(given: string): string {
  return trimRoute(addSlashes(given));
}

function readNamespaces(query: string): string[] {
  const asked = parseQuery(query).get('namespace');
  if (asked === undefined) return [];
  const values = typeof asked === 'string' ? [asked] : [...asked.values()];
  return values
    .flatMap((value) => (typeof value === 'string' ? value.split(',') : []))
    .filter((name) => name !== '');
}
