import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Log, type StateStore, silentLog, systemClock } from '../../../src/gateway/index.ts';
import {
  createEvidencePersistence,
  type EvidencePersistence,
} from '../../../src/gateway/validating/evidence-persistence.ts';
import { createEvidence, type Evidence } from '../../../src/validation/evidence/evidence.ts';

const POSTS = { method: 'GET', route: '/wp/v2/posts' };
const SITE = 'https://example.com';

interface FakeStore extends StateStore {
  readonly kept: Map<string, string>;
  writes: number;
  fail: Error | null;
}

function createFakeStore(text?: string): FakeStore {
  const kept = new Map(text === undefined ? [] : [['validation', text]]);
  const store: FakeStore = {
    kept,
    writes: 0,
    fail: null,
    async read(name) {
      if (store.fail !== null) throw store.fail;
      return kept.get(name) ?? null;
    },
    async write(name, written) {
      if (store.fail !== null) throw store.fail;
      store.writes += 1;
      kept.set(name, written);
    },
    async putAside(name) {
      kept.set('aside', kept.get(name) ?? '');
      kept.delete(name);
      return 'aside';
    },
  };
  return store;
}

function createLog(): Log & { readonly messages: string[] } {
  const messages: string[] = [];
  const record = (_: object, message: string): void => void messages.push(message);
  return { messages, info: record, warn: record, error: record };
}

const createPersistence = (
  store: StateStore,
  evidence: Evidence,
  log: Log = silentLog,
): EvidencePersistence =>
  createEvidencePersistence({
    store,
    evidence,
    log,
    siteUrl: SITE,
    stateName: 'validation',
    clock: systemClock,
  });

/** Creates the state that another process has written. */
async function createState(seen: number): Promise<string> {
  const evidence = createEvidence();
  evidence.getStats(POSTS).validated = seen;
  const store = createFakeStore();
  const persistence = createPersistence(store, evidence);
  await persistence.load();
  persistence.markChanged();
  await persistence.stop();
  return store.kept.get('validation') ?? '';
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('persistent evidence', () => {
  test('is loaded once, and added to the evidence collected since the start', async () => {
    const evidence = createEvidence();
    evidence.getStats(POSTS).validated = 1;
    const persistence = createPersistence(createFakeStore(await createState(5)), evidence);
    await Promise.all([persistence.load(), persistence.load()]);
    expect(evidence.getStats(POSTS).validated).toBe(6);
  });

  test('is written once some time after several changes, and never without a change', async () => {
    const store = createFakeStore();
    const evidence = createEvidence();
    const persistence = createPersistence(store, evidence);
    await persistence.load();
    for (let n = 1; n <= 100; n += 1) {
      evidence.getStats(POSTS).validated = n;
      persistence.markChanged();
    }
    expect(store.writes).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(store.writes).toBe(1);
    expect(store.kept.get('validation')).toContain('"validated": 100');
  });

  test('is written without delay at the end', async () => {
    const store = createFakeStore();
    const persistence = createPersistence(store, createEvidence());
    await persistence.load();
    persistence.markChanged();
    await persistence.stop();
    expect(store.writes).toBe(1);
  });

  test('is not overwritten before it has been read', async () => {
    const text = await createState(5);
    const store = createFakeStore(text);
    store.fail = new Error('not mounted yet');
    const log = createLog();
    const evidence = createEvidence();
    const persistence = createPersistence(store, evidence, log);
    await persistence.load();
    expect(persistence.isLoaded).toBe(true);
    store.fail = null;
    persistence.markChanged();
    await vi.advanceTimersByTimeAsync(60_000);
    await persistence.stop();
    expect(store.kept.get('validation')).toBe(text);
    expect(log.messages).toEqual([expect.stringContaining('it is not overwritten')]);
  });

  test('is written again after a failed write', async () => {
    const store = createFakeStore();
    const log = createLog();
    const persistence = createPersistence(store, createEvidence(), log);
    await persistence.load();
    persistence.markChanged();
    store.fail = new Error('no space left');
    await vi.advanceTimersByTimeAsync(6_000);
    expect(log.messages).toEqual([expect.stringContaining('the write is retried')]);
    store.fail = null;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(store.writes).toBe(1);
  });

  test.each(['{"format":2,', '{"format":7}', '{"format":2,"site":"https://example.org","operations":[]}'])(
    'is ignored and logged when it is unusable: %s',
    async (text) => {
      const store = createFakeStore(text);
      const log = createLog();
      const persistence = createPersistence(store, createEvidence(), log);
      await persistence.load();
      persistence.markChanged();
      await persistence.stop();
      expect(log.messages).toEqual([expect.stringContaining('It is ignored')]);
      expect(store.kept.get('aside')).toBe(text);
      expect(store.kept.get('validation')).toContain('"format": 2');
    },
  );
});
