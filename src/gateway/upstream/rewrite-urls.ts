export interface SiteUrls {
  readonly hosts: readonly HostUrls[];
  readonly baseOrigin: string;
  /** Path of the first base URL without a trailing slash; empty at the root. */
  readonly basePath: string;
  /** The URL in the site's database, without a trailing slash. */
  readonly storedBase: string;
}

export interface HostUrls {
  readonly hostname: string;
  /** Empty for the scheme's default port, which a URL can state or omit. */
  readonly port: string;
  /** The longest first. `suffix` is appended to the gateway's URL in place of the path. */
  readonly basePaths: readonly { readonly path: string; readonly suffix: string }[];
  /** Code units from the start of the host name that {@link matchUrlAt} reads. */
  readonly maxLength: number;
}

/** @param bases the site's base first; only http and https @param storedBase @default the first base */
export function createSiteUrls(
  bases: readonly { readonly url: string; readonly suffix?: string }[],
  storedBase?: string,
): SiteUrls {
  const hosts = new Map<string, { hostname: string; port: string; paths: Map<string, string> }>();
  let first: URL | undefined;
  for (const { url, suffix = '' } of bases) {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) continue;
    first ??= parsed;
    const { host, hostname, port } = parsed;
    const entry = hosts.get(host) ?? { hostname, port, paths: new Map<string, string>() };
    const path = trimSlash(parsed.pathname);
    if (!entry.paths.has(path)) entry.paths.set(path, suffix);
    hosts.set(host, entry);
  }
  return {
    hosts: [...hosts.values()].map(({ hostname, port, paths }) => {
      const basePaths = [...paths]
        .map(([path, suffix]) => ({ path, suffix }))
        .toSorted((a, b) => b.path.length - a.path.length);
      const longest = basePaths[0]?.path.replaceAll('/', '%5C%2F') ?? '';
      const maxLength = `${hostname}%253A65535${longest}%253F`.length;
      return { hostname, port, basePaths, maxLength };
    }),
    baseOrigin: first?.origin ?? '',
    basePath: trimSlash(first?.pathname ?? ''),
    storedBase: trimSlash(storedBase ?? first?.href ?? ''),
  };
}

function trimSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

