import type { DiscoveryError } from '../../base/errors.ts';
import type { BasicCredentials } from '../../base/http/basic-credentials.ts';
import { createSiteLookup } from '../../base/http/private-address.ts';
import type {
  AdminConfig,
  AlertConfig,
  Config,
  McpOptions,
  SiteCacheOptions,
  SiteConfig,
  SiteLimitOptions,
  UpstreamConfig,
} from '../../base/option-types.ts';
import {
  type Clock,
  type Environment,
  type Log,
  type StateStore,
  silentLog,
  systemClock,
  withFields,
} from '../../base/ports.ts';
import { createRedactor, redactError, withoutCredentials } from '../../generator/discovery/address.ts';
import type { DiscoverOptions } from '../../generator/discovery/index.ts';
import type { CacheStore } from '../cache/store.ts';
import { createOwnAddresses, METADATA_PATH, type OwnAddresses } from '../router/target.ts';
import type { UpstreamTimeouts } from '../upstream/dispatch-transport.ts';
import { SiteTransports, type TransportFactory } from '../upstream/dispatch-transport.ts';
import type { ConcurrencyOptions } from '../upstream/site-concurrency.ts';
import {
  type AddedFields,
  createAddedFields,
  createServerLookup,
  createSiteFetch,
  createTransportFetch,
  type UpstreamServer,
  type UpstreamTls,
} from '../upstream/site-fetch.ts';
import { HostTable, toMountPath, toSiteName } from './hosts.ts';

type ReadSettings = Pick<
  Config,
  'host' | 'hosts' | 'notify' | 'port' | 'publicUrl' | 'shutdownDelay' | 'shutdownGrace' | 'trust'
>;

/** A parsed configuration, with what its files and URLs name opened, and the environment. */
export interface GatewayOptions extends InProgram<ReadSettings> {
  /** Each name is unique; at most one site has neither a name nor hosts. */
  readonly sites: readonly SiteOptions[];
  readonly cache?: 'off' | 'memory' | CacheStore | undefined;
  /** Milliseconds after `stop()` for which idle connections stay open. @default 0 */
  readonly idleGrace?: number | undefined;
  readonly admin?: AdminOptions | undefined;
  /** For discovery, and to tell others what is purged. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly transport?: TransportFactory | undefined;
  readonly onStopped?: (() => Promise<void>) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
  /** @default documents are lost when the process ends */
  readonly state?: StateStore | undefined;
  readonly log?: Log | undefined;
}

export interface AdminOptions extends InProgram<Omit<AdminConfig, 'alerts'>> {
  readonly alerts?: InProgram<AlertConfig> | undefined;
  /** The log's last lines, in JSON as pino writes it, for the console's timeline. @default none */
  readonly listLogLines?: (() => readonly string[]) | undefined;
  /** Reads the configuration, for `POST /-/reload`. Never rejects. @default there is no such operation */
  readonly reload?: (() => Promise<ReloadResult>) | undefined;
}

export type ReloadResult = ReloadReport | { readonly problems: readonly string[] };

export interface ReloadReport {
  /** Settings with another value: `admin.token`, `sites.blog.cache.rules`; `sites.blog` if it is new. */
  readonly changed: readonly string[];
  readonly needsRestart: readonly string[];
  /** Why new and changed sites cannot be served yet. */
  readonly unread: readonly string[];
}

type InProgram<Settings> = { readonly [Name in keyof Settings]?: Settings[Name] | undefined };

/** Settings that programs state in another form, e.g. the content of a file instead of its path. */
interface ConvertedSettings {
  /** Any URL of the site; with `discovery: 'off'` the URL of the origin. */
  readonly url: string;
  readonly discover?: Omit<DiscoverOptions, 'fetch'> | undefined;
  /** OpenAPI document as `toOpenApi` creates it, in place of reading the site. @default it is discovered */
  readonly document?: unknown;
  /** OpenAPI Overlay, applied to the document of each discovery, not to `document`. @default none */
  readonly overlay?: unknown;
  readonly timeouts?: UpstreamTimeouts | undefined;
  readonly concurrency?: ConcurrencyOptions | undefined;
  readonly upstream?: UpstreamOptions | undefined;
  /** Without discovery, the response's fields decide. @default those of {@link SiteCacheOptions} */
  readonly cache?: 'off' | SiteCacheOptions | undefined;
}

type ReadElsewhere = keyof ConvertedSettings | 'auth' | 'exclude' | 'include' | 'timeout';

export interface SiteOptions extends ConvertedSettings, InProgram<Omit<SiteConfig, ReadElsewhere>> {}

interface UpstreamOptions
  extends UpstreamTls,
    InProgram<Omit<UpstreamConfig, 'auth' | 'ca' | 'insecure' | 'serverName'>> {
  /** Credentials of a server in front of the site, which all clients share. @default none */
  readonly auth?: BasicCredentials | undefined;
}

export interface MountedSiteSettings extends Environment {
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
  readonly source: DocumentSource;
  /** What a snapshot is made of besides a document. */
  readonly snapshot: SnapshotSettings;
  readonly inputs: PartInputs;
}

interface DocumentSource
  extends Pick<SiteOptions, 'discover' | 'discovery' | 'document' | 'extend' | 'overlay' | 'upstream'> {
  readonly siteUrl: string;
}

export interface SnapshotSettings {
  readonly addresses: OwnAddresses;
  readonly mountPath: string;
  readonly publicPath: string;
  readonly passthrough: boolean;
  readonly siteUrl: string;
  readonly connectUrl: string | undefined;
}

