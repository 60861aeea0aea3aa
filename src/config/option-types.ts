// npm run options makes this file from src/config/schema.ts and src/cli/commands.ts.

/**
 * Configuration of waygate serve. Times are durations such as 30s, sizes such as 64MiB. Paths are relative to
 * the folder of the file.
 */
export interface GatewaySettings {
  /** Port to listen on; 0 picks a free one. @default 8080 */
  readonly port?: number | undefined;
  /** Address to listen on. @default '127.0.0.1' */
  readonly host?: string | undefined;
  /** Certificate for HTTPS. A reload reads its files again. @default HTTP */
  readonly tls?: TlsConfig | undefined;
  /** Public URL of the gateway. Sites see its host and protocol. @default taken from each request */
  readonly publicUrl?: string | undefined;
  /**
   * Hosts that the gateway serves, besides those of publicUrl and of single sites: example.com or
   * *.example.com. Requests for others get 421, except below /-/. Empty: all hosts, or none if each site has
   * hosts.
   */
  readonly hosts?: readonly string[] | undefined;
  /**
   * Addresses or networks of trusted proxies, such as 10.0.0.0/8. Their Forwarded and X-Forwarded-* fields
   * are used.
   */
  readonly trust?: readonly string[] | undefined;
  /** Lowest severity that is logged. @default 'info' */
  readonly logLevel?: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | undefined;
  /**
   * Format of the log. With combined, that of Apache and nginx, messages that are no requests go to standard
   * error.
   * @default text on a terminal, else json
   */
  readonly log?: 'json' | 'combined' | 'text' | undefined;
  /**
   * How long after SIGTERM the gateway still serves, with 503 from /-/ready, so that load balancers notice.
   * @default '0s'
   */
  readonly shutdownDelay?: string | undefined;
  /** How long requests can take after shutdownDelay. @default '10s' */
  readonly shutdownGrace?: string | undefined;
  /** Folder for state that survives a restart, such as the last good documents. @default no state is kept */
  readonly state?: string | undefined;
  /** The gateway's own operations, below /-/. */
  readonly admin?: AdminSettings | undefined;
  /** Store of cached responses, shared by all sites. */
  readonly cache?: CacheSettings | undefined;
  /**
   * Redis or Valkey server in which gateways share stored responses and purges: a URL, or a section.
   * @default the server of cache.store, if that is a URL
   */
  readonly redis?: string | RedisOptions | undefined;
  /**
   * Systems that are notified of purges. With any but revalidate, stored responses have Surrogate-Key and
   * Cache-Tag, and are sent only when they are complete.
   */
  readonly notify?: readonly NotifyOptions[] | undefined;
  /** The sites behind the gateway. */
  readonly sites?: readonly SiteSettings[] | undefined;
}

export interface TlsConfig {
  /** Certificate in PEM, followed by those of intermediate authorities. */
  readonly cert: string;
  /** Its private key in PEM, without a passphrase. */
  readonly key: string;
}

export interface AdminSettings {
  /** Token for /-/ (Authorization: Bearer). Prefer the environment: WAYGATE_ADMIN_TOKEN. */
  readonly token?: string | undefined;
  /**
   * Port of a separate listener for /-/. The public port keeps only /-/health and /-/ready.
   * @default the public port
   */
  readonly port?: number | undefined;
  /** Address of the separate listener. @default '127.0.0.1' */
  readonly host?: string | undefined;
  /** Limits beyond which console, metrics and waygate status call a site failing or slow. */
  readonly alerts?: AlertSettings | undefined;
}

export interface AlertSettings {
  /**
   * Share of the responses of five minutes that are errors (5xx), if there are at least three.
   * @default 0.01
   */
  readonly errors?: number | undefined;
  /** Time that one in twenty requests to the site takes. @default '5s' */
  readonly slow?: string | undefined;
}

