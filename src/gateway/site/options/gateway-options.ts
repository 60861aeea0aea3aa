import type { BasicCredentials } from '../../../base/http/basic-credentials.ts';
import type { UpstreamTimeouts } from '../../../base/http/message.ts';
import type {
  AdminConfig,
  AlertConfig,
  Config,
  SiteCacheOptions,
  SiteConfig,
  UpstreamConfig,
} from '../../../base/option-types.ts';
import type { Clock, Log, StateStore } from '../../../base/ports.ts';
import type { DiscoverOptions } from '../../../generator/discovery/index.ts';
import type { CacheStore } from '../../cache/store.ts';
import type { TransportFactory } from '../../upstream/dispatch-transport.ts';
import type { ConcurrencyOptions } from '../../upstream/site-connections.ts';
import type { UpstreamTls } from '../../upstream/site-fetch.ts';

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
  /** Settings that change from the next start on. */
  readonly needsRestart: readonly string[];
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
