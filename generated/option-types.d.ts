// npm run options makes this file from src/config/schema.ts and src/cli/commands.ts.

/**
 * The configuration of waygate serve. Times are durations such as 30s, sizes such as 64MiB. Paths are relative to the folder of
 * the file.
 */
export interface Config {
  /** Port to listen on; 0 picks a free one. */
  readonly port: number;
  /** Address to listen on. */
  readonly host: string;
  /** Serves HTTPS at the port with this certificate. A reload reads its files again. @default HTTP */
  readonly tls?: TlsConfig | undefined;
  /** URL under which clients reach the gateway, which sites are told. @default taken from each request */
  readonly publicUrl?: string | undefined;
  /**
   * Hosts that the gateway serves beside that of publicUrl and those of single sites, such as example.com or *.example.com;
   * requests for others get 421, except those below /-/. Empty: all hosts, or none if each site has hosts.
   */
  readonly hosts: readonly string[];
  /** Addresses or networks of proxies whose Forwarded and X-Forwarded-* fields are used, such as 10.0.0.0/8. */
  readonly trust: readonly string[];
  /** Lowest severity that is logged. */
  readonly logLevel: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
  /** How requests are logged. */
  readonly log: LogConfig;
  /** How long an idle connection stays open after SIGTERM, for a request that is on its way. In milliseconds. */
  readonly idleGrace: number;
  /** How long everything is served after SIGTERM while /-/ready responds with 503 to load balancers. In milliseconds. */
  readonly shutdownDelay: number;
  /** How long active requests, downloads and WebSockets may take after SIGTERM and shutdownDelay. In milliseconds. */
  readonly shutdownGrace: number;
  /** Folder for state that outlives a restart, such as the last good documents. @default none is kept */
  readonly state?: string | undefined;
  /** Limits of the request bodies. */
  readonly bodies: BodyConfig;
  /** Connections of clients. Further ones get 503. @default as many as there are file descriptors */
  readonly maxConnections?: number | undefined;
  /** The gateway's own operations, below /-/. */
  readonly admin: AdminConfig;
  /** The cache store that all sites share. */
  readonly cache: CacheConfig;
  /**
   * Redis or Valkey server in which gateways share stored responses and add up rate limits: a URL, or an object. With
   * cache.store off nothing is stored there.
   * @default the server of cache.store, if it is a URL
   */
  readonly redis?: string | RedisOptions | undefined;
  /** Rate limits of all sites together. A request past one of its limits gets 429. */
  readonly limits: LimitOptions;
  /** Client networks that may send requests. Others get 403. */
  readonly access: AccessOptions;
  /** Systems that are told what is purged. */
  readonly notify: readonly NotifyOptions[];
  /** The sites behind the gateway. */
  readonly sites: readonly SiteConfig[];
}

/** Serves HTTPS at the port with this certificate. A reload reads its files again. Unset: HTTP. */
export interface TlsConfig {
  /** Path of a file with the certificate in PEM, followed by those of intermediate authorities. */
  readonly cert: string;
  /** Path of a file with its private key in PEM, without a passphrase. */
  readonly key: string;
}

/** How requests are logged. */
export interface LogConfig {
  /**
   * Form of the lines: combined is that of Apache and nginx, with other lines on standard error; text is for people.
   * @default text on a terminal, else json
   */
  readonly format?: 'json' | 'combined' | 'text' | undefined;
  /** The share of fresh hits that is logged, such as 0.01. All other requests are logged. */
  readonly sample: number;
}

/** Limits of the request bodies. */
export interface BodyConfig {
  /**
   * Memory for request bodies that are validated. Past it they are forwarded without validation, or get 503 where they must be
   * validated. In bytes.
   */
  readonly memory: number;
  /** The part of the memory that one client address may use. In bytes. @default half of it */
  readonly memoryPerClient?: number | undefined;
  /** Bytes of a request body per second, on average over a period. A slower one gets 408. 0: any rate. In bytes. */
  readonly minRate: number;
  /** The period of minRate. In milliseconds. */
  readonly ratePeriod: number;
}

/** The gateway's own operations, below /-/. */
export interface AdminConfig {
  /** Token of requests to /-/ (Authorization: Bearer). Prefer the environment: WAYGATE_ADMIN_TOKEN. */
  readonly token?: string | undefined;
  /**
   * Port of a separate listener for /-/. The public one then has only /-/health and /-/ready of them.
   * @default the public port
   */
  readonly port?: number | undefined;
  /** Address of the separate listener. */
  readonly host: string;
}

