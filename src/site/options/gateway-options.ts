import type { Hono } from 'hono';
import type { GetConnInfo } from 'hono/conninfo';
import type { ContentEncoder } from '../../cache/compressor.ts';
import type { CacheStore } from '../../cache/store.ts';
import type { AccessOptions, LimitOptions, NotifyOptions } from '../../config/option-types.ts';
import type { BodyMemoryOptions } from '../../exchange/request-body-validator.ts';
import type { ContentDecoder } from '../../http/content-decoding.ts';
import type { Dispatch, UpstreamTimeouts } from '../../http/exchange.ts';
import type { Clock, Log, StateStore } from '../../ports.ts';
import type { DocsAssets } from '../../ui/assets.ts';
import type { UpstreamTls } from '../../upstream/site-fetch.ts';
import type { SiteOptions } from './site-options.ts';

/** Options of `createGateway`. */
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
  /** Hashes a credential for the limits by credential, such as `nodeHash` of `waygate/node`. @default there are no such limits */
  readonly hashCredential?: ((credential: string) => string) | undefined;
  /** Counts that several gateways share, such as `connectRedisCounts` of `waygate/node`. @default each gateway counts alone */
  readonly sharedCounts?: SharedCounts | undefined;
  /** Version of the program, which agents are told. @default 'unknown' */
  readonly version?: string | undefined;
  /** Used for discovery, and for forwarded requests unless `transport` is given. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * Creates the transport that the Hono app forwards requests with. On Node use `nodeTransport` of `waygate/node`:
   * Node's `fetch` buffers a streamed upload in memory. `serve` of `waygate/node` forwards with undici's `dispatch` always.
   * Sites with `upstream.host`, `upstream.ca` or `upstream.insecure` need this option, also for their discovery: `fetch`
   * has no such settings.
   * @default a transport over `fetch`
   */
  readonly transport?: TransportFactory | undefined;
  /**
   * Reads the client's IP address, such as `getConnInfo` of `@hono/node-server/conninfo`. `waygate/node` does not need it.
   * @default the address is unknown, and no proxy is trusted
   */
  readonly connInfo?: GetConnInfo | undefined;
  /** Stores responses of the sites. `memory` creates a store within the process. @default 'off' */
  readonly cache?: 'off' | 'memory' | CacheStore | undefined;
  /** Systems that are told what is purged, with `fetch`. @default none */
  readonly notify?: readonly NotifyOptions[] | undefined;
  /** Largest body that is stored, in bytes; larger bodies are only forwarded. @default 8 MiB */
  readonly maxEntryBytes?: number | undefined;
  /** Memory for the request bodies that are validated. */
  readonly bodyMemory?: BodyMemoryOptions | undefined;
  /** Encoders that compress stored bodies, such as `nodeEncoders()` of `waygate/node`. @default none */
  readonly encoders?: readonly ContentEncoder[] | undefined;
  /** Decodes response bodies that are stored, such as `nodeDecode` of `waygate/node`. @default decodes gzip and deflate */
  readonly decode?: ContentDecoder | undefined;
  /**
   * Adds middleware and routes to the app of the gateway, before those of the gateway: `(app) => { app.use(timing()); }`.
   * @default none
   */
  readonly app?: ((app: Hono) => void) | undefined;
  /** The gateway's own operations, below `/-/`. */
  readonly admin?: AdminOptions | undefined;
  /** Loads the files of the documentation page. @default reads those of the package with `node:fs` */
  readonly docs?: DocsAssetsLoader | undefined;
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

/**
 * Creates the transport to one origin. The gateway calls it once for each origin and TLS settings; `tls` is `undefined`
 * for the platform's settings.
 */
export type TransportFactory = (
  origin: string,
  timeouts: UpstreamTimeouts,
  tls: UpstreamTls | undefined,
) => Dispatch<ReadableStream<Uint8Array>>;

/** Loads the files of the documentation page. */
export type DocsAssetsLoader = () => DocsAssets | Promise<DocsAssets>;

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
