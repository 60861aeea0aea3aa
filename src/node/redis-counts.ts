import { DEFAULT_PREFIX, toRedisOptions } from '../cache/stores/redis/servers.ts';
import type { RedisSession } from '../cache/stores/redis/session.ts';
import type { RedisOptions } from '../config/option-types.ts';
import type { SharedCounts } from '../gateway/index.ts';
import { memoizeByString } from '../memoize.ts';
import { systemClock } from '../ports.ts';

export interface RedisCounts extends SharedCounts {
  close(): void;
}

const RETRY_DELAY = 1_000;

/** Rate limits of several gateways, added up in Redis. @throws {ConfigurationError} without the URL */
export async function connectRedisCounts(location: string | RedisOptions): Promise<RedisCounts> {
  const servers = toRedisOptions(location);
  const [{ RedisSession }, limiting] = await Promise.all([
    import('../cache/stores/redis/session.ts'),
    import('rate-limiter-flexible'),
  ]);
  const { after } = systemClock;
  let session: RedisSession | undefined;
  let isClosed = false;
  let cancel = (): void => {};
  // The gateway logs that the counts cannot be reached.
  const openAgain = (): void => {
    session = undefined;
    cancel();
    if (!isClosed) cancel = after(RETRY_DELAY, open);
  };
  const open = async (): Promise<void> => {
    try {
      const opened = await RedisSession.open({ servers, after, onLost: openAgain });
      if (isClosed) opened.close();
      else session = opened;
    } catch {
      openAgain();
    }
  };
  await open();
  const storeClient = {
    get isReady() {
      return session !== undefined;
    },
    eval: (script: string, { arguments: values, keys }: Record<'arguments' | 'keys', readonly string[]>) =>
      session?.send(['EVAL', script, String(keys.length), ...keys, ...values]),
  };
  const getLimiter = memoizeByString(
    (duration) =>
      new limiting.RateLimiterRedis({
        storeClient,
        useRedisPackage: true,
        rejectIfRedisNotReady: true,
        keyPrefix: `${servers.prefix ?? DEFAULT_PREFIX}limit:${duration}`,
        duration: Number(duration),
        // The gateway decides by the sum, so nothing is refused here.
        points: Number.MAX_SAFE_INTEGER,
      }),
  );
  return {
    async add(key, amount, window) {
      const { consumedPoints, msBeforeNext } = await getLimiter(String(window / 1_000)).penalty(key, amount);
      return { count: consumedPoints, remaining: msBeforeNext };
    },
    close() {
      isClosed = true;
      cancel();
      session?.close();
    },
  };
}