/** The cache store that all sites share. */
export interface CacheConfig {
  /**
   * Where responses are stored: nowhere (off), in the process (memory), or in a Redis or Valkey server that gateways share
   * (redis://host:6379/0). With the setting redis, memory is in front of that server. Prefer the environment: WAYGATE_CACHE.
   */
  readonly store: string;
  /** Maximum size of the stored responses in memory. In bytes. */
  readonly maxBytes: number;
  /**
   * How long a gateway uses its own memory while it cannot reach Redis, such as 5s, and may miss writes through other gateways.
   * In milliseconds.
   * @default not at all
   */
  readonly redisAway?: number | undefined;
  /** Maximum body size of a stored response. Larger bodies stream through. In bytes. */
  readonly maxEntryBytes: number;
}

/** Where Redis or Valkey is, and how a gateway signs in. */
export interface RedisOptions {
  /**
   * The server that takes writes: redis://user:password@host:6379/0, rediss:// with TLS, or unix:///run/redis/redis.sock?db=0.
   */
  readonly url: string;
  /** User of the access control list (ACL). @default default */
  readonly username?: string | undefined;
  /** Password of the user. */
  readonly password?: string | undefined;
  /** Path of a file with the password, which is read for each connection. */
  readonly passwordFile?: string | undefined;
  /** Files for TLS, which are read for each connection. */
  readonly tls?: RedisTlsOptions | undefined;
  /** Prefix of all keys and channels. Gateways with the same prefix share what they store. @default waygate: */
  readonly prefix?: string | undefined;
}

/** Files for TLS, which are read for each connection. */
export interface RedisTlsOptions {
  /** Path of a file with the certificates in PEM that are trusted. @default those of Node */
  readonly ca?: string | undefined;
  /** Path of a file with the client's certificate in PEM. */
  readonly cert?: string | undefined;
  /** Path of a file with the private key of the client's certificate in PEM. */
  readonly key?: string | undefined;
  /** Name that the certificates of the servers are for. @default the host that is connected to */
  readonly servername?: string | undefined;
}

/** Rate limits of all sites together. A request past one of its limits gets 429. */
export interface LimitOptions {
  /** Requests of one IPv4 address or IPv6 network in a time, such as 100/m or 20/10s. @default no limit */
  readonly client?: string | undefined;
  /**
   * Requests with one credential in a window of time: a value of Authorization, or a login cookie of WordPress. They count for
   * the client too.
   * @default no limit
   */
  readonly credential?: string | undefined;
  /**
   * Limits of single routes and pages. The first rule that matches a request replaces the limits that it names, and counts
   * apart; off removes them.
   * @default none
   */
  readonly rules?: readonly LimitRule[] | undefined;
}

/** The limits of the requests for matching routes or pages. */
export interface LimitRule {
  /** Globs: /wp/v2/comments* and /wp-login.php match routes and pages, wp/v2 matches a namespace. */
  readonly match: string | readonly string[];
  /** Methods that the rule applies to. @default all */
  readonly methods?: readonly string[] | undefined;
  /** Requests of one IPv4 address or IPv6 network in a time, such as 100/m or 20/10s. @default no limit */
  readonly client?: string | undefined;
  /**
   * Requests with one credential in a window of time: a value of Authorization, or a login cookie of WordPress. They count for
   * the client too.
   * @default no limit
   */
  readonly credential?: string | undefined;
}

/** Client networks that may send requests. Others get 403. */
export interface AccessOptions {
  /** Addresses or networks that are allowed, such as 10.0.0.0/8 or 2001:db8::/32. Empty: all. @default none */
  readonly allow?: readonly string[] | undefined;
  /** Addresses or networks that are refused, also if allow has them. @default none */
  readonly deny?: readonly string[] | undefined;
}

/** A system that is told what is purged. */
export interface NotifyOptions {
  /**
   * webhook: a signed notice. cloudflare, fastly: a purge by tag, which surrogateKeys adds to responses. revalidate: a notice
   * with the secret, for frameworks such as Next.js.
   */
  readonly to: 'webhook' | 'cloudflare' | 'fastly' | 'revalidate';
  /** Address that the notice is posted to, such as …/zones/<zone>/purge_cache of Cloudflare. */
  readonly url: string;
  /** Secret that signs the notice, or that it contains; for Cloudflare and Fastly the API token. */
  readonly secret: string;
  /** Name of the only site that is reported, as in /-/sites. @default all */
  readonly site?: string | undefined;
}

