import { expect, test } from 'vitest';
import { previewPurge } from '../../src/cache/purge-preview.ts';
import { MemoryStore } from '../../src/cache/stores/memory-store.ts';
import type { Clock } from '../../src/ports.ts';
import { storedResponse } from '../cache/stores/store-contract.ts';

const NOW = 1_000_000;
const clock: Clock = { now: () => NOW, after: () => () => {} };

test('a preview of a purge counts the responses that the purge then removes', async () => {
  const store = new MemoryStore({ clock });
  for (const [key, age] of Object.entries({ '/a': 10, '/b': 90 }))
    store.put(key, storedResponse(NOW - age * 1000, { tags: ['posts'] }));
  store.put('/c', storedResponse(NOW, { tags: ['pages'] }));
  const selection = { kind: 'tags', tags: ['posts'] } as const;
  const preview = await previewPurge(store, selection, clock);
  expect(preview.responses).toBe(2);
  expect(preview.examples.map(({ key, ttl }) => [key, ttl])).toEqual([
    ['/a', 50],
    ['/b', -30],
  ]);
  expect(store.report().responseCount).toBe(3);
  store.purge(selection, 'hard');
  expect((await previewPurge(store, selection, clock)).responses).toBe(0);
});
