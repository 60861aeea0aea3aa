import type { SiteCacheOptions, SiteConfig, UpstreamConfig } from '../../config/option-types.ts';
import type { DiscoverOptions } from '../../discovery/index.ts';
import type { BasicCredentials } from '../../http/basic-credentials.ts';
import type { UpstreamTimeouts } from '../../http/exchange.ts';
import type { UpstreamTls } from '../../upstream/site-fetch.ts';

/** Settings in a program, where those with a default can be left out too. */
export type InProgram<Settings> = { readonly [Name in keyof Settings]?: Settings[Name] | undefined };

/** The settings of a site that a program states in the form that a file has. */
export type SharedSiteSettings = Omit<
  SiteConfig,
  | 'auth'
  | 'breaker'
  | 'cache'
  | 'document'
  | 'errorPages'
  | 'exclude'
  | 'headers'
  | 'include'
  | 'overlay'
  | 'schemas'
  | 'timeouts'
  | 'upstream'
  | 'url'
>;

/** One site and how it is mounted. */
export interface SiteOptions extends InProgram<SharedSiteSettings> {
  /** Any URL of the site; with `discovery: 'off'` the URL of the origin. */
  readonly url: string;
  /** How the root index is read. */
  readonly discover?: Omit<DiscoverOptions, 'fetch'> | undefined;
  /**
   * An OpenAPI document as `toOpenApi` creates it. The gateway serves it as it is, and does not read the site. It can come from a file: it
   * is validated.
   * @default the site is discovered
   */
  readonly document?: unknown;
  /**
   * An OpenAPI Overlay, such as `waygate reconcile` writes, applied to the document of each discovery. It is not applied to
   * `document`, which contains it if it was generated with it. It can come from a file: it is validated.
   * @default none
   */
  readonly overlay?: unknown;
  /** HTML that browsers get in place of the gateway's error pages, by status or error code. @default none */
  readonly errorPages?: Readonly<Record<string, string>> | undefined;
  readonly timeouts?: UpstreamTimeouts | undefined;
  /** How the gateway connects to the site. @default to the host of `url`, with nothing added */
  readonly upstream?: UpstreamOptions | undefined;
  /**
   * Caching of this site's responses, if the gateway has a store. Without discovery, the response's own
   * fields decide (RFC 9111).
   * @default the conservative defaults of {@link SiteCacheOptions}
   */
  readonly cache?: 'off' | Omit<SiteCacheOptions, 'enabled'> | undefined;
  /**
   * Whether a circuit breaker stops reads while all requests fail, and writes too while no connection to the site can be opened. They
   * get a stored response or, within a second, a 503.
   * @default true if the site is cached
   */
  readonly breaker?: boolean | undefined;
}

/** Connections of the gateway to one site. */
export interface UpstreamOptions
  extends UpstreamTls,
    InProgram<Omit<UpstreamConfig, 'auth' | 'ca' | 'insecure'>> {
  /**
   * Credentials of a web server in front of the site, such as a staging site behind HTTP Basic. Sent with requests that
   * have no `Authorization`. All clients share them, so responses are cached as without them.
   * @default none
   */
  readonly auth?: BasicCredentials | undefined;
}
