import * as z from 'zod';
import type { SiteCacheOptions } from '../gateway/options/site-options.ts';
import { durationField, secondsField, sizeField } from './field-schemas.ts';

/** The configuration of the cache store that all sites share. Sizes are in bytes. */
export interface CacheConfig {
  /** `off`, `memory`, or the URL of a Redis or Valkey server. */
  readonly store: string;
  readonly maxBytes: number;
  readonly maxEntryBytes: number;
}

/** The configuration of the response cache of one site. */
export interface SiteCacheConfig extends SiteCacheOptions {
  readonly enabled: boolean;
}

/** Minimum of `watch` in milliseconds. A shorter interval would load the site with polling. */
const MIN_POLL_INTERVAL = 1_000;

export const cacheSchema: z.ZodType<CacheConfig> = z.strictObject({
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

export const siteCacheSchema: z.ZodType<SiteCacheConfig> = z.strictObject({
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
