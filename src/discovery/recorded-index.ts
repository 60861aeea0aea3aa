import { ConfigurationError } from '../errors.ts';
import { isJsonObject, type JsonObject, ownMember } from '../json.ts';
import { isHttpUrl, parseSiteUrl, readSelfLink, rootFromUrl, toSiteAddress } from './address.ts';
import { describeIndexDefect, type ReadIndexOptions, readIndex } from './read-index.ts';
import type { DiscoveredSite } from './site.ts';

/**
 * Reads a root index that was recorded before, without a request.
 *
 * @param raw the parsed JSON
 * @param url any URL of the site; by default the addresses that the index states
 * @throws {ConfigurationError} when the value is not a root index, or states no address and `url` is not given
 */
export function readRecordedSite(
  raw: unknown,
  { url, ...options }: ReadIndexOptions & { readonly url?: string | undefined } = {},
): DiscoveredSite {
  const defect = describeIndexDefect(raw);
  if (defect !== undefined || !isJsonObject(raw)) {
    throw new ConfigurationError(`This is neither a root index nor an OpenAPI document. ${defect ?? ''}`);
  }
  const root = url === undefined ? statedRoot(raw) : rootOf(parseSiteUrl(url).url);
  if (root === undefined || !isHttpUrl(root)) {
    throw new ConfigurationError(
      'The root index states no address of its site. Give the URL of the site, too.',
    );
  }
  return { address: toSiteAddress(root, raw), ...readIndex(raw, options) };
}

/** The URL that an index states for itself, or the usual one below the front page that it states. */
function statedRoot(index: JsonObject): URL | undefined {
  const home = ownMember(index, 'home');
  const front = typeof home === 'string' && URL.canParse(home) ? new URL(home) : undefined;
  return readSelfLink(index) ?? (front === undefined ? undefined : rootOf(front));
}

/** The root index that a URL is in, or the one of a site with permalinks and this front page. */
function rootOf(url: URL): URL {
  return rootFromUrl(url) ?? new URL('wp-json/', `${url.origin}${url.pathname.replace(/\/*$/, '/')}`);
}
