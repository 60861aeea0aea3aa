import type { RedisOptions } from '../../config/option-types.ts';
import { silentLog, systemClock } from '../../ports.ts';
import type { CacheStore } from '../store.ts';
import { MemoryStore, type MemoryStoreOptions } from './memory-store.ts';
import type { RedisStoreOptions } from './redis/connection.ts';
import { toRedisOptions } from './redis/servers.ts';

export interface CacheStoreOptions {
  /** Limits of the memory store, which is also in front of Redis. */
  readonly memory?: Omit<MemoryStoreOptions, 'clock'>;
  readonly redis?: Omit<RedisStoreOptions, 'servers' | 'clock' | 'log' | 'generateId'>;
  /** @default the system's clock and timers */
  readonly clock?: RedisStoreOptions['clock'];
  /** Receives connection problems of Redis. @default no logging */
  readonly log?: RedisStoreOptions['log'];
  /** @default crypto.randomUUID */
  readonly generateId?: RedisStoreOptions['generateId'];
}

export interface OpenCacheStore extends CacheStore {
  close(): Promise<void>;
}

/**
 * Creates the store that a configuration names. The caller closes it.
 *
 * @param location `memory`, or the URL of a Redis or Valkey server: `redis://host:6379/0`
 * @throws {ConfigurationError} when `location` is neither; without the URL, which can have a password
 */
export async function createCacheStore(
  location: string | RedisOptions,
  options: CacheStoreOptions = {},
): Promise<OpenCacheStore> {
  const { clock = systemClock, log = silentLog, generateId = () => crypto.randomUUID() } = options;
  const memory = new MemoryStore({ ...options.memory, clock });
  if (location === 'memory') return memory;
  const servers = toRedisOptions(location);
  // Loaded on demand: the client is large.
  const { RedisStore } = await import('./redis/redis-store.ts');
  const store = new RedisStore({ ...options.redis, servers, clock, log, generateId }, memory);
  await store.open();
  return store;
}
