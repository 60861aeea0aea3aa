import * as v from 'valibot';
import type { Config, WaygateConfig } from '../../generated/option-types.d.ts';
import {
  BOOLEAN,
  choice,
  duration,
  either,
  group,
  integer,
  JSON_SCHEMA,
  list,
  matching,
  NAME,
  PATH,
  record,
  required,
  SECRET,
  SIZE,
  seconds,
  secret,
  setting,
  share,
  TEXT,
  WEB_URL,
} from './setting-types.ts';

/** RFC 9110 §5.1 and §5.5. */
const FIELD_NAME = matching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of a header field');
const FIELDS = record(secret(matching(/^[^\r\n\0]*$/, 'must be the value of a header field')), FIELD_NAME);
const PLAIN_URL = v.pipe(
  WEB_URL,
  v.regex(/^[^?#]*$/, 'must be an http or https URL without query or fragment'),
);

const RATE = matching(
  /^(?:off|[1-9]\d{0,8}\/(?:[1-9]\d{0,3})?[smhd])$/u,
  'must be a number of requests per second, minute, hour or day, such as 100/m or 20/10s; or off',
);

const clientRate = setting(RATE)`
  Requests of one IPv4 address or IPv6 network in a time, such as 100/m or 20/10s. Unset: no limit.`;

const credentialRate = setting(RATE)`
  Requests with one credential in a window of time: a value of Authorization, or a login cookie of WordPress.
  They count for the client too. Unset: no limit.`;

const REDIS_URL = matching(
  /^(?:rediss?:\/\/.+|unix:\/\/\/.+)$/u,
  'must be a URL such as redis://host:6379/0, rediss://host:6380 or unix:///run/redis/redis.sock?db=0',
);

const REDIS_TLS = group('RedisTlsOptions', {
  ca: setting(PATH)`Path of a file with the certificates in PEM that are trusted. Unset: those of Node.`,
  cert: setting(PATH)`Path of a file with the client's certificate in PEM.`,
  key: setting(PATH)`Path of a file with the private key of the client's certificate in PEM.`,
  servername: setting(NAME)`
    Name that the certificates of the servers are for. Unset: the host that is connected to.`,
})`Files for TLS, which are read for each connection.`;

const REDIS = group('RedisOptions', {
  url: required(REDIS_URL)`
    The server that takes writes: redis://user:password@host:6379/0, rediss:// with TLS, or unix:///run/redis/redis.sock?db=0.`,
  username: setting(TEXT)`User of the access control list (ACL). Unset: default.`,
  password: setting(secret(TEXT))`Password of the user.`,
  passwordFile: setting(PATH)`Path of a file with the password, which is read for each connection.`,
  tls: v.optional(REDIS_TLS),
  prefix: setting(NAME)`
    Prefix of all keys and channels. Gateways with the same prefix share what they store. Unset: waygate:.`,
})`Where Redis or Valkey is, and how a gateway signs in.`;

const GLOBS = either(
  [NAME, list(NAME, 1)],
  'must be a glob such as /wp/v2/comments* or /wp-login.php*, a namespace such as wp/v2, or a list of them',
);

const LIMIT_RULE = group('LimitRule', {
  match: required(GLOBS)`
    Globs: /wp/v2/comments* and /wp-login.php match routes and pages, wp/v2 matches a namespace.`,
  methods: setting(list(NAME))`Methods that the rule applies to. Unset: all.`,
  client: clientRate,
  credential: credentialRate,
})`The limits of the requests for matching routes or pages.`;

const limitRules = setting(list(LIMIT_RULE), [])`
  Limits of single routes and pages. The first rule that matches a request replaces the limits that it names,
  and counts apart; off removes them.`;

const ACCESS = group('AccessOptions', {
  allow: setting(list(TEXT), [])`
    Addresses or networks that are allowed, such as 10.0.0.0/8 or 2001:db8::/32. Empty: all.`,
  deny: setting(list(TEXT), [])`Addresses or networks that are refused, also if allow has them.`,
})`Client networks that may send requests. Others get 403.`;

const PORT = integer(0, 65535);

const MODE = required(choice('off', 'observe', 'enforce', 'strict'))`
  What happens to requests that violate the document: nothing (off), they are compared with the responses of
  the site (observe), refused by known rules (enforce), or refused by all rules (strict). Known rules are
  those of WordPress itself, and those that the site has confirmed by its responses. With strict, a rule that
  the site has contradicted is suspended. Unset: 'off' in programs.`;

const SCHEMAS = required(choice('help', 'off'))`
  Source of response schemas: the index (help) or none (off). Unset: help.`;

const INCLUDE = required(list(TEXT))`Namespaces, or globs of routes, to keep. Unset: all.`;

const EXCLUDE = required(list(TEXT))`Namespaces, or globs of routes, to leave out. Unset: none.`;

const EXTENDED_OPERATION = group('ExtendedOperation', {
  parameters: setting(record(JSON_SCHEMA))`Arguments in the query.`,
  body: setting(record(JSON_SCHEMA))`Fields of the body of POST, PUT and PATCH.`,
  response: setting(record(JSON_SCHEMA))`Members of the item that is returned, alone or in a list.`,
})`Arguments and members by name, each a JSON Schema. They replace those of the index.`;

const EXTEND = required(record(EXTENDED_OPERATION))`
  What the site takes and returns beside what its index declares, by operation: POST /wp/v2/posts, or
  /wp/v2/posts for all methods of a route. An entry that matches nothing is an error. Unset: nothing.`;

const HEADERS = required(FIELDS)`Header fields of the requests that read the index. Unset: none.`;

const upstreamHost = setting(
  matching(
    /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/u,
    'must be a host name such as www.example.com, with a port if it is not the default',
  ),
)`
  Host that the site sees, usually its public name, while connections are made to its URL. With it, and with
  the same name in publicUrl, the links that the site writes are already those of the gateway. Unset: the host
  of the URL.`;

const ca = setting(PATH)`
  Path of a file with certificates in PEM that are trusted for the site: its own self-signed one, or that of
  its private authority. Unset: the authorities of Node.`;

const TLS = group(
  'TlsConfig',
  {
    cert: required(
      PATH,
    )`Path of a file with the certificate in PEM, followed by those of intermediate authorities.`,
    key: required(PATH)`Path of a file with its private key in PEM, without a passphrase.`,
  },
  'must be one certificate with its key (cert, key); Caddy or nginx in front serves several (deploy/)',
)`Serves HTTPS at the port with this certificate. A reload reads its files again. Unset: HTTP.`;

const INSECURE = required(BOOLEAN)`
  Accept any certificate of the site, so that another server could act as the site; better state ca.`;

const LOG = group('LogConfig', {
  format: setting(choice('json', 'combined', 'text'))`
    Form of the lines: combined is that of Apache and nginx, with other lines on standard error; text is for
    people. Unset: text on a terminal, else json.`,
  sample: setting(
    share('must be a number from 0 to 1: the share of fresh hits that is logged; everything else always is'),
    1,
  )`The share of fresh hits that is logged, such as 0.01. All other requests are logged.`,
})`How requests are logged.`;

const BODIES = group('BodyConfig', {
  memory: setting(SIZE, '64MiB')`
    Memory for request bodies that are validated. Past it they are forwarded without validation, or get 503
    where they must be validated.`,
  memoryPerClient: setting(SIZE)`The part of the memory that one client address may use. Unset: half of it.`,
  minRate: setting(SIZE, '500')`
    Bytes of a request body per second, on average over a period. A slower one gets 408. 0: any rate.`,
  ratePeriod: setting(duration(), '30s')`The period of minRate.`,
})`Limits of the request bodies.`;

const ADMIN = group('AdminConfig', {
  token: setting(SECRET)`
    Token of requests to /-/ (Authorization: Bearer). Prefer the environment: WAYGATE_ADMIN_TOKEN.`,
  port: setting(PORT)`
    Port of a separate listener for /-/. The public one then has only /-/health and /-/ready of them. Unset:
    the public port.`,
  host: setting(NAME, '127.0.0.1')`Address of the separate listener.`,
})`The gateway's own operations, below /-/.`;

const STORE = group('CacheConfig', {
  store: setting(
    matching(
      /^(?:off|memory|rediss?:\/\/.+|unix:\/\/\/.+)$/u,
      'must be off, memory, or a URL such as redis://host:6379',
    ),
    'memory',
  )`
    Where responses are stored: nowhere (off), in the process (memory), or in a Redis or Valkey server that
    gateways share (redis://host:6379/0). With the setting redis, memory is in front of that server. Prefer the environment: WAYGATE_CACHE.`,
  maxBytes: setting(SIZE, '256MiB')`Maximum size of the stored responses in memory.`,
  redisAway: setting(duration())`
    How long a gateway uses its own memory while it cannot reach Redis, such as 5s, and may miss writes
    through other gateways. Unset: not at all.`,
  maxEntryBytes: setting(SIZE, '8MiB')`Maximum body size of a stored response. Larger bodies stream through.`,
})`The cache store that all sites share.`;

const LIMITS = group('LimitOptions', {
  client: clientRate,
  credential: credentialRate,
  rules: limitRules,
})`Rate limits of all sites together. A request past one of its limits gets 429.`;

const NOTICE = group('NotifyOptions', {
  to: required(choice('webhook', 'cloudflare', 'fastly', 'revalidate'))`
    webhook: a signed notice. cloudflare, fastly: a purge by tag, which surrogateKeys adds to responses.
    revalidate: a notice with the secret, for frameworks such as Next.js.`,
  url: required(WEB_URL)`
    Address that the notice is posted to, such as …/zones/<zone>/purge_cache of Cloudflare.`,
  secret: required(SECRET)`
    Secret that signs the notice, or that it contains; for Cloudflare and Fastly the API token.`,
  site: setting(TEXT)`Name of the only site that is reported, as in /-/sites. Unset: all.`,
})`A system that is told what is purged.`;

const TIMEOUTS = group('TimeoutConfig', {
  connect: setting(duration(), '10s')`Until the connection to the site is established.`,
  headers: setting(duration(), '60s')`Until the header section of a response has arrived.`,
  body: setting(duration(), '60s')`Between two chunks of a response body.`,
})`Limits in time of the requests to the site.`;

const UPSTREAM = group('UpstreamConfig', {
  host: upstreamHost,
  headers: setting(FIELDS, {})`
    Header fields of each request to the site. They replace the client's fields of these names.`,
  auth: setting(secret(matching(/^[^:]+:.+$/u, 'must be user:password')))`
    HTTP Basic credentials of a web server in front of the site, user:password, sent with requests that have
    no Authorization. Prefer the environment: WAYGATE_UPSTREAM_AUTH.`,
  ca: ca,
  insecure: v.optional(INSECURE, false),
})`Connections of the gateway to the site.`;

const ROUTE_MODE = group('RouteValidationMode', {
  match: required(NAME)`A namespace, or a glob of routes such as /wp/v2/posts*.`,
  methods: setting(list(TEXT))`Methods that the entry applies to. Unset: all.`,
  mode: required(choice('off', 'observe', 'enforce', 'strict'))`Mode of the matching routes.`,
})`The mode of the requests of matching routes.`;

const VALIDATION = group('ValidationOptions', {
  mode: v.optional(MODE, 'enforce'),
  bodyLimit: setting(SIZE)`
    Maximum size of a body that is validated, without files. With strict, and with enforce if this is set, a
    larger one gets 413, so use the site's post_max_size. Unset: 8MiB, PHP's default.`,
  routes: setting(list(ROUTE_MODE), [])`Modes of single routes. The first matching entry applies.`,
})`Validation of requests by the document.`;

const CACHE_KEY = group('RouteCacheKeyRule', {
  headers: setting(list(TEXT))`Request header fields that are part of the cache key.`,
  ignore: setting(list(TEXT))`Query parameters that are not part of the cache key.`,
})`Changes to the cache key.`;

const CACHE_RULE = group('RouteCacheRule', {
  match: required(GLOBS)`Globs: /wp/v2/posts* matches routes, wp/v2 matches a namespace.`,
  methods: setting(list(choice('GET', 'HEAD')))`Methods of the requests. Unset: both.`,
  ttl: setting(seconds())`Freshness lifetime if the site states none.`,
  swr: setting(seconds())`stale-while-revalidate: how long a stale response is used while it is revalidated.`,
  sie: setting(seconds())`stale-if-error: how long a stale response is used while the site fails.`,
  notFound: setting(seconds())`Freshness lifetime of 404 responses.`,
  tags: setting(list(NAME))`Additional tags of the responses, for purging.`,
  key: v.optional(CACHE_KEY),
  override: setting(BOOLEAN)`true: these lifetimes override those that the site states.`,
  reload: setting(BOOLEAN)`
    false: a client's no-cache and max-age are ignored, so a reload gets the stored response.`,
  store: setting(BOOLEAN)`false: matching responses are never stored.`,
})`An entry of the cache rules, for the responses of matching routes.`;

const PURGE = group('SitePurgeOptions', {
  networks: setting(list(TEXT), [])`Addresses or networks of senders, such as 10.0.0.0/8 or 2001:db8::/32.`,
  secret: setting(SECRET)`
    Secret of senders, in Fastly-Key, Authorization (Bearer), X-VC-Purge-Key or X-Purge-Key.`,
})`
  Who may send PURGE and BAN requests for the site, and calls to POST /-/purges/<name>/…. One of both is
  enough. With tags: site. Unset: nobody.`;

const WRITE_RULE = group('WriteRule', {
  match: required(
    matching(
      /^\s*(?:[A-Z]+\s+)*[/*]\S*(?:\s+[/*]\S*)*\s*$/,
      'must be methods, if not all, and globs of routes or paths: POST /shop/v1/cart/*',
    ),
  )`
    Method, if not all, and glob of the routes or paths that are written: POST /shop/v1/cart/*,
    /?wc-ajax=add_to_cart, *.`,
  purges: required(
    either(
      [choice('nothing', 'everything'), list(NAME, 1)],
      'must be nothing, everything, or a list of tags and of route templates or paths',
    ),
  )`
    nothing, everything, or a list of tags and of route templates or paths: [/shop/v1/products/{id}, /product,
    prices].`,
})`What the writes to some addresses purge.`;

const CACHE = group('SiteCacheOptions', {
  enabled: setting(BOOLEAN, true)`Whether responses of this site are stored. "cache.store" names the store.`,
  default: setting(BOOLEAN, true)`
    Whether anonymous reads of documented operations are stored if the site states no freshness: fresh for
    30s, stale-while-revalidate for 10m, stale-if-error for 1d; 404 responses fresh for 5s.`,
  pages: setting(v.pipe(seconds(), v.maxValue(21_600, 'must be at most 6h')))`
    Freshness lifetime of pages, feeds and sitemaps for visitors without a session, such as 60s, if the site
    states none. Needs passthrough. Unset: a page is stored only if the site states its freshness.`,
  rules: setting(list(CACHE_RULE), [])`
    Cache rules. The first rule that matches a request applies; what it omits has its default.`,
  device: setting(BOOLEAN, false)`
    Whether mobile devices get other pages, as wp_is_mobile() decides. Their class is then part of the key,
    and the site gets a standard User-Agent of it.`,
  surrogateKeys: setting(BOOLEAN, false)`
    Whether stored responses have Surrogate-Key and Cache-Tag, so that a cache in front of the gateway can be
    purged by tag (notify). A response is then sent when it is complete.`,
  tags: setting(choice('site'))`
    site: the names in Surrogate-Key, Cache-Tag, xkey, X-LiteSpeed-Tag and Edge-Cache-Tag are tags of stored
    responses, and the site may purge by X-LiteSpeed-Purge, by PURGE and BAN requests, by calls as those of
    Fastly (purge), and by waygate.php (webhook). The fields are removed before the client.
    Unset: the fields only name responses for purges by hand.`,
  purge: v.optional(PURGE),
  ignoreParameters: setting(list(TEXT), [])`
    Query parameters without effect on the response beside utm_*, fbclid and similar. They aren't forwarded.`,
  harmlessCookies: setting(list(TEXT), [])`
    Cookies that do not identify the client, in addition to those of analytics and consent banners.`,
  ignoreCookies: setting(list(NAME), [])`
    Cookies that a plugin sets on responses to everyone and that no content depends on. They are taken out of
    requests and responses that are otherwise shareable.`,
  harmlessHeaders: setting(list(NAME), [])`
    Request header fields that do not identify the client, in addition to those of browsers, proxies and
    tracing. They are not forwarded with requests that may use the store. A name that ends in * is a prefix.`,
  credentialHeaders: setting(list(NAME), [])`
    Request header fields that identify the client. Requests with them bypass the store.`,
  credentialParameters: setting(list(NAME), [])`
    Parameters of the query and the path that identify the client or are valid once, in addition to those
    whose name says so, such as api_token. Requests with them bypass the store.`,
  writes: setting(list(WRITE_RULE), [])`
    What writes purge that the gateway or the site knows nothing of. The first rule that matches decides.
    Without one, a write purges everything of its site, unless it is known to change nothing that others see
    (docs/operators/caching.md).`,
  staleAfterWrite: setting(choice('failed', 'always', 'never'), 'failed')`
    Which stored responses are used while the site cannot be reached, or responds with 502, 503 or 504, within
    stale-if-error, although a write may have changed them and the site has not confirmed them since. failed:
    after writes that failed in these ways, or that do not prove that the site has let their client write.
    always: after all writes. never: none.`,
  webhook: setting(SECRET)`
    Secret by which waygate.php signs its messages to POST /-/webhook/<name>. Unset: the webhook is closed.`,
})`What is cached for the site, and for how long.`;

const SITE_LIMITS = group('SiteLimitOptions', {
  client: clientRate,
  credential: credentialRate,
  rules: limitRules,
})`Rate limits of this site, in addition to those of the gateway.`;

const CORS = group('CorsOptions', {
  origins: required(
    list(TEXT, 1, 'at least one origin is required'),
  )`Origins that are allowed, such as https://app.example.com; * allows all.`,
  credentials: setting(BOOLEAN, false)`Whether pages may send cookies and use the responses to them.`,
  headers: setting(list(FIELD_NAME))`
    Request fields that pages may send, besides those that every page may. Unset: Authorization, X-WP-Nonce,
    Content-Disposition, Content-MD5, Content-Type, Nonce, X-WC-Store-API-Nonce, Cart-Token.`,
  exposedHeaders: setting(list(FIELD_NAME))`
    Response fields that pages may read, besides those that every page may. Unset: X-WP-Total,
    X-WP-TotalPages, Link, X-WP-Nonce, Nonce, X-WC-Store-API-Nonce, Cart-Token, Retry-After.`,
  maxAge: setting(duration(), '10m')`How long a browser may keep the response to a preflight request.`,
})`
  Which pages of other origins may read the responses (CORS). The gateway responds to preflight requests, and
  replaces the CORS fields of the site; an origin that is not listed gets none.`;

const CONCURRENCY = group('ConcurrencyOptions', {
  max: setting(integer(1), 256)`Requests that are sent to the site and have no complete response.`,
  queue: setting(integer(0), 256)`Requests that wait. Clients take turns.`,
  wait: setting(duration(), '10s')`How long a request waits.`,
})`
  How many requests the site works on at once. Further ones wait in a queue, and past it get 503 or a stale
  response.`;

const WEB_SOCKETS = group('WebSocketOptions', {
  connections: setting(integer(0), 1000)`Connections at once. 0: none are relayed.`,
  perClient: setting(integer(1), 32)`
    Connections of one client network: an IPv4 address, or an IPv6 network of 64 bits.`,
  idleTimeout: setting(duration(), '5m')`How long a connection may be idle in both directions.`,
  handshakeTimeout: setting(duration(), '10s')`Until the site has responded to the handshake.`,
})`WebSocket connections that are relayed to pages of a site with passthrough.`;

const AGENTS = group('McpOptions', {
  tools: setting(v.pipe(list(NAME), v.maxLength(40, 'must have at most 40 members')), [])`
    Operations that are tools of their own, by operationId, beside the three that find and call any. Empty: all of a
    site with at most 30, otherwise none.`,
  writes: setting(either([BOOLEAN, list(NAME)], 'must be true, false, or a list of operations'), false)`
    Operations that change the site and that agents may call. false: none. true: all that delete nothing. A list
    of operationIds: these, with * for all that true allows; deletions and batches must be named.`,
  limits: v.optional(SITE_LIMITS),
})`How agents may use the site.`;

/**
 * `readSite` (`cli/serve/gateway-settings.ts`) makes `SiteOptions` of it, and `MountedSite` reads those. A setting that changes what is
 * read of the index belongs to `INDEX_SETTINGS` too, one that changes responses to `listResponseSettings`. Then `npm run options`.
 */
const SITE = group('SiteConfig', {
  name: setting(
    matching(
      /^[A-Za-z0-9][A-Za-z0-9._~-]*$/u,
      'must be one path segment of letters, digits, ".", "_", "~" and "-"',
    ),
  )`
    Mounts the site at /<name>. One site may have no name: it is mounted at /. The name of a site with hosts
    is only for the operations below /-/ and for state. Unset: the first of the hosts.`,
  url: required(WEB_URL)`Any URL of the site. With discovery off: the origin to forward to.`,
  hosts: setting(list(NAME, 1))`
    Hosts at which the site is mounted, at /: blog.example.com, *.example.com or example.com:8080. No other
    site is there. If each site has hosts, requests for others get 421. Unset: the site is mounted by its
    name, at the hosts that no site has for itself.`,
  publicUrl: setting(PLAIN_URL)`
    URL under which clients reach a site with hosts, of one of them. The site is told its host and protocol.
    Unset: that of the gateway if it is at one of the hosts, otherwise taken from each request.`,
  document: setting(PATH)`
    Path of an OpenAPI document of the site, such as waygate generate writes. It is served as it is, and the
    site is not read; a reload reads the file again. Unset: the site is discovered.`,
  overlay: setting(PATH)`
    Path of an OpenAPI Overlay, such as waygate reconcile writes, that is applied to each discovered document.`,
  extend: v.optional(EXTEND, {}),
  discovery: setting(choice('auto', 'off'), 'auto')`Whether the gateway reads the root index of the site.`,
  rediscover: setting(v.pipe(duration(), v.minValue(100, 'must be at least 100ms')))`
    Interval of discovery, such as 5m. Unset: once at the start, and on request.`,
  passthrough: setting(BOOLEAN, false)`
    Forward pages and all other paths to the site too. Otherwise they get 404.`,
  unknownRoutes: setting(choice('pass', 'refuse'))`
    How requests to undocumented routes are handled. Unset: pass, because an index may hide routes.`,
  rewriteBodies: setting(BOOLEAN, false)`
    Whether the site's URL in text bodies is replaced by the gateway's, as in Location and Link.`,
  schemas: v.optional(SCHEMAS, 'help'),
  include: v.optional(INCLUDE, []),
  exclude: v.optional(EXCLUDE, []),
  auth: setting(secret(matching(/^[^:]+:.+$/u, 'must be user:application-password')))`
    Credentials for reading the index, user:application-password. They are not sent with the requests of
    clients: for a web server that asks every visitor for credentials, set upstream.auth. Prefer the
    environment: WAYGATE_AUTH.`,
  headers: v.optional(HEADERS, {}),
  timeouts: v.optional(TIMEOUTS, {}),
  upstream: v.optional(UPSTREAM, {}),
  validation: v.optional(VALIDATION, {}),
  cache: v.optional(CACHE, {}),
  limits: v.optional(SITE_LIMITS, {}),
  access: v.optional(ACCESS, {}),
  cors: v.optional(CORS),
  concurrency: v.optional(CONCURRENCY, {}),
  webSockets: v.optional(WEB_SOCKETS, {}),
  mcp: setting(either([BOOLEAN, AGENTS], 'must be true, false, or a section of settings'), false)`
    Tools for agents at /mcp of the site, by the Model Context Protocol. They only read unless writes are allowed
    (docs/agents.md).`,
  breaker: setting(BOOLEAN)`
    Whether a circuit breaker stops requests to a failing site for a moment. Unset: on if responses are stored.`,
})``;

export const SERVE: v.GenericSchema<unknown, Config> = group('Config', {
  port: setting(PORT, 8080)`Port to listen on; 0 picks a free one.`,
  host: setting(NAME, '127.0.0.1')`Address to listen on.`,
  tls: v.optional(TLS),
  publicUrl: setting(PLAIN_URL)`
    URL under which clients reach the gateway, which sites are told. Unset: taken from each request.`,
  hosts: setting(list(NAME), [])`
    Hosts that the gateway serves beside that of publicUrl and those of single sites, such as example.com or
    *.example.com; requests for others get 421, except those below /-/. Empty: all hosts, or none if each site
    has hosts.`,
  trust: setting(list(TEXT), [])`
    Addresses or networks of proxies whose Forwarded and X-Forwarded-* fields are used, such as 10.0.0.0/8.`,
  logLevel: setting(choice('silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'), 'info')`
    Lowest severity that is logged.`,
  log: v.optional(LOG, {}),
  idleGrace: setting(duration(), '1s')`
    How long an idle connection stays open after SIGTERM, for a request that is on its way.`,
  shutdownDelay: setting(duration(), '0s')`
    How long everything is served after SIGTERM while /-/ready responds with 503 to load balancers.`,
  shutdownGrace: setting(duration(), '10s')`
    How long active requests, downloads and WebSockets may take after SIGTERM and shutdownDelay.`,
  state: setting(PATH)`
    Folder for state that outlives a restart, such as the last good documents. Unset: none is kept.`,
  bodies: v.optional(BODIES, {}),
  maxConnections: setting(integer(1))`
    Connections of clients. Further ones get 503. Unset: as many as there are file descriptors.`,
  admin: v.optional(ADMIN, {}),
  cache: v.optional(STORE, {}),
  redis: setting(
    either([REDIS_URL, REDIS], 'must be a URL such as redis://host:6379/0, or an object with url'),
  )`
    Redis or Valkey server in which gateways share stored responses and add up rate limits: a URL, or an
    object. With cache.store off nothing is stored there. Unset: the server of cache.store, if it is a URL.`,
  limits: v.optional(LIMITS, {}),
  access: v.optional(ACCESS, {}),
  notify: setting(list(NOTICE), [])`Systems that are told what is purged.`,
  sites: setting(
    list(SITE, 1, 'at least one site is required: --site <url>, or "sites" in the file'),
    [],
  )`The sites behind the gateway.`,
})`
  The configuration of waygate serve. Times are durations such as 30s, sizes such as 64MiB. Paths are relative
  to the folder of the file.`;

const GENERATED_UPSTREAM = group('GeneratedSiteUpstream', {
  host: upstreamHost,
  ca: ca,
  insecure: v.optional(INSECURE, false),
})`How connections to the site are made.`;

export const GENERATED_FILES = [
  'document',
  'yaml',
  'types',
  'client',
  'tanstack',
  'validators',
  'report',
] as const;

const GENERATED_SITE = group('GeneratedSite', {
  url: setting(WEB_URL)`Any URL of the site. Optional if \`from\` is given.`,
  from: setting(NAME)`
    Path of a recorded root index, or of an OpenAPI document, that is read instead of the site. Of a document,
    only what programs import is written. Unset: none.`,
  out: setting(NAME)`Folder of the generated files. Unset: the folder of the configuration file.`,
  name: setting(matching(/^[^/\\\u0000]+$/u, 'must be a file name; "out" chooses the folder'))`
    Base name of the generated files. Unset: derived from the site's URL: host, port and path.`,
  server: setting(WEB_URL)`
    URL that the document's paths are relative to, such as a gateway's. Unset: the site's own.`,
  client: setting(BOOLEAN)`Also write <name>.client.ts: a client with types. Unset: false.`,
  dates: setting(BOOLEAN)`
    The client has times in UTC (date_gmt) as a Date. Times in the site's zone stay texts. Unset: false.`,
  tanstack: setting(choice('react', 'preact', 'vue', 'svelte', 'solid', 'angular', 'core'))`
    Also write <name>.tanstack.ts: queries and mutations for TanStack Query 5. Unset: none.`,
  validators: setting(choice('zod', 'json'))`
    Also write <name>.validators.ts, with zod 4 or without a dependency (json). Unset: none.`,
  split: setting(BOOLEAN)`
    Write types and client as a file for each namespace, which <name>.ts and <name>.client.ts import.
    Unset: false.`,
  only: setting(list(v.pipe(choice(...GENERATED_FILES), v.title('GeneratedFile')), 1))`
    The files to write, and no others. Unset: document, types, and what the options above name.`,
  overlay: setting(either([NAME, v.literal(false)], 'must be a path, or false'))`
    Path of an OpenAPI Overlay to apply; \`false\` for none. Unset: <name>.overlay.json beside the output, if
    it exists.`,
  extend: v.optional(EXTEND),
  samples: setting(
    list(matching(/^(?:[A-Z]+ )?\/[^\s{]*(?: .*)?$/u, 'must be a path, or a method, a path and a body')),
  )`
    Requests that reconcile sends beside those that it finds: /x/v1/things/12, and with --writes
    POST /x/v1/things {"title":"A"}. Unset: none.`,
  authVariable: setting(
    matching(/^[A-Za-z_]\w*$/u, 'must be the name of an environment variable, not the credentials'),
  )`
    Name of the environment variable that has the credentials, as user:application-password. Unset:
    'WAYGATE_AUTH'.`,
  headers: v.optional(HEADERS),
  include: v.optional(INCLUDE),
  exclude: v.optional(EXCLUDE),
  schemas: v.optional(SCHEMAS),
  upstream: v.optional(GENERATED_UPSTREAM),
})`One site of a waygate.config.ts. Paths are relative to the folder of that file.`;

const STATED_SITE = v.pipe(
  GENERATED_SITE,
  v.check(({ from, url }) => (from ?? url) !== undefined, 'needs "url" or "from"'),
);

export const GENERATE: v.GenericSchema<unknown, WaygateConfig> = group('WaygateConfig', {
  sites: required(
    list(STATED_SITE, 1, 'at least one site is required'),
  )`The sites that waygate generate reads.`,
})`
  The sites that waygate generate reads without a URL, and where it writes their files: the content of
  waygate.config.ts.`;
