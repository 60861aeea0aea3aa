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
export function rewriteUrlReference(reference: string, siteUrls: SiteUrls, publicBase: string): string {
  const [start, scheme] = /^(https?:)?\/\//i.exec(reference) ?? [];
  if (start !== undefined) {
    const newBase = scheme === undefined ? publicBase.slice(publicBase.indexOf('//')) : publicBase;
    const authority = reference.slice(start.length);
    for (const { hostname, path, port, suffix } of siteUrls.bases) {
      if (authority.slice(0, hostname.length).toLowerCase() !== hostname) continue;
      const afterHost = authority.slice(hostname.length);
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
