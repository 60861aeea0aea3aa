import { ConfigurationError } from '../../errors.ts';
import type { CacheStore } from '../store.ts';
import { createMemoryStore, type MemoryStoreOptions } from './memory.ts';
import type { RedisTierOptions } from './redis/tier.ts';
import { createSharedTierEvents, createTieredStore } from './tiered.ts';

/** What both kinds of store are made from. */
export interface CacheStoreOptions {
  readonly memory?: Omit<MemoryStoreOptions, 'clock'>;
  readonly redis?: Omit<RedisTierOptions, 'url' | 'clock' | 'log' | 'random'>;
  readonly clock: RedisTierOptions['clock'];
  readonly log: RedisTierOptions['log'];
  readonly random: RedisTierOptions['random'];
}

/**
 * The store that a configuration names.
 *
 * @param where `memory`, or the address of a Redis or Valkey that several gateways share: `redis://host:6379/0`
 * @throws ConfigurationError for what is neither; the message does not repeat it, since it may hold a password
 */
export async function createCacheStore(where: string, options: CacheStoreOptions): Promise<CacheStore> {
  const { clock, log, random } = options;
  const memory = createMemoryStore({ ...options.memory, clock });
  if (where === 'memory') return memory;
  if (!isRedisAddress(where)) {
    throw new ConfigurationError(
      'the cache is "memory", or an address that begins with redis:// or rediss://',
    );
  }
  // The client is large, and needs Node: it is loaded where it is wanted.
  const { connectRedisTier } = await import('./redis/tier.ts');
  const shared = await connectRedisTier(
    { ...options.redis, url: where, clock, log, random },
    createSharedTierEvents(memory),
  );
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
