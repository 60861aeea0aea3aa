import { DiscoveryError } from '../../base/errors.ts';
import type { BasicCredentials } from '../../base/http/basic-credentials.ts';
import { isJsonObject, type JsonObject, memberAt, ownMember } from '../../base/json.ts';
import { isJsonArray, quoteExcerpt } from './index-values.ts';
import type { DiscoverOptions } from './options.ts';
import { decodeComponent, type SiteAddress } from './site.ts';

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
  return { url: bare, auth: { user: decodeComponent(username), password: decodeComponent(password) } };
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
  return url.origin + url.pathname.replace(/(?<!\/)\/*$/, '/');
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

export type Redactor = (text: string) => string;

const MIN_SECRET_LENGTH = 4;

/** Replaces the secrets of a discovery by `***`: sites repeat request headers in errors and redirects. */
export function createRedactor(
  auth: DiscoverOptions['auth'],
  secretHeaders: readonly (readonly [name: string, value: string])[],
): Redactor {
  const values = secretHeaders.flatMap(([, value]) => [value, ...value.split(/^\S+ /).slice(1)]);
  // WordPress displays application passwords with spaces and ignores these.
  const passwords = auth === undefined ? [] : [auth.password, auth.password.replaceAll(' ', '')];
  const secrets = new Set(
    [...values, ...passwords]
      .filter((text) => text.length >= MIN_SECRET_LENGTH)
      .flatMap((text) => [
        text,
        encodeURIComponent(text),
        new URLSearchParams([['', text]]).toString().slice(1),
      ]),
  );
  const ordered = [...secrets].sort((a, b) => b.length - a.length);
  return (text) =>
    maskUrls(
      ordered.reduce((redacted, secret) => redactTruncated(redacted.replaceAll(secret, '***'), secret), text),
    );
}

function redactTruncated(text: string, secret: string): string {
  if (!text.includes('…') || !text.includes(secret.slice(0, MIN_SECRET_LENGTH))) return text;
  let redacted = text;
  for (let length = secret.length - 1; length >= MIN_SECRET_LENGTH; length -= 1) {
    redacted = redacted.replaceAll(`${secret.slice(0, length)}…`, '***…');
  }
  return redacted;
}

export function redactError(error: DiscoveryError, redact: Redactor): DiscoveryError {
  return new DiscoveryError(redact(error.message), {
    reason: error.reason,
    attempts: error.attempts.map(({ url, outcome }) => ({ url: redact(url), outcome: redact(outcome) })),
  });
}

const PUBLIC_PARAMETER = /^[?&](?:rest_route|context|page|per_page|_fields)=/;

/** Masks a URL's user, password and query. In another text, masks all before the last `@`. */
export function withoutCredentials(text: string, mask = ''): string {
  const isUrl = /^[a-z][\w+.-]*:\/\//i.test(text) && URL.canParse(text);
  const end = isUrl ? -1 : text.lastIndexOf('@');
  const shown =
    end === -1 ? text.replace(/^([a-z][\w+.-]*:\/\/)[^/?#]*@/i, `$1${mask}`) : `***${text.slice(end)}`;
  return shown
    .replace(/#.*/s, '')
    .replace(/([?&](?:[^?&=]*=)?)[^?&]+/g, (parameter, name: string) =>
      PUBLIC_PARAMETER.test(name) ? parameter : `${name}***`,
    );
}

export function maskUrls(text: string): string {
  return text.replace(/\b[a-z][\w+.-]{0,20}:\/\/[^\s"'`<>]*[^\s"'`<>.,:;!?)]/gi, (url) =>
    withoutCredentials(url),
  );
}
