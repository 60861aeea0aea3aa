import { DiscoveryError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { SiteAddress } from './site.ts';
import { isList, member, quoted } from './values.ts';

/** An address that a person gave, without what must not be shown. */
export interface GivenAddress {
  readonly url: URL;
  readonly auth?: { readonly user: string; readonly password: string };
}

/** Reads the address of a site. Throws a `DiscoveryError` that shows no credentials. */
export function readAddress(input: string): GivenAddress {
  const text = input.trim();
  if (!URL.canParse(text)) {
    const hint = URL.canParse(`https://${text}`)
      ? `https://${withoutCredentials(text)}`
      : 'https://example.com/';
    throw new DiscoveryError(`${shownAddress(text)} is no address of a site. Try ${hint}.`, {
      reason: 'invalid-url',
    });
  }
  const url = new URL(text);
  if (!isHttp(url)) {
    throw new DiscoveryError(
      `${shownAddress(text)} is neither an http nor an https address. Try https://example.com/, with the site's own name.`,
      { reason: 'not-http-url' },
    );
  }
  const { username, password } = url;
  const bare = stripped(url);
  if (username === '' && password === '') return { url: bare };
  return { url: bare, auth: { user: percentDecoded(username), password: percentDecoded(password) } };
}

export function isHttp(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

/** Without credentials and fragment: neither is sent, and neither may be shown. */
export function stripped(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  bare.hash = '';
  return bare;
}

/**
 * The one way to write a root index: a pretty one ends in a slash and has no query; a plain one has `rest_route=/`
 * alone, because `_fields`, `_envelope` or `context` would change what is read.
 */
export function canonicalRoot(url: URL): URL {
  const root = stripped(url);
  if (root.searchParams.has('rest_route')) {
    root.search = '?rest_route=/';
    return root;
  }
  root.search = '';
  if (!root.pathname.endsWith('/')) root.pathname += '/';
  return root;
}

/** The root index of which an address is a part by its spelling alone: `…/wp-json/…` or `?rest_route=…`. */
export function rootBySpelling(url: URL): URL | undefined {
  if (url.searchParams.get('rest_route')) return canonicalRoot(url);
  const end = url.pathname.indexOf('/wp-json/');
  if (end === -1 && !url.pathname.endsWith('/wp-json')) return undefined;
  const root = new URL(url);
  if (end !== -1) root.pathname = url.pathname.slice(0, end + '/wp-json/'.length);
  root.searchParams.delete('rest_route');
  return canonicalRoot(root);
}

/** A root index with the response schemas. */
export function withHelp(root: URL): URL {
  return new URL(`${root.href}${root.search === '' ? '?' : '&'}context=help`);
}

/** The address at which a route is asked; `path` holds only characters that need no escaping in either spelling. */
export function routeUrl({ root, spelling }: SiteAddress, path: string): string {
  return spelling === 'pretty' ? root + path.slice(1) : root.slice(0, -1) + path;
}

/** The root index's own address as it states it, in the `self` link of its route `/`. */
export function statedRoot(index: JsonObject): URL | undefined {
  const routes = member(index, 'routes');
  const route = isJsonObject(routes) ? member(routes, '/') : undefined;
  const links = isJsonObject(route) ? member(route, '_links') : undefined;
  const self = isJsonObject(links) ? member(links, 'self') : undefined;
  // WordPress before 5.x gives the address itself, later ones a list of links.
  const link = isList(self) ? self[0] : self;
  const href = isJsonObject(link) ? member(link, 'href') : link;
  if (typeof href !== 'string' || !URL.canParse(href)) return undefined;
  const url = new URL(href);
  return isHttp(url) ? canonicalRoot(url) : undefined;
}

/**
 * Where a site stands, from the root index that was read. Its base is what is left of the root when the prefix is
 * taken away, and the prefix is what the site adds to its own front page to name its root; both hold behind a proxy
 * that serves the site below another path. A site that does not say has a prefix of one segment.
 */
export function toSiteAddress(root: URL, index: JsonObject): SiteAddress {
  const address = standingOf(root, index);
  const aliases = aliasesOf(index, address.base);
  return aliases.length === 0 ? address : { ...address, aliases };
}

/** A site that is read at an inner address, or behind a proxy, goes on naming itself by its public one. */
function aliasesOf(index: JsonObject, base: string): readonly string[] {
  const named = ['home', 'url'].flatMap((name) => {
    const address = member(index, name);
    const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined;
    return url !== undefined && isHttp(url)
      ? [new URL(`${url.pathname.replace(/\/*$/, '')}/`, url).href]
      : [];
  });
  return [...new Set(named)].filter((address) => address !== base);
}

function standingOf(root: URL, index: JsonObject): SiteAddress {
  const stated = statedPrefix(index);
  if (root.search !== '') {
    const base = root.origin + root.pathname.slice(0, root.pathname.lastIndexOf('/') + 1);
    return { base, root: root.href, spelling: 'plain', prefix: stated ?? 'wp-json' };
  }
  const isStated = stated !== undefined && root.pathname.endsWith(`/${stated}/`);
  const prefix = isStated ? stated : (/([^/]+)\/$/.exec(root.pathname)?.[1] ?? '');
  const folder = prefix === '' ? root.pathname : root.pathname.slice(0, -(prefix.length + 1));
  // PATHINFO permalinks: the front of the site is above index.php.
  return {
    base: root.origin + folder.replace(/\/index\.php\/$/, '/'),
    root: root.href,
    spelling: 'pretty',
    prefix,
  };
}

function statedPrefix(index: JsonObject): string | undefined {
  const self = statedRoot(index);
  const home = member(index, 'home');
  if (self === undefined || self.search !== '' || typeof home !== 'string' || !URL.canParse(home))
    return undefined;
  const front = new URL(home).pathname.replace(/\/?$/, '/');
  if (!self.pathname.startsWith(front)) return undefined;
  return self.pathname.slice(front.length, -1).replace(/^index\.php\//, '') || undefined;
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function shownAddress(text: string): string {
  return text === '' ? 'An empty text' : quoted(withoutCredentials(text), '"', 200);
}

/** What cannot be parsed may still hold a password. */
function withoutCredentials(text: string): string {
  const end = text.lastIndexOf('@');
  return end === -1 ? text : `***${text.slice(end)}`;
}
