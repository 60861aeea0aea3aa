import type { SiteAddress } from '../discovery/site.ts';
import { rawUrlDecode } from '../php/encoding.ts';
import { isForm } from '../php/form.ts';
import { addSlashes } from '../php/slashes.ts';
import { isEmpty, spellRoute, takesPretty, trimRoute } from '../php/spelling.ts';
import { parseQuery } from '../php/variables.ts';
import { readControls } from './controls.ts';
import { createPathReader } from './path.ts';
import { type Refused, refuse } from './refusals.ts';

/** The parts of a request that decide what it means, as they stand on the wire. Strings are byte strings. */
export interface RequestHead {
  readonly method: string;
  /** The request target: `/path?query`, or in absolute form. */
  readonly target: string;
  /** name, value, name, value, … as Node's `rawHeaders`. */
  readonly headers: readonly string[];
}

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
  const pretty = takesPretty(site.spelling, site.root);
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
    const page: Target = passthrough
      ? place.kind === 'dots'
        ? refuse('dot-segments')
        : { kind: 'page', path, query: rawQuery, formBody }
      : { kind: 'notFound' };
    if (!discovery) return page;

    const controls = readControls(rawQuery);
    if (typeof controls === 'string') return refuse(controls);
    const { query } = controls;

    const asRoute = (route: string, spelling: RouteTarget['spelling']): Target => {
      if (overrides.length > 1) return refuse('method-repeated');
      if (spellRoute(route, pretty && !formBody) === null) return refuse('unspeakable-route');
      const method = upperCase(controls.method ?? overrides[0] ?? head.method);
      return { kind: 'route', route, method, query, spelling, formBody };
    };

    if (controls.route !== null) {
      // $_GET wins over the path on every address (WP::parse_request); empty, it keeps WordPress from reading the path.
      if (isEmpty(controls.route)) return page;
      return asRoute(trimRoute(addSlashes(controls.route)), 'plain');
    }
    switch (place.kind) {
      case 'dots':
        return refuse('dot-segments');
      case 'encoded':
        return refuse('encoded-prefix');
      case 'pretty':
        return asRoute(trimRoute(place.route), 'pretty');
      case 'front':
        return page;
      case 'document':
        return { kind: 'document', format: place.format, namespaces: readNamespaces(query) };
      case 'docs':
        return { kind: 'docs', asset: place.asset };
      case 'other': {
        if (passthrough && place.root) return page;
        const decoded = rawUrlDecode(path);
        // A plain site sees added slashes in all that it is sent, so this is what the address means there.
        const route = trimRoute(pretty ? decoded : addSlashes(decoded));
        return passthrough && !options.hasRoute(route) ? page : asRoute(route, 'own');
      }
    }
  };
}

/** RFC 9112 §3.2: origin form as it is, absolute form without its authority; null for the other two. */
export function originForm(target: string): string | null {
  if (target.startsWith('/')) return target;
  const authority = /^https?:\/\/[^/?#]+/i.exec(target);
  if (authority === null) return null;
  const rest = target.slice(authority[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The path below a mount, with its leading slash; null where it is not below it. */
export function belowMount(path: string, mount: string): string | null {
  if (!path.startsWith(mount)) return null;
  const below = path.slice(mount.length);
  if (below === '') return '/';
  return below.startsWith('/') ? below : null;
}

function readHeaders(headers: readonly string[]): { contentType: string; overrides: string[] } {
  let contentType = '';
  const overrides: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    // Lengths first: most headers are neither.
    if (name.length === 12 && name.toLowerCase() === 'content-type') {
      // Of several, one form is enough to be careful.
      if (!isForm('POST', contentType)) contentType = headers[i + 1] ?? '';
    } else if (name.length === 22 && name.toLowerCase() === 'x-http-method-override') {
      overrides.push(headers[i + 1] ?? '');
    }
  }
  return { contentType, overrides };
}

/** strtoupper(): ASCII only. */
function upperCase(method: string): string {
  return /[a-z]/.test(method) ? method.replace(/[a-z]+/g, (letters) => letters.toUpperCase()) : method;
}

function readNamespaces(query: string): string[] {
  const asked = parseQuery(query).get('namespace');
  if (asked === undefined) return [];
  const values = typeof asked === 'string' ? [asked] : [...asked.values()];
  return values
    .flatMap((value) => (typeof value === 'string' ? value.split(',') : []))
    .filter((name) => name !== '');
}
