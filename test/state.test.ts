import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '../src/json.ts';
import { type Log, type StateStore, silentLog, systemClock } from '../src/ports.ts';
import { formatState, SiteStates, type StoredState } from '../src/state.ts';

const SITE = 'https://example.com';

/** A state in memory: a number that grows by the stored one. */
class Counter {
  seen = 0;
  toJson(): object {
    return { seen: this.seen };
  }
  restore({ seen }: JsonObject): boolean {
    if (typeof seen !== 'number') return false;
    this.seen += seen;
    return true;
  }
}

interface FakeStore extends StateStore {
  readonly kept: Map<string, string>;
  tries: number;
  writes: number;
  fail: Error | null;
}

function createFakeStore(text?: string): FakeStore {
  const kept = new Map(text === undefined ? [] : [['document', text]]);
  const store: FakeStore = {
    kept,
    tries: 0,
    writes: 0,
    fail: null,
    async read(name) {
      if (store.fail !== null) throw store.fail;
      return kept.get(name) ?? null;
    },
    async write(name, written) {
      store.tries += 1;
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

const createStored = (store: StateStore, counter: Counter, log: Log = silentLog): StoredState =>
  new SiteStates(store, undefined, SITE, systemClock, log).open('document', counter);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ENVELOPE = { format: 'waygate-state', version: 1, kind: 'document', site: SITE };

describe('a stored state', () => {
  test('is loaded once, and added to what is in memory', async () => {
    const counter = new Counter();
    counter.seen = 1;
    const stored = createStored(createFakeStore(formatState('document', SITE, { seen: 5 })), counter);
    await Promise.all([stored.load(), stored.load()]);
    expect(counter.seen).toBe(6);
  });

  test('is written once some time after several changes, and never without a change', async () => {
    const store = createFakeStore();
    const counter = new Counter();
    const stored = createStored(store, counter);
    await stored.load();
    for (let n = 1; n <= 100; n += 1) {
      counter.seen = n;
      stored.markChanged();
    }
    expect(store.writes).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(store.writes).toBe(1);
    expect(store.kept.get('document')).toContain('"seen":100');
  });

  test('is written without delay at the end', async () => {
    const store = createFakeStore();
    const stored = createStored(store, new Counter());
    await stored.load();
    stored.markChanged();
    await stored.stop();
    expect(store.writes).toBe(1);
  });

  test('is not overwritten before it has been read', async () => {
    const text = formatState('document', SITE, { seen: 5 });
    const store = createFakeStore(text);
    store.fail = new Error('not mounted yet');
    const log = createLog();
    const counter = new Counter();
    const stored = createStored(store, counter, log);
    await stored.load();
    expect(stored.isLoaded).toBe(true);
    store.fail = null;
    stored.markChanged();
    await vi.advanceTimersByTimeAsync(60_000);
    await stored.stop();
    expect(store.kept.get('document')).toBe(text);
    expect(log.messages).toEqual([expect.stringContaining('it is not overwritten')]);
  });

  test('is written again half a minute after a failed write', async () => {
    const store = createFakeStore();
    const log = createLog();
    const stored = createStored(store, new Counter(), log);
    await stored.load();
    stored.markChanged();
    store.fail = new Error('no space left');
    await vi.advanceTimersByTimeAsync(40_000);
    expect(log.messages).toEqual([expect.stringContaining('the write is retried')]);
    store.fail = null;
    await vi.advanceTimersByTimeAsync(60_000);
    expect([store.tries, store.writes]).toEqual([3, 1]);
  });

  test.each([
    ['half a file', '{"format":"waygate-state",'],
    ['a malformed content', formatState('document', SITE, { seen: 'x' })],
    ['an older version', JSON.stringify({ ...ENVELOPE, version: 0, seen: 1 })],
  ])('is ignored, logged and put aside when it is unusable: %s', async (_, text) => {
    const store = createFakeStore(text);
    const log = createLog();
    const stored = createStored(store, new Counter(), log);
    await stored.load();
    stored.markChanged();
    await stored.stop();
    expect(log.messages).toEqual([
      expect.stringMatching(/^the stored last good document is unusable: .*It is ignored.*kept as aside$/),
    ]);
    expect(store.kept.get('aside')).toBe(text);
    expect(store.kept.get('document')).toContain('"format":"waygate-state"');
  });

  test('without a store is kept in memory', async () => {
    const states = new SiteStates(undefined, undefined, SITE, systemClock, silentLog);
    const stored = states.open('document', { toJson: () => ({}), restore: () => true });
    expect(stored.isLoaded).toBe(true);
    stored.markChanged();
    expect(vi.getTimerCount()).toBe(0);
    await Promise.all([stored.load(), stored.stop()]);
  });
});
