import { ConfigurationError } from '../../errors.ts';
import type { CacheStore } from '../store.ts';
import { createMemoryStore, type MemoryStoreOptions } from './memory.ts';
import type { RedisTierOptions } from './redis/tier.ts';
import { createSharedTierEvents, createTieredStore } from './tiered.ts';

export interface CacheStoreOptions {
  /** Limits of the memory store, which is also in front of Redis. */
  readonly memory?: Omit<MemoryStoreOptions, 'clock'>;
  readonly redis?: Omit<RedisTierOptions, 'url' | 'clock' | 'log' | 'random'>;
  readonly clock: RedisTierOptions['clock'];
  readonly log: RedisTierOptions['log'];
  readonly random: RedisTierOptions['random'];
}

/**
 * Creates the store that a configuration names.
 *
 * @param location `memory`, or the URL of a Redis or Valkey server that several gateways share: `redis://host:6379/0`
 * @throws {ConfigurationError} when `location` is neither. The message does not contain it, because it may hold a password.
 *
 * @example
 * const options = { clock: systemClock, log: silentLog, random: () => crypto.randomUUID() };
 * const store = await createCacheStore('memory', options);
 */
export async function createCacheStore(location: string, options: CacheStoreOptions): Promise<CacheStore> {
  const { clock, log, random } = options;
  const memory = createMemoryStore({ ...options.memory, clock });
  if (location === 'memory') return memory;
  if (!isRedisUrl(location)) {
    throw new ConfigurationError(
      'the cache is "memory", or an address that begins with redis:// or rediss://',
    );
  }
  // Loaded on demand, because the Redis client is large and runs on Node only.
  const { connectRedisTier } = await import('./redis/tier.ts');
  const shared = await connectRedisTier(
    { ...options.redis, url: location, clock, log, random },
    createSharedTierEvents(memory),
  );
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
