import { trimTrailingSlashes } from '../../../base/php/request.ts';
import { rootFromUrl, toSiteAddress } from '../../../generator/discovery/address.ts';
import type { SiteAddress } from '../../../generator/discovery/site.ts';
import { createSiteUrls, type SiteUrls } from '../../upstream/rewrite-urls.ts';

export function toPresumedAddress(
  url: string,
  { isWordPress }: { readonly isWordPress: boolean },
): SiteAddress {
  const root = isWordPress ? rootFromUrl(new URL(url)) : undefined;
  if (root !== undefined) return toSiteAddress(root, {});
  const { origin, pathname } = new URL(url);
  const base = `${origin}${trimTrailingSlashes(pathname)}/`;
  return { base, root: base, spelling: 'plain', prefix: 'wp-json' };
}

/**
 * Places a discovered site at its configured URL. Pages are below that URL, whatever the site calls its front
 * page: with a language plugin, the root index of a site at `/` is at `/en/wp-json/`, and `home` is `/en`.
 * @returns the address with the configured base; `prefix` is the path of the root index below it, e.g.
 * `en/wp-json`
 */
export function placeSite(address: SiteAddress, siteUrl: string): SiteAddress {
  const base = toConfiguredBase(address, siteUrl);
  const isBelow = address.spelling === 'pretty' && address.root.startsWith(base);
  const below = isBelow ? trimTrailingSlashes(address.root.slice(base.length)) : '';
  const { aliases: declared = [address.base], ...others } = address;
  const aliases = [...new Set(declared.map((alias) => toBaseAlias(alias, declared, base, address.root)))];
  return {
    ...others,
    base,
    prefix: below.replace(/^index\.php\//, '') || address.prefix,
    ...(aliases.every((alias) => alias === base) ? {} : { aliases }),
  };
}

function toConfiguredBase(address: SiteAddress, siteUrl: string): string {
  const { base } = toPresumedAddress(siteUrl, { isWordPress: true });
  // Only the index tells its prefix apart from a folder.
  if (base === address.root) return address.base;
  const [configured, root] = [new URL(base), new URL(address.root)];
  // A site redirects to its host by https, or with or without `www.`.
  const isSameSite =
    withoutWww(configured.host) === withoutWww(root.host) &&
    (root.protocol === configured.protocol || root.protocol === 'https:');
  return isSameSite ? root.origin + configured.pathname : base;
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, '');
}

/** An address that the site states, unless it is below the base: `/en/` of a site at `/` means `/`. */
function toBaseAlias(alias: string, declared: readonly string[], base: string, root: string): string {
  const [{ origin, pathname }, at] = [new URL(alias), new URL(base)];
  if (origin === at.origin) return base;
  const isBelow =
    pathname.startsWith(at.pathname) &&
    (new URL(root).pathname.startsWith(pathname) ||
      declared.some((each) => new URL(each).pathname === at.pathname));
  return isBelow ? origin + at.pathname : alias;
}

/** @param connectOrigin that connections are made to, if it is not that of the base */
export function listSiteUrls(address: SiteAddress, connectOrigin: string | undefined): SiteUrls {
  const { aliases = [], prefix, root, spelling } = address;
  const base = new URL(address.base);
  const urls = [address.base, ...aliases];
  if (connectOrigin !== undefined) urls.push(connectOrigin + base.pathname);
  // redirect_canonical() joins the host of the request and the port of `home`, nginx that host and the port
  // that it listens on.
  const ports = [aliases[0], connectOrigin].flatMap((url) => (url === undefined ? [] : [new URL(url).port]));
  for (const port of ports)
    urls.push(`http://${base.hostname}${port === '' ? '' : `:${port}`}${base.pathname}`);
  const routes = { url: root, suffix: `/${prefix}` };
  const isApart = spelling === 'pretty' && !root.startsWith(address.base);
  return createSiteUrls([...urls.map((url) => ({ url })), ...(isApart ? [routes] : [])], aliases[0]);
}
