import { describe, expect, test } from 'vitest';
import { createCacheStore } from '../../../src/cache/stores/create-store.ts';
import { ConfigurationError } from '../../../src/errors.ts';
import { silentLog, systemClock } from '../../../src/ports.ts';

const options = { clock: systemClock, log: silentLog, generateId: () => 'id' };

describe('createCacheStore', () => {
  test('creates a memory store of the given size for "memory"', async () => {
    const store = await createCacheStore('memory', { ...options, memory: { maxBytes: 1000 } });
    expect(store.report()).toMatchObject({ responseCount: 0, bytes: 0, maxBytes: 1000, evictions: 0 });
  });

  test.each([
    'off',
    'redis',
    'redis://',
    'redis://[',
    'http://127.0.0.1:6379',
    'memory:secret',
    'redis://someone:secret@[',
    'redis://someone:secret%@127.0.0.1:6379',
    'redis://:secret@127.0.0.1:6379/first',
  ])('rejects %o with a message that does not contain it', async (location) => {
    const outcome = createCacheStore(location, options);
    await expect(outcome).rejects.toThrow(ConfigurationError);
    await expect(outcome).rejects.not.toThrow(/secret/);
  });
});
