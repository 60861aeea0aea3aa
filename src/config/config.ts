import * as z from 'zod';
import type { SiteCacheOptions, SiteOptions, ValidationOptions } from '../gateway/options/site-options.ts';
import { createKnownKeysHint, describeIssues } from './describe-issues.ts';
import { parseDuration, parseSize } from './units.ts';

/** Creates the schema of a configuration field that holds a duration. It outputs milliseconds. */
function durationField(): z.ZodType<number, string> {
  return parsedField(parseDuration, 'a duration such as 250ms, 30s, 5m or 1h');
}

/** Creates the schema of a configuration field that holds a duration. It outputs seconds. */
function secondsField(): z.ZodType<number, string> {
  return durationField().transform((milliseconds) => milliseconds / 1000);
}

/** Creates the schema of a configuration field that holds a size. It outputs bytes. */
function sizeField(): z.ZodType<number, string> {
  return parsedField(parseSize, 'a size such as 500KiB, 64MiB or 1GiB');
}

function parsedField(parse: (text: string) => number | undefined, noun: string): z.ZodType<number, string> {
  return z.string({ error: `must be ${noun}` }).transform((text, context) => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: `"${text}" is not ${noun}` });
    return z.NEVER;
  });
}

/** Limits of the request bodies. Sizes are in bytes, times in milliseconds. */
interface BodyConfig {
  readonly memory: number;
  readonly memoryPerClient?: number | undefined;
  readonly minRate: number;
  readonly ratePeriod: number;
}

const bodySchema: z.ZodType<BodyConfig> = z.strictObject({
  memory: sizeField()
    .prefault('64MiB')
    .describe(
      'Memory for the request bodies that are validated before they are forwarded, of all clients together. Past it, bodies are forwarded without validation, or get 503 where they must be validated.',
    ),
  memoryPerClient: sizeField()
    .optional()
    .describe('The part of the memory that one client address may use. Unset: half of it.'),
  minRate: sizeField()
    .prefault('500')
    .describe(
      'Bytes that a request body must bring in each second, on average over a period. A slower request gets 408. 0: any rate.',
    ),
  ratePeriod: durationField().prefault('30s').describe('The period of minRate.'),
});

/** Connections of the gateway to one site. Unlike in the options of the library, the CA file is given by path. */
interface UpstreamConfig {
  readonly host?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** `user:password` */
  readonly auth?: string | undefined;
  /** Path of a file with certificates in PEM. */
  readonly ca?: string | undefined;
  readonly insecure: boolean;
}

const upstreamSchema: z.ZodType<UpstreamConfig> = z.strictObject({
  host: z
    .string()
    .regex(
      /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/,
      'must be a host name such as www.example.com, with a port if it is not the default',
    )
    .optional()
    .describe(
      'Host that the site sees, usually its public name, while connections are made to url. With it, and with the same name in publicUrl, the links that the site writes are already those of the gateway. Unset: the host of url.',
    ),
  headers: z
    .record(z.string(), z.string())
    .default({})
    .describe("Header fields of each request to the site. They replace the client's fields of these names."),
  auth: z
    .string()
    .regex(/^[^:]+:.+$/, 'must be user:password')
    .optional()
    .describe(
      'HTTP Basic credentials of a web server in front of the site, user:password, sent with requests that have no Authorization. Prefer the environment: WAYGATE_UPSTREAM_AUTH.',
    ),
  ca: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Path of a file with certificates in PEM: the site's own self-signed one, or that of its private authority. Unset: the authorities of Node.",
    ),
  insecure: z
    .boolean()
    .default(false)
    .describe(
      'true: any certificate of the site is accepted, so another server could act as the site. Prefer ca. false: the certificate is verified.',
    ),
});

/** The configuration of the cache store that all sites share. Sizes are in bytes. */
export interface CacheConfig {
  /** `off`, `memory`, or the URL of a Redis or Valkey server. */
  readonly store: string;
  readonly maxBytes: number;
  readonly maxEntryBytes: number;
}

/** The configuration of the response cache of one site. */
interface SiteCacheConfig extends SiteCacheOptions {
  readonly enabled: boolean;
}

/** Minimum of `watch` in milliseconds. A shorter interval would load the site with polling. */
const MIN_POLL_INTERVAL = 1_000;

const cacheSchema: z.ZodType<CacheConfig> = z.strictObject({
  store: z
    .string()
    .regex(/^(?:off|memory|rediss?:\/\/.+)$/, 'must be off, memory, or a URL such as redis://host:6379')
    .default('off')
    .describe(
      'Where responses are stored: nowhere (off), in the process (memory), or in a Redis or Valkey server that gateways share (redis://host:6379/0). Keep a URL with a password in the environment: WAYGATE_CACHE.',
    ),
  maxBytes: sizeField().prefault('256MiB').describe('Maximum size of the stored responses in memory.'),
  maxEntryBytes: sizeField()
    .prefault('8MiB')
    .describe('Maximum body size of a stored response. Larger bodies stream through.'),
});