export interface SiteConfig {
  /**
   * Mounts the site at /<name>. One site may have no name: it is mounted at /. The name of a site with hosts is only for the
   * operations below /-/ and for state.
   * @default the first of the hosts
   */
  readonly name?: string | undefined;
  /** Any URL of the site. With discovery off: the origin to forward to. */
  readonly url: string;
  /**
   * Hosts at which the site is mounted, at /: blog.example.com, *.example.com or example.com:8080. No other site is there. If
   * each site has hosts, requests for others get 421.
   * @default the site is mounted by its name, at the hosts that no site has for itself
   */
  readonly hosts?: readonly string[] | undefined;
  /**
   * URL under which clients reach a site with hosts, of one of them. The site is told its host and protocol.
   * @default that of the gateway if it is at one of the hosts, otherwise taken from each request
   */
  readonly publicUrl?: string | undefined;
  /**
   * Path of an OpenAPI document of the site, such as waygate generate writes. It is served as it is, and the site is not read;
   * a reload reads the file again.
   * @default the site is discovered
   */
  readonly document?: string | undefined;
  /** Path of an OpenAPI Overlay, such as waygate reconcile writes, that is applied to each discovered document. */
  readonly overlay?: string | undefined;
  /**
   * What the site takes and returns beside what its index declares, by operation: POST /wp/v2/posts, or /wp/v2/posts for all
   * methods of a route. An entry that matches nothing is an error.
   */
  readonly extend: Readonly<Record<string, ExtendedOperation>>;
  /** Whether the gateway reads the root index of the site. */
  readonly discovery: 'auto' | 'off';
  /** Interval of discovery, such as 5m. In milliseconds. @default once at the start, and on request */
  readonly rediscover?: number | undefined;
  /** Forward pages and all other paths to the site too. Otherwise they get 404. */
  readonly passthrough: boolean;
  /** How requests to undocumented routes are handled. @default pass, because an index may hide routes */
  readonly unknownRoutes?: 'pass' | 'refuse' | undefined;
  /** Whether the site's URL in text bodies is replaced by the gateway's, as in Location and Link. */
  readonly rewriteBodies: boolean;
  /** Source of response schemas: the index (help) or none (off). */
  readonly schemas: 'help' | 'off';
  /** Namespaces, or globs of routes, to keep. */
  readonly include: readonly string[];
  /** Namespaces, or globs of routes, to leave out. */
  readonly exclude: readonly string[];
  /**
   * Credentials for reading the index, user:application-password. They are not sent with the requests of clients: for a web
   * server that asks every visitor for credentials, set upstream.auth. Prefer the environment: WAYGATE_AUTH.
   */
  readonly auth?: string | undefined;
  /** Header fields of the requests that read the index. */
  readonly headers: Readonly<Record<string, string>>;
  /** Limits in time of the requests to the site. */
  readonly timeouts: TimeoutConfig;
  /** Connections of the gateway to the site. */
  readonly upstream: UpstreamConfig;
  /** Validation of requests by the document. */
  readonly validation: ValidationOptions;
  /** What is cached for the site, and for how long. */
  readonly cache: SiteCacheOptions;
  /** Rate limits of this site, in addition to those of the gateway. */
  readonly limits: SiteLimitOptions;
  /** Client networks that may send requests. Others get 403. */
  readonly access: AccessOptions;
  /**
   * Which pages of other origins may read the responses (CORS). The gateway responds to preflight requests, and replaces the
   * CORS fields of the site; an origin that is not listed gets none.
   */
  readonly cors?: CorsOptions | undefined;
  /** How many requests the site works on at once. Further ones wait in a queue, and past it get 503 or a stale response. */
  readonly concurrency: ConcurrencyOptions;
  /** WebSocket connections that are relayed to pages of a site with passthrough. */
  readonly webSockets: WebSocketOptions;
  /**
   * Tools for agents at /mcp of the site, by the Model Context Protocol. They only read unless writes are allowed
   * (docs/agents.md).
   */
  readonly mcp: boolean | McpOptions;
  /** Whether a circuit breaker stops requests to a failing site for a moment. @default on if responses are stored */
  readonly breaker?: boolean | undefined;
}

/** Arguments and members by name, each a JSON Schema. They replace those of the index. */
export interface ExtendedOperation {
  /** Arguments in the query. */
  readonly parameters?: Readonly<Record<string, object>> | undefined;
  /** Fields of the body of POST, PUT and PATCH. */
  readonly body?: Readonly<Record<string, object>> | undefined;
  /** Members of the item that is returned, alone or in a list. */
  readonly response?: Readonly<Record<string, object>> | undefined;
}

