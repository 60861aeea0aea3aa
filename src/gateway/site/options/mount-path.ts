import { ConfigurationError } from '../../../base/errors.ts';
import { createOwnAddresses, METADATA_PATH, type OwnAddresses } from '../../router/target.ts';
import type { SiteOptions } from './gateway-options.ts';
import { HostTable, readHostEntry } from './hosts.ts';

const SITE_NAME = /^[A-Za-z0-9][A-Za-z0-9._~-]*$/;

const UNNAMED_SITE = 'default';

/** As configured, the first host without asterisk and port, or `default`. @throws {ConfigurationError} */
export function toSiteName({ hosts = [], name = '' }: Pick<SiteOptions, 'hosts' | 'name'>): string {
  const [host] = hosts;
  const derived = name || (host ?? UNNAMED_SITE).toLowerCase().replace(/^\*\./, '').replace(/:\d+$/, '');
  if (SITE_NAME.test(derived)) return derived;
  throw new ConfigurationError(
    name === ''
      ? `sites: the site at the host "${hosts[0]}" needs a "name": its operations below /-/ are addressed by it`
      : `sites: the name "${name}" must be one path segment of letters, digits, ".", "_", "~" and "-"`,
  );
}

/** `/name`; empty for the site without a name and for a site by host. */
export function toMountPath({ hosts = [], name = '' }: Pick<SiteOptions, 'hosts' | 'name'>): string {
  return name === '' || hosts.length > 0 ? '' : `/${name}`;
}

export function toOwnAddresses({
  docs,
  mcp = false,
  openapi,
  passthrough = false,
}: Pick<SiteOptions, 'docs' | 'mcp' | 'openapi' | 'passthrough'>): OwnAddresses {
  const path = mcp === false ? null : mcp === true ? undefined : mcp.path;
  const { audience } = (typeof mcp === 'object' && mcp.oauth) || {};
  // Behind a proxy it has the path of the public URL too.
  const mcpMetadata = audience && METADATA_PATH + new URL(audience).pathname.replace(/\/$/, '');
  return createOwnAddresses(passthrough, { docs, openapi, mcp: path, mcpMetadata });
}

/** The site's own, or the gateway's at one of the site's hosts. `undefined` if requests name the host. */
export function toPublicUrl(
  { hosts = [], publicUrl }: Pick<SiteOptions, 'hosts' | 'publicUrl'>,
  gatewayUrl: string | undefined,
  setting = 'sites',
): string | undefined {
  if (publicUrl === undefined && (gatewayUrl === undefined || hosts.length === 0)) return gatewayUrl;
  const table = new HostTable<true>();
  for (const [at, host] of hosts.entries()) table.set(readHostEntry(host, `${setting}.hosts[${at}]`), true);
  const isHere = (url: string): boolean => table.find(new URL(url).host) === true;
  if (publicUrl === undefined) return gatewayUrl !== undefined && isHere(gatewayUrl) ? gatewayUrl : undefined;
  if (isHere(publicUrl)) return publicUrl;
  throw new ConfigurationError(
    `${setting}.publicUrl: "${new URL(publicUrl).host}" is none of the hosts of the site; add it to them`,
  );
}

/** Returns the path as browsers see it, below the public URL's, without trailing slash. */
export function toPublicPath(publicUrl: string | undefined, mountPath: string): string {
  const path = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
  return path + mountPath;
}
