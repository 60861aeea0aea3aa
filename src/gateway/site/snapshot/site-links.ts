import type { SiteAddress } from '../../../generator/discovery/site.ts';
import type { MountedSiteSettings } from '../mounted-site-settings.ts';
import { HostTable } from '../options/hosts.ts';

/**
 * Says which settings keep visitors at the gateway: WordPress writes `home` and `siteurl` into every link, form and script.
 * @param address that the site states for itself @returns `null` if the links lead to the gateway, or nobody knows
 */
export function describeForeignLinks(
  address: SiteAddress,
  { options, publicUrl, servedHosts, upstream }: MountedSiteSettings,
): string | null {
  const { passthrough = false, rewriteBodies = false } = options;
  if (!passthrough) return null;
  if (rewriteBodies) return describeRedirectLoop(address);
  const { aliases = [], base } = address;
  const served = new HostTable<true>();
  for (const host of servedHosts) served.set(host, true);
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  const isKnown = servedHosts.length > 0 || publicHost !== undefined;
  const declared = (aliases.length === 0 ? [base] : aliases).map((url) => new URL(url));
  const foreign = declared.find(({ host, origin }) =>
    // Links to the connected address lead past the gateway anyway.
    isKnown ? host !== publicHost && served.find(host) === undefined : origin === upstream.configuredOrigin,
  );
  if (foreign === undefined) return describeRedirectLoop(address);
  return (
    `the pages of the site link to ${foreign.origin}, so visitors leave the gateway, and the editor cannot save. ` +
    'Either set `WP_HOME` and `WP_SITEURL` of the site to the address of the gateway, ' +
    'and in the gateway `publicUrl` to the same address and `upstream.host` to its host, ' +
    'or set `rewriteBodies: true`, which replaces the address in pages.'
  );
}

export function describeDocumentAddress({ root }: SiteAddress, siteUrl: string): string | null {
  const { host, origin } = new URL(root);
  // With `upstream.host` the URL has the protocol of the connection and the host of the document.
  if (!URL.canParse(siteUrl) || new URL(siteUrl).host === host) return null;
  return (
    `the document belongs to ${origin}. Requests for its routes go there, with the credentials of clients, not to \`url\`. ` +
    'Set `url` to that address, or `upstream.host` to its host.'
  );
}

/** `redirect_canonical()` puts the port of `home` behind the request's host: both must be the same. */
function describeRedirectLoop({ aliases: [home] = [], base }: SiteAddress): string | null {
  if (home === undefined) return null;
  const [own, forwarded] = [new URL(home), new URL(base)];
  if (new URL(`${own.protocol}//${forwarded.host}`).port === own.port) return null;
  return (
    `the site calls itself ${own.host}, but gets requests for ${forwarded.host}. Because the ports differ, WordPress redirects each page to itself. ` +
    `Set \`upstream.host\` to ${own.host}, or \`WP_HOME\` and \`WP_SITEURL\` of the site to the address of the gateway and \`upstream.host\` to its host.`
  );
}