export function rewriteUrlReference(reference: string, siteUrls: SiteUrls, publicBase: string): string {
  for (const host of siteUrls.hosts) {
    const match = matchAtStart(reference, host);
    if (match !== undefined) return toReplacementUrl(match, publicBase) + reference.slice(match.end);
  }
  // Clients resolve a path against the gateway's root, and the site is mounted below it.
  if (!reference.startsWith('/') || reference.startsWith('//')) return reference;
  const { basePath } = siteUrls;
  if (reference.startsWith(basePath) && /^(?:[/?#]|$)/.test(reference.slice(basePath.length))) {
    return getUrlPath(publicBase) + reference.slice(basePath.length);
  }
  return siteUrls.baseOrigin + reference;
}

function matchAtStart(reference: string, host: HostUrls): UrlMatch | undefined {
  const slashes = reference.indexOf('//');
  if (slashes !== 0 && slashes !== 'http:'.length && slashes !== 'https:'.length) return undefined;
  const at = slashes + 2;
  if (reference.slice(at, at + host.hostname.length).toLowerCase() !== host.hostname) return undefined;
  const match = matchUrlAt(reference, at, host);
  return match?.start === 0 ? match : undefined;
}

function getUrlPath(publicBase: string): string {
  const slash = publicBase.indexOf('/', publicBase.indexOf('//') + 2);
  return slash < 0 ? '' : publicBase.slice(slash);
}

export function rewriteLinkField(value: string, siteUrls: SiteUrls, publicBase: string): string {
  return value.replaceAll(
    /<([^<>]*)>/g,
    (_, target: string) => `<${rewriteUrlReference(target, siteUrls, publicBase)}>`,
  );
}

/** Rewrites the URL of e.g. `5; url=https://example.com/` (WHATWG HTML, shared declarative refresh steps). */
export function rewriteRefreshField(value: string, siteUrls: SiteUrls, publicBase: string): string {
  const match = /^([\d.\s]{1,20}[;,]?\s{0,20}(?:url\s{0,20}=\s{0,20})?["']?)(\S.*)$/is.exec(value);
  if (match === null) return value;
  const [, before = '', reference = ''] = match;
  return before + rewriteUrlReference(reference, siteUrls, publicBase);
}

/** Without a `Domain` of the site, and with the `Path` below the mount, so that sites share no cookies. */
export function rewriteSetCookieField(value: string, siteUrls: SiteUrls, publicBase: string): string {
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
      name === 'domain' && siteUrls.hosts.some(({ hostname }) => domainMatches(hostname, text));
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

interface Spelling {
  readonly colon: string;
  readonly slash: string;
}

/** Plain, in JSON, in JSON within JSON, in a parameter, in a parameter of that, and in percent-encoded JSON. */
const SPELLINGS: readonly Spelling[] = [
  { colon: ':', slash: '/' },
  { colon: ':', slash: '\\/' },
  { colon: ':', slash: '\\\\\\/' },
  { colon: '%3A', slash: '%2F' },
  { colon: '%253A', slash: '%252F' },
  { colon: '%3A', slash: '%5C%2F' },
];

export interface UrlMatch {
  readonly start: number;
  readonly end: number;
  readonly suffix: string;
  readonly spelling: Spelling;
  readonly isSchemeRelative: boolean;
}

/**
 * Authority and path segments must match whole: not `http://example.com.evil.test`, `http://example.com:81`,
 * `http://example.com@evil.test` or, for `/blog`, `http://example.com/blogger`.
 * @param at position of the host name, which must have been matched already
 */
export function matchUrlAt(text: string, at: number, host: HostUrls): UrlMatch | undefined {
  const scheme = matchSchemeBefore(text, at);
  if (scheme === undefined) return undefined;
  const { colon, slash } = scheme.spelling;
  const isBoundary = colon === ':' ? BOUNDARY : ENCODED_BOUNDARY;
  const authority = at + host.hostname.length;
  const tail = text.slice(authority, at + host.maxLength);
  const rest = colon === ':' ? tail : upperEscapes(tail);
  const declared = rest.startsWith(colon) ? DEFAULT_PORT.exec(rest)?.[0] : undefined;
  const port = host.port === '' ? (declared ?? '') : colon + host.port;
  for (const { path, suffix } of host.basePaths) {
    const spelled = port + path.replaceAll('/', slash);
    if (!rest.startsWith(spelled) || !isBoundary.test(rest.slice(spelled.length))) continue;
    return { ...scheme, end: authority + spelled.length, suffix };
  }
  return undefined;
}

const DEFAULT_PORT = /^(?::|%(?:25)?3A)(?:80|443)(?!\d)/;

const BOUNDARY = /^(?:$|[\0- /?#\\"'<>()[\]{},;&|^`])/;
const ENCODED_BOUNDARY =
  /^(?:$|[\0- /?#\\"'<>()[\]{},;&|^`]|%(?:25)?(?:2[0236789CF]|3[BCEF]|5[BCDE]|60|7[BCD]|0[09AD]))/;

function upperEscapes(text: string): string {
  return text.replaceAll(/%(?:25)?[\da-f]{2}/gi, (hex) => hex.toUpperCase());
}

export function toReplacementUrl(match: UrlMatch, newBase: string): string {
  const whole = newBase + match.suffix;
  const text = match.isSchemeRelative ? whole.slice(whole.indexOf('//')) : whole;
  return text.replaceAll(':', match.spelling.colon).replaceAll('/', match.spelling.slash);
}

/** Code units before the host name that {@link matchUrlAt} reads. */
export const MAX_BEFORE: number = '%2522https%253A%252F%252F'.length;

/** Not after a character of a longer scheme, unless it ends an escape (`%22`, `\u0022`). */
const BEFORE_HOST =
  /(?:(?:(?<![A-Za-z0-9+.-])|(?<=\\u00[\da-f]{2}))(https?:)|(?<=^|[\s"'(<=>,;[{\\]))((?:\\{3}|\\)?\/(?:\\{3}|\\)?\/)$/i;
const ENCODED_BEFORE_HOST =
  /(?:(?:(?<![A-Za-z0-9+.-])|(?<=%(?:25)?..))(https?%(?:25)?3A)|(?<=^|[\s"'(<=>,;[{\\]|%(?:25)?(?:2[027]|3D)))((?:%5C)?%2F(?:%5C)?%2F|%252F%252F)$/is;

function matchSchemeBefore(
  text: string,
  at: number,
): Pick<UrlMatch, 'start' | 'spelling' | 'isSchemeRelative'> | undefined {
  const before = text.slice(Math.max(0, at - MAX_BEFORE), at);
  const isEncoded = !before.endsWith('/');
  const [whole, scheme, found = ''] = (isEncoded ? ENCODED_BEFORE_HOST : BEFORE_HOST).exec(before) ?? [];
  const slashes = isEncoded ? found.toUpperCase() : found;
  const spelling = SPELLINGS.find(({ slash }) => slash + slash === slashes);
  if (whole === undefined || spelling === undefined) return undefined;
  if (scheme?.slice('http'.length).toUpperCase().endsWith(spelling.colon) === false) return undefined;
  return { start: at - whole.length, spelling, isSchemeRelative: scheme === undefined };
}