export interface CacheSettings {
  /**
   * off, memory, or the URL of a Redis or Valkey server that gateways share, such as redis://host:6379/0. If
   * redis is set, memory is in front of that server. Prefer the environment: WAYGATE_CACHE.
   * @default 'memory'
   */
  readonly store?: string | undefined;
  /** Maximum size of the stored responses in memory. @default '256MiB' */
  readonly maxBytes?: string | undefined;
  /**
   * How long the gateway uses its own memory alone while Redis is down, such as 5s. It can miss writes
   * through other gateways meanwhile.
   * @default not at all
   */
  readonly redisAway?: string | undefined;
}

/** Address of Redis or Valkey, and how the gateway signs in. */
export interface RedisOptions {
  /**
   * Server that takes writes: redis://user:password@host:6379/0, rediss://host:6380 with TLS, or
   * unix:///run/redis/redis.sock?db=0.
   */
  readonly url: string;
  /** File of the password, read for each connection. */
  readonly passwordFile?: string | undefined;
  /** Trusted certificates in PEM, read for each connection. @default those of Node */
  readonly ca?: string | undefined;
  /** The client's certificate in PEM, for a server that asks for one. */
  readonly cert?: string | undefined;
  /** Its private key in PEM. */
  readonly key?: string | undefined;
  /** Prefix of keys. Gateways with the same one share stored responses. @default waygate: */
  readonly prefix?: string | undefined;
}

/** System that is notified of purges. */
export interface NotifyOptions {
  /**
   * Kind of receiver: a signed notice (webhook), a notice with the secret for frameworks such as Next.js
   * (revalidate), or a purge by tag (cloudflare, fastly).
   */
  readonly to: 'webhook' | 'cloudflare' | 'fastly' | 'revalidate';
  /** URL of the receiver, such as …/zones/<zone>/purge_cache of Cloudflare. */
  readonly url: string;
  /** Secret that signs the notice or is part of it. For Cloudflare and Fastly: the API token. */
  readonly secret: string;
}

