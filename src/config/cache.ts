import { z } from 'zod';
import { duration, seconds, size } from './fields.ts';

/** Where answers are kept, for all sites. Sizes are in bytes once read. */
export interface CacheConfig {
  /** `off`, `memory`, or the address of a Redis or Valkey. */
  readonly store: string;
  readonly maxBytes: number;
  readonly maxEntryBytes: number;
}

/** What of one site is kept, and for how long. Times are in seconds once read, but `watch`, which is in milliseconds. */
export interface SiteCacheConfig {
  readonly enabled: boolean;
  readonly default: boolean;
  readonly rules: readonly RouteRuleConfig[];
  readonly ignoreParameters: readonly string[];
  readonly harmlessCookies: readonly string[];
  readonly webhook?: string | undefined;
  readonly watch?: number | undefined;
}

export interface RouteRuleConfig {
  readonly match: string | readonly string[];
  readonly methods?: readonly ('GET' | 'HEAD')[] | undefined;
  readonly ttl?: number | undefined;
  readonly swr?: number | undefined;
  readonly sie?: number | undefined;
  readonly notFound?: number | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly key?:
    | { readonly headers?: readonly string[] | undefined; readonly ignore?: readonly string[] | undefined }
    | undefined;
  readonly override?: boolean | undefined;
  readonly store?: boolean | undefined;
}

/** A site that is watched without a pause serves nobody else. */
const SHORTEST_WATCH = 1_000;

export const cacheSchema: z.ZodType<CacheConfig> = z.strictObject({
  store: z
    .string()
    .regex(/^(?:off|memory|rediss?:\/\/.+)$/, 'must be off, memory, or an address such as redis://host:6379')
    .default('off')
    .describe(
      'What keeps answers: nothing (off), the process (memory), or a Redis or Valkey that gateways share (redis://host:6379/0). With a password, better kept in the environment: WAYGATE_CACHE.',
    ),
  maxBytes: size().prefault('256MiB').describe('What the answers in memory may take.'),
  maxEntryBytes: size()
    .prefault('8MiB')
    .describe('The largest body that is kept; larger ones stream through.'),
});

const ruleSchema = z.strictObject({
  match: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .describe('Globs: /wp/v2/posts* on the route, wp/v2 on its namespace.'),
  methods: z.array(z.enum(['GET', 'HEAD'])).optional(),
  ttl: seconds().optional().describe('Answers are fresh for so long, where the site does not say.'),
  swr: seconds().optional().describe('…then shown for so long while they are fetched anew.'),
  sie: seconds().optional().describe('…then shown for so long while the site fails.'),
  notFound: seconds().optional().describe('404s are fresh for so long.'),
  tags: z.array(z.string().min(1)).optional().describe('Names to purge the answers by.'),
  key: z
    .strictObject({
      headers: z.array(z.string()).optional().describe('Request headers that tell answers apart.'),
      ignore: z.array(z.string()).optional().describe('Query parameters that do not.'),
    })
    .optional(),
  override: z.boolean().optional().describe('Whether this wins over the freshness that the site states.'),
  store: z.boolean().optional().describe('false: nothing of this is kept.'),
});

export const siteCacheSchema: z.ZodType<SiteCacheConfig> = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .describe('Whether answers of this site are kept, where there is a store for them ("cache.store").'),
  default: z
    .boolean()
    .default(true)
    .describe(
      'Whether anonymous reads of operations in the document are kept though the site says nothing: fresh for 30s, shown for 10m while they are fetched anew and for 1d while the site fails; 404s 5s.',
    ),
  rules: z.array(ruleSchema).default([]).describe('The first that matches a request decides.'),
  ignoreParameters: z
    .array(z.string())
    .default([])
    .describe('Query parameters that mean nothing, beside utm_*, fbclid, gclid and their like.'),
  harmlessCookies: z
    .array(z.string())
    .default([])
    .describe('Cookies that say nothing of who asks, beside those of analytics and consent banners.'),
  webhook: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe('The secret with which the site signs what it tells of changes.'),
  watch: duration()
    .refine((milliseconds) => milliseconds >= SHORTEST_WATCH, 'must be at least 1s')
    .optional()
    .describe('How often the site is asked what was modified, such as 10s. Unset: never.'),
});
