import { ConfigurationError } from '../../errors.ts';
import type { CacheStore } from '../store.ts';
import { createMemoryStore, type MemoryOptions } from './memory.ts';
import type { RedisOptions } from './redis/tier.ts';
import { createTieredStore, eventsFor } from './tiered.ts';

/** What both kinds of store are made from. */
export interface StoreOptions {
  readonly memory?: Omit<MemoryOptions, 'clock'>;
  readonly redis?: Omit<RedisOptions, 'url' | 'clock' | 'log' | 'random'>;
  readonly clock: RedisOptions['clock'];
  readonly log: RedisOptions['log'];
  readonly random: RedisOptions['random'];
}

/**
 * The store that a configuration names.
 *
 * @param where `memory`, or the address of a Redis or Valkey that several gateways share: `redis://host:6379/0`
 * @throws ConfigurationError for what is neither; the message does not repeat it, since it may hold a password
 */
export async function createStore(where: string, options: StoreOptions): Promise<CacheStore> {
  const { clock, log, random } = options;
  const memory = createMemoryStore({ ...options.memory, clock });
  if (where === 'memory') return memory;
  if (!isRedisAddress(where)) {
    throw new ConfigurationError(
      'the cache is "memory", or an address that begins with redis:// or rediss://',
    );
  }
  // The client is large, and needs Node: it is loaded where it is wanted.
  const { connectRedis } = await import('./redis/tier.ts');
  const shared = await connectRedis({ ...options.redis, url: where, clock, log, random }, eventsFor(memory));
  return createTieredStore(memory, shared, clock);
}

function isRedisAddress(where: string): boolean {
  if (!/^rediss?:\/\//i.test(where) || !URL.canParse(where)) return false;
  const { hostname, password, pathname, username } = new URL(where);
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
