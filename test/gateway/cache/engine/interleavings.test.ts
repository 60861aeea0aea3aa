import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ResponseSink } from '../../../../src/base/http/exchange.ts';
import type {
  CacheEngineLimits,
  FetchOptions,
  Upstream,
} from '../../../../src/gateway/cache/engine/fetch-plan.ts';
import { HttpCache } from '../../../../src/gateway/cache/http-cache.ts';
import type { CacheStore } from '../../../../src/gateway/cache/store.ts';
import { MemoryStore } from '../../../../src/gateway/cache/stores/memory-store.ts';
import { GatewayClock } from '../../../support/gateway-clock.ts';
import { createRequest } from './support/cache-harness.ts';
import { TestClient } from './support/test-client.ts';
import { ForwardedRequest } from './support/test-origin.ts';

/** A forwarded request with the state of its response. */
class TrackedRequest extends ForwardedRequest {
  /** Client that caused the request. */
  client: SimulatedClient | undefined;
  id = 0;
  isPrivate = false;
  /** Asked for everyone, without what describes its client. */
  isForEveryone = false;
  /** Of the server, which its client gets. */
  isError = false;
  hasHead = false;
  finished = false;
  complete = false;
  text = '';
}

class SimulatedClient extends TestClient {
  method: 'GET' | 'HEAD' = 'GET';
}

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  fresh: ['Cache-Control', 'max-age=60', 'ETag', '"1"'],
  short: ['Cache-Control', 'max-age=1, stale-while-revalidate=60, stale-if-error=60', 'ETag', '"1"'],
  varying: ['Cache-Control', 'max-age=60', 'Vary', 'Accept-Language'],
  private: ['Cache-Control', 'private'],
  cookie: ['Cache-Control', 'max-age=60', 'Set-Cookie', 'a=1'],
};

