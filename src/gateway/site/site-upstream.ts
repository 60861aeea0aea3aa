import { ConfigurationError, type DiscoveryError } from '../../base/errors.ts';
import { createSiteLookup } from '../../base/http/private-address.ts';
import { createRedactor, redactError } from '../../generator/discovery/redact.ts';
import { SiteTransports } from '../upstream/dispatch-transport.ts';
import { isValidHostField } from '../upstream/forwarded.ts';
import {
  type AddedFields,
  createAddedFields,
  createServerLookup,
  createSiteFetch,
  createTransportFetch,
  type UpstreamServer,
  type UpstreamTls,
} from '../upstream/site-fetch.ts';
import type { GatewayOptions, SiteOptions } from './options/gateway-options.ts';

export interface SiteUpstream {
  /** URL with the host and scheme that the site sees. Discovery begins there. */
  readonly siteUrl: string;
  /** The only origin with credentials and TLS settings. */
  readonly configuredOrigin: string;
  /** URL that connections are made to, if it is not the site's own; replaced in responses too. */
  readonly connectUrl: string | undefined;
  /** Pages and routes can have different servers. */
  readonly findServer: (origin: string) => UpstreamServer;
  readonly addedFields: AddedFields | null;
  isBehindCloudflare: boolean;
  readonly transports: SiteTransports;
  readonly tls: UpstreamTls | undefined;
  readonly fetch: typeof globalThis.fetch;
  /** Sites repeat header fields in their messages. */
  readonly redact: (error: DiscoveryError) => DiscoveryError;
}

export function createSiteUpstream(
  options: SiteOptions,
  gateway: Pick<GatewayOptions, 'fetch' | 'publicUrl' | 'transport'>,
  setting: string,
): SiteUpstream {
  const { auth, ca, headers = {}, host, insecure = false, serverName } = options.upstream ?? {};
  if (host !== undefined && !isValidHostField(host)) {
    throw new ConfigurationError(`${setting}.host: ${JSON.stringify(host.slice(0, 100))} is not a host name`);
  }
  const { fetch = globalThis.fetch } = gateway;
  const tls: UpstreamTls | undefined =
    [ca, serverName].every((value) => value === undefined) && !insecure
      ? undefined
      : { ca, insecure, serverName };
  const addedFields = createAddedFields(headers, auth, setting);
  const configuredOrigin = URL.canParse(options.url) ? new URL(options.url).origin : '';
  const secretHeaders = Object.entries(headers);
  if (addedFields?.authorization !== undefined) {
    secretHeaders.push(['authorization', addedFields.authorization]);
  }
  const redactSecrets = createRedactor(auth, secretHeaders);
  const siteUrl = toSiteUrl(options.url, host, gateway.publicUrl);
  const siteOrigin = URL.canParse(siteUrl) ? `${new URL(siteUrl).origin}/` : '';
  /** With `upstream.host`, an error names the origin that the connection was made to. */
  const redact = (text: string): string => {
    const redacted = redactSecrets(text);
    return host !== undefined && redacted.startsWith(siteOrigin)
      ? `${configuredOrigin}/${redacted.slice(siteOrigin.length)}`
      : redacted;
  };
  const isDirect = host !== undefined || tls !== undefined;
  const findServer = createServerLookup(configuredOrigin, host);
  const lookup = URL.canParse(options.url) ? createSiteLookup(new URL(options.url)) : undefined;
  const transports = new SiteTransports({ timeouts: options.timeouts, tls, lookup }, gateway.transport);
  const configured: UpstreamServer = { origin: configuredOrigin, host: '', isConfigured: true };
  const transportFetch = isDirect
    ? createTransportFetch((...sent) => transports.get(configured)(...sent))
    : undefined;
  const siteFetch = createSiteFetch({ fetch, transportFetch, findServer, host, addedFields });
  const upstream: SiteUpstream = {
    siteUrl,
    configuredOrigin,
    connectUrl: host === undefined ? undefined : configuredOrigin,
    findServer,
    addedFields,
    isBehindCloudflare: false,
    transports,
    tls,
    async fetch(...args) {
      const response = await siteFetch(...args);
      if (response.headers.has('cf-ray')) upstream.isBehindCloudflare = true;
      return response;
    },
    redact: (error) => redactError(error, redact),
  };
  return upstream;
}

function toSiteUrl(url: string, host: string | undefined, publicUrl: string | undefined): string {
  if (host === undefined || !URL.canParse(url)) return url;
  const siteUrl = new URL(url);
  const gatewayUrl = new URL(publicUrl ?? url);
  if (gatewayUrl.host === new URL(`${gatewayUrl.protocol}//${host}`).host) {
    siteUrl.protocol = gatewayUrl.protocol;
  }
  siteUrl.port = '';
  siteUrl.host = host;
  return siteUrl.href;
}
