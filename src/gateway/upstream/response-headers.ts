import { splitNames } from '../../base/glob.ts';
import type { ResponseHead } from '../../base/http/exchange.ts';
import { fieldValue, parseConnectionFields, removeFields } from '../../base/http/fields.ts';
import { memoizeByString } from '../../base/memoize.ts';

interface RewrittenUrls {
  readonly siteUrls: SiteUrls;
  readonly publicBase: string;
  /** All hosts of a site with several: the gateway has each at the scheme and port by which the client came. */
  readonly hosts?: { find(host: string): true | undefined } | null;
}

export interface UrlRewriteOptions extends RewrittenUrls {
  /** {@link findLocation}. @default the rewritten one */
  readonly location?: string | undefined;
}

/**
 * - `drop`: mostly of the upstream connection (RFC 9110 §7.6.1). `Alt-Svc` would lead around the gateway.
 * - `connection`: names further fields to drop.
 * - `location`: a URL to rewrite, unless it's one of {@link findLocation}.
 * - a function: rewrites the URLs in the field.
 */
type FieldTreatment = 'drop' | 'connection' | 'location' | typeof rewriteUrlReference;
const FIELD_TREATMENTS: ReadonlyMap<string, FieldTreatment> = new Map<string, FieldTreatment>([
  ['connection', 'connection'],
  ['location', 'location'],
  ['content-location', rewriteUrlReference],
  ['x-pingback', rewriteUrlReference],
  ['link', rewriteLinkField],
  ['refresh', rewriteRefreshField],
  ['set-cookie', rewriteSetCookieField],
  // The gateway adds its own request id. @hono/node-server sets the last one.
  ...splitNames(
    'keep-alive proxy-connection proxy-authenticate proxy-authentication-info te trailer transfer-encoding upgrade alt-svc x-request-id x-hono-already-sent',
  ).map((name) => [name, 'drop'] as const),
]);

const treatmentOfResponseField = memoizeByString(
  (name): FieldTreatment | 'pass' => FIELD_TREATMENTS.get(name.toLowerCase()) ?? 'pass',
);

const LENGTH_FIELD: ReadonlySet<string> = new Set(['content-length']);

export function toClientHeaders(
  { headers: fields, status }: ResponseHead,
  urls: UrlRewriteOptions,
): string[] {
  const headers: string[] = [];
  let connection: string | undefined;

  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = fields[at] ?? '';
    const value = fields[at + 1] ?? '';
    const treatment = treatmentOfResponseField(name);
    switch (treatment) {
      case 'pass':
        headers.push(name, value);
        break;
      case 'drop':
        break;
      case 'connection':
        connection = connection === undefined ? value : `${connection}, ${value}`;
        break;
      case 'location':
        headers.push(name, urls.location ?? rewriteUrlReference(value, urls));
        break;
      default:
        headers.push(name, treatment(value, urls));
    }
  }

  const named = connection === undefined ? undefined : parseConnectionFields(connection);
  if (named !== undefined) removeFields(headers, named);
  // RFC 9110 §8.6 forbids it in a 204. A `Response` has no body with 205, and the client would wait for it.
  if (status === 204 || status === 205) removeFields(headers, LENGTH_FIELD);
  return headers;
}

/**
 * Finds the `Location` of a redirect to the same path at another address of the site (`https`, its public host): rewritten, it would
 * lead to itself. One that adds a slash is rewritten whatever its port, which is the server's.
 * @param requested URL of the request as the site knows it @param isPrivateHost whether visitors can't reach a URL's host
 */
export function findLocation(
  { headers, status }: ResponseHead,
  requested: string,
  urls: RewrittenUrls,
  isPrivateHost: (url: URL) => boolean,
): string | undefined {
  if (status < 300 || status > 399) return undefined;
  const location = fieldValue(headers, 'location') ?? '';
  if (!URL.canParse(location) || !URL.canParse(requested)) return undefined;
  const [from, to] = [new URL(requested), new URL(location)];
  const isSameHost = to.hostname === from.hostname;
  if (
    isSameHost &&
    to.protocol === 'http:' &&
    to.pathname === `${from.pathname}/` &&
    to.search === from.search
  )
    return rewriteUrlReference(from.origin + to.pathname + to.search, urls);
  const rewritten = rewriteUrlReference(to.href, urls);
  const isItself = rewritten === rewriteUrlReference(from.href, urls);
  const isElsewhere = isSameHost
    ? to.host === from.host && to.protocol === 'https:' && from.protocol === 'http:'
    : !isPrivateHost(to);
  return isItself && isElsewhere && rewritten !== to.href ? location : undefined;
}

/** Undefined for a single `chunked` (RFC 9112 §7): the gateway sends no `TE`. */
export function findUnsupportedTransferCoding(headers: readonly string[]): string | undefined {
  const codings = fieldValue(headers, 'transfer-encoding');
  return codings === undefined || SUPPORTED.test(codings) ? undefined : codings;
}

/** `identity` is obsolete and means no coding. */
const SUPPORTED = /^\s*(?:chunked|identity)?\s*$/i;

export interface SiteUrls {
  /** The longest path first. */
  readonly bases: readonly SiteBase[];
  readonly baseOrigin: string;
  /** Path of the first base URL without a trailing slash; empty at the root. */
  readonly basePath: string;
}

interface SiteBase {
  readonly hostname: string;
  /** Empty for the scheme's default port, which a URL can state or omit. */
  readonly port: string;
  readonly path: string;
  /** Appended to the gateway's URL in place of the path. */
  readonly suffix: string;
}

