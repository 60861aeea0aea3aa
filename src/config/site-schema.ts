import * as z from 'zod';
import type { SiteOptions, ValidationOptions } from '../gateway/options/site-options.ts';
import { type SiteCacheConfig, siteCacheSchema } from './cache-schema.ts';
import { durationField, sizeField } from './field-schemas.ts';
import { type UpstreamConfig, upstreamSchema } from './upstream-schema.ts';

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
