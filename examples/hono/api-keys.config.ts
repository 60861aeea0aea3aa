/**
 * Clients name their API key in X-Api-Key. Each key has a quota of requests per minute, which gateways add up in Redis.
 * Cost of a hit: a lookup in a Map, or a round trip to Redis if REDIS_URL is set.
 */
import { createClient } from '@redis/client';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { defineGateway } from 'waygate';

const { QUOTA = '600', REDIS_URL, SITE_URL = 'https://www.example.com' } = process.env;
const KEYS: ReadonlyMap<string, string> = new Map([
  ['key-of-the-shop', 'shop'],
  ['key-of-the-app', 'app'],
]);

const connect = (url: string) =>
  createClient({ url })
    .on('error', () => {})
    .connect();

/** One connection for the process: a reload runs this file again. */
declare global {
  var quotaRedis: ReturnType<typeof connect> | undefined;
}

async function createQuota() {
  const quota = { points: Number(QUOTA), duration: 60 };
  const memory = new RateLimiterMemory(quota);
  if (REDIS_URL === undefined) return memory;
  globalThis.quotaRedis ??= connect(REDIS_URL);
  const storeClient = await globalThis.quotaRedis;
  // Each gateway counts alone while Redis is away.
  return new RateLimiterRedis({ ...quota, storeClient, useRedisPackage: true, insuranceLimiter: memory });
}

export default defineGateway({
  sites: [{ url: SITE_URL }],
  cache: { store: 'memory' },
  async app(app) {
    const quota = await createQuota();
    app.use('*', async ({ header, json, req }, next) => {
      if (req.path.startsWith('/-/')) return next();
      const client = KEYS.get(req.header('x-api-key') ?? '');
      if (client === undefined) return json({ code: 'api_key_required' }, 401);
      const left = await quota.consume(client).catch((caught: unknown) => caught);
      if (!(left instanceof RateLimiterRes)) return json({ code: 'quota_unknown' }, 503);
      const seconds = String(Math.ceil(left.msBeforeNext / 1000));
      if (left.consumedPoints > quota.points)
        return json({ code: 'quota_used' }, 429, { 'retry-after': seconds });
      // The site gets no key, so all clients share the stored responses.
      const headers = new Headers(req.raw.headers);
      headers.delete('x-api-key');
      req.raw = new Request(req.raw, { headers });
      await next();
      header('ratelimit', `"minute";r=${left.remainingPoints};t=${seconds}`);
    });
  },
});
