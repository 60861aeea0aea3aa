import type { SharedCounts } from '../gateway/index.ts';
import { memoizeByString } from '../memoize.ts';

/** Counts in Redis. */
export interface RedisCounts extends SharedCounts {
  /** Closes the connection. */
  close(): void;
}

/** Prefix of each key. */
const KEY_PREFIX = 'waygate:limit';
/** Milliseconds for connecting, between two attempts to connect, and for a command. */
const TIMEOUT = 1_000;

/**
 * Connects to a Redis or Valkey server in which several gateways add up their rate limits, for the option `sharedCounts` of
 * `createGateway`. While it cannot be reached, each gateway limits by its own counts, and the connection is opened again.
 *
 * @param url `redis://user:password@host:port/db`, or `rediss://…` for TLS
 * @returns after the first attempt to connect, whether it succeeds or not
 *
 * @example
 * import { createGateway } from 'waygate';
 * import { connectRedisCounts } from 'waygate/node';
 *
 * const sharedCounts = await connectRedisCounts('redis://127.0.0.1:6379');
 * const gateway = createGateway({
 *   sites: [{ url: 'https://example.com' }],
 *   limits: { client: '100/m' },
 *   sharedCounts,
 * });
 * await gateway.stop();
 * sharedCounts.close();
 */
export async function connectRedisCounts(url: string): Promise<RedisCounts> {
  // Loaded on demand, as the cache loads its Redis client.
  const [{ createClient }, limiting] = await Promise.all([
    import('@redis/client'),
    import('rate-limiter-flexible'),
  ]);
  const client = createClient({
    url,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    socket: { connectTimeout: TIMEOUT, reconnectStrategy: TIMEOUT },
    commandsQueueMaxLength: 10_000,
  });
  // The gateway logs that the counts cannot be reached. Without a listener the error would end the process.
  client.on('error', () => {});
  const connecting = client.connect().catch(() => {});
  await Promise.race([connecting, new Promise((resolve) => client.once('error', resolve))]);
  /** By window, in seconds. */
  const getLimiter = memoizeByString(
    (duration) =>
      new limiting.RateLimiterRedis({
        storeClient: client,
        useRedisPackage: true,
        rejectIfRedisNotReady: true,
        keyPrefix: `${KEY_PREFIX}:${duration}`,
        duration: Number(duration),
        // The gateway decides by the sum, so nothing is refused here.
        points: Number.MAX_SAFE_INTEGER,
      }),
  );
  return {
    async add(key, amount, window) {
      const { consumedPoints, msBeforeNext } = await withTimeout(
        getLimiter(String(window / 1_000)).penalty(key, amount),
      );
      return { count: consumedPoints, remaining: msBeforeNext };
    },
    close() {
      if (client.isOpen) client.destroy();
    },
  };
}

/** A server that accepts a connection and does not reply must not stop the exchange of counts. */
async function withTimeout<T>(reply: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no reply within ${TIMEOUT} ms`)), TIMEOUT);
  });
  try {
    return await Promise.race([reply, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
