import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Log, type StateStore, silentLog, systemClock } from '../src/ports.ts';
import { formatState, parseState, SiteStates, type StoredState } from '../src/state.ts';
import { Ledger, type LedgerEntry } from '../src/validation/evidence/ledger.ts';

const SITE = 'https://example.com';

const PAGE = { name: 'page', schema: { type: 'integer' }, isRequired: false, isGroup: false };

/** Finds the entry of a rule. */
const findRule = (evidence: Ledger): LedgerEntry =>
  evidence.find(
    { method: 'GET', route: { namespace: 'wp/v2', pattern: '/wp/v2/posts' } },
    { param: 'page', rule: 'rest_invalid_type' },
    PAGE,
  );

interface FakeStore extends StateStore {
  readonly kept: Map<string, string>;
  tries: number;
  writes: number;
  fail: Error | null;
}

function createFakeStore(text?: string): FakeStore {
  const kept = new Map(text === undefined ? [] : [['validation', text]]);
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

const createStored = (store: StateStore, evidence: Ledger, log: Log = silentLog): StoredState =>
  new SiteStates(store, undefined, SITE, systemClock, log).open('validation', {
    toJson: () => evidence.toRecords(),
    restore: (content) => evidence.restore(content),
  });

/** Creates the state that another process has written. */
async function createState(seen: number): Promise<string> {
  const evidence = new Ledger();
  findRule(evidence).agreed = seen;
  const store = createFakeStore();
  const stored = createStored(store, evidence);
  await stored.load();
  stored.markChanged();
  await stored.stop();
  return store.kept.get('validation') ?? '';
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ENVELOPE = { format: 'waygate-state', version: 2, kind: 'validation', site: SITE };

describe('stored evidence', () => {
  test('is loaded once, and added to the evidence collected since the start', async () => {
    const evidence = new Ledger();
    findRule(evidence).agreed = 1;
    const stored = createStored(createFakeStore(await createState(5)), evidence);
    await Promise.all([stored.load(), stored.load()]);
    expect(findRule(evidence).agreed).toBe(6);
  });

  test('is written once some time after several changes, and never without a change', async () => {
    const store = createFakeStore();
    const evidence = new Ledger();
    const stored = createStored(store, evidence);
    await stored.load();
    for (let n = 1; n <= 100; n += 1) {
      findRule(evidence).agreed = n;
      stored.markChanged();
    }
    expect(store.writes).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(store.writes).toBe(1);
    expect(store.kept.get('validation')).toContain('"agreed":100');
  });

  test('is written without delay at the end', async () => {
    const store = createFakeStore();
    const stored = createStored(store, new Ledger());
    await stored.load();
    stored.markChanged();
    await stored.stop();
    expect(store.writes).toBe(1);
  });

  test('is not overwritten before it has been read', async () => {
    const text = await createState(5);
    const store = createFakeStore(text);
    store.fail = new Error('not mounted yet');
    const log = createLog();
    const evidence = new Ledger();
    const stored = createStored(store, evidence, log);
    await stored.load();
    expect(stored.isLoaded).toBe(true);
    store.fail = null;
    stored.markChanged();
    await vi.advanceTimersByTimeAsync(60_000);
    await stored.stop();
    expect(store.kept.get('validation')).toBe(text);
    expect(log.messages).toEqual([expect.stringContaining('it is not overwritten')]);
  });

  test('is written again half a minute after a failed write', async () => {
    const store = createFakeStore();
    const log = createLog();
    const stored = createStored(store, new Ledger(), log);
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
    ['a malformed content', formatState('validation', SITE, { rules: 1 })],
    ['an older version', JSON.stringify({ ...ENVELOPE, version: 1, operations: [] })],
  ])('is ignored, logged and put aside when it is unusable: %s', async (_, text) => {
    const store = createFakeStore(text);
    const log = createLog();
    const stored = createStored(store, new Ledger(), log);
    await stored.load();
    stored.markChanged();
    await stored.stop();
    expect(log.messages).toEqual([
      expect.stringMatching(/^the stored validation evidence is unusable: .*It is ignored.*kept as aside$/),
    ]);
    expect(store.kept.get('aside')).toBe(text);
    expect(store.kept.get('validation')).toContain('"format":"waygate-state"');
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

describe('the text of a state', () => {
  const CONTENT = { operations: [{ method: 'GET' }], toString: 1 };

  test('is read by its kind and site', () => {
    const text = formatState('document', SITE, CONTENT);
    expect(parseState(text, 'document', SITE)).toMatchObject(CONTENT);
    expect(text).toMatch(/^\{"format":"waygate-state","version":1,"kind":"document",.*\n$/);
  });

  test.each([
    ['half a file', '{"format":2,"oper', 'it is not JSON'],
    ['another format', '{"format":"other"}', 'its format is "other"'],
    ['a later version', JSON.stringify({ ...ENVELOPE, version: 3 }), 'its version is 3'],
    ['another kind', JSON.stringify({ ...ENVELOPE, kind: 'document' }), 'its kind is "document"'],
    ['another site', JSON.stringify({ ...ENVELOPE, site: `${SITE}/b` }), 'it is the state of another site'],
    ['no site', JSON.stringify({ ...ENVELOPE, site: 1 }), 'it is the state of another site'],
  ])('is unusable with %s', (_, text, fault) => {
    expect(parseState(text, 'validation', SITE)).toBe(fault);
  });
});