/** Limits in time of the requests to the site. */
export interface TimeoutConfig {
  /** Until the connection to the site is established. In milliseconds. */
  readonly connect: number;
  /** Until the header section of a response has arrived. In milliseconds. */
  readonly headers: number;
  /** Between two chunks of a response body. In milliseconds. */
  readonly body: number;
}

/** Connections of the gateway to the site. */
export interface UpstreamConfig {
  /**
   * Host that the site sees, usually its public name, while connections are made to its URL. With it, and with the same name in
   * publicUrl, the links that the site writes are already those of the gateway.
   * @default the host of the URL
   */
  readonly host?: string | undefined;
  /** Header fields of each request to the site. They replace the client's fields of these names. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * HTTP Basic credentials of a web server in front of the site, user:password, sent with requests that have no Authorization.
   * Prefer the environment: WAYGATE_UPSTREAM_AUTH.
   */
  readonly auth?: string | undefined;
  /**
   * Path of a file with certificates in PEM that are trusted for the site: its own self-signed one, or that of its private
   * authority.
   * @default the authorities of Node
   */
  readonly ca?: string | undefined;
  /** Accept any certificate of the site, so that another server could act as the site; better state ca. */
  readonly insecure: boolean;
}

/** Validation of requests by the document. */
export interface ValidationOptions {
  /**
   * What happens to requests that violate the document: nothing (off), they are compared with the responses of the site
   * (observe), refused by known rules (enforce), or refused by all rules (strict). Known rules are those of WordPress itself,
   * and those that the site has confirmed by its responses. With strict, a rule that the site has contradicted is suspended.
   * @default 'off' in programs
   */
  readonly mode?: 'off' | 'observe' | 'enforce' | 'strict' | undefined;
  /**
   * Maximum size of a body that is validated, without files. With strict, and with enforce if this is set, a larger one gets
   * 413, so use the site's post_max_size. In bytes.
   * @default 8MiB, PHP's default
   */
  readonly bodyLimit?: number | undefined;
  /** Modes of single routes. The first matching entry applies. @default none */
  readonly routes?: readonly RouteValidationMode[] | undefined;
}

/** The mode of the requests of matching routes. */
export interface RouteValidationMode {
  /** A namespace, or a glob of routes such as /wp/v2/posts*. */
  readonly match: string;
  /** Methods that the entry applies to. @default all */
  readonly methods?: readonly string[] | undefined;
  /** Mode of the matching routes. */
  readonly mode: 'off' | 'observe' | 'enforce' | 'strict';
}

