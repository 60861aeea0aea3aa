import type {
  AccessOptions,
  ConcurrencyOptions,
  CorsOptions,
  ExtendedOperation,
  SiteCacheOptions,
  SiteLimitOptions,
  ValidationOptions,
  WebSocketOptions,
} from '../../../generated/option-types.d.ts';
import type { DiscoverOptions } from '../../discovery/index.ts';
import type { BasicCredentials } from '../../http/basic-credentials.ts';
import type { UpstreamTimeouts } from '../../http/exchange.ts';
import type { UpstreamTls } from '../../upstream/site-fetch.ts';

/** One site and how it is mounted. */
export interface SiteOptions {
  /** Any URL of the site; with `discovery: 'off'` the URL of the origin. */
  readonly url: string;
  /**
   * Mounts the site at `/<name>`, unless it has `hosts`. The operations below `/-/` and the state know the site by this name.
   * @default the first of `hosts`; without them the site is mounted at `/`
   */
  readonly name?: string | undefined;
  /**
   * Hosts at which the site is mounted, at `/`: `blog.example.com`, `*.example.com` (all names below, not the name itself), or
   * `example.com:8080`. No other site is at these hosts.
   * @default the site is mounted by its name at the hosts of the gateway
   */
  readonly hosts?: readonly string[] | undefined;
  /**
   * URL under which clients reach a site with `hosts`, of one of them. The site is told its host and protocol, whatever a
   * request names. A site without `hosts` has the public URL of the gateway.
   * @default that of the gateway if it is at one of these hosts; otherwise taken from each request
   */
  readonly publicUrl?: string | undefined;
  /**
   * An OpenAPI document as `toOpenApi` creates it. The gateway serves from it until a discovery succeeds, or always with
   * `discovery: 'off'`. It may come from a file: it is validated. Or `pinned`: the document that `state` has stays in use, and each
   * change waits for an operator.
   */
  readonly document?: unknown;
  /** Whether the gateway reads the site's root index. @default 'auto' */
  readonly discovery?: 'auto' | 'off' | undefined;
  /** How the root index is read. */
  readonly discover?: Omit<DiscoverOptions, 'fetch'> | undefined;
  /** Milliseconds between discoveries. @default one discovery at the start, then on request only */
  readonly rediscover?: number | undefined;
  /**
   * Milliseconds for which a document is held back that lacks something that the served one has. After it, the document is served
   * if the site still lacks it.
   * @default only one that lacks a quarter or more is held back, for half an hour
   */
  readonly holdRemovals?: number | undefined;
  /** Forwards every path below the mount that is no route to the site. @default false: such a path is a 404 */
  readonly passthrough?: boolean | undefined;
  /**
   * An OpenAPI Overlay, such as `waygate reconcile` writes, applied to the document of each discovery. It is not applied to
   * `document`, which contains it if it was generated with it. It may come from a file: it is validated.
   * @default none
   */
  readonly overlay?: unknown;
  /**
   * What the site takes and returns beside what its index declares, by `POST /route`, or `/route` for all methods. It is applied after
   * the overlay.
   * @default nothing
   */
  readonly extend?: Readonly<Record<string, ExtendedOperation>> | undefined;
  /** How requests to routes outside the document are handled. @default they are forwarded */
  readonly unknownRoutes?: 'pass' | 'refuse' | undefined;
  /** Replaces the site's URL in text bodies with the gateway's. @default false */
  readonly rewriteBodies?: boolean | undefined;
  readonly timeouts?: UpstreamTimeouts | undefined;
  /** How the gateway connects to the site. @default to the host of `url`, with nothing added */
  readonly upstream?: UpstreamOptions | undefined;
  /** Validates requests and responses by the document. @default no validation */
  readonly validation?: ValidationOptions | undefined;
  /**
   * What is cached for this site and for how long, if the gateway has a store. Without discovery, the response's own
   * fields decide (RFC 9111).
   * @default the conservative defaults of {@link SiteCacheOptions}
   */
  readonly cache?: 'off' | SiteCacheOptions | undefined;
  /** Rate limits of this site, in addition to those of the gateway. @default none */
  readonly limits?: SiteLimitOptions | undefined;
  /** Client networks that may send requests for this site. Others get 403. @default all */
  readonly access?: AccessOptions | undefined;
  /** Which pages of other origins may read the responses. @default the CORS fields of the site */
  readonly cors?: CorsOptions | undefined;
  /** How many requests the site works on at once, and how many wait. @default 256 and 256, for at most 10 seconds */
  readonly concurrency?: ConcurrencyOptions | undefined;
  /**
   * WebSocket connections that `serve` of `waygate/node` relays to pages of the site. They need `passthrough`.
   * @default 1000, of which one client has 32
   */
  readonly webSockets?: WebSocketOptions | undefined;
  /**
   * Whether a circuit breaker stops reads while most routes fail, and all requests while no connection to the site can be opened. They
   * get a stored response or, within a second, a 503.
   * @default true if the site is cached
   */
  readonly breaker?: boolean | undefined;
}

/** Connections of the gateway to one site. */
export interface UpstreamOptions extends UpstreamTls {
  /**
   * Host that the site sees, usually its public name: `www.example.com`. Connections are still made to `url`, so an
   * internal address there stays internal: the site links to its public name. With https it is also the name that the
   * certificate must have.
   * @default the host of `url`
   */
  readonly host?: string | undefined;
  /** Header fields of each request to the site. They replace the client's. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Credentials of a web server in front of the site, such as a staging site behind HTTP Basic. Sent with requests that
   * have no `Authorization`. All clients share them, so responses are cached as without them.
   * @default none
   */
  readonly auth?: BasicCredentials | undefined;
}