const requestStep = fc.record({
  kind: fc.constant('request' as const),
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
/** What happens to one of the forwarded requests or clients. */
const event = <Kind extends string>(weight: number, kind: Kind) => ({
  weight,
  arbitrary: fc.record({ kind: fc.constant(kind), which: fc.nat(9) }),
});
const headStep = fc.record({
  kind: fc.constant('head' as const),
  which: fc.nat(9),
  status: fc.constantFrom(200, 200, 200, 304, 404, 500, 503),
  headers: fc.constantFrom(...Object.keys(HEADERS)),
});
const waitStep = fc.record({
  kind: fc.constant('wait' as const),
  time: fc.constantFrom(1, 500, 2_000, 70_000),
});
const purgeStep = fc.record({
  kind: fc.constant('purge' as const),
  mode: fc.constantFrom('hard' as const, 'unconfirmed' as const),
});
const step = fc.oneof(
  { weight: 4, arbitrary: requestStep },
  { weight: 3, arbitrary: headStep },
  event(3, 'write'),
  event(3, 'end'),
  event(1, 'fail'),
  event(1, 'leave'),
  event(1, 'drain'),
  { weight: 1, arbitrary: waitStep },
  { weight: 1, arbitrary: purgeStep },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

class Simulation {
  readonly clock = new GatewayClock(undefined, 0);
  readonly clients: SimulatedClient[] = [];
  readonly requests: TrackedRequest[] = [];
  readonly store: CacheStore;
  readonly #cache;
  readonly #hidesClient: boolean;

  constructor(store: (clock: GatewayClock) => CacheStore, hidesClient: boolean) {
    this.#hidesClient = hidesClient;
    this.store = store(this.clock);
    const limits: Partial<CacheEngineLimits> = { maxEntryBytes: 12, collapseTimeout: 5_000 };
    this.#cache = new HttpCache({ store: this.store, clock: this.clock, limits });
  }

  async run(step: Step): Promise<void> {
    if (step.kind === 'request') this.#request(step);
    else if (step.kind === 'wait') this.clock.pass(step.time);
    else if (step.kind === 'purge') {
      await this.store.purge({ kind: 'all' }, step.mode);
    } else if (step.kind === 'leave') this.#pick(this.clients.filter(isWaiting), step.which)?.abort();
    else if (step.kind === 'drain') this.#pick(this.clients.filter(isWaiting), step.which)?.drain();
    else {
      const request = this.#pick(
        this.requests.filter((request) => !request.finished && !request.aborted),
        step.which,
      );
      if (request !== undefined) this.respond(request, step);
    }
    // Lets asynchronous store operations complete.
    await new Promise((resolve) => setImmediate(resolve));
  }

  #pick<T>(from: readonly T[], which: number): T | undefined {
    return from[which % from.length];
  }

  #request({ full, headers, key, method }: Extract<Step, { kind: 'request' }>): void {
    const simulatedClient = Object.assign(new SimulatedClient(), { method, full });
    this.clients.push(simulatedClient);
    const send = (options: FetchOptions, sink: ResponseSink, isForEveryone: boolean): TrackedRequest => {
      const request = new TrackedRequest(options, sink);
      request.client = simulatedClient;
      request.isForEveryone = isForEveryone;
      this.requests.push(request);
      request.id = this.requests.length;
      return request;
    };
    const hidesClient = this.#hidesClient;
    const origin: Upstream = {
      fetch: (_request, options, sink) => send(options, sink, hidesClient),
      pass: (_request, sink) => send(UNCHANGED, sink, false),
    };
    simulatedClient.exchange = this.#cache.serve(
      createRequest({ headers, key, method, hidesClient }),
      origin,
      simulatedClient,
    );
    if (simulatedClient.aborted) simulatedClient.exchange.abort();
  }

  respond(request: TrackedRequest, step: Extract<Step, { which: number }>): void {
    if (step.kind === 'head' && !request.hasHead) {
      const status =
        step.status === 304 && request.options.revalidationConditions === null ? 200 : step.status;
      request.hasHead = true;
      request.isError = status >= 500;
      request.isPrivate = step.headers === 'private' || step.headers === 'cookie';
      request.head(status, HEADERS[step.headers] ?? []);
    } else if (step.kind === 'write' && request.hasHead && request.client?.method === 'GET') {
      const chunk = `<${request.id}>`;
      request.text += chunk;
      request.write(chunk);
    } else if (step.kind === 'end' && request.hasHead) {
      request.finished = true;
      request.complete = true;
      request.end();
    } else if (step.kind === 'fail') {
      request.finished = true;
      request.fail('connection-broken');
    }
  }

  /** Completes the responses to all pending requests and drains all clients. */
  async settle(): Promise<void> {
    for (let round = 0, idle = 0; round < 50 && idle < 8; round++) {
      const pending = this.requests.filter((request) => !request.finished && !request.aborted);
      idle = pending.length === 0 && !this.clients.some(isWaiting) ? idle + 1 : 0;
      for (const request of pending) {
        this.respond(request, { kind: 'head', which: 0, status: 200, headers: 'fresh' });
        this.respond(request, { kind: 'end', which: 0 });
      }
      for (const simulatedClient of this.clients.filter(isWaiting)) simulatedClient.drain();
      this.clock.pass(0);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

const UNCHANGED: FetchOptions = { revalidationConditions: null, vary: [], isBackground: false };

function isWaiting(simulatedClient: SimulatedClient): boolean {
  return !simulatedClient.settled && !simulatedClient.aborted;
}

function makeAsync(store: CacheStore): CacheStore {
  return {
    get: async (key) => ({ ...(await store.get(key)) }),
    put: async (...stored) => store.put(...stored),
    addForm: (...form) => store.addForm(...form),
    purge: async (selection, mode) => store.purge(selection, mode),
    report: () => store.report(),
  };
}

/** As when Redis comes and goes. */
function makeUnreliable(store: CacheStore): CacheStore {
  let lookups = 0;
  return {
    ...store,
    async get(key) {
      lookups += 1;
      return lookups % 5 < 2 ? { responses: [], mark: null } : store.get(key);
    },
    put: async (...stored) => (lookups % 5 < 2 ? 'outdated' : store.put(...stored)),
  };
}

describe.each([
  ['in memory', (clock: GatewayClock) => new MemoryStore({ clock })],
  ['with asynchronous access', (clock: GatewayClock) => makeAsync(new MemoryStore({ clock }))],
  ['that comes and goes', (clock: GatewayClock) => makeUnreliable(makeAsync(new MemoryStore({ clock })))],
] as const)('any interleaving of client and site actions, with a store %s', (_name, store) => {
  test.each([
    ['an origin that knows its clients', false],
    ['a site that is asked for everyone', true],
  ])(
    'every client of %s gets a complete response, never of another variant or client',
    async (_, hidesClient) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 80, size: 'max' }), async (steps) => {
          const simulation = new Simulation(store, hidesClient);
          for (const step of steps) await simulation.run(step);
          await simulation.settle();

          const completeBodies = new Set(
            simulation.requests.filter((request) => request.complete).map(({ text }) => text),
          );
          for (const simulatedClient of simulation.clients) {
            const { body, ended, failure, aborted, method, status } = simulatedClient;
            expect(aborted || ended || failure !== undefined).toBe(true);
            if (method === 'HEAD' || status === 304) expect(body).toBe('');
            else if (ended && status !== 206 && status !== 416) expect(completeBodies).toContain(body);
            for (const { isError, isForEveryone, isPrivate, id, client } of simulation.requests) {
              const isOfOneClient = isPrivate || (hidesClient && !isForEveryone);
              const isOfNobody = isPrivate && isForEveryone && !isError;
              if (isOfNobody || (isOfOneClient && client !== simulatedClient))
                expect(body).not.toContain(`<${id}>`);
            }
          }
          // Without waiting clients there must be no timers.
          expect(simulation.clock.waiting).toBe(0);
        }),
        { numRuns: 60 },
      );
    },
  );
});
