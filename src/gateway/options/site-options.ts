import type { RouteCacheRule } from '../../cache/wordpress/route-cache-rules.ts';
import type { DiscoverOptions } from '../../discovery/index.ts';
import type { BasicCredentials } from '../../http/basic-credentials.ts';
import type { UpstreamTimeouts } from '../../http/exchange.ts';
import type { CircuitBreakerOptions } from '../../upstream/site-circuits.ts';
import type { UpstreamTls } from '../../upstream/site-fetch.ts';
import type { RouteValidationMode, ValidationMode } from '../../validation/evidence/enforcement.ts';

/** One site and how it is mounted. */
export interface SiteOptions {
  /** Any URL of the site; with `discovery: 'off'` the URL of the origin. */
  readonly url: string;
  /** Mounts the site at `/<name>`. @default mounted at `/` */
  readonly name?: string | undefined;
  /**
   * An OpenAPI document as `toOpenApi` creates it. The gateway serves from it until a discovery succeeds, or always with
   * `discovery: 'off'`. It may come from a file: it is validated.
   */
  readonly document?: unknown;
  /** Whether the gateway reads the site's root index. @default 'auto' */
  readonly discovery?: 'auto' | 'off' | undefined;
  /** How the root index is read. */
  readonly discover?: Omit<DiscoverOptions, 'fetch'> | undefined;
  /** Milliseconds between discoveries. @default one discovery at the start, then on request only */
  readonly rediscover?: number | undefined;
  /** Forwards every path below the mount that is no route to the site. @default false: such a path is a 404 */
  readonly passthrough?: boolean | undefined;
  /**
   * An OpenAPI Overlay, such as `waygate reconcile` writes, applied to the document of each discovery. It is not applied to
   * `document`, which contains it if it was generated with it. It may come from a file: it is validated.
   * @default none
   */
  readonly overlay?: unknown;
  /**
   * How requests to routes outside the document are handled.
   * @default forwarded; with `validation.mode: 'strict'` refused once the site has responded `rest_no_route` in that namespace
   */
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
  /**
   * Circuit breakers: while a route fails too often, its reads get a stored response or a 503 at once. So do all reads while
   * most routes fail, and all requests while no connection to the site can be opened.
   * @default true if the site is cached
   */
  readonly breaker?: boolean | Partial<CircuitBreakerOptions> | undefined;
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

/** Validation of one site's requests and responses. */
export interface ValidationOptions {
  /**
   * `observe` refuses nothing and compares each verdict with the site's response. `enforce` refuses a request if every rule
   * that it violates is known to hold at the site: a rule of WordPress itself, or one that the site has confirmed by its
   * response to a forwarded request or to `waygate calibrate`. `strict` refuses by every rule that the site has not
   * contradicted.
   * @default 'off'
   */
  readonly mode?: ValidationMode | undefined;
  /**
   * With `enforce` and `strict`: agreements in a row before an operation is enforced; each rule needs one agreement as well.
   * @default operations and known rules are enforced at once
   */
  readonly afterAgreement?: number | undefined;
  /**
   * Bytes of a JSON body or an urlencoded form, or of the fields of a multipart form, that are read for validation. With
   * `strict`, and with `enforce` if the limit is set, a longer body is refused with 413. Files and bodies without parameters
   * have no limit here. Set it to the site's `post_max_size`.
   * @default 8 MiB, PHP's default
   */
  readonly bodyLimit?: number | undefined;
  /** Modes of single routes; the first entry that matches an operation applies. @default none */
  readonly routes?: readonly RouteValidationMode[] | undefined;
  /**
   * Which responses are validated in the background: none, the first 20 of each operation and then one in a hundred, or all that
   * the time budget allows.
   * @default 'sample' with `observe`, else 'off'
   */
  readonly responses?: 'off' | 'sample' | 'all' | undefined;
}

/** What is cached for one site, and for how long. Times are in seconds. */
export interface SiteCacheOptions {
  /** The first rule that matches a request applies; members it omits have their default. @default none */
  readonly rules?: readonly RouteCacheRule[] | undefined;
  /**
   * Caches anonymous reads of operations in the document even if the site states no freshness: 30 s fresh, then 10 minutes
   * stale-while-revalidate and a day stale-if-error; 404s 5 s.
   * @default true
   */
  readonly default?: boolean | undefined;
  /** Query parameters without meaning, beside `utm_*` and the like. They are not forwarded. @default none */
  readonly ignoreParameters?: readonly string[] | undefined;
  /** Cookies that do not identify the client, beside those of analytics and consent banners. @default none */
  readonly harmlessCookies?: readonly string[] | undefined;
  /**
   * Request header fields that do not identify the client, beside those of browsers, proxies and tracing. They are not
   * forwarded with requests that may use the store. A name that ends in `*` is a prefix. @default none
   */
  readonly harmlessHeaders?: readonly string[] | undefined;
  /** Request header fields that identify the client, even if a list of harmless ones has them. @default none */
  readonly credentialHeaders?: readonly string[] | undefined;
  /**
   * Parameters of the query and the path that identify the client or are valid once, beside those whose name says so
   * (`api_token`). Requests with them bypass the store. @default none
   */
  readonly credentialParameters?: readonly string[] | undefined;
  /**
   * Reads that do not depend on certain writes. Without a rule or evidence, a write purges everything but responses of
   * WordPress's own routes whose dependencies are known. Responses that contain the written item are purged all the same.
   * @default none
   */
  readonly independent?: readonly IndependenceRule[] | undefined;
  /**
   * Whether the gateway learns which kinds of reads do not depend on which kinds of writes, and after how many
   * observations without a counter-example.
   * @default { observations: 200 }
   */
  readonly learn?: boolean | LearningOptions | undefined;
  /** Secret with which the site signs `POST /-/webhook/<site>`. @default the webhook is closed */
  readonly webhook?: string | undefined;
  /** Milliseconds between polls of the site for modified resources. @default no polling */
  readonly watch?: number | undefined;
}

/** Writes after which responses to certain reads are kept. */
export interface IndependenceRule {
  /**
   * Glob of the routes that are written (`/shop/v1/*`), or of their namespaces (`shop/*`). A write to a page has its path
   * and query as its route: `/?wc-ajax=*`.
   */
  readonly writes: string;
  /** Methods of these writes. @default all */
  readonly methods?: readonly string[] | undefined;
  /** Globs of the path templates of these reads (`/wp/v2/posts/{id}`, `/wp/v2/*`), or of their namespaces; `*` for all. */
  readonly reads: readonly string[];
}

/** How the gateway learns dependencies. */
export interface LearningOptions {
  /**
   * Observations of one kind of write and one kind of read, across at least five resources, after which the read is kept.
   * @default 200
   */
  readonly observations?: number | undefined;
}
