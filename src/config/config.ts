import * as z from 'zod';
import { type BodyConfig, bodySchema } from './body-schema.ts';
import { type CacheConfig, cacheSchema } from './cache-schema.ts';
import { createKnownKeysHint, describeIssues } from './describe-issues.ts';
import { durationField } from './field-schemas.ts';
import { type SiteConfig, siteSchema } from './site-schema.ts';

export type { BodyConfig } from './body-schema.ts';
export type { CacheConfig } from './cache-schema.ts';
export type { SiteConfig } from './site-schema.ts';

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
export interface AdminConfig {
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

export type ConfigResult =
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
