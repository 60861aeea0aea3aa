import { type Clock, type Log, silentLog, systemClock, withFields } from '../../base/ports.ts';
import { withoutCredentials } from '../../generator/discovery/redact.ts';
import type { OwnAddresses } from '../router/target.ts';
import type { GatewayOptions, SiteOptions } from './options/gateway-options.ts';
import { readHostEntry } from './options/hosts.ts';
import { toMountPath, toOwnAddresses, toPublicPath, toPublicUrl, toSiteName } from './options/mount-path.ts';
import { createSiteUpstream, type SiteUpstream } from './site-upstream.ts';

export interface SiteEnvironment {
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
}

export interface MountedSiteSettings extends SiteEnvironment {
  readonly options: SiteOptions;
  /** Its place in the configuration, for messages about settings: `sites[0]`. */
  readonly setting: string;
  readonly name: string;
  readonly url: string;
  /** Lower case; empty for a site by path. */
  readonly hosts: readonly string[];
  /** Hosts that lead to the site, in lower case; empty for any. */
  readonly servedHosts: readonly string[];
  /** `/content`; empty for the unnamed site and for a site by host. */
  readonly mountPath: string;
  readonly publicPath: string;
  readonly publicUrl: string | undefined;
  readonly addresses: OwnAddresses;
  readonly upstream: SiteUpstream;
}

/** @throws {ConfigurationError} when a name, a host or a setting of `upstream` is invalid */
export function readMountedSiteSettings(options: SiteOptions, gateway: GatewayOptions): MountedSiteSettings {
  const { clock = systemClock, log = silentLog, random = Math.random } = gateway;
  const setting = `sites[${gateway.sites.indexOf(options)}]`;
  const name = toSiteName(options);
  const siteLog = withFields(log, { site: name });
  const hosts = (options.hosts ?? []).map((host, at) => readHostEntry(host, `${setting}.hosts[${at}]`));
  const publicUrl = toPublicUrl(options, gateway.publicUrl, setting);
  const mountPath = toMountPath(options);
  return {
    ...{ clock, log: siteLog, random, options, setting, name, hosts, mountPath, publicUrl },
    url: withoutCredentials(options.url),
    servedHosts: hosts.length > 0 ? hosts : (gateway.hosts ?? []).map((host) => host.toLowerCase()),
    publicPath: toPublicPath(publicUrl, mountPath),
    addresses: toOwnAddresses(options),
    upstream: createSiteUpstream(options, { ...gateway, publicUrl }, `${setting}.upstream`),
  };
}
