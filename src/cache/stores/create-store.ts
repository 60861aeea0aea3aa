import { ConfigurationError } from '../../errors.ts';
import { silentLog, systemClock } from '../../ports.ts';
import type { CacheStore } from '../store.ts';
import { MemoryStore, type MemoryStoreOptions } from './memory-store.ts';
import type { RedisTierOptions } from './redis/connection.ts';
import { createTieredStore } from './tiered-store.ts';

export interface CacheStoreOptions {
  /** Limits of the memory store, which is also in front of Redis. */
  readonly memory?: Omit<MemoryStoreOptions, 'clock'>;
  readonly redis?: Omit<RedisTierOptions, 'url' | 'clock' | 'log' | 'generateId'>;
  /** @default the system's clock and timers */
  readonly clock?: RedisTierOptions['clock'];
  /** Receives connection problems of Redis. @default no logging */
  readonly log?: RedisTierOptions['log'];
  /** Returns a new unique identifier for each call. @default crypto.randomUUID */
  readonly generateId?: RedisTierOptions['generateId'];
}

/**
 * Creates the store that a configuration names.
 *
 * @returns the store; the caller closes it
 * @param location `memory`, or the URL of a Redis or Valkey server that several gateways share: `redis://host:6379/0`
 * @throws {ConfigurationError} when `location` is neither. The message does not contain the URL, which may have a password.
 *
 * @example
 * import { createGateway } from 'waygate';
 * import { createCacheStore } from 'waygate/node';
 *
 * const cache = await createCacheStore('memory', { memory: { maxBytes: 64 * 1024 * 1024 } });
 * const gateway = createGateway({ sites: [{ url: 'https://example.com' }], cache });
 * await gateway.stop();
 * await cache.close();
 */
export async function createCacheStore(
  location: string,
  options: CacheStoreOptions = {},
): Promise<CacheStore> {
  const { clock = systemClock, log = silentLog, generateId = () => crypto.randomUUID() } = options;
  const memory = new MemoryStore({ ...options.memory, clock });
  if (location === 'memory') return memory;
  if (!isRedisUrl(location)) {
    throw new ConfigurationError(
      'the cache is "memory", or an address that begins with redis:// or rediss://',
    );
  }
  // Loaded on demand, because the Redis client is large and runs on Node only.
  const { connectRedisTier } = await import('./redis/tier.ts');
  const shared = await connectRedisTier({ ...options.redis, url: location, clock, log, generateId }, memory);
  return createTieredStore(memory, shared, clock);
}

function isRedisUrl(location: string): boolean {
  if (!/^rediss?:\/\//i.test(location) || !URL.canParse(location)) return false;
  const { hostname, password, pathname, username } = new URL(location);
  return hostname !== '' && /^\/?\d*$/.test(pathname) && [username, password].every(isDecodable);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
