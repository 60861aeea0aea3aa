import { EXTENSION_NAMES, extensionOf } from '../../../base/document-extensions.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { Steps } from '../../../base/steps.ts';
import type { SiteAddress } from '../../../generator/discovery/site.ts';
import { withServers } from '../../../generator/openapi/index.ts';

export interface ServedDocumentOptions {
  readonly publicPath: string;
  readonly passthrough: boolean;
  readonly address: SiteAddress;
  readonly connectUrl?: string | undefined;
}

/** Makes the gateway the server: the document contains no address of the site. */
export function* toServedDocument(document: JsonObject, options: ServedDocumentOptions): Steps<JsonObject> {
  const { address } = options;
  const site = extensionOf(document, 'site');
  const local = yield* replaceSiteUrls({ ...document, [EXTENSION_NAMES.site]: null }, options);
  const { info } = local;
  const title = isJsonObject(info) ? { info: { ...info, title: toPublicTitle(info['title'], address) } } : {};
  return {
    ...withGatewayServers({ ...local, ...title }, options),
    [EXTENSION_NAMES.site]: isJsonObject(site) ? { ...site, site: toRelativeAddress(address) } : {},
  };
}

function withGatewayServers(document: JsonObject, options: ServedDocumentOptions): JsonObject {
  const { publicPath, passthrough, address } = options;
  const description = 'This gateway';
  const served = { ...document, servers: [{ url: publicPath === '' ? '/' : publicPath, description }] };
  if (!passthrough) return served;
  // With passthrough the mount is the site's front page, and the root index is at `/wp-json`.
  return withServers(served, '/', [{ url: `${publicPath}/${address.prefix}`, description }]);
}

/** A site without a name is titled by its host, which clients must not learn. */
export function toPublicTitle(title: Json | undefined, { base }: SiteAddress): string {
  return typeof title !== 'string' || title === '' || title === new URL(base).host ? 'REST API' : title;
}

function* replaceSiteUrls(document: JsonObject, options: ServedDocumentOptions): Steps<JsonObject> {
  const { pattern, mayContain } = createSiteUrlPattern(options);
  const replacement = JSON.stringify(options.publicPath).slice(1, -1);
  const replace = (value: Json): Json => {
    const text = JSON.stringify(value);
    return mayContain(text) ? JSON.parse(text.replace(pattern, () => replacement)) : value;
  };
  function* visit(value: JsonObject, depth: number): Steps<JsonObject> {
    const members: [string, Json][] = [];
    for (const [name, member] of Object.entries(value)) {
      const isLeaf = depth === 0 || !isJsonObject(member);
      members.push([String(replace(name)), isLeaf ? replace(member) : yield* visit(member, depth - 1)]);
      yield;
    }
    return Object.fromEntries(members);
  }
  return yield* visit(document, 2);
}

export function createTextLocalizer(options: ServedDocumentOptions): (text: string) => string {
  const { pattern, mayContain } = createSiteUrlPattern(options);
  return (text) => (mayContain(text) ? text.replace(pattern, () => options.publicPath) : text);
}

function createSiteUrlPattern({ address, connectUrl }: ServedDocumentOptions): {
  readonly pattern: RegExp;
  readonly mayContain: (text: string) => boolean;
} {
  const { base, aliases = [], root } = address;
  const bases = [base, ...aliases, ...(connectUrl === undefined ? [] : [connectUrl])].map(withoutScheme);
  const origins = [...bases, withoutScheme(root)].map((url) => url.replace(/[/?].*/, ''));
  // The longest first, so that the path of a site is removed together with its origin.
  const places = [...new Set([...bases, ...origins])].sort((one, other) => other.length - one.length);
  const escaped = places.map((place) => place.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  // A longer host name or another port is another site.
  const pattern = new RegExp(`(?:https?:)?//(?:${escaped.join('|')})(?![\\w:-]|\\.\\w)`, 'gi');
  return { pattern, mayContain: (text) => origins.some((origin) => text.includes(origin)) };
}

function toRelativeAddress({ base, root, spelling, prefix }: SiteAddress): JsonObject {
  const { pathname, search } = new URL(root);
  const relative = root.startsWith(base) ? `./${root.slice(base.length)}` : pathname + search;
  return { base: './', root: relative, spelling, prefix };
}

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//i, '').replace(/\/$/, '');
}
