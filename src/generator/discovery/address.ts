import { tryDecodeURIComponent } from 'hono/utils/url';
import { DiscoveryError } from '../../base/errors.ts';
import type { BasicCredentials } from '../../base/http/basic-credentials.ts';
import { isJsonObject, type JsonObject, memberAt, ownMember } from '../../base/json.ts';
import { trimTrailingSlashes } from '../../base/php/request.ts';
import { isJsonArray, quoteExcerpt } from './index-values.ts';
import { withoutCredentials } from './redact.ts';
import type { SiteAddress } from './site.ts';

/** @throws {DiscoveryError} when it is not an http or https URL, without the credentials */
export function parseSiteUrl(input: string): { readonly url: URL; readonly auth?: BasicCredentials } {
  const text = input.trim();
  if (!URL.canParse(text)) {
    const hint = URL.canParse(`https://${text}`)
      ? `https://${withoutCredentials(text)}`
      : 'https://example.com/';
    throw new DiscoveryError(`${quoteInput(text)} is not the address of a site. Try ${hint}.`, {
      reason: 'invalid-url',
    });
  }
  const url = new URL(text);
  if (!isHttpUrl(url)) {
    throw new DiscoveryError(
      `${quoteInput(text)} is neither an http nor an https address. Try https://example.com/, with the host name of the site.`,
      { reason: 'not-http-url' },
    );
  }
  const { username, password } = url;
  const bare = stripUserinfoAndFragment(url);
  if (username === '' && password === '') return { url: bare };
  return {
    url: bare,
    auth: { user: tryDecodeURIComponent(username), password: tryDecodeURIComponent(password) },
  };
}

export function isHttpUrl(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

export function stripUserinfoAndFragment(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  bare.hash = '';
  return bare;
}

export function toCanonicalRoot(url: URL): URL {
  const root = stripUserinfoAndFragment(url);
  if (root.searchParams.has('rest_route')) {
    root.search = '?rest_route=/';
    return root;
  }
  root.search = '';
  if (!root.pathname.endsWith('/')) root.pathname += '/';
  return root;
}

export function rootFromUrl(url: URL): URL | undefined {
  if (url.searchParams.get('rest_route')) return toCanonicalRoot(url);
  const end = url.pathname.indexOf('/wp-json/');
  if (end === -1 && !url.pathname.endsWith('/wp-json')) return undefined;
  const root = new URL(url);
  if (end !== -1) root.pathname = url.pathname.slice(0, end + '/wp-json/'.length);
  root.searchParams.delete('rest_route');
  return toCanonicalRoot(root);
}

/** E.g. `wp/v2/posts` of `https://example.com/wp-json/wp/v2/posts/`; empty for any other URL. */
export function routeInUrl({ pathname, searchParams }: URL): string {
  const [, inPath = ''] = /\/wp-json\/(.*)$/.exec(pathname) ?? [];
  return (searchParams.get('rest_route') ?? inPath).replace(/^\/+|\/+$/g, '');
}

export function withHelpContext(root: URL): URL {
  return new URL(`${root.href}${root.search === '' ? '?' : '&'}context=help`);
}

/** @param path without characters that need escaping; empty is the root @param query without `?` */
export function routeUrl(
  { root, spelling }: Pick<SiteAddress, 'root' | 'spelling'>,
  path: string,
  query = '',
): string {
  const url = spelling === 'pretty' ? root + path.slice(1) : root.slice(0, -1) + (path === '' ? '/' : path);
  return query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

export function readSelfLink(index: JsonObject): URL | undefined {
  const self = memberAt(index, 'routes', '/', '_links', 'self');
  // WordPress before 5.x states the URL itself, later versions a list of links.
  const link = isJsonArray(self) ? self[0] : self;
  const href = isJsonObject(link) ? ownMember(link, 'href') : link;
  if (typeof href !== 'string' || !URL.canParse(href)) return undefined;
  const url = new URL(href);
  return isHttpUrl(url) ? toCanonicalRoot(url) : undefined;
}

/** The prefix is the path of the stated `self` below `home`, which a proxy keeps; else the last segment of the URL. */
export function toSiteAddress(root: URL, index: JsonObject): SiteAddress {
  const address = locateSite(root, index);
  const aliases = readAliases(index, address.base);
  return aliases.length === 0 ? address : { ...address, aliases };
}

/** They differ from `base` behind a proxy. A WordPress in a folder below its front page has none. */
function readAliases(index: JsonObject, base: string): readonly string[] {
  const home = readAddress(index, 'home');
  const url = readAddress(index, 'url');
  const isBelowHome = home !== undefined && url?.startsWith(home) === true;
  const declared = [home, isBelowHome ? undefined : url].filter((address) => address !== undefined);
  return declared.every((address) => address === base) ? [] : declared;
}

function readAddress(index: JsonObject, name: 'home' | 'url'): string | undefined {
  const address = ownMember(index, name);
  const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !isHttpUrl(url)) return undefined;
  return `${url.origin}${trimTrailingSlashes(url.pathname)}/`;
}

function locateSite(root: URL, index: JsonObject): SiteAddress {
  const prefixFromIndex = readPrefix(index);
  if (root.search !== '') {
    const base = root.origin + root.pathname.slice(0, root.pathname.lastIndexOf('/') + 1);
    return { base, root: root.href, spelling: 'plain', prefix: prefixFromIndex ?? 'wp-json' };
  }
  const isDeclared = prefixFromIndex !== undefined && root.pathname.endsWith(`/${prefixFromIndex}/`);
  const prefix = isDeclared ? prefixFromIndex : (root.pathname.split('/').at(-2) ?? '');
  const folder = prefix === '' ? root.pathname : root.pathname.slice(0, -(prefix.length + 1));
  return {
    base: root.origin + folder.replace(/\/index\.php\/$/, '/'),
    root: root.href,
    spelling: 'pretty',
    prefix,
  };
}

function readPrefix(index: JsonObject): string | undefined {
  const self = readSelfLink(index);
  const home = ownMember(index, 'home');
  if (self === undefined || self.search !== '' || typeof home !== 'string' || !URL.canParse(home)) {
    return undefined;
  }
  const front = new URL(home).pathname.replace(/\/?$/, '/');
  if (!self.pathname.startsWith(front)) return undefined;
  return self.pathname.slice(front.length, -1).replace(/^index\.php\//, '') || undefined;
}

function quoteInput(text: string): string {
  return text === '' ? 'An empty string' : quoteExcerpt(withoutCredentials(text), '"', 200);
}