/** @param bases the site's base first; only http and https */
export function createSiteUrls(
  bases: readonly { readonly url: string; readonly suffix?: string }[],
): SiteUrls {
  const parsed = bases
    .filter(({ url }) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))
    .map(({ suffix = '', url }) => {
      const { hostname, origin, pathname, port } = new URL(url);
      return { hostname, origin, path: pathname.replace(/\/$/, ''), port, suffix };
    });
  return {
    bases: parsed.toSorted((a, b) => b.path.length - a.path.length),
    baseOrigin: parsed[0]?.origin ?? '',
    basePath: parsed[0]?.path ?? '',
  };
}

/**
 * Authority and path segments must match whole: not `http://example.com.evil.test`, `http://example.com:81`,
 * `http://example.com@evil.test` or, for `/blog`, `http://example.com/blogger`.
 */
function rewriteUrlReference(reference: string, { hosts, publicBase, siteUrls }: RewrittenUrls): string {
  const [start, scheme] = /^(https?:)?\/\//i.exec(reference) ?? [];
  if (start !== undefined) {
    const authority = reference.slice(start.length);
    const [name = ''] = hosts ? (HOST_NAME.exec(authority) ?? []) : [];
    const isListed = name !== '' && hosts?.find(name) === true;
    const base = isListed ? publicBase.replace(/(?<=\/\/)(?:\[[^\]]*\]|[^/:]*)/, () => name) : publicBase;
    const newBase = scheme === undefined ? base.slice(base.indexOf('//')) : base;
    for (const { hostname, path, port, suffix } of siteUrls.bases) {
      const length = isListed ? name.length : hostname.length;
      if (!isListed && authority.slice(0, length).toLowerCase() !== hostname) continue;
      const afterHost = authority.slice(length);
      const stated = port === '' ? (DEFAULT_PORT.exec(afterHost)?.[0] ?? '') : `:${port}`;
      const afterBase = afterHost.slice(stated.length + path.length);
      if (afterHost.startsWith(stated + path) && BOUNDARY.test(afterBase))
        return newBase + suffix + afterBase;
    }
  }
  // Clients resolve a path against the gateway's root, and the site is mounted below it.
  if (!reference.startsWith('/') || start !== undefined) return reference;
  const { basePath } = siteUrls;
  if (reference.startsWith(basePath) && /^(?:[/?#]|$)/.test(reference.slice(basePath.length))) {
    return getUrlPath(publicBase) + reference.slice(basePath.length);
  }
  return siteUrls.baseOrigin + reference;
}

const HOST_NAME = /^(?:\[[\da-f:.]+\]|[\w.-]+)/i;

const DEFAULT_PORT = /^:(?:80|443)(?!\d)/;

const BOUNDARY = /^(?:$|[\0- /?#\\"'<>()[\]{},;&|^`])/;

function getUrlPath(publicBase: string): string {
  const slash = publicBase.indexOf('/', publicBase.indexOf('//') + 2);
  return slash < 0 ? '' : publicBase.slice(slash);
}

function rewriteLinkField(value: string, urls: RewrittenUrls): string {
  return value.replaceAll(/<([^<>]*)>/g, (_, target: string) => `<${rewriteUrlReference(target, urls)}>`);
}

/** Rewrites the URL of e.g. `5; url=https://example.com/` (WHATWG HTML, shared declarative refresh steps). */
function rewriteRefreshField(value: string, urls: RewrittenUrls): string {
  const match = /^([\d.\s]{1,20}[;,]?\s{0,20}(?:url\s{0,20}=\s{0,20})?["']?)(\S.*)$/is.exec(value);
  if (match === null) return value;
  const [, before = '', reference = ''] = match;
  return before + rewriteUrlReference(reference, urls);
}

/** Without a `Domain` of the site, and with the `Path` below the mount, so that sites share no cookies. */
function rewriteSetCookieField(value: string, { publicBase, siteUrls }: RewrittenUrls): string {
  const [pair = '', ...attributes] = value.split(';');
  // RFC 6265bis §4.1.3.2: clients refuse such a cookie with any path but "/".
  const hasFixedPath = /^\s*__host-/i.test(pair);
  const gatewayHost = URL.canParse(publicBase) ? new URL(publicBase).hostname : '';
  const parts: string[] = [pair];
  for (const attribute of attributes) {
    const equals = attribute.indexOf('=');
    const name = attribute
      .slice(0, equals < 0 ? undefined : equals)
      .trim()
      .toLowerCase();
    const text = equals < 0 ? '' : attribute.slice(equals + 1).trim();
    const isOfSite =
      name === 'domain' && siteUrls.bases.some(({ hostname }) => domainMatches(hostname, text));
    if (isOfSite && !domainMatches(gatewayHost, text)) continue;
    if (name === 'path' && !hasFixedPath)
      parts.push(` Path=${rewriteCookiePath(text, siteUrls, publicBase)}`);
    else parts.push(attribute);
  }
  return parts.join(';');
}

function rewriteCookiePath(path: string, siteUrls: SiteUrls, publicBase: string): string {
  const mount = getUrlPath(publicBase);
  if (path === siteUrls.basePath || path.startsWith(`${siteUrls.basePath}/`))
    return mount + path.slice(siteUrls.basePath.length) || '/';
  return siteUrls.basePath.startsWith(path) ? mount || '/' : path;
}

function domainMatches(hostname: string, domain: string): boolean {
  const plain = domain.replace(/^\./, '').toLowerCase();
  return hostname === plain || hostname.endsWith(`.${plain}`);
}
