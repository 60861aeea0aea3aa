import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ForwardToOrigin } from '../../../src/cache/cache.ts';
import { createHttpCache } from '../../../src/cache/engine/index.ts';
import type { CacheStore } from '../../../src/cache/store.ts';
import { createMemoryStore } from '../../../src/cache/stores/index.ts';
import { createRequest } from './support/cache-harness.ts';
import { ManualClock } from './support/manual-clock.ts';
import { TestClient } from './support/test-client.ts';
import { ForwardedRequest } from './support/test-origin.ts';

/** A forwarded request, and everything that the site has sent for it. */
class Told extends ForwardedRequest {
  /** Number of the client. */
  owner: Visitor | undefined;
  number = 0;
  isPrivate = false;
  begun = false;
  over = false;
  whole = false;
  text = '';
}

class Visitor extends TestClient {
  readonly method: 'GET' | 'HEAD';
  constructor(method: 'GET' | 'HEAD') {
    super();
    this.method = method;
  }
}

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  fresh: ['Cache-Control', 'max-age=60', 'ETag', '"1"'],
  short: ['Cache-Control', 'max-age=1, stale-while-revalidate=60, stale-if-error=60', 'ETag', '"1"'],
  varying: ['Cache-Control', 'max-age=60', 'Vary', 'Accept-Language'],
  private: ['Cache-Control', 'private'],
  cookie: ['Cache-Control', 'max-age=60', 'Set-Cookie', 'a=1'],
};

const asking = fc.record({
  kind: fc.constant('ask' as const),
  key: fc.constantFrom('/a', '/a', '/b'),
  method: fc.constantFrom('GET' as const, 'GET' as const, 'GET' as const, 'HEAD' as const),
  headers: fc.constantFrom<readonly string[]>(
    [],
    [],
    ['Accept-Language', 'de'],
    ['Cache-Control', 'no-cache'],
    ['Range', 'bytes=0-3'],
    ['If-None-Match', '"1"'],
  ),
  full: fc.boolean(),
});
const step = fc.oneof(
  { weight: 4, arbitrary: asking },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('head' as const),
      which: fc.nat(9),
      status: fc.constantFrom(200, 200, 200, 304, 404, 500, 503),
      headers: fc.constantFrom(...Object.keys(HEADERS)),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('write' as const), which: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('end' as const), which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail' as const), which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drain' as const), which: fc.nat(9) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      time: fc.constantFrom(1, 500, 2_000, 70_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('purge' as const), mode: fc.constantFrom('hard', 'soft') }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

class World {
  readonly clock = new ManualClock();
  readonly visitors: Visitor[] = [];
  readonly told: Told[] = [];
  readonly store: CacheStore;
  readonly #cache;

  constructor(store: (clock: ManualClock) => CacheStore) {
    this.store = store(this.clock);
    const limits = { maxEntryBytes: 12, patience: 5_000, lookup: 100 };
    this.#cache = createHttpCache({ store: this.store, clock: this.clock, random: () => 0.5, limits });
  }

  async take(taken: Step): Promise<void> {
    if (taken.kind === 'ask') this.#ask(taken);
    else if (taken.kind === 'wait') this.clock.advance(taken.time);
    else if (taken.kind === 'purge') {
      await this.store.purge({ kind: 'all' }, taken.mode === 'hard' ? 'hard' : 'soft');
    } else if (taken.kind === 'leave') this.#pick(this.visitors.filter(isWaiting), taken.which)?.abort();
    else if (taken.kind === 'drain') this.#pick(this.visitors.filter(isWaiting), taken.which)?.drain();
    else {
      const request = this.#pick(
        this.told.filter((each) => !each.over && !each.aborted),
        taken.which,
      );
      if (request !== undefined) this.answer(request, taken);
    }
    // Stores that respond asynchronously do so now.
    await new Promise((resolve) => setImmediate(resolve));
  }

  #pick<T>(from: readonly T[], which: number): T | undefined {
    return from[which % from.length];
  }

  #ask({ full, headers, key, method }: Extract<Step, { kind: 'ask' }>): void {
    const visitor = new Visitor(method);
    visitor.full = full;
    this.visitors.push(visitor);
    const origin: ForwardToOrigin = (asked, sink) => {
      const request = new Told(asked, sink);
      request.owner = visitor;
      this.told.push(request);
      request.number = this.told.length;
      return request;
    };
    visitor.exchange = this.#cache.serve(createRequest({ headers, key, method }), origin, visitor);
    if (visitor.aborted) visitor.exchange.abort();
  }

  answer(request: Told, taken: Extract<Step, { which: number }>): void {
    if (taken.kind === 'head' && !request.begun) {
      const status = taken.status === 304 && request.options.conditions === null ? 200 : taken.status;
      request.begun = true;
      request.isPrivate = taken.headers === 'private' || taken.headers === 'cookie';
      request.head(status, HEADERS[taken.headers] ?? []);
    } else if (taken.kind === 'write' && request.begun && request.owner?.method === 'GET') {
      const part = `<${request.number}>`;
      request.text += part;
      request.write(part);
    } else if (taken.kind === 'end' && request.begun) {
      request.over = true;
      request.whole = true;
      request.end();
    } else if (taken.kind === 'fail') {
      request.over = true;
      request.fail('connection-broken');
    }
  }

  /** The site responds to all pending requests, and all clients read to the end. */
  async settle(): Promise<void> {
    for (let round = 0; round < 50; round++) {
      for (const request of this.told.filter((each) => !each.over && !each.aborted)) {
        this.answer(request, { kind: 'head', which: 0, status: 200, headers: 'fresh' });
        this.answer(request, { kind: 'end', which: 0 });
      }
      for (const visitor of this.visitors.filter(isWaiting)) visitor.drain();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

function isWaiting(visitor: Visitor): boolean {
  return !visitor.settled && !visitor.aborted;
}

/** A store with asynchronous lookups, like one over a network. */
function distant(store: CacheStore): CacheStore {
  return {
    get: async (key) => store.get(key),
    put: async (key, answer) => store.put(key, answer),
    purge: async (selection, mode) => store.purge(selection, mode),
    lease: async (key, milliseconds) => store.lease(key, milliseconds),
    stats: () => store.stats(),
    close: () => store.close(),
  };
}

describe.each([
  ['in memory', (clock: ManualClock) => createMemoryStore({ clock })],
  ['far away', (clock: ManualClock) => distant(createMemoryStore({ clock }))],
] as const)('whatever clients and site do, and in whatever order, with a store %s', (_name, store) => {
  test('every client that stays gets a complete response of the origin, and none of another variant', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80, size: 'max' }), async (steps) => {
        const world = new World(store);
        for (const taken of steps) await world.take(taken);
        await world.settle();

        const whole = new Set(world.told.filter((request) => request.whole).map(({ text }) => text));
        for (const visitor of world.visitors) {
          const { body, ended, failure, aborted, method, status } = visitor;
          expect(aborted || ended || failure !== undefined).toBe(true);
          if (method === 'HEAD' || status === 304) expect(body).toBe('');
          else if (ended && status !== 206 && status !== 416) expect(whole).toContain(body);
          for (const { isPrivate, number, owner } of world.told) {
            if (isPrivate && owner !== visitor) expect(body).not.toContain(`<${number}>`);
          }
        }
        // Without waiting clients there must be no timers.
        expect(world.clock.pending).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});
