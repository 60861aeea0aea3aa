import { z } from 'zod';
import { isJsonObject } from '../json.ts';
import { type CacheConfig, cacheSchema, type SiteCacheConfig, siteCacheSchema } from './cache.ts';
import { duration, size } from './fields.ts';

/**
 * The configuration of `waygate serve`: what `--config <file>` holds, as JSON or YAML. Each field's description stands
 * in the schema below, which is also what checks a file and what `waygate serve --help-config` prints.
 */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly publicUrl?: string | undefined;
  readonly trust: readonly string[];
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly shutdownGrace: number;
  readonly state?: string | undefined;
  readonly admin: AdminConfig;
  readonly cache: CacheConfig;
  readonly sites: readonly SiteConfig[];
}

/** The gateway's own operations, below `/-/`. */
export interface AdminConfig {
  readonly token?: string | undefined;
  readonly port?: number | undefined;
  readonly host: string;
}

/** One mounted site. Times are in milliseconds once read. */
export interface SiteConfig {
  readonly name?: string | undefined;
  readonly url: string;
  readonly document?: string | undefined;
  readonly overlay?: string | undefined;
  readonly discovery: 'auto' | 'off';
  readonly rediscover?: number | undefined;
  readonly passthrough: boolean;
  readonly unknownRoutes?: 'pass' | 'refuse' | undefined;
  readonly rewriteBodies: boolean;
  readonly schemas: 'help' | 'options' | 'off';
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly auth?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeouts: {
    readonly connect: number;
    readonly headers: number;
    readonly body: number;
  };
  readonly validation: ValidationConfig;
  readonly cache: SiteCacheConfig;
  readonly breaker?: boolean | undefined;
}

/** How requests to a site, and its answers, are judged. */
export interface ValidationConfig {
  readonly mode: (typeof MODES)[number];
  readonly afterAgreement?: number | undefined;
  readonly bodyLimit?: number | undefined;
  readonly routes: readonly {
    readonly match: string;
    readonly methods?: readonly string[] | undefined;
    readonly mode: (typeof MODES)[number];
  }[];
  readonly responses?: 'off' | 'sample' | 'all' | undefined;
}

const MODES = ['off', 'observe', 'enforce'] as const;

const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** A site that is read without a pause serves nobody else. */
const SHORTEST_INTERVAL = 100;

const validationSchema = z.strictObject({
  mode: z
    .enum(MODES)
    .default('observe')
    .describe(
      'Whether requests are judged by the document: not at all, watched only (nothing is refused, and what the site says is compared), or refused where they are wrong.',
    ),
  afterAgreement: z
    .int()
    .min(1)
    .optional()
    .describe(
      'With enforce: an operation is watched until the site has agreed with this many verdicts in a row, and a rule until the site has agreed with it once.',
    ),
  bodyLimit: size()
    .optional()
    .describe(
      "How much of a JSON body or an urlencoded form is read to be judged. With enforce a longer one is refused with 413, so this should be the site's own post_max_size. Files have no limit. Unset: 8MiB, as PHP has it.",
    ),
  routes: z
    .array(
      z.strictObject({
        match: z.string().min(1).describe('A namespace, or a glob of routes such as /wp/v2/posts*.'),
        methods: z.array(z.string()).optional().describe('Methods it is about; unset: all.'),
        mode: z.enum(MODES).describe('The mode of these routes.'),
      }),
    )
    .default([])
    .describe('Other modes for some routes; the first entry that fits decides.'),
  responses: z
    .enum(['off', 'sample', 'all'])
    .optional()
    .describe(
      "Which answers are held against the document: none, one in a hundred, or all. Unset: 'sample' with observe, 'off' else.",
    ),
});

