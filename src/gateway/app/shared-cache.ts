import type { HttpCache } from '../../cache/cache.ts';
import { createCompressor } from '../../cache/compress.ts';
import { createHttpCache } from '../../cache/engine/index.ts';
import type { CacheStore } from '../../cache/store.ts';
import { createMemoryStore } from '../../cache/stores/index.ts';
import { systemClock } from '../../ports.ts';
import type { GatewayOptions } from '../options/gateway-options.ts';

/** The one cache of all sites of a gateway; `null` where nothing is kept. */
export function createGatewayCache(options: GatewayOptions): HttpCache | null {
  const { cache = 'off', clock = systemClock, codecs = [], maxEntryBytes, random = Math.random } = options;
  if (cache === 'off') return null;
  const limit = maxEntryBytes === undefined ? {} : { maxEntryBytes };
  const store: CacheStore = cache === 'memory' ? createMemoryStore({ clock, ...limit }) : cache;
  const compressor = createCompressor({ store, codecs });
  return createHttpCache({ store, clock, random, compressor, limits: limit });
}