const ruleSchema = z.strictObject({
  match: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .describe('Globs: /wp/v2/posts* matches routes, wp/v2 matches a namespace.'),
  methods: z.array(z.enum(['GET', 'HEAD'])).optional(),
  ttl: secondsField().optional().describe('Freshness lifetime if the site states none.'),
  swr: secondsField()
    .optional()
    .describe('stale-while-revalidate: how long a stale response is used while it is revalidated.'),
  sie: secondsField()
    .optional()
    .describe('stale-if-error: how long a stale response is used while the site fails.'),
  notFound: secondsField().optional().describe('Freshness lifetime of 404 responses.'),
  tags: z.array(z.string().min(1)).optional().describe('Additional tags of the responses, for purging.'),
  key: z
    .strictObject({
      headers: z
        .array(z.string())
        .optional()
        .describe('Request header fields that are part of the cache key.'),
      ignore: z.array(z.string()).optional().describe('Query parameters that are not part of the cache key.'),
    })
    .optional(),
  override: z.boolean().optional().describe('true: these lifetimes override those that the site states.'),
  store: z.boolean().optional().describe('false: matching responses are never stored.'),
});

const independenceRuleSchema = z.strictObject({
  writes: z
    .string()
    .min(1)
    .describe('Glob of routes (/shop/v1/*, or /?wc-ajax=* for a page) or of namespaces (shop/*).'),
  methods: z.array(z.string().min(1)).optional().describe('Methods of these writes. Unset: all.'),
  reads: z
    .array(z.string().min(1))
    .min(1)
    .describe('Globs of path templates (/wp/v2/posts/{id}) or of namespaces; * for everything.'),
});

const learningSchema = z.strictObject({
  observations: z
    .int()
    .min(1)
    .default(200)
    .describe('Responses that a kind of write must leave unchanged, before it keeps such responses.'),
});

const siteCacheSchema: z.ZodType<SiteCacheConfig> = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .describe('Whether responses of this site are stored. "cache.store" names the store.'),
  default: z
    .boolean()
    .default(true)
    .describe(
      'Whether anonymous reads of documented operations are stored if the site states no freshness: fresh for 30s, stale-while-revalidate for 10m, stale-if-error for 1d; 404 responses fresh for 5s.',
    ),
  rules: z
    .array(ruleSchema)
    .default([])
    .describe('Cache rules. The first rule that matches a request applies.'),
  ignoreParameters: z
    .array(z.string())
    .default([])
    .describe(
      'Query parameters without effect on the response, in addition to utm_*, fbclid, gclid and similar.',
    ),
  harmlessCookies: z
    .array(z.string())
    .default([])
    .describe(
      'Cookies that do not identify the client, in addition to those of analytics and consent banners.',
    ),
  harmlessHeaders: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Request header fields that do not identify the client, in addition to those of browsers, proxies and tracing. They are not forwarded with requests that may use the store. A name that ends in * is a prefix.',
    ),
  credentialHeaders: z
    .array(z.string().min(1))
    .default([])
    .describe('Request header fields that identify the client. Requests with them bypass the store.'),
  credentialParameters: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Parameters of the query and the path that identify the client or are valid once, in addition to those whose name says so, such as api_token. Requests with them bypass the store.',
    ),
  independent: z
    .array(independenceRuleSchema)
    .default([])
    .describe(
      'Reads that do not depend on certain writes. Without a rule or evidence, a write purges every response of the site except those of WordPress itself whose dependencies are known.',
    ),
  learn: z
    .union([z.boolean(), learningSchema])
    .default(true)
    .describe(
      'Whether the gateway learns which kinds of reads do not depend on which kinds of writes: after a write, responses are fetched again and compared. With "serve --state" the evidence outlives the process.',
    ),
  webhook: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe('Secret with which the site signs its change notices to POST /-/webhook/<name>.'),
  watch: durationField()
    .refine((milliseconds) => milliseconds >= MIN_POLL_INTERVAL, 'must be at least 1s')
    .optional()
    .describe(
      'Interval at which the gateway polls the site for modified resources, such as 10s. Unset: never.',
    ),
});

type OptionsWithDefault = 'discovery' | 'passthrough' | 'rewriteBodies' | 'timeouts' | 'validation';

/**
 * The configuration of one site, with defaults filled in. Unlike in {@link SiteOptions}, files are given by path and the
 * options of discovery are members of the site. Times are in milliseconds.
 */