/** What is cached for the site, and for how long. */
export interface SiteCacheOptions {
  /** Whether responses of this site are stored. "cache.store" names the store. @default true */
  readonly enabled?: boolean | undefined;
  /**
   * Whether anonymous reads of documented operations are stored if the site states no freshness: fresh for 30s,
   * stale-while-revalidate for 10m, stale-if-error for 1d; 404 responses fresh for 5s.
   * @default true
   */
  readonly default?: boolean | undefined;
  /**
   * Freshness lifetime of pages, feeds and sitemaps for visitors without a session, such as 60s, if the site states none. Needs
   * passthrough. In seconds.
   * @default a page is stored only if the site states its freshness
   */
  readonly pages?: number | undefined;
  /** Cache rules. The first rule that matches a request applies; what it omits has its default. @default none */
  readonly rules?: readonly RouteCacheRule[] | undefined;
  /**
   * Whether mobile devices get other pages, as wp_is_mobile() decides. Their class is then part of the key, and the site gets a
   * standard User-Agent of it.
   * @default false
   */
  readonly device?: boolean | undefined;
  /**
   * Whether stored responses have Surrogate-Key and Cache-Tag, so that a cache in front of the gateway can be purged by tag
   * (notify). A response is then sent when it is complete.
   * @default false
   */
  readonly surrogateKeys?: boolean | undefined;
  /**
   * site: the names in Surrogate-Key, Cache-Tag, xkey, X-LiteSpeed-Tag and Edge-Cache-Tag are tags of stored responses, and the
   * site may purge by X-LiteSpeed-Purge, by PURGE and BAN requests, by calls as those of Fastly (purge), and by waygate.php
   * (webhook). The fields are removed before the client.
   * @default the fields only name responses for purges by hand
   */
  readonly tags?: 'site' | undefined;
  /**
   * Who may send PURGE and BAN requests for the site, and calls to POST /-/purges/<name>/…. One of both is enough. With tags:
   * site.
   * @default nobody
   */
  readonly purge?: SitePurgeOptions | undefined;
  /** Query parameters without effect on the response beside utm_*, fbclid and similar. They aren't forwarded. @default none */
  readonly ignoreParameters?: readonly string[] | undefined;
  /** Cookies that do not identify the client, in addition to those of analytics and consent banners. @default none */
  readonly harmlessCookies?: readonly string[] | undefined;
  /**
   * Cookies that a plugin sets on responses to everyone and that no content depends on. They are taken out of requests and
   * responses that are otherwise shareable.
   * @default none
   */
  readonly ignoreCookies?: readonly string[] | undefined;
  /**
   * Request header fields that do not identify the client, in addition to those of browsers, proxies and tracing. They are not
   * forwarded with requests that may use the store. A name that ends in * is a prefix.
   * @default none
   */
  readonly harmlessHeaders?: readonly string[] | undefined;
  /** Request header fields that identify the client. Requests with them bypass the store. @default none */
  readonly credentialHeaders?: readonly string[] | undefined;
  /**
   * Parameters of the query and the path that identify the client or are valid once, in addition to those whose name says so,
   * such as api_token. Requests with them bypass the store.
   * @default none
   */
  readonly credentialParameters?: readonly string[] | undefined;
  /**
   * What writes purge that the gateway or the site knows nothing of. The first rule that matches decides. Without one, a write
   * purges everything of its site, unless it is known to change nothing that others see (docs/operators/caching.md).
   * @default none
   */
  readonly writes?: readonly WriteRule[] | undefined;
  /**
   * Which stored responses are used while the site cannot be reached, or responds with 502, 503 or 504, within stale-if-error,
   * although a write may have changed them and the site has not confirmed them since. failed: after writes that failed in these
   * ways, or that do not prove that the site has let their client write. always: after all writes. never: none.
   * @default 'failed'
   */
  readonly staleAfterWrite?: 'failed' | 'always' | 'never' | undefined;
  /** Secret by which waygate.php signs its messages to POST /-/webhook/<name>. @default the webhook is closed */
  readonly webhook?: string | undefined;
}

/** An entry of the cache rules, for the responses of matching routes. */
export interface RouteCacheRule {
  /** Globs: /wp/v2/posts* matches routes, wp/v2 matches a namespace. */
  readonly match: string | readonly string[];
  /** Methods of the requests. @default both */
  readonly methods?: readonly ('GET' | 'HEAD')[] | undefined;
  /** Freshness lifetime if the site states none. In seconds. */
  readonly ttl?: number | undefined;
  /** stale-while-revalidate: how long a stale response is used while it is revalidated. In seconds. */
  readonly swr?: number | undefined;
  /** stale-if-error: how long a stale response is used while the site fails. In seconds. */
  readonly sie?: number | undefined;
  /** Freshness lifetime of 404 responses. In seconds. */
  readonly notFound?: number | undefined;
  /** Additional tags of the responses, for purging. */
  readonly tags?: readonly string[] | undefined;
  /** Changes to the cache key. */
  readonly key?: RouteCacheKeyRule | undefined;
  /** true: these lifetimes override those that the site states. */
  readonly override?: boolean | undefined;
  /** false: a client's no-cache and max-age are ignored, so a reload gets the stored response. */
  readonly reload?: boolean | undefined;
  /** false: matching responses are never stored. */
  readonly store?: boolean | undefined;
}

/** Changes to the cache key. */
export interface RouteCacheKeyRule {
  /** Request header fields that are part of the cache key. */
  readonly headers?: readonly string[] | undefined;
  /** Query parameters that are not part of the cache key. */
  readonly ignore?: readonly string[] | undefined;
}

/**
 * Who may send PURGE and BAN requests for the site, and calls to POST /-/purges/<name>/…. One of both is enough. With tags:
 * site. Unset: nobody.
 */
export interface SitePurgeOptions {
  /** Addresses or networks of senders, such as 10.0.0.0/8 or 2001:db8::/32. @default none */
  readonly networks?: readonly string[] | undefined;
  /** Secret of senders, in Fastly-Key, Authorization (Bearer), X-VC-Purge-Key or X-Purge-Key. */
  readonly secret?: string | undefined;
}

/** What the writes to some addresses purge. */
export interface WriteRule {
  /** Method, if not all, and glob of the routes or paths that are written: POST /shop/v1/cart/*, /?wc-ajax=add_to_cart, *. */
  readonly match: string;
  /** nothing, everything, or a list of tags and of route templates or paths: [/shop/v1/products/{id}, /product, prices]. */
  readonly purges: 'nothing' | 'everything' | readonly string[];
}

