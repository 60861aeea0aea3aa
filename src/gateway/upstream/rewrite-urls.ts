export interface SiteUrls {
  readonly hosts: readonly HostUrls[];
  readonly baseOrigin: string;
  /** Path of the first base URL without a trailing slash; empty at the root. */
  readonly basePath: string;
}

interface HostUrls {
  readonly hostname: string;
  /** Empty for the scheme's default port, which a URL can state or omit. */
  readonly port: string;
  /** The longest first. `suffix` is appended to the gateway's URL in place of the path. */
  readonly basePaths: readonly { readonly path: string; readonly suffix: string }[];
}

/** @param bases the site's base first; only http and https */
export function createSiteUrls(
  bases: readonly { readonly url: string; readonly suffix?: string }[],
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
    hosts: [...hosts.values()].map(({ hostname, port, paths }) => ({
      hostname,
      port,
      basePaths: [...paths]
        .map(([path, suffix]) => ({ path, suffix }))
        .toSorted((a, b) => b.path.length - a.path.length),
    })),
    baseOrigin: first?.origin ?? '',
    basePath: trimSlash(first?.pathname ?? ''),
  };
}

function trimSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

export function rewriteUrlReference(reference: string, siteUrls: SiteUrls, publicBase: string): string {
  for (const host of siteUrls.hosts) {
    const replaced = replaceBase(reference, host, publicBase);
    if (replaced !== undefined) return replaced;
  }
  // Clients resolve a path against the gateway's root, and the site is mounted below it.
  if (!reference.startsWith('/') || reference.startsWith('//')) return reference;
  const { basePath } = siteUrls;
  if (reference.startsWith(basePath) && /^(?:[/?#]|$)/.test(reference.slice(basePath.length))) {
    return getUrlPath(publicBase) + reference.slice(basePath.length);
  }
  return siteUrls.baseOrigin + reference;
}

/**
 * Authority and path segments must match whole: not `http://example.com.evil.test`, `http://example.com:81`,
 * `http://example.com@evil.test` or, for `/blog`, `http://example.com/blogger`.
 */
function replaceBase(
  reference: string,
  { basePaths, hostname, port }: HostUrls,
  publicBase: string,
): string | undefined {
  const [start, scheme] = /^(https?:)?\/\//i.exec(reference) ?? [];
  if (start === undefined) return undefined;
  const afterHost = start.length + hostname.length;
  if (reference.slice(start.length, afterHost).toLowerCase() !== hostname) return undefined;
  const rest = reference.slice(afterHost);
  const stated = port === '' ? (DEFAULT_PORT.exec(rest)?.[0] ?? '') : `:${port}`;
  for (const { path, suffix } of basePaths) {
    const afterBase = rest.slice(stated.length + path.length);
    if (!rest.startsWith(stated + path) || !BOUNDARY.test(afterBase)) continue;
    const base = scheme === undefined ? publicBase.slice(publicBase.indexOf('//')) : publicBase;
    return base + suffix + afterBase;
  }
  return undefined;
}

const DEFAULT_PORT = /^:(?:80|443)(?!\d)/;

const BOUNDARY = /^(?:$|[\0- /?#\\"'<>()[\]{},;&|^`])/;

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
