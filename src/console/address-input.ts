import type { IncomingRequestHead } from '../http/exchange.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import { isValidHostField } from '../upstream/forwarded.ts';
import type { ConsoleContext, ConsoleRequest } from './page.ts';

/** The `GET` request for an address that the operator has entered. */
export interface AddressedRequest {
  readonly head: IncomingRequestHead;
  /** Whether the address names a host of the gateway. */
  readonly hasHost: boolean;
  readonly site: MountedSite;
}

export interface AddressInput {
  readonly text: string;
  /** How the console is reached: the address of the gateway, unless the text names one. */
  readonly consoleAddress: ConsoleRequest['client'];
}

const MAX_LENGTH = 4_096;
/** Characters that no request target has. */
const NOT_IN_TARGETS = /[\u0000- "<>\\^`{|}\u007f-\u{10ffff}]/gu;

/**
 * Reads an address of the gateway, which may be a URL, a path at the gateway, or a URL, path or route at the site.
 *
 * @param ofPage the site of the page, where a path is looked up that no mount has
 * @returns a sentence if it is unusable
 */
export function readAddressInput(
  { consoleAddress, text: entered }: AddressInput,
  { findSite, publicPath, sites }: Pick<ConsoleContext, 'findSite' | 'publicPath' | 'sites'>,
  ofPage: MountedSite,
): AddressedRequest | string {
  const text = entered.trim();
  if (text.length > MAX_LENGTH) return `An address has ${MAX_LENGTH} characters at most.`;
  const [authority = '', scheme = consoleAddress.protocol, host = ''] =
    /^(https?):\/\/([^/?#]*)/i.exec(text) ?? [];
  // Browsers do not send them, and they would stand in the explanation.
  if (host.includes('@')) return 'Type the URL without user name and password.';
  if (authority !== '' && (host === '' || !isValidHostField(host))) return 'The URL names no valid host.';
  const rest = (text.slice(authority.length).split('#', 1)[0] ?? '').replace(
    NOT_IN_TARGETS,
    encodeURIComponent,
  );
  if (authority === '' && !rest.startsWith('/')) return 'Type a URL, or a path that begins with a slash.';
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  const isPublic = publicPath !== '' && (path === publicPath || path.startsWith(`${publicPath}/`));
  const atGateway = isPublic ? path.slice(publicPath.length) || '/' : path;
  // A path alone is one at the site of the page if that has hosts of its own.
  const isOfPage = host === '' && ofPage.hosts.length > 0;
  const mounted = isOfPage ? ofPage : findSite(atGateway, host);
  const isNamed = isPublic || (mounted !== undefined && mounted.mount !== '');
  const atSite = isNamed
    ? null
    : host === ''
      ? { site: ofPage, path }
      : findSiteOfUrl(sites, ofPage, host, path);
  const isAtSite = atSite !== null && (host !== '' || mounted === undefined);
  const target = isAtSite ? `${atSite.site.mountPath}${atSite.path}` : atGateway;
  const site = isAtSite ? atSite.site : mounted;
  if (target.startsWith('/-/') || (host === '' && atGateway.startsWith('/-/')))
    return 'The gateway itself serves this address.';
  if (site === undefined) return 'No site is mounted at this path.';
  const ownHost = site.hosts.find((each) => !each.startsWith('*.'));
  return {
    site,
    hasHost: host !== '' && !isAtSite,
    head: {
      method: 'GET',
      target,
      headers: ['host', host || (ownHost ?? consoleAddress.host)],
      peerAddress: '',
      protocol: scheme.toLowerCase() === 'https' ? 'https' : 'http',
      httpVersion: '1.1',
    },
  };
}

/** Finds the site that a URL is below, the site of the page first, and the path of the URL there. */
function findSiteOfUrl(
  sites: ConsoleContext['sites'],
  ofPage: MountedSite,
  host: string,
  path: string,
): { readonly site: MountedSite; readonly path: string } | null {
  for (const site of [ofPage, ...sites.values()]) {
    const url = new URL(site.url);
    const folder = url.pathname.replace(/\/+$/, '');
    if (url.host === host.toLowerCase() && `${path}/`.startsWith(`${folder}/`)) {
      return { site, path: path.slice(folder.length) || '/' };
    }
  }
  return null;
}