/** Rate limits of this site, in addition to those of the gateway. */
export interface SiteLimitOptions {
  /** Requests of one IPv4 address or IPv6 network in a time, such as 100/m or 20/10s. @default no limit */
  readonly client?: string | undefined;
  /**
   * Requests with one credential in a window of time: a value of Authorization, or a login cookie of WordPress. They count for
   * the client too.
   * @default no limit
   */
  readonly credential?: string | undefined;
  /**
   * Limits of single routes and pages. The first rule that matches a request replaces the limits that it names, and counts
   * apart; off removes them.
   * @default none
   */
  readonly rules?: readonly LimitRule[] | undefined;
}

/**
 * Which pages of other origins may read the responses (CORS). The gateway responds to preflight requests, and replaces the CORS
 * fields of the site; an origin that is not listed gets none.
 */
export interface CorsOptions {
  /** Origins that are allowed, such as https://app.example.com; * allows all. */
  readonly origins: readonly string[];
  /** Whether pages may send cookies and use the responses to them. @default false */
  readonly credentials?: boolean | undefined;
  /**
   * Request fields that pages may send, besides those that every page may.
   * @default Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, Nonce, X-WC-Store-API-Nonce, Cart-Token
   */
  readonly headers?: readonly string[] | undefined;
  /**
   * Response fields that pages may read, besides those that every page may.
   * @default X-WP-Total, X-WP-TotalPages, Link, X-WP-Nonce, Nonce, X-WC-Store-API-Nonce, Cart-Token, Retry-After
   */
  readonly exposedHeaders?: readonly string[] | undefined;
  /** How long a browser may keep the response to a preflight request. In milliseconds. @default '10m' */
  readonly maxAge?: number | undefined;
}

/** How many requests the site works on at once. Further ones wait in a queue, and past it get 503 or a stale response. */
export interface ConcurrencyOptions {
  /** Requests that are sent to the site and have no complete response. @default 256 */
  readonly max?: number | undefined;
  /** Requests that wait. Clients take turns. @default 256 */
  readonly queue?: number | undefined;
  /** How long a request waits. In milliseconds. @default '10s' */
  readonly wait?: number | undefined;
}

/** WebSocket connections that are relayed to pages of a site with passthrough. */
export interface WebSocketOptions {
  /** Connections at once. 0: none are relayed. @default 1000 */
  readonly connections?: number | undefined;
  /** Connections of one client network: an IPv4 address, or an IPv6 network of 64 bits. @default 32 */
  readonly perClient?: number | undefined;
  /** How long a connection may be idle in both directions. In milliseconds. @default '5m' */
  readonly idleTimeout?: number | undefined;
  /** Until the site has responded to the handshake. In milliseconds. @default '10s' */
  readonly handshakeTimeout?: number | undefined;
}

/** How agents may use the site. */
export interface McpOptions {
  /**
   * Operations that are tools of their own, by operationId, beside the three that find and call any. Empty: all of a site with
   * at most 30, otherwise none.
   * @default none
   */
  readonly tools?: readonly string[] | undefined;
  /**
   * Operations that change the site and that agents may call. false: none. true: all that delete nothing. A list of
   * operationIds: these, with * for all that true allows; deletions and batches must be named.
   * @default false
   */
  readonly writes?: boolean | readonly string[] | undefined;
  /** Rate limits of this site, in addition to those of the gateway. */
  readonly limits?: SiteLimitOptions | undefined;
}

/** The sites that waygate generate reads without a URL, and where it writes their files: the content of waygate.config.ts. */
export interface WaygateConfig {
  /** The sites that waygate generate reads. */
  readonly sites: readonly GeneratedSite[];
}

