import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Log, type StateStore, silentLog, systemClock } from '../../../src/gateway/index.ts';
import {
  createEvidencePersistence,
  type EvidencePersistence,
} from '../../../src/gateway/validating/evidence-persistence.ts';
import { createEvidence, type Evidence } from '../../../src/validation/evidence/evidence.ts';

const POSTS = { method: 'GET', route: '/wp/v2/posts' };
const SITE = 'https://example.com';

interface Place extends StateStore {
  readonly kept: Map<string, string>;
  writes: number;
  fail: Error | null;
}

function place(text?: string): Place {
  const kept = new Map(text === undefined ? [] : [['validation', text]]);
  const its: Place = {
    kept,
    writes: 0,
    fail: null,
    async read(name) {
      if (its.fail !== null) throw its.fail;
      return kept.get(name) ?? null;
    },
    async write(name, written) {
      if (its.fail !== null) throw its.fail;
      its.writes += 1;
      kept.set(name, written);
    },
    async putAside(name) {
      kept.set('aside', kept.get(name) ?? '');
      kept.delete(name);
      return 'aside';
    },
  };
  return its;
}

function lines(): Log & { readonly said: string[] } {
  const said: string[] = [];
  const say = (_: object, message: string): void => void said.push(message);
  return { said, info: say, warn: say, error: say };
}

const keeper = (store: StateStore, evidence: Evidence, log: Log = silentLog): EvidencePersistence =>
  createEvidencePersistence({ store, evidence, log, site: SITE, name: 'validation', clock: systemClock });

/** What a keeper of another process has written. */
async function written(seen: number): Promise<string> {
  const evidence = createEvidence();
  evidence.statsOf(POSTS).validated = seen;
  const store = place();
  const one = keeper(store, evidence);
  await one.load();
  one.markChanged();
  await one.stop();
  return store.kept.get('validation') ?? '';
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('evidence that is kept', () => {
  test('is read once, and added to what has been seen', async () => {
    const evidence = createEvidence();
    evidence.statsOf(POSTS).validated = 1;
    const one = keeper(place(await written(5)), evidence);
    await Promise.all([one.load(), one.load()]);
    expect(evidence.statsOf(POSTS).validated).toBe(6);
  });

  test('is written some time after a change, once for many, and not without one', async () => {
    const store = place();
    const evidence = createEvidence();
    const one = keeper(store, evidence);
    await one.load();
    for (let n = 1; n <= 100; n += 1) {
      evidence.statsOf(POSTS).validated = n;
      one.markChanged();
    }
    expect(store.writes).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(store.writes).toBe(1);
    expect(store.kept.get('validation')).toContain('"validated": 100');
  });

  test('is written at the end, without waiting', async () => {
    const store = place();
    const one = keeper(store, createEvidence());
    await one.load();
    one.markChanged();
    await one.stop();
    expect(store.writes).toBe(1);
  });

  test('is not written over before it has been read', async () => {
    const text = await written(5);
    const store = place(text);
    store.fail = new Error('not mounted yet');
    const log = lines();
    const evidence = createEvidence();
    const one = keeper(store, evidence, log);
    await one.load();
    expect(one.isLoaded).toBe(true);
    store.fail = null;
    one.markChanged();
    await vi.advanceTimersByTimeAsync(60_000);
    await one.stop();
    expect(store.kept.get('validation')).toBe(text);
    expect(log.said).toEqual([expect.stringContaining('it is not overwritten')]);
  });

  test('is written later where it cannot be now', async () => {
    const store = place();
    const log = lines();
    const one = keeper(store, createEvidence(), log);
    await one.load();
    one.markChanged();
    store.fail = new Error('no space left');
    await vi.advanceTimersByTimeAsync(6_000);
    expect(log.said).toEqual([expect.stringContaining('the write is retried')]);
    store.fail = null;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(store.writes).toBe(1);
  });

  test.each(['{"format":2,', '{"format":7}', '{"format":2,"site":"https://example.org","operations":[]}'])(
    'is put aside and said where it cannot be used: %s',
    async (text) => {
      const store = place(text);
      const log = lines();
      const one = keeper(store, createEvidence(), log);
      await one.load();
      one.markChanged();
      await one.stop();
      expect(log.said).toEqual([expect.stringContaining('set aside')]);
      expect(store.kept.get('aside')).toBe(text);
      expect(store.kept.get('validation')).toContain('"format": 2');
    },
  );
});