export interface SiteConfig
  extends Required<Pick<SiteOptions, OptionsWithDefault>>,
    Pick<SiteOptions, 'url' | 'name' | 'rediscover' | 'unknownRoutes'> {
  /** Path of a stored OpenAPI document. */
  readonly document?: string | undefined;
  /** Path of an OpenAPI Overlay. */
  readonly overlay?: string | undefined;
  readonly schemas: 'help' | 'options' | 'off';
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** `user:application-password` */
  readonly auth?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly upstream: UpstreamConfig;
  readonly cache: SiteCacheConfig;
  readonly breaker?: boolean | undefined;
}

const MODES = ['off', 'observe', 'enforce', 'strict'] as const;

/** Minimum of `rediscover` in milliseconds. A shorter interval would load the gateway with discovery. */
const MIN_REDISCOVER_INTERVAL = 100;

const validationSchema: z.ZodType<ValidationOptions> = z.strictObject({
  mode: z
    .enum(MODES)
    .default('observe')
    .describe(
      'How requests are validated: off, observe (nothing is refused; would-be refusals are compared with the responses of the site), enforce (violations of rules that are known to hold at the site are refused: those of WordPress itself, and those that the site has confirmed), or strict (violations of every rule that the site has not contradicted are refused).',
    ),
  afterAgreement: z
    .int()
    .min(1)
    .optional()
    .describe(
      'With enforce and strict: an operation is observed until the site has agreed with this many validation results in a row, and each rule until the site has agreed with it once.',
    ),
  bodyLimit: sizeField()
    .optional()
    .describe(
      "Maximum size of a JSON body or an urlencoded form that is validated. With strict, and with enforce if this is set, a larger body is refused with 413, so use the site's post_max_size. Files have no limit. Unset: 8MiB, PHP's default.",
    ),
  routes: z
    .array(
      z.strictObject({
        match: z.string().min(1).describe('A namespace, or a glob of routes such as /wp/v2/posts*.'),
        methods: z.array(z.string()).optional().describe('Methods that the entry applies to. Unset: all.'),
        mode: z.enum(MODES).describe('Mode of the matching routes.'),
      }),
    )
    .default([])
    .describe('Modes of single routes. The first matching entry applies.'),
  responses: z
    .enum(['off', 'sample', 'all'])
    .optional()
    .describe(
      "Which responses are validated against the document: none, the first 20 of each operation and then one in a hundred, or all. Unset: 'sample' with observe, otherwise 'off'.",
    ),
});

export const siteSchema: z.ZodType<SiteConfig> = z.strictObject({
  name: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._~-]*$/,
      'must be one path segment of letters, digits, ".", "_", "~" and "-"',
    )
    .optional()
    .describe('Mounts the site at /<name>. One site may have no name: it is mounted at /.'),
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .describe('Any URL of the site. With discovery off: the origin to forward to.'),
  document: z
    .string()
    .optional()
    .describe(
      'Path of a stored OpenAPI document of the site, served until discovery succeeds, or, with discovery off, instead of one.',
    ),
  overlay: z
    .string()
    .optional()
    .describe(
      'Path of an OpenAPI Overlay, such as waygate reconcile writes, that is applied to each discovered document.',
    ),
  discovery: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe('Whether the gateway reads the root index of the site.'),
  rediscover: durationField()
    .refine((milliseconds) => milliseconds >= MIN_REDISCOVER_INTERVAL, 'must be at least 100ms')
    .optional()
    .describe('Interval of discovery, such as 5m. Unset: discovery repeats on SIGHUP only.'),
  passthrough: z
    .boolean()
    .default(false)
    .describe(
      'true: requests that are not for the interface are forwarded to the site (whole-site reverse proxy). false: they get a 404.',
    ),
  unknownRoutes: z
    .enum(['pass', 'refuse'])
    .optional()
    .describe(
      'How requests to undocumented routes are handled. An index may hide routes, so by default they are forwarded; in mode strict only until the site has reported the namespace to have no such route.',
    ),
  rewriteBodies: z
    .boolean()
    .default(false)
    .describe(
      "Whether the site's URL in text bodies is replaced by the gateway's. Location and Link are always rewritten.",
    ),
  schemas: z
    .enum(['help', 'options', 'off'])
    .default('help')
    .describe('Source of response schemas: the index, the index and OPTIONS on each route, or none.'),
  include: z.array(z.string()).default([]).describe('Namespaces or route globs to keep. Empty: all.'),
  exclude: z.array(z.string()).default([]).describe('Namespaces or route globs to leave out.'),
  auth: z
    .string()
    .regex(/^[^:]+:.+$/, 'must be user:application-password')
    .optional()
    .describe(
      'Credentials for reading the index, user:application-password. They are not sent with the requests of clients: for a web server that asks every visitor for credentials, set upstream.auth. Prefer the environment: WAYGATE_AUTH.',
    ),
  headers: z
    .record(z.string(), z.string())
    .default({})
    .describe('Request header fields for reading the index.'),
  timeouts: z
    .strictObject({
      connect: durationField().prefault('10s').describe('Until the connection to the site is established.'),
      headers: durationField()
        .prefault('60s')
        .describe('Until the header section of a response has arrived.'),
      body: durationField().prefault('60s').describe('Between two chunks of a response body.'),
    })
    .prefault({}),
  upstream: upstreamSchema.prefault({}).describe('Connections of the gateway to the site.'),
  validation: validationSchema.prefault({}),
  cache: siteCacheSchema.prefault({}),
  breaker: z
    .boolean()
    .optional()
    .describe(
      'Whether circuit breakers stop reads of a failing route, and requests to a site that cannot be reached, for a moment. Unset: on if responses are stored.',
    ),
});