const siteSchema = z.strictObject({
  name: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._~-]*$/,
      'a name is one path segment of letters, digits, ".", "_", "~" and "-"',
    )
    .optional()
    .describe('Mounts the site at /<name>. One site may go without: it is mounted at /.'),
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .describe('Any address of the site; with discovery off, the origin to stand in front of.'),
  document: z
    .string()
    .optional()
    .describe(
      'A stored OpenAPI document of the site, served until (or, with discovery off, instead of) a discovery.',
    ),
  overlay: z
    .string()
    .optional()
    .describe(
      'An OpenAPI Overlay, such as waygate reconcile writes, that is applied to what a discovery makes of the site.',
    ),
  discovery: z.enum(['auto', 'off']).default('auto').describe('Whether the root index of the site is read.'),
  rediscover: duration()
    .refine((milliseconds) => milliseconds >= SHORTEST_INTERVAL, 'must be at least 100ms')
    .optional()
    .describe('How often the root index is read again, such as 5m. Unset: on SIGHUP only.'),
  passthrough: z
    .boolean()
    .default(false)
    .describe('Whether all else below the mount is the site itself (whole-site reverse proxy) or a 404.'),
  unknownRoutes: z
    .enum(['pass', 'refuse'])
    .optional()
    .describe(
      'What becomes of a route that the document does not have. Sites have routes that their index hides, so by default they pass; where mode is enforce, until the site has said of the namespace that there is no such route.',
    ),
  rewriteBodies: z
    .boolean()
    .default(false)
    .describe(
      "Whether the site's own address in text bodies becomes the gateway's. Location and Link always do.",
    ),
  schemas: z
    .enum(['help', 'options', 'off'])
    .default('help')
    .describe(
      'Where response schemas come from: the index, the index and then OPTIONS on each route, or nowhere.',
    ),
  include: z.array(z.string()).default([]).describe('Namespaces or route globs to keep; empty keeps all.'),
  exclude: z.array(z.string()).default([]).describe('Namespaces or route globs to leave out.'),
  auth: z
    .string()
    .regex(/^[^:]+:.+$/, 'must be user:application-password')
    .optional()
    .describe(
      'Credentials for reading the index, user:application-password. Better kept in the environment.',
    ),
  headers: z.record(z.string(), z.string()).default({}).describe('Headers for reading the index.'),
  timeouts: z
    .strictObject({
      connect: duration().prefault('10s').describe('Until the site accepts a connection.'),
      headers: duration().prefault('60s').describe('Until the site begins to answer.'),
      body: duration().prefault('60s').describe('Between two parts of an answer.'),
    })
    .prefault({}),
  validation: validationSchema.prefault({}),
  cache: siteCacheSchema.prefault({}),
  breaker: z
    .boolean()
    .optional()
    .describe(
      'Whether a site that fails too often is left alone for a moment. Unset: where its answers are kept.',
    ),
});

const configSchema: z.ZodType<Config> = z
  .strictObject({
    port: z.int().min(0).max(65_535).default(8080).describe('The port to listen on; 0 picks a free one.'),
    host: z.string().min(1).default('127.0.0.1').describe('The address to listen on.'),
    publicUrl: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('The address under which callers see the gateway. Unset: taken from each request.'),
    trust: z
      .array(z.string())
      .default([])
      .describe(
        'Addresses or networks whose Forwarded and X-Forwarded-* headers are believed, such as 10.0.0.0/8.',
      ),
    logLevel: z.enum(LOG_LEVELS).default('info').describe('The least severe log line to write.'),
    shutdownGrace: duration()
      .prefault('10s')
      .describe('How long requests in flight may take to finish on SIGTERM.'),
    state: z
      .string()
      .min(1)
      .optional()
      .describe(
        'A folder for what is to outlive a restart, such as the evidence of the validation. Unset: nothing is.',
      ),
    admin: z
      .strictObject({
        token: z
          .string()
          .min(1)
          .optional()
          .describe(
            'What callers of /-/ send as "Authorization: Bearer <token>". Better kept in the environment: WAYGATE_ADMIN_TOKEN.',
          ),
        port: z
          .int()
          .min(0)
          .max(65_535)
          .optional()
          .describe(
            'A port of its own for /-/; the public one then has /-/health and /-/ready alone. Unset: the same port.',
          ),
        host: z.string().min(1).default('127.0.0.1').describe('The address to listen on at that port.'),
      })
      .prefault({}),
    cache: cacheSchema.prefault({}),
    sites: z.array(siteSchema).min(1, 'at least one site: --site <url>, or "sites" in the file'),
  })
  .superRefine(({ sites }, context) => {
    const seen = new Set<string>();
    for (const [position, { name = '' }] of sites.entries()) {
      if (seen.has(name)) {
        const message = name === '' ? 'only one site may go without a name' : `the name "${name}" is taken`;
        context.addIssue({ code: 'custom', path: ['sites', position, 'name'], message });
      }
      seen.add(name);
    }
  });

export type ConfigOutcome =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly faults: readonly string[] };

/**
 * Checks a configuration and fills in the defaults.
 *
 * @param input what a file or the command line gave, unchecked
 * @returns the configuration, or one sentence a fault, each beginning with where it stands (`sites[0].url: …`)
 */
export function readConfig(input: unknown): ConfigOutcome {
  const outcome = configSchema.safeParse(input);
  if (outcome.success) return { ok: true, config: outcome.data };
  return {
    ok: false,
    faults: outcome.error.issues.map((issue) => `${where(issue.path)}: ${issue.message}${remedy(issue)}`),
  };
}

/** What there is, where something was written that there is not. */
function remedy({ code, path }: z.core.$ZodIssue): string {
  if (code !== 'unrecognized_keys') return '';
  const properties = propertiesAt(configJsonSchema(), path);
  return properties.length === 0 ? '' : `; there are ${properties.join(', ')}`;
}

function propertiesAt(schema: unknown, [key, ...below]: readonly PropertyKey[]): readonly string[] {
  if (!isJsonObject(schema)) return [];
  if (typeof key === 'number') return propertiesAt(schema['items'], below);
  const { properties } = schema;
  if (!isJsonObject(properties)) return [];
  return key === undefined ? Object.keys(properties) : propertiesAt(properties[String(key)], below);
}

function where(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the configuration';
  return path
    .map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`))
    .join('');
}

/** The JSON Schema of a configuration file, for editors and for people. */
export function configJsonSchema(): object {
  return z.toJSONSchema(configSchema, { io: 'input' });
}
