import { createRedactor, redactError, withoutCredentials } from '../../discovery/redact.ts';
import { ConfigurationError, type DiscoveryError } from '../../errors.ts';
import { DEFAULT_UPSTREAM_TIMEOUTS, type Dispatch } from '../../http/exchange.ts';
import { memoizeByString } from '../../memoize.ts';
import { type Clock, silentLog, systemClock, withFields } from '../../ports.ts';
import { collectFetchOutcome } from '../../upstream/fetch-outcome-sink.ts';
import { isValidHostField } from '../../upstream/forwarded.ts';
import { SiteAddresses } from '../../upstream/site-addresses.ts';
import {
  type AddedFields,
  addFields,
  createAddedFields,
  createServerLookup,
  createSiteFetch,
  createTransportFetch,
  type UpstreamServer,
  type UpstreamTls,
} from '../../upstream/site-fetch.ts';
import type { GatewayOptions } from '../options/gateway-options.ts';
import { toPublicUrl } from '../options/mount-path.ts';
import type { SiteOptions } from '../options/site-options.ts';

/** How the gateway connects to one site, and what it adds to each request. */
export interface SiteUpstream {
  /** The URL of the site as the site knows it: with the host and scheme that it sees. Discovery begins there. */
  readonly siteUrl: string;
  /** Scheme, host and port of the configured URL. Credentials and TLS settings are used for this origin only. */
  readonly configuredOrigin: string;
  /** Configured `Host` of requests to the site; `undefined` for that of its URL. */
  readonly host: string | undefined;
  /** Finds the server for an origin of the site: pages and routes may have different ones. */
  readonly findServer: (origin: string) => UpstreamServer;
  /** `null` if no field is added. */
  readonly addedFields: AddedFields | null;
  /** `undefined` for the platform's settings. */
  readonly tls: UpstreamTls | undefined;
  /** The addresses that connections are made to; `null` if they are made to the origin. */
  readonly addresses: SiteAddresses | null;
  /** Begins to check the addresses, until they are stopped. Idempotent. */
  readonly startChecks: () => void;
  /** The `fetch` of discovery. */
  readonly fetch: typeof globalThis.fetch;
  /** Removes the added values from the message of an error: sites repeat header fields in their messages. */
  readonly redact: (error: DiscoveryError) => DiscoveryError;
}

/** @throws {ConfigurationError} when a setting is invalid, or needs an option that the gateway does not have */
export function createSiteUpstream(options: SiteOptions, gateway: GatewayOptions): SiteUpstream {
  const { auth, ca, headers = {}, host, insecure = false } = options.upstream ?? {};
  if (host !== undefined && !isValidHostField(host)) {
    throw new ConfigurationError(
      `${nameSetting(options, gateway)}.host: ${JSON.stringify(host.slice(0, 100))} is not a host name`,
    );
  }
  const { fetch = globalThis.fetch } = gateway;
  const tls: UpstreamTls | undefined = ca === undefined && !insecure ? undefined : { ca, insecure };
  if (insecure) {
    gateway.log?.warn(
      { site: withoutCredentials(options.url) },
      'upstream.insecure: any certificate of the site is accepted, so another server could act as the site',
    );
  }
  const addedFields = createAddedFields(headers, auth, nameSetting(options, gateway));
  const configuredOrigin = URL.canParse(options.url) ? new URL(options.url).origin : '';
  const secretHeaders = Object.entries(headers);
  if (addedFields?.authorization !== undefined) {
    secretHeaders.push(['authorization', addedFields.authorization]);
  }
  const redactSecrets = createRedactor(auth, secretHeaders);
  const siteUrl = toSiteUrl(options.url, host, toPublicUrl(options, gateway.publicUrl));
  const siteOrigin = URL.canParse(siteUrl) ? `${new URL(siteUrl).origin}/` : '';
  /** With `upstream.host`, an error names the origin that the connection was made to. */
  const redact = (text: string): string => {
    const redacted = redactSecrets(text);
    return host !== undefined && redacted.startsWith(siteOrigin)
      ? `${configuredOrigin}/${redacted.slice(siteOrigin.length)}`
      : redacted;
  };
  const isDirect = host !== undefined || tls !== undefined || options.upstream?.addresses !== undefined;
  const getTransport = isDirect ? createTransports(options, gateway, tls) : undefined;
  const addresses = getTransport === undefined ? null : createAddresses(options, gateway);
  const transport: Transport | undefined = addresses
    ? getTransport && ((request, sink) => addresses.send(getTransport, request, sink))
    : getTransport?.(configuredOrigin);
  const transportFetch = transport && createTransportFetch(transport);
  // All addresses are of one host, whatever the scheme of a link to it.
  const ownHost = host ?? (addresses === null ? undefined : new URL(options.url).host);
  const findServer = createServerLookup(configuredOrigin, ownHost);
  return {
    siteUrl,
    configuredOrigin,
    host,
    findServer,
    addedFields,
    tls,
    addresses,
    startChecks() {
      if (addresses === null || getTransport === undefined) return;
      const { check } = options.upstream ?? {};
      const { clock = systemClock } = gateway;
      const fields = ['Host', host ?? new URL(options.url).host, 'User-Agent', 'waygate health check'];
      if (addedFields !== null) addFields(fields, addedFields);
      const interval = check?.interval ?? DEFAULT_CHECK_INTERVAL;
      addresses.startChecks(interval, (origin) =>
        checkAddress(getTransport(origin), check?.path ?? '/', fields, clock),
      );
    },
    fetch: createSiteFetch({ fetch, transportFetch, findServer, host, addedFields }),
    redact: (error) => redactError(error, redact),
  };
}