export interface SiteSettings {
  /**
   * The site is mounted at /<name>, or at / if it has none. The name of a site with hosts is only for /-/ and
   * for state.
   * @default the first of the hosts
   */
  readonly name?: string | undefined;
  /** Any URL of the site. With discovery off: the origin to forward to. */
  readonly url: string;
  /**
   * Hosts of the site, where it is mounted at /: blog.example.com, *.example.com or example.com:8080. If each
   * site has hosts, requests for other hosts get 421.
   * @default the site is mounted at /<name> of the remaining hosts
   */
  readonly hosts?: readonly string[] | undefined;
  /**
   * Public URL of a site with hosts. The site sees its host and protocol.
   * @default that of the gateway if it is at one of the hosts, otherwise taken from each request
   */
  readonly publicUrl?: string | undefined;
  /**
   * OpenAPI document of the site, such as waygate generate writes. It is served with examples added, and a
   * reload reads it again.
   * @default the site is discovered
   */
  readonly document?: string | undefined;
  /** OpenAPI Overlay, such as waygate reconcile writes, that is applied to each discovered document. */
  readonly overlay?: string | undefined;
  /**
   * Arguments and response members that the index lacks, by operation: POST /wp/v2/posts, or /wp/v2/posts for
   * all methods. An entry that matches nothing is an error.
   */
  readonly extend?: Readonly<Record<string, ExtendedOperation>> | undefined;
  /** Whether the gateway reads the root index of the site. @default 'auto' */
  readonly discovery?: 'auto' | 'off' | undefined;
  /** Interval of discovery, such as 5m. @default only at the start and on request */
  readonly rediscover?: string | undefined;
  /**
   * Whether pages and all other paths are forwarded too, except those below /-/. Otherwise they get 404.
   * @default false
   */
  readonly passthrough?: boolean | undefined;
  /** Address of the reference, such as /reference. @default /docs, or /-/docs with passthrough */
  readonly docs?: string | undefined;
  /** Address of the OpenAPI document. @default /openapi.json, or /-/openapi.json with passthrough */
  readonly openapi?: string | undefined;
  /** Handling of requests to undocumented routes. @default pass, because an index can hide routes */
  readonly unknownRoutes?: 'pass' | 'refuse' | undefined;
  /**
   * Whether the gateway's URL replaces the site's in text bodies too, not only in Location and Link.
   * @default false
   */
  readonly rewriteBodies?: boolean | undefined;
  /** Namespaces, or globs of routes, to keep. @default all */
  readonly include?: readonly string[] | undefined;
  /** Namespaces, or globs of routes, to leave out. */
  readonly exclude?: readonly string[] | undefined;
  /**
   * Credentials for reading the index, user:application-password. They are not sent with clients' requests;
   * upstream.auth is. Prefer the environment: WAYGATE_AUTH.
   */
  readonly auth?: string | undefined;
  /** Time until the head of a response has arrived, and between two chunks of its body. @default '60s' */
  readonly timeout?: string | undefined;
  /** Connections of the gateway to the site. */
  readonly upstream?: UpstreamSettings | undefined;
  /** Validation of requests by the document. */
  readonly validation?: ValidationSettings | undefined;
  /** Caching of the site's responses. */
  readonly cache?: SiteCacheSettings | undefined;
  /** Rate limits of this site, or of messages from its agents. A request over a limit gets 429. */
  readonly limits?: SiteLimitOptions | undefined;
  /** Client networks that can send requests. Others get 403. */
  readonly access?: AccessOptions | undefined;
  /**
   * Pages of other origins that can read the responses (CORS). The gateway responds to preflight requests,
   * and replaces the CORS fields of the site.
   */
  readonly cors?: CorsOptions | undefined;
  /**
   * Requests that the site gets at once. 256 further ones wait for up to 10 s; the rest get a stale response
   * or 503.
   * @default 256
   */
  readonly concurrency?: number | undefined;
  /**
   * Whether clients get 503, even if a response is stored, e.g. during an upgrade of the site; a list names
   * those that are served, such as 127.0.0.1 for the site's own requests. Purges by the site and requests to
   * /-/ still work. A reload starts and ends it.
   * @default false
   */
  readonly maintenance?: boolean | readonly string[] | undefined;
  /**
   * HTML files that browsers get in place of the gateway's error pages, by status or error code, e.g. 502 or
   * gateway_maintenance. Programs get problem+json.
   */
  readonly errorPages?: Readonly<Record<string, string>> | undefined;
  /**
   * Tools for agents (Model Context Protocol), at /mcp of the site, or /-/mcp with passthrough. They only
   * read unless writes are allowed (docs/agents.md).
   * @default false
   */
  readonly mcp?: boolean | McpOptions | undefined;
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

export interface UpstreamSettings {
  /**
   * Host that the site sees in requests, usually its public name. With the same name in publicUrl, the site's
   * own links lead to the gateway.
   * @default the host of the URL
   */
  readonly host?: string | undefined;
  /** Header fields of each request to the site, discovery too, in place of the client's. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * HTTP Basic credentials (user:password) for a web server in front of the site. They are sent with requests
   * without Authorization. Prefer the environment: WAYGATE_UPSTREAM_AUTH.
   */
  readonly auth?: string | undefined;
  /** Trusted certificates in PEM, such as those of a private authority. @default those of Node */
  readonly ca?: string | undefined;
  /**
   * Accept any certificate of the site. Another server could then act as the site; prefer ca.
   * @default false
   */
  readonly insecure?: boolean | undefined;
}

export interface ValidationSettings {
  /**
   * Handling of requests that violate the document. With off and observe they are forwarded; observe also
   * counts them. With enforce, they are refused by the rules of WordPress's own code and of the namespaces in
   * trust. With strict, by all rules of the document.
   * @default enforce with serve, off in programs
   */
  readonly mode?: 'off' | 'observe' | 'enforce' | 'strict' | undefined;
  /**
   * Maximum size of a validated body, without files; use the site's post_max_size. With strict, and with
   * enforce if this is set, a larger one gets 413.
   * @default 8MiB, PHP's default
   */
  readonly bodyLimit?: string | undefined;
  /**
   * Namespaces of plugins, such as acme/v1, that refuse what the document forbids: enforce refuses it too.
   */
  readonly trust?: readonly string[] | undefined;
  /** Modes of single routes. The first match applies. */
  readonly routes?: readonly RouteValidationMode[] | undefined;
}

/** Mode of matching routes. */
export interface RouteValidationMode {
  /** A namespace, or a glob of routes such as /wp/v2/posts*. */
  readonly match: string;
  /** Mode of the matching routes. */
  readonly mode: 'off' | 'observe' | 'enforce' | 'strict';
}

export interface SiteCacheSettings {
  /**
   * Freshness lifetime of pages, feeds and sitemaps for visitors without a session, such as 60s, if the site
   * states none. Needs passthrough.
   * @default the site decides
   */
  readonly pages?: string | undefined;
  /** Cache rules. The first match applies; its missing members have their defaults. */
  readonly rules?: readonly RouteCacheRuleSettings[] | undefined;
  /**
   * Query parameters by which pages are stored, besides those of WordPress and WooCommerce. A page with any
   * other is stored only if a rule matches or the site states a lifetime.
   */
  readonly queries?: readonly string[] | undefined;
  /**
   * Whether mobile devices get other pages, as wp_is_mobile() decides. The device class is then part of the
   * key, and the site sees one User-Agent per class.
   * @default false
   */
  readonly device?: boolean | undefined;
  /**
   * With site, Surrogate-Key, Cache-Tag, xkey and Edge-Cache-Tag of responses are their tags, and clients
   * don't get them. The site purges by PURGE (purge) and waygate.php (webhook).
   * @default the fields only name responses for purges by hand
   */
  readonly tags?: 'site' | undefined;
  /**
   * Freshness lifetime of responses with tags of waygate.php. After that they are refreshed in the
   * background.
   * @default '10m'
   */
  readonly tagged?: string | undefined;
  /** Senders of PURGE requests. A network or the secret is enough. Needs tags: site. @default nobody */
  readonly purge?: SitePurgeOptions | undefined;
  /**
   * Query parameters without effect on the response, besides utm_*, fbclid and similar. They are not
   * forwarded. In each list of names, !gclid takes a name off the built-in ones.
   */
  readonly ignoreParameters?: readonly string[] | undefined;
  /**
   * Cookies that neither identify the client nor change content, besides those of analytics. Known values of
   * consent banners are part of the key.
   */
  readonly harmlessCookies?: readonly string[] | undefined;
  /**
   * Cookies that a plugin sets for everyone without effect on content. They are removed from requests and
   * responses that are otherwise shareable.
   */
  readonly ignoreCookies?: readonly string[] | undefined;
  /**
   * Request header fields that do not identify the client, besides those of browsers, proxies and tracing.
   * They are not forwarded with requests that can use the store. A name that ends in * is a prefix. Requests
   * with any other field bypass the store.
   */
  readonly harmlessHeaders?: readonly string[] | undefined;
  /**
   * Parameters of the query and the path that identify the client or are valid once, besides those with
   * obvious names such as api_token. Requests with them bypass the store.
   */
  readonly credentialParameters?: readonly string[] | undefined;
  /**
   * Purges of writes. The first match applies. Without one, a write purges everything of its site, unless it
   * is known to change nothing shared (docs/operators/caching.md).
   */
  readonly writes?: readonly WriteRule[] | undefined;
  /**
   * Secret of waygate.php, which signs its messages to POST /-/webhook/<name>.
   * @default the webhook is closed
   */
  readonly webhook?: string | undefined;
}

/** Cache rule for matching routes. */
export interface RouteCacheRuleSettings {
  /** Globs of routes or pages, such as /wp/v2/posts*, or a namespace such as wp/v2. */
  readonly match: string | readonly string[];
  /** Freshness lifetime if the site states none. */
  readonly ttl?: string | undefined;
  /** stale-while-revalidate: how long a stale response is used during revalidation. */
  readonly swr?: string | undefined;
  /** stale-if-error: how long a stale response is used while the site fails. */
  readonly sie?: string | undefined;
  /** Additional tags of the responses, for purging. */
  readonly tags?: readonly string[] | undefined;
  /** Request header fields that are part of the key. */
  readonly keyHeaders?: readonly string[] | undefined;
  /** true: these lifetimes replace the site's. */
  readonly override?: boolean | undefined;
  /**
   * false: a client's no-cache and max-age are ignored, so a reload in the browser gets the stored response.
   */
  readonly reload?: boolean | undefined;
  /** false: matching responses are never stored. */
  readonly store?: boolean | undefined;
}

export interface SitePurgeOptions {
  /** Addresses or networks of senders, such as 10.0.0.0/8. */
  readonly networks?: readonly string[] | undefined;
  /** Secret of senders, in Authorization (Bearer), X-VC-Purge-Key or X-Purge-Key. */
  readonly secret?: string | undefined;
}

/** Purges of writes to some addresses. */
export interface WriteRule {
  /** Methods (none: all) and globs of routes or paths: POST /shop/v1/cart/*, /?wc-ajax=add_to_cart, *. */
  readonly match: string;
  /** A list has tags, route templates and paths: [/shop/v1/products/{id}, /product, prices]. */
  readonly purges: 'nothing' | 'everything' | readonly string[];
}

export interface SiteLimitOptions {
  /** Requests per IPv4 address or IPv6 network, such as 100/m or 20/10s. @default no limit */
  readonly client?: string | undefined;
  /**
   * Requests per value of Authorization, or per login cookie of WordPress. They count for the client too.
   * @default no limit
   */
  readonly credential?: string | undefined;
  /**
   * Limits of single routes and pages. The first match replaces the limits that it names, and has its own
   * counters; off removes a limit.
   */
  readonly rules?: readonly LimitRule[] | undefined;
}

/** Limits of the requests for matching routes or pages. */
export interface LimitRule {
  /** Globs of routes and pages, such as /wp/v2/comments* or /wp-login.php, or a namespace such as wp/v2. */
  readonly match: string | readonly string[];
  /** HTTP methods. @default all */
  readonly methods?: readonly string[] | undefined;
  /** Requests per IPv4 address or IPv6 network, such as 100/m or 20/10s. @default no limit */
  readonly client?: string | undefined;
  /**
   * Requests per value of Authorization, or per login cookie of WordPress. They count for the client too.
   * @default no limit
   */
  readonly credential?: string | undefined;
}

export interface AccessOptions {
  /** Allowed addresses or networks, such as 10.0.0.0/8 or 2001:db8::/32. Empty: all. */
  readonly allow?: readonly string[] | undefined;
  /** Refused ones, even if allow has them. */
  readonly deny?: readonly string[] | undefined;
  /**
   * Networks that can use wp-admin and wp-login.php, with passthrough. Others get 403, except for what pages
   * of visitors use: files, admin-ajax.php, admin-post.php, passwords of posts, signing out. Empty: all.
   */
  readonly admin?: readonly string[] | undefined;
}

export interface CorsOptions {
  /** Allowed origins, such as https://app.example.com; * allows all. */
  readonly origins: readonly string[];
  /** Whether pages can send cookies and read the responses. @default false */
  readonly credentials?: boolean | undefined;
}

/** Access of agents to the site. */
export interface McpOptions {
  /** Address of the server. @default /mcp, or /-/mcp with passthrough */
  readonly path?: string | undefined;
  /**
   * Reads that agents can call: operationIds, namespaces, or * for all. What fetches addresses, tests the
   * site or shows secrets must be named, or its namespace with an exclamation mark (wc/v3!).
   */
  readonly reads?: readonly string[] | undefined;
  /**
   * Writes that agents can call: content for posts, products, comments and the like, or operationIds or
   * namespaces. Administration and deletions must be named, or their namespace with an exclamation mark
   * (wc/v3!).
   */
  readonly writes?: readonly string[] | undefined;
  /**
   * Bearer tokens of an issuer (OAuth 2.1), for clients that sign their users in, such as connectors of
   * assistants. Without a valid token or HTTP Basic credentials, clients get 401.
   */
  readonly oauth?: McpOAuthOptions | undefined;
  /** Rate limits of this site, or of messages from its agents. A request over a limit gets 429. */
  readonly limits?: SiteLimitOptions | undefined;
}

export interface McpOAuthOptions {
  /** Issuer of the tokens, as its metadata names it, e.g. https://login.example.com. */
  readonly issuer: string;
  /** Public URL of the endpoint, which tokens must name as audience, e.g. https://example.com/mcp. */
  readonly audience: string;
  /**
   * Credentials of the site (user:application password) by the subject of a token, or by its verified e-mail
   * address.
   */
  readonly users: Readonly<Record<string, string>>;
}

/**
 * The sites that waygate generate reads without a URL, and where it writes their files: the content of
 * waygate.config.ts.
 */
export interface WaygateConfig {
  /** The sites that waygate generate reads. */
  readonly sites: readonly GeneratedSite[];
}

/** One site of a waygate.config.ts. Paths are relative to the folder of that file. */
export interface GeneratedSite {
  /** Any URL of the site. Optional if `from` is given. */
  readonly url?: string | undefined;
  /**
   * Recorded root index or OpenAPI document that is read instead of the site. The document is then not
   * written again.
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
  /** Also write <name>.tanstack.ts: queries and mutations for TanStack Query 5. @default none */
  readonly tanstack?: 'react' | 'preact' | 'vue' | 'svelte' | 'solid' | 'angular' | 'core' | undefined;
  /** Only these files are written. @default document, types, and the files of the options above */
  readonly only?: readonly GeneratedFile[] | undefined;
  /**
   * OpenAPI Overlay to apply; `false` for none.
   * @default <name>.overlay.json beside the output, if it exists
   */
  readonly overlay?: string | false | undefined;
  /**
   * Arguments and response members that the index lacks, by operation: POST /wp/v2/posts, or /wp/v2/posts for
   * all methods. An entry that matches nothing is an error.
   */
  readonly extend?: Readonly<Record<string, ExtendedOperation>> | undefined;
  /**
   * Further requests of reconcile: /x/v1/things/12, or a write, POST /x/v1/things {"title":"A"}.
   * @default none
   */
  readonly samples?: readonly string[] | undefined;
  /** Environment variable of the credentials (user:application-password). @default 'WAYGATE_AUTH' */
  readonly authVariable?: string | undefined;
  /** Header fields of the requests that read the index. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Namespaces, or globs of routes, to keep. @default all */
  readonly include?: readonly string[] | undefined;
  /** Namespaces, or globs of routes, to leave out. */
  readonly exclude?: readonly string[] | undefined;
}

export type GeneratedFile = 'document' | 'types' | 'client' | 'tanstack' | 'report';

export interface DiscoveryFlags extends Texts<'auth'> {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly header: readonly string[];
}

export interface GenerateFlags
  extends DiscoveryFlags, Switches<'client' | 'check' | 'verbose' | 'json'>,
    Texts<'out' | 'name' | 'from' | 'config'>,
    Lists<'only'> {
  readonly tanstack?: 'react' | 'preact' | 'vue' | 'svelte' | 'solid' | 'angular' | 'core' | undefined;
  readonly failOn?: 'breaking' | 'risky' | 'any' | undefined;
}

export interface InitFlags extends Switches<'ci' | 'yes'>, Texts<'url' | 'out'> {}

export interface ReconcileFlags
  extends DiscoveryFlags, Switches<'fresh' | 'verbose' | 'json'>,
    Texts<'out' | 'name' | 'har' | 'config'>,
    Lists<'sample'> {
  readonly maxRequests: number;
}

export interface ServeFlags
  extends Switches<'passthrough' | 'mcp' | 'watch'>,
    Texts<'config' | 'host' | 'rediscover' | 'mode' | 'state' | 'cache' | 'document' | 'discovery'> {
  readonly site: readonly string[];
  readonly port?: number | undefined;
}

export interface CheckFlags extends Switches<'offline'> {
  readonly format: 'text' | 'json' | 'github';
}

export interface DiffFlags extends DiscoveryFlags {
  readonly format: 'text' | 'json' | 'markdown' | 'github';
  readonly failOn: 'breaking' | 'risky';
}

export interface MockFlags {
  readonly document: string;
  readonly port: number;
  readonly host: string;
}

export interface WhyFlags extends Switches<'json'> {
  readonly gateway: string;
}

export interface PurgeFlags extends Switches<'all' | 'soft' | 'json'>, Texts<'site'>, Lists<'url' | 'tag'> {}

export interface StatusFlags extends Switches<'json'> {}

export interface McpFlags
  extends DiscoveryFlags, Texts<'document' | 'log' | 'state'>,
    Lists<'writes' | 'reads' | 'files'> {}

export interface PluginFlags extends Texts<'site' | 'config' | 'home' | 'secretFile'> {}

export interface ExampleFlags {
  readonly port: number;
  readonly host: string;
}

export interface HealthFlags extends Switches<'ready'> {}

type Switches<Names extends string> = { readonly [Name in Names]?: boolean | undefined };
type Texts<Names extends string> = { readonly [Name in Names]?: string | undefined };
type Lists<Names extends string> = { readonly [Name in Names]?: readonly string[] | undefined };

/** Settings as they were read: those of `Present` have a value, `Amounts` are numbers, `Changed` others. */
type Read<Stated, Present extends keyof Stated, Amounts, Changed = {}> = Changed & {
  readonly [Name in keyof Stated as Exclude<Name, Present | keyof Changed>]: Name extends Amounts
    ? number | Exclude<Stated[Name], string>
    : Stated[Name];
} & { readonly [Name in Present]-?: Name extends Amounts ? number : Exclude<Stated[Name], undefined> };

export type Config = Read<
  GatewaySettings,
  'port' | 'host' | 'hosts' | 'trust' | 'logLevel' | 'shutdownDelay' | 'shutdownGrace' | 'notify',
  'shutdownDelay' | 'shutdownGrace',
  {
    readonly admin: AdminConfig;
    readonly cache: CacheConfig;
    readonly sites: readonly SiteConfig[];
  }
>;

export type AdminConfig = Read<AdminSettings, 'host', never, { readonly alerts: AlertConfig }>;

export type AlertConfig = Read<AlertSettings, 'errors' | 'slow', 'slow'>;

export type CacheConfig = Read<CacheSettings, 'store' | 'maxBytes', 'maxBytes' | 'redisAway'>;

export type SiteConfig = Read<
  SiteSettings,
  | 'extend' | 'discovery' | 'passthrough' | 'rewriteBodies' | 'include' | 'exclude' | 'timeout'
  | 'limits' | 'access' | 'concurrency' | 'maintenance' | 'errorPages'
  | 'mcp',
  'rediscover' | 'timeout',
  {
    readonly upstream: UpstreamConfig;
    readonly validation: ValidationOptions;
    readonly cache: SiteCacheOptions;
  }
>;

export type UpstreamConfig = Read<UpstreamSettings, 'headers' | 'insecure', never>;

export type ValidationOptions = Read<ValidationSettings, never, 'bodyLimit'>;

export type SiteCacheOptions = Read<
  SiteCacheSettings,
  never,
  'pages' | 'tagged',
  {
    readonly rules?: readonly RouteCacheRule[] | undefined;
  }
>;

export type RouteCacheRule = Read<RouteCacheRuleSettings, never, 'ttl' | 'swr' | 'sie'>;