/** What parts of a site read of several settings. A part without a value is off. */
interface PartInputs {
  readonly agents: McpOptions | null;
  readonly caching: SiteCachingInput | null;
  readonly limits: SiteLimitsInput | null;
  /** The server that is asked. */
  readonly server: object;
  /** What the responses of the site depend on: stored ones are purged if it changes. */
  readonly responses: object;
}

export interface SiteCachingInput extends SiteCacheOptions {
  /** Whether another cache is purged by the tags of responses. */
  readonly hasCacheInFront: boolean;
  /** A site at another server has other users and other responses. */
  readonly server: object;
}

export interface SiteLimitsInput extends SiteLimitOptions {
  /** Address of the tools for agents, which rules can name; `null` without them. */
  readonly agentPath: string | null;
}

export function readMountedSiteSettings(options: SiteOptions, gateway: GatewayOptions): MountedSiteSettings {
  const { clock = systemClock, log = silentLog, random = Math.random } = gateway;
  const setting = `sites[${gateway.sites.indexOf(options)}]`;
  const name = toSiteName(options);
  const siteLog = withFields(log, { site: name });
  const { hosts = [] } = options;
  const publicUrl = toPublicUrl(options, gateway.publicUrl);
  const mountPath = toMountPath(options);
  const publicPath = toPublicPath(publicUrl, mountPath);
  const addresses = toOwnAddresses(options);
  const upstream = createSiteUpstream(options, { ...gateway, publicUrl });
  const { connectUrl, siteUrl } = upstream;
  const { discover, discovery, document, extend, overlay, passthrough = false } = options;
  return {
    ...{ clock, log: siteLog, random, options, setting, name, hosts, mountPath, publicUrl },
    url: withoutCredentials(options.url),
    servedHosts: hosts.length > 0 ? hosts : (gateway.hosts ?? []),
    ...{ publicPath, addresses, upstream },
    source: { discover, discovery, document, extend, overlay, upstream: options.upstream, siteUrl },
    snapshot: { addresses, mountPath, publicPath, passthrough, siteUrl, connectUrl },
    inputs: collectInputs(options, gateway, addresses, publicUrl),
  };
}

function collectInputs(
  { cache = {}, limits = {}, mcp = false, upstream = {}, url }: SiteOptions,
  { notify = [] }: GatewayOptions,
  addresses: OwnAddresses,
  publicUrl: string | undefined,
): PartInputs {
  const { auth, headers, host } = upstream;
  const server = { upstream, url };
  const hasCacheInFront = notify.some(({ to }) => to !== 'revalidate');
  const isLimited = limits.client !== undefined || (limits.rules ?? []).length > 0;
  return {
    agents: mcp === true ? {} : mcp || null,
    caching: cache === 'off' ? null : { ...cache, hasCacheInFront, server },
    limits: isLimited ? { ...limits, agentPath: addresses.mcp } : null,
    server,
    responses: { auth, headers, host, publicUrl, url },
  };
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
function toPublicUrl(
  { hosts = [], publicUrl }: Pick<SiteOptions, 'hosts' | 'publicUrl'>,
  gatewayUrl: string | undefined,
): string | undefined {
  if (publicUrl !== undefined || gatewayUrl === undefined || hosts.length === 0)
    return publicUrl ?? gatewayUrl;
  const table = new HostTable<true>();
  for (const host of hosts) table.set(host, true);
  return table.find(new URL(gatewayUrl).host) === true ? gatewayUrl : undefined;
}

/** Returns the path as browsers see it, below the public URL's, without trailing slash. */
export function toPublicPath(publicUrl: string | undefined, mountPath: string): string {
  const path = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
  return path + mountPath;
}

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

function createSiteUpstream(
  options: SiteOptions,
  gateway: Pick<GatewayOptions, 'fetch' | 'publicUrl' | 'transport'>,
): SiteUpstream {
  const { auth, ca, headers = {}, host, insecure = false, serverName } = options.upstream ?? {};
  const { fetch = globalThis.fetch } = gateway;
  const tls: UpstreamTls | undefined =
    [ca, serverName].every((value) => value === undefined) && !insecure
      ? undefined
      : { ca, insecure, serverName };
  const addedFields = createAddedFields(headers, auth);
  const configuredOrigin = new URL(options.url).origin;
  const secretHeaders = Object.entries(headers);
  if (addedFields?.authorization !== undefined) {
    secretHeaders.push(['authorization', addedFields.authorization]);
  }
  const redactSecrets = createRedactor(auth, secretHeaders);
  const siteUrl = toSiteUrl(options.url, host, gateway.publicUrl);
  const siteOrigin = `${new URL(siteUrl).origin}/`;
  /** With `upstream.host`, an error names the origin that the connection was made to. */
  const redact = (text: string): string => {
    const redacted = redactSecrets(text);
    return host !== undefined && redacted.startsWith(siteOrigin)
      ? `${configuredOrigin}/${redacted.slice(siteOrigin.length)}`
      : redacted;
  };
  const isDirect = host !== undefined || tls !== undefined;
  const findServer = createServerLookup(configuredOrigin, host);
  const lookup = createSiteLookup(new URL(options.url));
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
  if (host === undefined) return url;
  const siteUrl = new URL(url);
  const gatewayUrl = new URL(publicUrl ?? url);
  if (gatewayUrl.host === new URL(`${gatewayUrl.protocol}//${host}`).host) {
    siteUrl.protocol = gatewayUrl.protocol;
  }
  siteUrl.port = '';
  siteUrl.host = host;
  return siteUrl.href;
}
