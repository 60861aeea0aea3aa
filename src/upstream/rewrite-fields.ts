import type { HostUrls, SiteUrls } from './site-urls.ts';
import { matchUrlAt, toReplacementUrl, type UrlMatch } from './url-match.ts';

/**
 * Rewrites the URL of a `Location` or similar field so that it leads to the gateway.
 *
 * @param publicBase the gateway's URL of this site, without a trailing slash: `https://gw.example/blog`
 */
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

/** Returns the path of a URL: `https://gw.example/blog` → `/blog`, `https://gw.example` → empty. */
export function getUrlPath(publicBase: string): string {
  const slash = publicBase.indexOf('/', publicBase.indexOf('//') + 2);
  return slash < 0 ? '' : publicBase.slice(slash);
}

/** Rewrites all targets of a `Link` field (RFC 8288 §3); parameters stay unchanged. */
export function rewriteLinkField(value: string, siteUrls: SiteUrls, publicBase: string): string {
  return value.replaceAll(
    /<([^<>]*)>/g,
    (_, target: string) => `<${rewriteUrlReference(target, siteUrls, publicBase)}>`,
  );
}

/** Rewrites the URL of `5; url=https://example.com/` (WHATWG HTML, shared declarative refresh steps). */
export function rewriteRefreshField(value: string, siteUrls: SiteUrls, publicBase: string): string {
  const match = /^([\d.\s]{1,20}[;,]?\s{0,20}(?:url\s{0,20}=\s{0,20})?["']?)(\S.*)$/is.exec(value);
  if (match === null) return value;
  const [, before = '', reference = ''] = match;
  return before + rewriteUrlReference(reference, siteUrls, publicBase);
}

/**
 * Rewrites `Set-Cookie` so that the cookie belongs to the gateway. A `Domain` of the site is removed: the cookie then
 * belongs to the host that the client uses. A `Path` at or below the site's base moves below the mount. A `Path` above
 * the base is narrowed to the mount, so that sites of one gateway do not receive each other's cookies.
 */
export function rewriteSetCookieField(value: string, siteUrls: SiteUrls, publicBase: string): string {
  const [pair = '', ...attributes] = value.split(';');
  // RFC 6265bis §4.1.3.2: clients refuse such a cookie with any path but "/".
  const hasFixedPath = /^\s*__host-/i.test(pair);
  const parts: string[] = [pair];
  for (const attribute of attributes) {
    const equals = attribute.indexOf('=');
    const name = attribute
      .slice(0, equals < 0 ? undefined : equals)
      .trim()
      .toLowerCase();
    const text = equals < 0 ? '' : attribute.slice(equals + 1).trim();
    if (name === 'domain' && isSiteDomain(siteUrls, text) && !domainMatches(hostnameOfUrl(publicBase), text))
      continue;
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

function isSiteDomain(siteUrls: SiteUrls, domain: string): boolean {
  return siteUrls.hosts.some(({ hostname }) => domainMatches(hostname, domain));
}

/** Domain matching of RFC 6265 §5.1.3; a leading dot is ignored. */
function domainMatches(hostname: string, domain: string): boolean {
  const plain = domain.replace(/^\./, '').toLowerCase();
  return hostname === plain || hostname.endsWith(`.${plain}`);
}

function hostnameOfUrl(publicBase: string): string {
  return URL.canParse(publicBase) ? new URL(publicBase).hostname : '';
}
