import { ConfigurationError } from '../../base/errors.ts';

/** Host name, `*.` with one, or an IP address in brackets; optionally with a port. */
const HOST_PATTERN = /^(?:(?:\*\.)?[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;
/** 253 characters of a host name (RFC 1035 §2.3.4), a port and a dot at the end. */
const MAX_HOST_LENGTH = 260;

/** `example.com`, `*.example.com` (all names below) or `example.com:8080`. @throws {ConfigurationError} */
export function readHostEntry(text: string, setting: string): string {
  const entry = text.toLowerCase();
  if (HOST_PATTERN.test(entry)) return entry;
  throw new ConfigurationError(
    `${setting}: "${text.slice(0, 80)}" is no host: use names such as example.com, *.example.com or example.com:8080`,
  );
}

export class HostTable<T> {
  readonly #exact = new Map<string, T>();
  readonly #suffixes = new Map<string, T>();

  /** @param entry of {@link readHostEntry} @returns the value that the entry had before */
  set(entry: string, value: T): T | undefined {
    const [entries, key] = entry.startsWith('*.') ? [this.#suffixes, entry.slice(1)] : [this.#exact, entry];
    const before = entries.get(key);
    entries.set(key, value);
    return before;
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

/** @returns `undefined` if every host leads to the sites by path @throws {ConfigurationError} */
export function createServedHosts<Site extends SiteWithHosts>(
  sites: readonly Site[],
  {
    hosts = [],
    publicUrl,
  }: { readonly hosts?: readonly string[] | undefined; readonly publicUrl?: string | undefined },
): HostLookup<Site> | undefined {
  const table = new HostTable<Site | null>();
  for (const [at, site] of sites.entries()) {
    for (const [entryAt, host] of site.settings.hosts.entries()) {
      const before = table.set(host, site);
      if (before === undefined) continue;
      const owner = before === site ? 'stated twice' : `a host of the site "${before?.settings.name}" too`;
      throw new ConfigurationError(
        `sites[${at}].hosts[${entryAt}]: "${host}" is ${owner}; remove one of them`,
      );
    }
  }
  const hasSitesByHost = sites.some(({ settings }) => settings.hosts.length > 0);
  const hasSitesByPath = sites.some(({ settings }) => settings.hosts.length === 0);
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  for (const [at, host] of hosts.entries()) {
    const entry = readHostEntry(host, 'hosts');
    const owner = table.set(entry, null);
    if (!owner) continue;
    throw new ConfigurationError(
      `hosts[${at}]: "${entry}" is a host of the site "${owner.settings.name}" too; remove it from one of the lists`,
    );
  }
  if (hosts.length > 0 && publicHost !== undefined && table.find(publicHost) === undefined)
    table.set(readHostEntry(publicHost, 'publicUrl'), null);
  if (!hasSitesByHost && hosts.length === 0) return undefined;
  const others = hasSitesByPath && hosts.length === 0 ? null : undefined;
  const local = hasSitesByPath ? null : sites.length === 1 ? sites[0] : undefined;
  return (host) => {
    const found = table.find(host);
    return found === undefined ? (LOOPBACK.test(host) ? local : others) : found;
  };
}
