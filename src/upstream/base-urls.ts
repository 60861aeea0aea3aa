/**
 * The addresses under which a site names itself, and what becomes of them. Matching works on strings and on bytes alike:
 * headers are the one, bodies the other.
 */
export interface SiteUrls {
  readonly hosts: readonly HostUrls[];
  /** The origin of the first base, for references that leave it. */
  readonly origin: string;
  /** The path of the first base without a trailing slash; empty at the root. */
  readonly path: string;
}

export interface HostUrls {
  /** Host name without port, lower case. */
  readonly hostname: string;
  /** The port that has to follow; empty where the bases have their protocol's own, which may be written out or not. */
  readonly port: string;
  /** Longest first, so that `/blog/wp-json` is found before `/blog`. */
  readonly paths: readonly { readonly path: string; readonly to: string }[];
}

/**
 * @param bases the site's own addresses (its base first, then home, url, root as the index states them) and what to
 * append to the gateway's address for each; what is no http(s) address is passed over
 */
export function createSiteUrls(bases: readonly { readonly url: string; readonly to?: string }[]): SiteUrls {
  const hosts = new Map<string, { hostname: string; port: string; paths: Map<string, string> }>();
  let first: URL | undefined;
  for (const { url, to = '' } of bases) {
    const parsed = parseHttpUrl(url);
    if (parsed === undefined) continue;
    first ??= parsed;
    const entry = hosts.get(parsed.host) ?? {
      hostname: parsed.hostname,
      port: parsed.port,
      paths: new Map<string, string>(),
    };
    const path = trimSlash(parsed.pathname);
    if (!entry.paths.has(path)) entry.paths.set(path, to);
    hosts.set(parsed.host, entry);
  }
  return {
    hosts: [...hosts.values()].map(({ hostname, port, paths }) => ({
      hostname,
      port,
      paths: [...paths].map(([path, to]) => ({ path, to })).toSorted((a, b) => b.path.length - a.path.length),
    })),
    origin: first?.origin ?? '',
    path: trimSlash(first?.pathname ?? ''),
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
