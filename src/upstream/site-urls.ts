/** The base URLs under which a site refers to itself in headers and bodies. `matchUrlAt` finds them in a text. */
export interface SiteUrls {
  readonly hosts: readonly HostUrls[];
  /** The origin of the first base URL. A reference to a path outside of `basePath` is prefixed with it. */
  readonly baseOrigin: string;
  /** The path of the first base URL without a trailing slash; empty at the root. */
  readonly basePath: string;
  /** The URL that the site writes into its database for itself, without a trailing slash. */
  readonly storedBase: string;
}

/** The base URLs of a site on one host and port. */
export interface HostUrls {
  /** Host name without port, lower case. */
  readonly hostname: string;
  /** The port that a match requires; empty for the scheme's default port, which a URL may state or omit. */
  readonly port: string;
  /**
   * Paths of the base URLs, the longest first, so that `/blog/wp-json` is found before `/blog`. `suffix` is appended to
   * the gateway's URL in place of the path.
   */
  readonly basePaths: readonly { readonly path: string; readonly suffix: string }[];
}

/**
 * Groups a site's base URLs by host.
 *
 * @param storedBase see {@link SiteUrls.storedBase}. @default the first base URL
 * @param bases the site's base first, then `home`, `url` and the root of its index; `suffix` is appended to the gateway's
 * URL in place of the base. URLs of other schemes than http and https are ignored.
 */
export function createSiteUrls(
  bases: readonly { readonly url: string; readonly suffix?: string }[],
  storedBase?: string,
): SiteUrls {
  const hosts = new Map<string, { hostname: string; port: string; paths: Map<string, string> }>();
  let first: URL | undefined;
  for (const { url, suffix = '' } of bases) {
    const parsed = parseHttpUrl(url);
    if (parsed === undefined) continue;
    first ??= parsed;
    const entry = hosts.get(parsed.host) ?? {
      hostname: parsed.hostname,
      port: parsed.port,
      paths: new Map<string, string>(),
    };
    const path = trimSlash(parsed.pathname);
    if (!entry.paths.has(path)) entry.paths.set(path, suffix);
    hosts.set(parsed.host, entry);
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
    storedBase: trimSlash(storedBase ?? first?.href ?? ''),
  };
}

function parseHttpUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}

function trimSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
