import * as v from 'valibot';
import type { Config, WaygateConfig } from '../../base/option-types.ts';
import { isRedisUrl } from '../../gateway/cache/stores/redis/servers.ts';
import { HOST_ENTRY, SITE_NAME } from '../../gateway/site/hosts.ts';
import { isValidHostField } from '../../gateway/upstream/request-headers.ts';
import { isAddable } from '../../gateway/upstream/site-fetch.ts';
import { NAMESPACE } from '../../generator/discovery/options.ts';
import {
  BOOLEAN,
  choice,
  duration,
  either,
  group,
  integer,
  JSON_SCHEMA,
  LIMIT,
  list,
  matching,
  NAME,
  NETWORK,
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

const FIELD_NAME = matching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of a header field');
const FIELD_VALUE = secret(matching(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be the value of a header field'));

/** PHP reads `X_A` as it reads `X-A`, which clients can send. */
const ADDED_FIELD = v.pipe(
  matching(/^[!#$%&'*+.^`|~0-9A-Za-z-]+$/, 'must be the name of a header field, without underscore'),
  v.check(isAddable, 'is a field that the gateway sets itself; see host and auth of upstream, and publicUrl'),
);

const HOST = v.pipe(
  matching(HOST_ENTRY, 'must be a host such as example.com, *.example.com or example.com:8080'),
  v.toLowerCase(),
);

const LISTEN_HOST = v.pipe(
  NAME,
  v.check((text) => /[^\d.]/.test(text) || URL.canParse(`http://${text}`), 'must be an IP address or a name'),
);

const ORIGIN = v.pipe(
  TEXT,
  v.check(
    (text) => text === '*' || (URL.canParse(text) && text !== 'null' && new URL(text).origin === text),
    'must be an origin without a path, such as https://app.example.com, or *',
  ),
);

const PLAIN_URL = v.pipe(
  WEB_URL,
  v.regex(/^[^?#]*$/, 'must be an http or https URL without query or fragment'),
);

const A_REDIS_URL =
  'a URL such as redis://host:6379/0, rediss://host:6380 or unix:///run/redis/redis.sock?db=0';
const REDIS_URL = v.pipe(TEXT, v.check(isRedisUrl, `must be ${A_REDIS_URL}`));

const REDIS = group('RedisOptions', {
  url: required(REDIS_URL)`
    Server that takes writes: redis://user:password@host:6379/0, rediss://host:6380 with TLS, or
    unix:///run/redis/redis.sock?db=0.`,
  passwordFile: setting(PATH)`File of the password, read for each connection.`,
  ca: setting(PATH)`Trusted certificates in PEM, read for each connection. Unset: those of Node.`,
  cert: setting(PATH)`The client's certificate in PEM, for a server that asks for one.`,
  key: setting(PATH)`Its private key in PEM.`,
  prefix: setting(NAME)`
    Prefix of keys. Gateways with the same one share stored responses. Unset: waygate:.`,
})`Address of Redis or Valkey, and how the gateway signs in.`;

const METHODS = 'GET HEAD POST PUT PATCH DELETE OPTIONS'.split(' ');
const METHOD = v.pipe(
  matching(new RegExp(`^(?:${METHODS.join('|')})$`, 'i'), `must be one of ${METHODS.join(', ')}`),
  v.toUpperCase(),
);

const GLOBS = either(
  [NAME, list(NAME, 1)],
  'must be a glob such as /wp/v2/comments* or /wp-login.php*, a namespace such as wp/v2, or a list of them',
);

const PATH_GLOB = matching(/^[/*]/, 'must be a glob such as /wp/v2/comments* or /wp-login.php*');

const LIMIT_RULE = group('LimitRule', {
  match: required(
    either([PATH_GLOB, list(PATH_GLOB, 1)], 'must be a glob such as /wp/v2/comments*, or a list of them'),
  )`
    Globs of routes and pages, such as /wp/v2/comments* or /wp-login.php, or the address of mcp, such as /mcp.`,
  methods: setting(list(METHOD))`HTTP methods. Unset: all.`,
  client: required(LIMIT)`Requests per IPv4 address or IPv6 network, such as 5/m; off for no limit.`,
})`Limit of the requests for matching routes or pages.`;

const ACCESS = group('AccessOptions', {
  allow: setting(list(NETWORK), [])`
    Allowed addresses or networks, such as 10.0.0.0/8 or 2001:db8::/32. Empty: all.`,
  deny: setting(list(NETWORK), [])`Refused ones, even if allow has them.`,
  admin: setting(list(NETWORK), [])`
    Networks that can use wp-admin and wp-login.php, with passthrough. Others get 403, except for what pages of
    visitors use: files, admin-ajax.php, admin-post.php, passwords of posts, signing out. Empty: all.`,
})`Client networks that can send requests. Others get 403.`;

const PORT = integer(0, 65535);

const INCLUDE = required(list(TEXT))`Namespaces, or globs of routes, to keep. Unset: all.`;

const EXCLUDE = required(list(TEXT))`Namespaces, or globs of routes, to leave out.`;

const OPTIONS = setting(BOOLEAN, true)`
  Whether each resource is asked with an OPTIONS request for fields that the index lacks, such as those of Advanced
  Custom Fields.`;

const NAMESPACES = required(
  list(matching(NAMESPACE, 'must be a namespace such as cocart/v2')),
)`Namespaces that the root index hides, such as cocart/v2, to read too.`;

const EXTENDED_OPERATION = group('ExtendedOperation', {
  parameters: setting(record(JSON_SCHEMA))`Arguments in the query.`,
  body: setting(record(JSON_SCHEMA))`Fields of the body of POST, PUT and PATCH.`,
  response: setting(record(JSON_SCHEMA))`Members of the item that is returned, alone or in a list.`,
  writable: setting(
    list(NAME),
  )`Members of the item that can be written too, e.g. those that reconcile has learned.`,
})`Arguments and members by name, each a JSON Schema. They replace those of the index.`;

const EXTEND = required(record(EXTENDED_OPERATION))`
  Arguments and response members that the index lacks, by operation: POST /wp/v2/posts, or /wp/v2/posts for
  all methods. An entry that matches nothing is an error.`;

const HEADERS = required(record(FIELD_VALUE, FIELD_NAME))`Header fields of the requests that read the index.`;

const ALERTS = group('AlertConfig', {
  errors: setting(share('must be a number from 0 to 1: a share of the responses'), 0.01)`
    Share of the responses of five minutes that are errors (5xx), if there are at least three.`,
  slow: setting(duration(), '5s')`Time that one in twenty requests to the site takes.`,
  clients: setting(list(NETWORK), [])`
    Addresses or networks that can send most of the requests, such as a front end that renders on its server.`,
})`Limits beyond which console, metrics and waygate status call a site failing or slow.`;

const ADMIN = group('AdminConfig', {
  token: setting(SECRET)`
    Token for /-/ (Authorization: Bearer). Prefer the environment: WAYGATE_ADMIN_TOKEN.`,
  port: setting(PORT)`
    Port of a separate listener for /-/. The public port keeps only /-/health and /-/ready.
    Unset: the public port.`,
  host: setting(LISTEN_HOST, '127.0.0.1')`Address of the separate listener.`,
  alerts: v.optional(ALERTS, {}),
})`The gateway's own operations, below /-/.`;

const STORE = group('CacheConfig', {
  store: setting(
    v.pipe(
      TEXT,
      v.check(
        (text) => text === 'off' || text === 'memory' || isRedisUrl(text),
        `must be off, memory, or ${A_REDIS_URL}`,
      ),
    ),
    'memory',
  )`
    off, memory, or the URL of a Redis or Valkey server that gateways share, such as redis://host:6379/0.
    If redis is set, memory is in front of that server. Prefer the environment: WAYGATE_CACHE.`,
  maxBytes: setting(SIZE, '256MiB')`Maximum size of the stored responses in memory.`,
})`Store of cached responses, shared by all sites.`;

const NOTICE = group('NotifyOptions', {
  to: required(choice('webhook', 'cloudflare', 'revalidate'))`
    Kind of receiver: a signed notice (webhook), a notice with the secret for frameworks such as Next.js
    (revalidate), or a purge by tag (cloudflare).`,
  url: required(WEB_URL)`
    URL of the receiver, such as …/zones/<zone>/purge_cache of Cloudflare.`,
  secret: required(SECRET)`
    Secret that signs the notice or is part of it. For Cloudflare: the API token.`,
})`System that is notified of purges.`;

const UPSTREAM = group('UpstreamConfig', {
  host: setting(
    v.pipe(
      TEXT,
      v.check(
        isValidHostField,
        'must be a host name such as www.example.com, with a port if it is not the default',
      ),
    ),
  )`
  Host that the site sees in requests, usually its public name. With the same name in publicUrl, the site's
  own links lead to the gateway. Unset: the host of the URL.`,
  headers: setting(record(FIELD_VALUE, ADDED_FIELD), {})`
    Header fields of each request to the site, discovery too, in place of the client's.`,
  auth: setting(secret(matching(/^[^:]+:.+$/u, 'must be user:password')))`
    HTTP Basic credentials (user:password) for a web server in front of the site. They are sent with
    requests without Authorization. Prefer the environment: WAYGATE_UPSTREAM_AUTH.`,
  ca: setting(PATH)`
  Trusted certificates in PEM, such as those of a private authority, read for each connection. Unset:
    those of Node.`,
  serverName: setting(NAME)`
    Name that the site's certificate must have, also sent as SNI (as proxy_ssl_name of nginx). Unset: that
    of host, or of the URL.`,
  insecure: setting(BOOLEAN, false)`
  Accept any certificate of the site. Another server could then act as the site; prefer ca.`,
})`Connections of the gateway to the site.`;

const VALIDATION = group('ValidationOptions', {
  mode: setting(choice('off', 'observe', 'enforce', 'strict'), 'enforce')`
  Handling of requests that violate the document. With off and observe they are forwarded; observe also
  counts them. With enforce, they are refused by the rules of WordPress's own code and of the namespaces in
  trust. With strict, by all rules of the document. Unset: enforce with serve, off in programs.`,
  bodyLimit: setting(SIZE)`
    Maximum size of a body without files; use the site's post_max_size. With strict, and with enforce if this
    is set, a larger one gets 413. Of any size, up to 4MiB are validated; strict refuses more.`,
  trust: setting(list(NAME), [])`
    Namespaces of plugins, such as acme/v1, that refuse what the document forbids: enforce refuses it too.`,
})`Validation of requests by the document.`;

const KEY_FIELD = matching(
  /^(?!cookie$)[!#$%&'*+.^_`|~0-9A-Za-z-]+$/i,
  'must be the name of a header field, but not Cookie: name cookies in keyCookies',
);

const CACHE_RULE = group('RouteCacheRule', {
  match: required(GLOBS)`Globs of routes or pages, such as /wp/v2/posts*, or a namespace such as wp/v2.`,
  ttl: setting(seconds())`Freshness lifetime if the site states none.`,
  swr: setting(seconds())`stale-while-revalidate: how long a stale response is used during revalidation.`,
  sie: setting(seconds())`stale-if-error: how long a stale response is used while the site fails.`,
  tags: setting(list(NAME))`Additional tags of the responses, for purging.`,
  keyHeaders: setting(list(KEY_FIELD))`Request header fields that are part of the key.`,
  keyCookies: setting(list(NAME))`
    Cookies that are part of the key, and reach the site. At other addresses they are harmless.`,
  override: setting(BOOLEAN)`true: these lifetimes replace the site's.`,
  reload: setting(BOOLEAN)`
    false: a client's no-cache and max-age are ignored, so a reload in the browser gets the stored response.`,
  store: setting(BOOLEAN)`false: matching responses are never stored.`,
})`Cache rule for matching routes.`;

const WRITE_RULE = group('WriteRule', {
  match: required(
    matching(
      new RegExp(`^\\s*(?:(?:${METHODS.join('|')})\\s+)*[/*]\\S*(?:\\s+[/*]\\S*)*\\s*$`),
      'must be methods, if not all, and globs of routes or paths: POST /shop/v1/cart/*',
    ),
  )`
    Methods (none: all) and globs of routes or paths: POST /shop/v1/cart/*, /?wc-ajax=add_to_cart, *.`,
  purges: required(
    either(
      [choice('nothing', 'everything'), list(NAME, 1)],
      'must be nothing, everything, or a list of tags and of route templates or paths',
    ),
  )`
    A list has tags, routes and paths: [/shop/v1/products, /product, prices]. Each includes everything below it.`,
})`Purges of writes to some addresses.`;

const CACHE = group('SiteCacheOptions', {
  pages: setting(v.pipe(seconds(), v.maxValue(21_600, 'must be at most 6h')))`
    Freshness lifetime of pages, feeds and sitemaps for visitors without a session, such as 60s, if the site
    states none. Needs passthrough. Unset: the site decides.`,
  rules: setting(list(CACHE_RULE), [])`
    Cache rules. The first match applies; its missing members have their defaults.`,
  queries: setting(list(NAME), [])`
    Query parameters by which pages are stored, besides those of WordPress and WooCommerce. A page with any
    other is stored only if a rule matches or the site states a lifetime.`,
  tagged: setting(seconds(), '10m')`
    Freshness lifetime of responses with tags of waygate.php. After that they are refreshed in the background.`,
  purgers: setting(list(NETWORK), [])`
    Addresses or networks that can send PURGE requests, such as 10.0.0.0/8. Clients don't get Surrogate-Key, Cache-Tag and
    xkey then, which are the tags of a response.`,
  ignoreParameters: setting(list(TEXT), [])`
    Query parameters without effect on the response, besides utm_*, fbclid and similar. They are not forwarded.
    In each list of names, !gclid takes a name off the built-in ones.`,
  harmlessCookies: setting(list(TEXT), [])`
    Cookies that neither identify the client nor change content, besides those of analytics.`,
  keyCookies: setting(list(NAME), [])`
    Cookies by which content differs, besides those of consent banners and of plugins for languages and
    currencies. They are part of the key if their value is a word of at most 64 characters; with any other,
    requests bypass the store.`,
  ignoreCookies: setting(list(NAME), [])`
    Cookies that a plugin sets for everyone without effect on content. They are removed from requests and
    responses that are otherwise shareable.`,
  harmlessHeaders: setting(list(NAME), [])`
    Request header fields that do not identify the client, besides those of browsers, proxies and tracing.
    They are not forwarded with requests that can use the store. A name that ends in * is a prefix. Requests
    with any other field bypass the store.`,
  credentialParameters: setting(list(NAME), [])`
    Parameters of the query and the path that identify the client or are valid once, besides those with
    obvious names such as api_token. Requests with them bypass the store.`,
  writes: setting(list(WRITE_RULE), [])`
    Purges of writes. The first match applies, whoever writes. Without one, a user's write purges everything of its
    site, unless it is known what it changes, and another one its own address (docs/operators/caching.md).`,
  webhook: setting(SECRET)`
    Secret of waygate.php, which signs its messages to POST /-/webhook/<name>. Clients don't get Surrogate-Key, Cache-Tag
    and xkey then, as with purgers. Unset: the webhook is closed.`,
})`Caching of the site's responses.`;

const SITE_LIMITS = group('SiteLimitOptions', {
  client: setting(LIMIT)`
    Requests per IPv4 address or IPv6 network, such as 100/m or 20/10s. Unset: no limit.`,
  rules: setting(list(LIMIT_RULE), [])`
    Limits of single routes and pages. The first match replaces the limit of the site, and has its own
    counters.`,
})`Rate limits of this site. A request over a limit gets 429.`;

const CORS = group('CorsOptions', {
  origins: required(
    list(ORIGIN, 1, 'at least one origin is required'),
  )`Allowed origins, such as https://app.example.com; * allows all.`,
  credentials: setting(BOOLEAN, false)`Whether pages can send cookies and read the responses.`,
})`
  Pages of other origins that can read the responses (CORS). The gateway responds to preflight requests, and
  replaces the CORS fields of the site.`;

const ADDRESS = matching(
  /^(?:\/[\w.~-]+)+$/,
  'must be a path below the mount of the site, such as /reference',
);

const AGENT_OAUTH = group('McpOAuthOptions', {
  issuer: required(
    PLAIN_URL,
  )`Issuer of the tokens, as its metadata names it, e.g. https://login.example.com.`,
  audience: required(
    PLAIN_URL,
  )`Public URL of the endpoint, which tokens must name as audience, e.g. https://example.com/mcp.`,
  users: required(record(secret(matching(/^[^:]+:.+$/u, 'must be user:application password'))))`
    Credentials of the site (user:application password) by the subject of a token, or by its verified e-mail address.`,
})`
  Bearer tokens of an issuer (OAuth 2.1), for clients that sign their users in, such as connectors of assistants. Without a
  valid token or HTTP Basic credentials, clients get 401.`;

const AGENT_READ = matching(
  /^[^!]+$/u,
  'must be *, a namespace, an operationId or a pattern such as wp/v2/tags*: "!" has lost its meaning',
);

/** Without `*` for all, names of earlier versions, and a namespace without a pattern. */
const AGENT_WRITE = matching(
  /^(?!content$|[*/]+$|[^/:*]+\/[^/*]+$)[^!]+$/u,
  'must be draft, publish, manage or delete (content was replaced by draft and publish), an operationId, or a pattern such as wp/v2/tags* or wc/v3/*: "!" has lost its meaning',
);

/** @returns what is wrong with the flags of `waygate mcp`; `undefined` if nothing is */
export function explainRights(reads: readonly string[], writes: readonly string[]): string | undefined {
  const [read] = reads.flatMap((name) => v.safeParse(AGENT_READ, name).issues ?? []);
  const [write] = writes.flatMap((name) => v.safeParse(AGENT_WRITE, name).issues ?? []);
  return (read && `--reads ${read.message}`) ?? (write && `--writes ${write.message}`);
}

const AGENTS = group('McpOptions', {
  path: setting(ADDRESS)`Address of the server. Unset: /mcp, or /-/mcp with passthrough.`,
  reads: setting(list(AGENT_READ), ['*'])`
    Reads that agents can call: * for all that only read, namespaces, operationIds or patterns (wp/v2/tags*). What fetches
    addresses, tests the site or shows secrets has the level manage, or must be named.`,
  writes: setting(list(AGENT_WRITE), [])`
    Levels that agents have besides reading: draft (nothing public), publish (with draft), manage, delete; or operationIds
    or patterns of them, or of paths (wp/v2/tags*), which allow all that these operations can do.`,
  abilities: setting(list(NAME), [])`
    Plugins whose abilities are reads if they declare readonly, by the first part of an ability's name, e.g. fluent-boards.`,
  unasked: setting(BOOLEAN, false)`
    Whether agents whose client cannot ask a person can publish, manage and delete what is allowed. Otherwise these calls are refused.`,
  oauth: v.optional(AGENT_OAUTH),
})`Access of agents to the site.`;

/**
 * A new setting of a site goes here; then run `npm run options`. It arrives in `settings.options` of
 * `MountedSite` under its name. `readSite` (`gateway-settings.ts`) reads files and converts values, with types in
 * `site/settings.ts`.
 */
const SITE = group('SiteConfig', {
  name: setting(matching(SITE_NAME, 'must be one path segment of letters, digits, ".", "_", "~" and "-"'))`
    The site is mounted at /<name>, or at / if it has none. The name of a site with hosts is only for /-/
    and for state. Unset: the first of the hosts.`,
  url: required(WEB_URL)`Any URL of the site. With discovery off: the origin to forward to.`,
  hosts: setting(list(HOST, 1))`
    Hosts of the site, where it is mounted at /: blog.example.com, *.example.com or example.com:8080. If
    each site has hosts, requests for other hosts get 421. Unset: the site is mounted at /<name> of the
    remaining hosts.`,
  publicUrl: setting(PLAIN_URL)`
    Public URL of a site with hosts. The site sees its host and protocol. Unset: that of the gateway if it
    is at one of the hosts, otherwise taken from each request.`,
  document: setting(PATH)`
    OpenAPI document of the site, such as waygate generate writes. It is served with examples added, and a reload reads
    it again. Unset: the site is discovered.`,
  overlay: setting(PATH)`
    OpenAPI Overlay, such as waygate reconcile writes, that is applied to each discovered document.`,
  extend: v.optional(EXTEND, {}),
  discovery: setting(choice('auto', 'off'), 'auto')`Whether the gateway reads the root index of the site.`,
  rediscover: setting(v.pipe(duration(), v.minValue(100, 'must be at least 100ms')))`
    Interval of discovery, such as 5m. Unset: only at the start and on request.`,
  passthrough: setting(BOOLEAN, false)`
    Whether pages and all other paths are forwarded too, except those below /-/. Otherwise they get 404.`,
  docs: setting(ADDRESS)`
    Address of the reference, such as /reference. Unset: /docs, or /-/docs with passthrough.`,
  openapi: setting(ADDRESS)`
    Address of the OpenAPI document. Unset: /openapi.json, or /-/openapi.json with passthrough.`,
  include: v.optional(INCLUDE, []),
  exclude: v.optional(EXCLUDE, []),
  namespaces: v.optional(NAMESPACES, []),
  options: OPTIONS,
  auth: setting(secret(matching(/^[^:]+:.+$/u, 'must be user:application-password')))`
    Credentials for reading the index, user:application-password. They are not sent with clients' requests;
    upstream.auth is. Prefer the environment: WAYGATE_AUTH.`,
  timeout: setting(duration(), '60s')`
    Time until the head of a response has arrived, and between two chunks of its body.`,
  upstream: v.optional(UPSTREAM, {}),
  validation: v.optional(VALIDATION, {}),
  cache: v.optional(CACHE, {}),
  limits: v.optional(SITE_LIMITS, {}),
  access: v.optional(ACCESS, {}),
  cors: v.optional(CORS),
  concurrency: setting(integer(1), 32)`
    Requests that the site gets at once, a little fewer than PHP has workers. 256 further ones wait for up to 10 s; the rest get a stale
    response or 503.`,
  mcp: setting(either([BOOLEAN, AGENTS], 'must be true, false, or a section of settings'), false)`
    Tools for agents (Model Context Protocol), at /mcp of the site, or /-/mcp with passthrough. They only read unless writes are allowed
    (docs/agents.md).`,
})``;

export const SERVE: v.GenericSchema<unknown, Config> = group('Config', {
  port: setting(PORT, 8080)`Port to listen on; 0 picks a free one.`,
  host: setting(LISTEN_HOST, '127.0.0.1')`Address to listen on.`,
  publicUrl: setting(PLAIN_URL)`
    Public URL of the gateway. Sites see its host and protocol. Unset: taken from each request.`,
  hosts: setting(list(HOST), [])`
    Hosts that the gateway serves, besides those of publicUrl and of single sites: example.com or
    *.example.com. Requests for others get 421, except below /-/. Empty: all hosts, or none if each site has
    hosts.`,
  trust: setting(list(NETWORK), [])`
    Addresses or networks of trusted proxies, such as 10.0.0.0/8. Their X-Forwarded-* fields are used.`,
  logLevel: setting(choice('silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'), 'info')`
    Lowest severity that is logged.`,
  log: setting(
    v.picklist(
      ['json', 'text'],
      'must be "json" or "text". combined was removed: GoAccess and fail2ban read JSON (docs/operators/operating.md)',
    ),
  )`
    Format of the log. Unset: text on a terminal, else json.`,
  shutdownDelay: setting(duration(), '0s')`
    How long after SIGTERM the gateway still serves, with 503 from /-/ready, so that load balancers notice.`,
  shutdownGrace: setting(duration(), '10s')`How long requests can take after shutdownDelay.`,
  state: setting(PATH)`
    Folder for state that survives a restart, such as the last good documents. Unset: no state is kept.`,
  admin: v.optional(ADMIN, {}),
  cache: v.optional(STORE, {}),
  redis: setting(
    either([REDIS_URL, REDIS], 'must be a URL such as redis://host:6379/0, or an object with url'),
  )`
    Redis or Valkey server in which gateways share stored responses and purges: a URL, or a section.
    Unset: the server of cache.store, if that is a URL.`,
  notify: setting(list(NOTICE), [])`
    Systems that are notified of purges. With any but revalidate, stored responses have Surrogate-Key and
    Cache-Tag, and are sent only when they are complete.`,
  sites: setting(
    list(SITE, 1, 'at least one site is required: --site <url>, or "sites" in the file'),
    [],
  )`The sites behind the gateway.`,
})`
  Configuration of waygate serve. Times are durations such as 30s, sizes such as 64MiB. Paths are relative
  to the folder of the file.`;

export const GENERATED_FILES = ['document', 'types', 'client', 'tanstack', 'report'] as const;

const GENERATED_SITE = group('GeneratedSite', {
  url: setting(WEB_URL)`Any URL of the site. Optional if \`document\` is given.`,
  document: setting(NAME)`
    Recorded root index or OpenAPI document that is read instead of the site. The document is then not
    written again. Unset: none.`,
  out: setting(NAME)`Folder of the generated files. Unset: the folder of the configuration file.`,
  name: setting(matching(/^[^/\\\u0000]+$/u, 'must be a file name; "out" chooses the folder'))`
    Base name of the generated files. Unset: derived from the site's URL: host, port and path.`,
  server: setting(WEB_URL)`
    URL that the document's paths are relative to, such as a gateway's. Unset: the site's own.`,
  client: setting(BOOLEAN)`Also write <name>.client.ts: a client with types. Unset: false.`,
  tanstack: setting(choice('react', 'preact', 'vue', 'svelte', 'solid', 'angular', 'core'))`
    Also write <name>.tanstack.ts: queries and mutations for TanStack Query 5. Unset: none.`,
  only: setting(list(v.pipe(choice(...GENERATED_FILES), v.title('GeneratedFile')), 1))`
    Only these files are written. Unset: document, types, and the files of the options above.`,
  overlay: setting(either([NAME, v.literal(false)], 'must be a path, or false'))`
    OpenAPI Overlay to apply; \`false\` for none. Unset: <name>.overlay.json beside the output, if it exists.`,
  extend: v.optional(EXTEND),
  samples: setting(
    list(
      matching(/^\/[^\s{]*$/u, 'must be a path: reconcile only reads. "extend" states what a write returns'),
    ),
  )`
    Paths that reconcile reads besides those that it finds, such as /x/v1/things/12. Unset: none.`,
  authVariable: setting(
    matching(/^[A-Za-z_]\w*$/u, 'must be the name of an environment variable, not the credentials'),
  )`
    Environment variable of the credentials (user:application-password). Unset: 'WAYGATE_AUTH'.`,
  headers: v.optional(HEADERS),
  include: v.optional(INCLUDE),
  exclude: v.optional(EXCLUDE),
  namespaces: v.optional(NAMESPACES),
  options: setting(BOOLEAN)`
    Whether each resource is asked with an OPTIONS request for fields that the index lacks, such as those of
    Advanced Custom Fields. Unset: true.`,
})`One site of a waygate.config.ts. Paths are relative to the folder of that file.`;

const STATED_SITE = v.pipe(
  GENERATED_SITE,
  v.check(({ document, url }) => (document ?? url) !== undefined, 'needs "url" or "document"'),
);

export const GENERATE: v.GenericSchema<unknown, WaygateConfig> = group('WaygateConfig', {
  sites: required(
    list(STATED_SITE, 1, 'at least one site is required'),
  )`The sites that waygate generate reads.`,
})`
  The sites that waygate generate reads without a URL, and where it writes their files: the content of
  waygate.config.ts.`;
