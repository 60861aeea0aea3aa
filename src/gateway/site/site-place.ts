import type { IncomingRequestHead } from '../../base/http/exchange.ts';
import {
  type ClientIdentity,
  createBaseUrlLookup,
  type PublicAddress,
  RequestHeaders,
  type TrustedProxyCheck,
  toPublicAddress,
} from '../upstream/request-headers.ts';
import { HostTable } from './hosts.ts';
import type { MountedSiteSettings } from './settings.ts';

/** Where clients see a site: hosts, public URL and mount. */
export class SitePlace {
  readonly getBase: (client: ClientIdentity) => string;
  readonly address: PublicAddress | undefined;
  /** Hosts of a whole site that is told which host the client asked for. */
  readonly manyHosts: HostTable<true> | null;
  readonly #settings: Pick<MountedSiteSettings, 'mountPath' | 'publicUrl'>;
  readonly #trust: TrustedProxyCheck | null;

  constructor(settings: MountedSiteSettings, trust: TrustedProxyCheck | null) {
    const { mountPath, publicUrl } = settings;
    this.manyHosts = createManyHosts(settings);
    this.getBase = createBaseUrlLookup(publicUrl, mountPath, this.manyHosts !== null);
    this.address = publicUrl === undefined ? undefined : toPublicAddress(publicUrl);
    this.#settings = settings;
    this.#trust = trust;
  }

  readBaseUrl(head: IncomingRequestHead): string {
    const { client, refusal } = new RequestHeaders(head, this.#trust);
    const { mountPath, publicUrl } = this.#settings;
    const isNamed = refusal === null && (publicUrl !== undefined || client.host !== '');
    return isNamed ? this.getBase(client) : mountPath;
  }
}

/** Sites with several names redirect by the host. An `upstream.host` that is none of them replaces it. */
function createManyHosts({
  hosts,
  options: { passthrough, upstream },
}: MountedSiteSettings): SitePlace['manyHosts'] {
  if (passthrough !== true || !(hosts.length > 1 || hosts[0]?.startsWith('*.'))) return null;
  const table = new HostTable<true>();
  for (const host of hosts) table.set(host, true);
  const { host } = upstream ?? {};
  return host === undefined || table.find(host) || table.find(`www.${host}`) ? table : null;
}