/**
 * The configuration of `waygate serve`, with defaults filled in. Times are in milliseconds, sizes in bytes. The schemas
 * describe each field; they also validate the file, and `waygate serve --help-config` prints them.
 */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly publicUrl?: string | undefined;
  readonly hosts: readonly string[];
  readonly trust: readonly string[];
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly shutdownGrace: number;
  readonly state?: string | undefined;
  readonly bodies: BodyConfig;
  readonly admin: AdminConfig;
  readonly cache: CacheConfig;
  readonly sites: readonly SiteConfig[];
}

/** The gateway's own operations, below `/-/`. */
interface AdminConfig {
  readonly token?: string | undefined;
  readonly port?: number | undefined;
  readonly host: string;
}

const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

const portField = z.int().min(0).max(65_535);

const adminSchema: z.ZodType<AdminConfig> = z.strictObject({
  token: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Token that requests to /-/ carry as "Authorization: Bearer <token>". Prefer the environment: WAYGATE_ADMIN_TOKEN.',
    ),
  port: portField
    .optional()
    .describe(
      'Port of a separate listener for /-/. The public listener then serves only /-/health and /-/ready. Unset: the public port.',
    ),
  host: z.string().min(1).default('127.0.0.1').describe('Address of the separate listener.'),
});

const configSchema: z.ZodType<Config> = z
  .strictObject({
    port: portField.default(8080).describe('Port to listen on; 0 picks a free one.'),
    host: z.string().min(1).default('127.0.0.1').describe('Address to listen on.'),
    publicUrl: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        'URL under which clients reach the gateway. Sites are told its host and protocol, whatever a request names. Unset: taken from each request.',
      ),
    hosts: z
      .array(z.string().min(1))
      .default([])
      .describe(
        'Hosts that the gateway serves beside that of publicUrl, such as example.com or *.example.com; requests for others get 421, except those below /-/. Empty: all hosts.',
      ),
    trust: z
      .array(z.string())
      .default([])
      .describe(
        'Addresses or networks of proxies whose Forwarded and X-Forwarded-* fields are used, such as 10.0.0.0/8.',
      ),
    logLevel: z.enum(LOG_LEVELS).default('info').describe('Lowest severity that is logged.'),
    shutdownGrace: durationField()
      .prefault('10s')
      .describe('How long active requests may take to finish after SIGTERM.'),
    state: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Folder for state that outlives a restart, such as validation evidence. Unset: none is kept.',
      ),
    bodies: bodySchema.prefault({}),
    admin: adminSchema.prefault({}),
    cache: cacheSchema.prefault({}),
    sites: z.array(siteSchema).min(1, 'at least one site is required: --site <url>, or "sites" in the file'),
  })
  .superRefine(({ sites }, context) => {
    const names = new Set<string>();
    for (const [position, { name = '' }] of sites.entries()) {
      if (names.has(name)) {
        const message = name === '' ? 'only one site may have no name' : `the name "${name}" is used twice`;
        context.addIssue({ code: 'custom', path: ['sites', position, 'name'], message });
      }
      names.add(name);
    }
  });

type ConfigResult =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly errors: readonly string[] };

/**
 * Validates a configuration and fills in the defaults.
 *
 * @param input parsed JSON or YAML, unchecked
 * @returns the configuration, or one sentence for each error that begins with its location (`sites[0].url: …`)
 */
export function readConfig(input: unknown): ConfigResult {
  const result = configSchema.safeParse(input);
  if (result.success) return { ok: true, config: result.data };
  return {
    ok: false,
    errors: describeIssues(
      result.error.issues,
      'the configuration',
      createKnownKeysHint(createConfigJsonSchema()),
    ),
  };
}

/** Returns the JSON Schema of the configuration file. */
export function createConfigJsonSchema(): object {
  return z.toJSONSchema(configSchema, { io: 'input' });
}
