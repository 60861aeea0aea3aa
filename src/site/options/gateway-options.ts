import type { CacheStore } from '../../cache/store.ts';
import type { AccessOptions, LimitOptions, NotifyOptions } from '../../config/option-types.ts';
import type { BodyMemoryOptions } from '../../exchange/request-body-validator.ts';
import type { Clock, Log, StateStore } from '../../ports.ts';
import type { TransportFactory } from '../../upstream/site-transports.ts';
import type { ServerSettings } from './server-settings.ts';
import type { SiteOptions } from './site-options.ts';

/** Options of a gateway: the settings of a configuration, with what its files contain, and the environment. */
export interface GatewayOptions {
  /** The sites behind the gateway. Each name is unique; at most one site has neither a name nor hosts. */
  readonly sites: readonly SiteOptions[];
  /**
   * URL under which clients reach the gateway. Sites are told its host and protocol, whatever a request names.
   * @default taken from each request
   */
  readonly publicUrl?: string | undefined;
  /**
   * Hosts that the gateway serves, such as `example.com`, `*.example.com` or `example.com:8080`, beside that of `publicUrl` and
   * those of single sites. Requests for others get 421, except those for the operations below `/-/`.
   * @default all; none if each site has hosts of its own
   */
  readonly hosts?: readonly string[] | undefined;
  /**
   * IP addresses and networks (`10.0.0.0/8`) of proxies whose `Forwarded` and `X-Forwarded-*` fields are trusted.
   * @default none
   */
  readonly trust?: readonly string[] | undefined;
  /** Rate limits of all sites together. A request past one of its limits gets 429. @default none */
  readonly limits?: LimitOptions | undefined;
  /** Client networks that can send requests for the sites. Others get 403. @default all */
  readonly access?: AccessOptions | undefined;
  /** Counts that several gateways share. @default each gateway has its own */
  readonly sharedCounts?: SharedCounts | undefined;
  /** Used for discovery, and to tell others what is purged. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Creates the connections to sites. @default those of undici */
  readonly transport?: TransportFactory | undefined;
  /** Stores responses of the sites. @default 'off' */
  readonly cache?: 'off' | 'memory' | CacheStore | undefined;
  /** Systems that are told what is purged, with `fetch`. @default none */
  readonly notify?: readonly NotifyOptions[] | undefined;
  /** Largest body that is stored, in bytes; larger bodies are only forwarded. @default 8 MiB */
  readonly maxEntryBytes?: number | undefined;
  /** Memory for the request bodies that are validated. */
  readonly bodyMemory?: BodyMemoryOptions | undefined;
  /** Version of the program, which agents are told. @default 'unknown' */
  readonly version?: string | undefined;
  /** Settings of a server that serves the gateway. */
  readonly server?: ServerSettings | undefined;
  /** Called at the end of the stop. */
  readonly onStopped?: (() => Promise<void>) | undefined;
  /** The gateway's own operations, below `/-/`. */
  readonly admin?: AdminOptions | undefined;
  /** @default the system's clock and timers */
  readonly clock?: Clock | undefined;
  /** Returns a number in [0, 1), for request ids and the jitter of retries. @default Math.random */
  readonly random?: (() => number) | undefined;
  /** Stores documents across restarts. @default they are lost when the process ends */
  readonly state?: StateStore | undefined;
  /** Receives log lines about discovery and validation. @default no logging */
  readonly log?: Log | undefined;
}

/** Access to the operations below `/-/`. `/-/health` and `/-/ready` need no token. */
export interface AdminOptions {
  /** Token that clients send as `Authorization: Bearer <token>`. @default every operation that needs it is refused */
  readonly token?: string | undefined;
  /** Serves them through `gateway.admin` only, and not at the public address. @default false */
  readonly elsewhere?: boolean | undefined;
  /** From when on the state of a site is `failing` or `slow`. */
  readonly alerts?: AlertOptions | undefined;
  /** The last lines of the log, in JSON as pino writes it, for the timeline of the console. @default none */
  readonly listLogLines?: (() => readonly string[]) | undefined;
  /** Reads the configuration again, for `POST /-/reload`. Never rejects. @default there is no such operation */
  readonly reload?: (() => Promise<ReloadResult>) | undefined;
}

export interface AlertOptions {
  /** Share of the responses of five minutes that are errors of the server, 0 to 1. @default 0.01 */
  readonly errors?: number | undefined;
  /** Milliseconds that one in twenty requests to the site takes at least. @default 5000 */
  readonly slow?: number | undefined;
}

/** The result of a reload: what has changed, or why the configuration is refused and nothing has. */
export type ReloadResult = ReloadReport | { readonly problems: readonly string[] };

/** Changes of a reload. */
export interface ReloadReport {
  /** Settings that have another value from now on: `admin.token`, `sites.blog.cache.rules`; `sites.blog` for a new or removed site. */
  readonly changed: readonly string[];
  /** Settings that have another value from the next start on. */
  readonly needsRestart: readonly string[];
}

/** Counts that several gateways share, in Redis. */
export interface SharedCounts {
  /**
   * Adds to the count of a key. A count begins with its first addition and ends after its window.
   *
   * @param key contains no credential in clear
   * @param window milliseconds, whole seconds
   * @returns the count of all processes, and the milliseconds until its window ends. Rejects while the counts are unreachable
   */
  add(
    key: string,
    amount: number,
    window: number,
  ): Promise<{ readonly count: number; readonly remaining: number }>;
}