/** One site of a waygate.config.ts. Paths are relative to the folder of that file. */
export interface GeneratedSite {
  /** Any URL of the site. Optional if `from` is given. */
  readonly url?: string | undefined;
  /**
   * Path of a recorded root index, or of an OpenAPI document, that is read instead of the site. Of a document, only what
   * programs import is written.
   * @default none
   */
  readonly from?: string | undefined;
  /** Folder of the generated files. @default the folder of the configuration file */
  readonly out?: string | undefined;
  /** Base name of the generated files. @default derived from the site's URL: host, port and path */
  readonly name?: string | undefined;
  /** URL that the document's paths are relative to, such as a gateway's. @default the site's own */
  readonly server?: string | undefined;
  /** Also write <name>.client.ts: a client with types. @default false */
  readonly client?: boolean | undefined;
  /** The client has times in UTC (date_gmt) as a Date. Times in the site's zone stay texts. @default false */
  readonly dates?: boolean | undefined;
  /** Also write <name>.tanstack.ts: queries and mutations for TanStack Query 5. @default none */
  readonly tanstack?: 'react' | 'preact' | 'vue' | 'svelte' | 'solid' | 'angular' | 'core' | undefined;
  /** Also write <name>.validators.ts, with zod 4 or without a dependency (json). @default none */
  readonly validators?: 'zod' | 'json' | undefined;
  /** Write types and client as a file for each namespace, which <name>.ts and <name>.client.ts import. @default false */
  readonly split?: boolean | undefined;
  /** The files to write, and no others. @default document, types, and what the options above name */
  readonly only?: readonly GeneratedFile[] | undefined;
  /** Path of an OpenAPI Overlay to apply; `false` for none. @default <name>.overlay.json beside the output, if it exists */
  readonly overlay?: string | false | undefined;
  /**
   * What the site takes and returns beside what its index declares, by operation: POST /wp/v2/posts, or /wp/v2/posts for all
   * methods of a route. An entry that matches nothing is an error.
   * @default nothing
   */
  readonly extend?: Readonly<Record<string, ExtendedOperation>> | undefined;
  /**
   * Requests that reconcile sends beside those that it finds: /x/v1/things/12, and with --writes POST /x/v1/things
   * {"title":"A"}.
   * @default none
   */
  readonly samples?: readonly string[] | undefined;
  /** Name of the environment variable that has the credentials, as user:application-password. @default 'WAYGATE_AUTH' */
  readonly authVariable?: string | undefined;
  /** Header fields of the requests that read the index. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Namespaces, or globs of routes, to keep. @default all */
  readonly include?: readonly string[] | undefined;
  /** Namespaces, or globs of routes, to leave out. @default none */
  readonly exclude?: readonly string[] | undefined;
  /** Source of response schemas: the index (help) or none (off). @default help */
  readonly schemas?: 'help' | 'off' | undefined;
  /** How connections to the site are made. */
  readonly upstream?: GeneratedSiteUpstream | undefined;
}

export type GeneratedFile =
  | 'document'
  | 'yaml'
  | 'types'
  | 'client'
  | 'tanstack'
  | 'validators'
  | 'report';

/** How connections to the site are made. */
export interface GeneratedSiteUpstream {
  /**
   * Host that the site sees, usually its public name, while connections are made to its URL. With it, and with the same name in
   * publicUrl, the links that the site writes are already those of the gateway.
   * @default the host of the URL
   */
  readonly host?: string | undefined;
  /**
   * Path of a file with certificates in PEM that are trusted for the site: its own self-signed one, or that of its private
   * authority.
   * @default the authorities of Node
   */
  readonly ca?: string | undefined;
  /** Accept any certificate of the site, so that another server could act as the site; better state ca. @default false */
  readonly insecure?: boolean | undefined;
}

/** The options of a discovery, which several commands share. */
export interface DiscoveryFlags {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly auth?: string | undefined;
  readonly schemas?: 'help' | 'off' | undefined;
  readonly header: readonly string[];
  readonly timeout?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly maxDocumentBytes?: number | undefined;
  readonly maxRoutes?: number | undefined;
  readonly upstreamHost?: string | undefined;
  readonly upstreamCa?: string | undefined;
  readonly upstreamInsecure?: boolean | undefined;
}

/** The parsed options of `waygate generate`. */
export interface GenerateFlags {
  readonly out?: string | undefined;
  readonly name?: string | undefined;
  readonly client?: boolean | undefined;
  readonly tanstack?: 'react' | 'preact' | 'vue' | 'svelte' | 'solid' | 'angular' | 'core' | undefined;
  readonly validators?: 'zod' | 'json' | undefined;
  readonly split?: boolean | undefined;
  readonly only: readonly string[];
  readonly from?: string | undefined;
  readonly check?: boolean | undefined;
  readonly watch?: number | undefined;
  readonly verbose?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly config?: string | undefined;
  readonly dates?: boolean | undefined;
  readonly server?: string | undefined;
  readonly overlay?: string | boolean | undefined;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly auth?: string | undefined;
  readonly schemas?: 'help' | 'off' | undefined;
  readonly header: readonly string[];
  readonly timeout?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly maxDocumentBytes?: number | undefined;
  readonly maxRoutes?: number | undefined;
  readonly upstreamHost?: string | undefined;
  readonly upstreamCa?: string | undefined;
  readonly upstreamInsecure?: boolean | undefined;
}