function nameSetting(options: SiteOptions, { sites }: GatewayOptions): string {
  return `sites[${sites.indexOf(options)}].upstream`;
}

const DEFAULT_CHECK_INTERVAL = 10_000;
/** Milliseconds that a check may take. */
const CHECK_TIMEOUT = 5_000;

type Transport = Dispatch<ReadableStream<Uint8Array>>;

/** Creates the transports of discovery and checks, one for each origin. */
function createTransports(
  { timeouts = DEFAULT_UPSTREAM_TIMEOUTS }: SiteOptions,
  { transport }: GatewayOptions,
  tls: UpstreamTls | undefined,
): (origin: string) => Transport {
  if (transport === undefined) {
    throw new ConfigurationError(
      'upstream.host, upstream.addresses, upstream.ca and upstream.insecure need the option `transport` of createGateway, such as nodeTransport of waygate/node: fetch has no such settings.',
    );
  }
  return memoizeByString((origin) => transport(origin, timeouts, tls));
}

/** @returns `null` if the site has one address */
function createAddresses(options: SiteOptions, gateway: GatewayOptions): SiteAddresses | null {
  const { upstream, url } = options;
  const { clock = systemClock, log = silentLog } = gateway;
  const setting = `${nameSetting(options, gateway)}.addresses`;
  if (upstream?.addresses === undefined) return null;
  const origins = upstream.addresses.map((address, at) => {
    const parsed = URL.canParse(address) ? new URL(address) : null;
    const isOrigin =
      parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.href === `${parsed.origin}/`;
    if (isOrigin) return parsed.origin;
    // The text may have a password.
    throw new ConfigurationError(
      `${setting}[${at}]: must be scheme, host and port, such as http://127.0.0.1:8081`,
    );
  });
  if (new Set(origins).size !== origins.length || origins.length === 0) {
    throw new ConfigurationError(`${setting}: must be a list of different addresses`);
  }
  return new SiteAddresses(origins, clock, withFields(log, { site: withoutCredentials(url) }));
}

/** Whether an address responds in time, with a status below 500. */
async function checkAddress(
  transport: Transport,
  path: string,
  headers: readonly string[],
  clock: Clock,
): Promise<boolean> {
  const control = new AbortController();
  const cancel = clock.after(CHECK_TIMEOUT, () => control.abort());
  const request = { method: 'HEAD', target: path, headers: [...headers], body: null, retryable: true };
  const outcome = await collectFetchOutcome((sink) => transport(request, sink), true, control.signal);
  cancel();
  return outcome.kind === 'response' && outcome.head.status < 500;
}

/** Replaces the host of the configured URL by the one that the site sees, with the scheme of the gateway's public URL. */
function toSiteUrl(url: string, host: string | undefined, publicUrl: string | undefined): string {
  if (host === undefined || !URL.canParse(url)) return url;
  const siteUrl = new URL(url);
  const gatewayUrl = new URL(publicUrl ?? url);
  if (gatewayUrl.host === new URL(`${gatewayUrl.protocol}//${host}`).host) {
    siteUrl.protocol = gatewayUrl.protocol;
  }
  // A host without port would keep the old port.
  siteUrl.port = '';
  siteUrl.host = host;
  return siteUrl.href;
}
