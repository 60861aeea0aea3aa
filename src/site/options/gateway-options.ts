import type { CacheStore } from '../../cache/store.ts';
import type { AccessOptions, LimitOptions, NotifyOptions } from '../../config/option-types.ts';
import type { BodyMemoryOptions } from '../../exchange/request-body-validator.ts';
import type { Clock, Log, StateStore } from '../../ports.ts';
import type { TransportFactory } from '../../upstream/site-transports.ts';
import type { ServerSettings } from './server-settings.ts';
import type { SiteOptions } from './site-options.ts';

/** Settings, contents of the files that they name, and the environment. */
export interface GatewayOptions {
  /** Each name is unique; at most one site has neither a name nor hosts. */
  readonly sites: readonly SiteOptions[];
  /**
   * URL of the gateway for clients. Sites are told its host and protocol. @default taken from each request
   */
  readonly publicUrl?: string | undefined;
  /**
   * Hosts such as `example.com`, `*.example.com` or `example.com:8080`, beside those of `publicUrl` and of
   * sites. Requests for others get 421, except below `/-/`. @default all; none if each site has its own
   */
  readonly hosts?: readonly string[] | undefined;
  /**
   * IP addresses and networks of proxies whose `Forwarded` and `X-Forwarded-*` fields are trusted. @default
   * none
   */
  readonly trust?: readonly string[] | undefined;
  /** Rate limits of all sites together. @default none */
  readonly limits?: LimitOptions | undefined;
  /** Client networks that can send requests for the sites. Others get 403. @default all */
  readonly access?: AccessOptions | undefined;
  /** @default each gateway has its own */
  readonly sharedCounts?: SharedCounts | undefined;
  /** For discovery, and to tell others what is purged. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** @default connections of undici */
  readonly transport?: TransportFactory | undefined;
  /** @default 'off' */
  readonly cache?: 'off' | 'memory' | CacheStore | undefined;
  /** Systems that are told what is purged. @default none */
  readonly notify?: readonly NotifyOptions[] | undefined;
  /** Largest body that is stored, in bytes. @default 8 MiB */
  readonly maxEntryBytes?: number | undefined;
  readonly bodyMemory?: BodyMemoryOptions | undefined;
  /** Version of the program, which agents are told. @default 'unknown' */
  readonly version?: string | undefined;
  readonly server?: ServerSettings | undefined;
  /** Called at the end of the stop. */
  readonly onStopped?: (() => Promise<void>) | undefined;
  /** The gateway's own operations, below `/-/`. */
  readonly admin?: AdminOptions | undefined;
  /** @default the system's clock and timers */
  readonly clock?: Clock | undefined;
  /** Returns a number in [0, 1). @default Math.random */
  readonly random?: (() => number) | undefined;
  /** @default documents are lost when the process ends */
  readonly state?: StateStore | undefined;
  /** Log of discovery and validation. @default no logging */
  readonly log?: Log | undefined;
}

/** Access below `/-/`, except `/-/health` and `/-/ready`. */
export interface AdminOptions {
  /** @default every operation that needs it is refused */
  readonly token?: string | undefined;
  /** Whether they are served through `gateway.admin` only. @default false */
  readonly elsewhere?: boolean | undefined;
  /** From when on the state of a site is `failing` or `slow`. */
  readonly alerts?: AlertOptions | undefined;
  /** The last lines of the log, in JSON as pino writes it, for the timeline of the console. @default none */
  readonly listLogLines?: (() => readonly string[]) | undefined;
  /** Reads the configuration, for `POST /-/reload`. Never rejects. @default there is no such operation */
  readonly reload?: (() => Promise<ReloadResult>) | undefined;
}

export interface AlertOptions {
  /** Share of the responses of five minutes that are errors of the server, 0 to 1. @default 0.01 */
  readonly errors?: number | undefined;
  /** Milliseconds that one in twenty requests to the site takes at least. @default 5000 */
  readonly slow?: number | undefined;
}

export type ReloadResult = ReloadReport | { readonly problems: readonly string[] };

export interface ReloadReport {
  /**
   * Settings with another value: `admin.token`, `sites.blog.cache.rules`; `sites.blog` for a new or removed
   * site.
   */
  readonly changed: readonly string[];
  /** Settings with another value from the next start on. */
  readonly needsRestart: readonly string[];
}

export interface SharedCounts {
  /**
   * Adds to the count of a key, which ends after its window.
   * @param key without a credential in clear
   * @param window milliseconds, whole seconds
   * @returns the count of all processes, and the milliseconds until its window ends. Rejects while the counts
   * are unreachable
   */
  add(
    key: string,
    amount: number,
    window: number,
  ): Promise<{ readonly count: number; readonly remaining: number }>;
}
