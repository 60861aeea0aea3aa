import { ConfigurationError } from '../../base/errors.ts';
import type { MountedSite } from './mounted-site.ts';
import type { GatewayOptions } from './options/gateway-options.ts';
import { HostTable, readHostEntry } from './options/hosts.ts';

/** A site by host, `null` for the sites by path, or `undefined` if the gateway doesn't serve the host. */
export type HostLookup = (host: string) => MountedSite | null | undefined;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** @returns `undefined` if every host leads to the sites by path @throws {ConfigurationError} */
export function createServedHosts(
  sites: readonly MountedSite[],
  { hosts = [], publicUrl }: Pick<GatewayOptions, 'hosts' | 'publicUrl'>,
): HostLookup | undefined {
  const table = new HostTable<MountedSite | null>();
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
