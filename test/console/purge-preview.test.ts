import { describe, expect, test } from 'vitest';
import { MAX_PREVIEWED, previewPurge } from '../../src/cache/purge-preview.ts';
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

describe('with 100,000 responses', () => {
  test('a preview gives other work a turn after each 4 ms', async () => {
    const COUNT = 100_000;
    const store = new MemoryStore({ clock, maxBytes: 1024 ** 3 });
    for (let at = 0; at < COUNT; at += 1) store.put(`/${at}`, storedResponse(NOW, { tags: ['all'] }));
    const turns = [0];
    let visited = 0;
    const { entries, ...report } = store.report();
    function* count(): Generator<readonly [string, ReturnType<typeof store.get>]> {
      for (const entry of entries) {
        turns.push((turns.pop() ?? 0) + 1);
        visited += 1;
        yield entry;
      }
    }
    const counted = { ...EMPTY, report: () => ({ ...report, entries: count() }) };
    // A hundred responses take a millisecond.
    const turnClock: Clock = {
      now: () => NOW + visited / 100,
      after(_delay, task) {
        turns.push(0);
        setImmediate(task);
        return () => {};
      },
    };
    const preview = await previewPurge(counted, { kind: 'tags', tags: ['all'] }, turnClock);
    expect(preview.responses).toBe(COUNT);
    expect(preview.examples).toHaveLength(MAX_PREVIEWED);
    expect(Math.max(...turns)).toBe(400);
  });
});

/** The members of a store that a preview does not use. */
const EMPTY = { get: () => [], put: () => false, purge: () => {}, isPurgedSince: () => false };
