/** Host name, `*.` with one, or an IP address in brackets; optionally with a port. */
export const HOST_ENTRY: RegExp =
  /^(?:(?:\*\.)?[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
/** 253 characters of a host name (RFC 1035 §2.3.4), a port and a dot at the end. */
const MAX_HOST_LENGTH = 260;

/** The name of a site: a segment of a path. */
export const SITE_NAME: RegExp = /^[A-Za-z0-9][A-Za-z0-9._~-]*$/;

const UNNAMED_SITE = 'default';

interface NamedSite {
  readonly hosts?: readonly string[] | undefined;
  readonly name?: string | undefined;
}

/** As configured, the first host without asterisk and port, or `default`. */
export function toSiteName({ hosts: [host] = [], name = '' }: NamedSite): string {
  return name || (host ?? UNNAMED_SITE).replace(/^\*\./, '').replace(/:\d+$/, '');
}

/** `/name`; empty for the site without a name and for a site by host. */
export function toMountPath({ hosts = [], name = '' }: NamedSite): string {
  return name === '' || hosts.length > 0 ? '' : `/${name}`;
}

export class HostTable<T> {
  readonly #exact = new Map<string, T>();
  readonly #suffixes = new Map<string, T>();

  /** @param entry in lower case: `example.com`, `*.example.com` (all names below) or `example.com:8080` */
  set(entry: string, value: T): void {
    if (entry.startsWith('*.')) this.#suffixes.set(entry.slice(1), value);
    else this.#exact.set(entry, value);
  }

  /** A name before a wildcard, the longest wildcard first, and with the port before without. */
  find(field: string): T | undefined {
    if (field.length > MAX_HOST_LENGTH) return undefined;
    const host = field.toLowerCase();
    const port = /:\d+$/.exec(host)?.[0] ?? '';
    const name = host.slice(0, host.length - port.length).replace(/\.$/, '');
    const exact = findWithPort(this.#exact, name, port);
    if (exact !== undefined || this.#suffixes.size === 0) return exact;
    for (let dot = name.indexOf('.', 1); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      const found = findWithPort(this.#suffixes, name.slice(dot), port);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

function findWithPort<T>(entries: ReadonlyMap<string, T>, name: string, port: string): T | undefined {
  const withPort = port === '' ? undefined : entries.get(name + port);
  return withPort === undefined ? entries.get(name) : withPort;
}

/** A site by host, `null` for sites by path, or `undefined` if the gateway doesn't serve the host. */
export type HostLookup<Site> = (host: string) => Site | null | undefined;

interface SiteWithHosts {
  readonly settings: { readonly hosts: readonly string[]; readonly name: string };
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** @returns `undefined` if every host leads to the sites by path */
export function createServedHosts<Site extends SiteWithHosts>(
  sites: readonly Site[],
  {
    hosts = [],
    publicUrl,
  }: { readonly hosts?: readonly string[] | undefined; readonly publicUrl?: string | undefined },
): HostLookup<Site> | undefined {
  const table = new HostTable<Site | null>();
  for (const site of sites) for (const host of site.settings.hosts) table.set(host, site);
  const hasSitesByHost = sites.some(({ settings }) => settings.hosts.length > 0);
  const hasSitesByPath = sites.some(({ settings }) => settings.hosts.length === 0);
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  for (const host of hosts) table.set(host, null);
  if (hosts.length > 0 && publicHost !== undefined && table.find(publicHost) === undefined)
    table.set(publicHost, null);
  if (!hasSitesByHost && hosts.length === 0) return undefined;
  const others = hasSitesByPath && hosts.length === 0 ? null : undefined;
  const local = hasSitesByPath ? null : sites.length === 1 ? sites[0] : undefined;
  return (host) => {
    const found = table.find(host);
    return found === undefined ? (LOOPBACK.test(host) ? local : others) : found;
  };
}