/** The parsed options of `waygate init`. */
export interface InitFlags {
  readonly url?: string | undefined;
  readonly out?: string | undefined;
  readonly name: string;
  readonly client: boolean;
  readonly include: readonly string[];
  readonly ci?: boolean | undefined;
  readonly yes?: boolean | undefined;
  readonly force?: boolean | undefined;
}

/** The parsed options of `waygate reconcile`. */
export interface ReconcileFlags {
  readonly out?: string | undefined;
  readonly name?: string | undefined;
  readonly fresh?: boolean | undefined;
  readonly maxRequests: number;
  readonly writes?: boolean | undefined;
  readonly sample?: readonly string[] | undefined;
  readonly verbose?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly config?: string | undefined;
  readonly yes?: boolean | undefined;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly auth?: readonly string[] | undefined;
  readonly schemas?: 'help' | 'off' | undefined;
  readonly header: readonly string[];
  readonly timeout?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly maxDocumentBytes?: number | undefined;
  readonly maxRoutes?: number | undefined;
  readonly upstreamHost?: string | undefined;
  readonly upstreamCa?: string | undefined;
  readonly upstreamInsecure?: boolean | undefined;
}

/** The parsed options of `waygate serve`. */
export interface ServeFlags {
  readonly config?: string | undefined;
  readonly site: readonly string[];
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly publicUrl?: string | undefined;
  readonly rediscover?: string | undefined;
  readonly passthrough?: boolean | undefined;
  readonly mode?: string | undefined;
  readonly state?: string | undefined;
  readonly cache?: string | undefined;
  readonly document?: string | undefined;
  readonly discovery?: string | undefined;
  readonly mcp?: boolean | undefined;
  readonly watch?: boolean | undefined;
  readonly helpConfig?: boolean | undefined;
}

/** The parsed options of `waygate check`. */
export interface CheckFlags {
  readonly offline?: boolean | undefined;
  readonly format: 'text' | 'json' | 'github';
}

/** The parsed options of `waygate config`. */
export interface ConfigFlags {
  readonly json?: boolean | undefined;
}

/** The parsed options of `waygate diff`. */
export interface DiffFlags {
  readonly format: 'text' | 'json' | 'markdown' | 'github';
  readonly failOn: 'breaking' | 'risky';
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly auth?: string | undefined;
  readonly schemas?: 'help' | 'off' | undefined;
  readonly header: readonly string[];
  readonly timeout?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly maxDocumentBytes?: number | undefined;
  readonly maxRoutes?: number | undefined;
  readonly upstreamHost?: string | undefined;
  readonly upstreamCa?: string | undefined;
  readonly upstreamInsecure?: boolean | undefined;
}

/** The parsed options of `waygate mock`. */
export interface MockFlags {
  readonly document: string;
  readonly port: number;
  readonly host: string;
  readonly mode: 'off' | 'observe' | 'enforce' | 'strict';
  readonly seed: number;
  readonly cache: 'off' | 'memory';
}

/** The parsed options of `waygate why`. */
export interface WhyFlags {
  readonly gateway: string;
  readonly token?: string | undefined;
  readonly json?: boolean | undefined;
}

/** The parsed options of `waygate mcp`. */
export interface McpFlags {
  readonly document?: string | undefined;
  readonly writes?: readonly string[] | undefined;
  readonly files?: readonly string[] | undefined;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly auth?: string | undefined;
  readonly schemas?: 'help' | 'off' | undefined;
  readonly header: readonly string[];
  readonly timeout?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly maxDocumentBytes?: number | undefined;
  readonly maxRoutes?: number | undefined;
  readonly upstreamHost?: string | undefined;
  readonly upstreamCa?: string | undefined;
  readonly upstreamInsecure?: boolean | undefined;
}

/** The parsed options of `waygate plugin`. */
export interface PluginFlags {
  readonly site?: string | undefined;
  readonly config?: string | undefined;
  readonly secretFile?: string | undefined;
}

/** The parsed options of `waygate example`. */
export interface ExampleFlags {
  readonly port: number;
  readonly host: string;
  readonly mode: 'off' | 'observe' | 'enforce' | 'strict';
  readonly latency: number;
}

/** The parsed options of `waygate health`. */
export interface HealthFlags {
  readonly ready?: boolean | undefined;
  readonly timeout?: number | undefined;
}
