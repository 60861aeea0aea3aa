import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { ResponseObserver } from '../../../src/gateway/exchange/response-relay.ts';
import {
  ResponseSampler,
  type ResponseSamplerOptions,
  ShapeCollector,
} from '../../../src/gateway/sampling/response-sampler.ts';
import { decodeWithWebStreams } from '../../../src/http/content-decoding.ts';
import { nodeDecode } from '../../../src/node/index.ts';
import { type Clock, silentLog, systemClock } from '../../../src/ports.ts';
import type { RouteTarget } from '../../../src/router/target.ts';
import { SiteStates } from '../../../src/state.ts';
import {
  ResponseFindingStats,
  type ResponseValidationReport,
  ResponseValidator,
} from '../../../src/validation/response/validator.ts';
import { createShapesReport } from '../../../src/validation/shapes/response-shapes.ts';
import { createMemoryState } from '../../support/memory-state.ts';
import { createOperation, type StatedOperation } from '../../support/operation.ts';
import { waitUntil } from '../../support/wait.ts';

const IN_MEMORY = new SiteStates(undefined, '', 'https://example.com/', systemClock, silentLog);
const STATED: StatedOperation = {
  id: 'listPosts',
  path: '/posts',
  responseSchema: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } },
  responsePointer: '/response',
};
const OPERATION = createOperation(STATED);
const BODY = new TextEncoder().encode('[{"id":null}]');
const JSON_TYPE = ['Content-Type', 'application/json'];

/** Creates a response sampler; `waitForReport` waits until the given number of responses is processed. */
function createSampling(given: Partial<ResponseSamplerOptions> = {}) {
  const findingStats = new ResponseFindingStats();
  const validator = new ResponseValidator({});
  const sampler = new ResponseSampler({
    mode: 'all',
    findingStats,
    decode: decodeWithWebStreams,
    clock: systemClock,
    random: () => 0.5,
    shapes: createSettledShapes(),
    ...given,
  });
  return {
    observe: (query = '', method = 'GET', operation = OPERATION): ResponseObserver | null =>
      sampler.observe(validator, { operation, route: { pattern: '/posts' } }, target(method, query)),
    async waitForReport(responses: number): Promise<ResponseValidationReport> {
      await waitUntil(() => {
        const { skipped, validated } = findingStats.report();
        return Object.values(skipped).reduce((sum, count) => sum + count, validated) >= responses;
      });
      return findingStats.report();
    },
  };
}

/** The shapes of a site whose responses are known. */
function createSettledShapes(): ShapeCollector {
  const shapes = new ShapeCollector(IN_MEMORY);
  for (let count = 0; count < 20; count += 1)
    shapes.add({ method: 'GET', route: '/posts', variant: '' }, 200, undefined);
  return shapes;
}

function target(method: string, query: string): RouteTarget {
  return {
    kind: 'route',
    route: '/posts',
    method,
    query,
    routeParameter: null,
    path: '/some/v1',
    spelling: 'pretty',
    hasFormBody: false,
  };
}

function relayResponse(
  observer: ResponseObserver | null,
  body: Uint8Array = BODY,
  { headers = JSON_TYPE, status = 200 }: { headers?: readonly string[]; status?: number } = {},
): void {
  if (observer === null) throw new Error('the response is not sampled');
  observer.head({ status, reason: '', headers });
  observer.write?.(body.subarray(0, 5));
  observer.write?.(body.subarray(5));
  void observer.end?.();
}

test('a response is validated after it was relayed', async () => {
  const { observe, waitForReport } = createSampling();
  relayResponse(observe());
  expect(await waitForReport(1)).toMatchObject({
    validated: 1,
    operations: [{ operation: 'listPosts', findings: [{ kind: 'null', pointer: '/*/id', responses: 1 }] }],
  });
});

test('a chunk can be overwritten after it was relayed', async () => {
  const { observe, waitForReport } = createSampling();
  const bytes = BODY.slice();
  relayResponse(observe(), bytes);
  bytes.fill(0);
  expect(await waitForReport(1)).toMatchObject({ validated: 1, skipped: {} });
});

describe('the sampled responses', () => {
  test('are one in a hundred', () => {
    const randomValues = Array.from({ length: 1_000 }, (_, index) => index / 1_000);
    let now = 0;
    const clock = { ...systemClock, now: () => (now += 250) };
    const { observe } = createSampling({ mode: 'sample', clock, random: () => randomValues.pop() ?? 0 });
    const observed = Array.from({ length: 1_000 }, () => observe()).filter((observer) => observer !== null);
    expect(observed).toHaveLength(10);
  });

  test('are at most four per second, also after the clock was set back', () => {
    let now = 5_000;
    const clock = { ...systemClock, now: () => now };
    const { observe } = createSampling({ mode: 'sample', clock, random: () => 0 });
    const countOf = (from: number, milliseconds: number): number => {
      const times = Array.from({ length: milliseconds }, (_, index) => from + index);
      return times.filter((time) => {
        now = time;
        return observe() !== null;
      }).length;
    };
    expect(countOf(5_000, 1_000)).toBe(4);
    expect(countOf(1_000, 1_000)).toBe(4);
  });

  test('exclude HEAD', () => {
    expect(createSampling().observe('', 'HEAD')).toBeNull();
  });
});

describe('the requested representation', () => {
  const envelope = new TextEncoder().encode('{"body":[{"id":null}],"status":200,"headers":[]}');

  test.each(['_envelope', '_envelope=1', 'page=2&_%65nvelope=0', '+.envelope', '.envelope=1'])(
    'with %s is unwrapped from its envelope',
    async (query) => {
      const { observe, waitForReport } = createSampling();
      relayResponse(observe(query), envelope);
      expect(await waitForReport(1)).toMatchObject({ operations: [{ findings: [{ pointer: '/*/id' }] }] });
    },
  );

  test.each(['_fields=id', '_fields[]=id', '.fields=id'])('with %s has no missing fields', async (query) => {
    const { observe, waitForReport } = createSampling();
    const operation = createOperation({ ...STATED, responseSchema: { items: { required: ['id'] } } });
    relayResponse(observe(query, 'GET', operation), new TextEncoder().encode('[{}]'));
    relayResponse(observe('', 'GET', operation), new TextEncoder().encode('[{}]'));
    expect(await waitForReport(2)).toMatchObject({
      operations: [{ validated: 2, findings: [{ kind: 'missing', responses: 1 }] }],
    });
  });
});

describe('a response with content coding', () => {
  const headers = (coding: string) => [...JSON_TYPE, 'Content-Encoding', coding];

  test.each(['gzip', 'GZIP', 'x-gzip'])('%s is decoded', async (coding) => {
    const { observe, waitForReport } = createSampling();
    relayResponse(observe(), gzipSync(BODY), { headers: headers(coding) });
    expect(await waitForReport(1)).toMatchObject({
      validated: 1,
      operations: [{ findings: [{ kind: 'null' }] }],
    });
  });

  test.each([
    ['an unknown coding', 'br', BODY],
    ['a body that is not encoded', 'gzip', BODY],
    ['a decoded body above the limit', 'gzip', gzipSync(new Uint8Array(4 * 1024 * 1024))],
    ['two codings', 'gzip, gzip', BODY],
  ])('is counted as skipped: %s', async (_, coding, body) => {
    const { observe, waitForReport } = createSampling();
    relayResponse(observe(), body, { headers: headers(coding) });
    expect(await waitForReport(1)).toMatchObject({ validated: 0, skipped: { 'content-coding': 1 } });
  });
});

describe.each([
  ['the platform', decodeWithWebStreams, ['gzip', 'deflate']],
  ['Node', nodeDecode, ['gzip', 'deflate', 'br']],
] as const)('the decoder of %s', (_, decode, codings) => {
  const ENCODERS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
  const LARGE = new Uint8Array(4 * 1024 * 1024);

  test.each(codings)('%s is decoded up to the limit', async (coding) => {
    const decoded = await decode(coding, ENCODERS[coding](BODY), 100);
    expect(new Uint8Array(decoded ?? [])).toEqual(BODY);
    expect(await decode(coding, ENCODERS[coding](LARGE), 1024 * 1024)).toBeNull();
    expect(await decode(coding, BODY, 100)).toBeNull();
  });
});

describe('a response is dropped and counted', () => {
  test('if it is too large, with or without Content-Length', async () => {
    const { observe, waitForReport } = createSampling({ maxResponseBytes: 10 });
    relayResponse(observe());
    relayResponse(observe(), BODY, { headers: [...JSON_TYPE, 'Content-Length', '13'] });
    expect(await waitForReport(2)).toMatchObject({ skipped: { 'too-large': 2 } });
  });

  test('while 32 others are relayed or wait', async () => {
    const { observe, waitForReport } = createSampling();
    for (let count = 0; count < 40; count += 1) relayResponse(observe());
    expect(await waitForReport(40)).toMatchObject({ validated: 32, skipped: { busy: 8 } });
    relayResponse(observe());
    expect(await waitForReport(41)).toMatchObject({ validated: 33 });
  });

  test('if it is aborted, and others are validated', async () => {
    const { observe, waitForReport } = createSampling();
    for (let count = 0; count < 20; count += 1) {
      const observer = observe();
      observer?.head({ status: 200, reason: '', headers: JSON_TYPE });
      observer?.write?.(BODY);
      observer?.fail?.({ kind: 'client-gone' });
    }
    relayResponse(observe());
    expect(await waitForReport(21)).toMatchObject({ validated: 1, skipped: { aborted: 20 } });
  });

  test('if it is an error', async () => {
    const { observe, waitForReport } = createSampling();
    relayResponse(observe(), BODY, { status: 404 });
    expect(await waitForReport(1)).toMatchObject({ validated: 0, skipped: { status: 1 } });
  });
});

test('validations take a twentieth of the time, after a burst of fifty milliseconds', async () => {
  let now = 0;
  const pauses: number[] = [];
  // To collect a shape takes 20 ms, and a validation nothing: time passes while shapes are collected, and in pauses.
  const clock: Clock = {
    now: () => now,
    after(delay, task) {
      pauses.push(delay);
      return systemClock.after(0, () => {
        now += delay;
        task();
      });
    },
  };
  const shapes = new ShapeCollector(IN_MEMORY);
  Object.assign(shapes, {
    add() {
      now += 20;
    },
  });
  const { observe } = createSampling({ clock, shapes });
  for (let count = 0; count < 5; count += 1) relayResponse(observe());
  await waitUntil(() => pauses.length === 10);
  expect(pauses).toEqual([...[0, 0, 0, 0, 0], ...[0, 0, 0, 140, 380]]);
});

describe('the shapes of responses', () => {
  const MANY_NAMES = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`name-${at}`, at]));
  const DENSE = new TextEncoder().encode(`[${'0,'.repeat(250_000)}0]`);

  test('are collected of every operation, also of those without a schema, and contain no values', async () => {
    const shapes = new ShapeCollector(IN_MEMORY);
    const { responseSchema: _, responsePointer: __, ...untyped } = STATED;
    const { observe } = createSampling({ mode: 'sample', random: () => 0.99, shapes });
    const body = new TextEncoder().encode('{"id":7,"secret":"word","by":{"a b":1,"c d":2}}');
    relayResponse(observe('', 'POST', createOperation({ ...untyped, method: 'POST' })), body, {
      status: 201,
    });
    await waitUntil(() => shapes.list().length === 1);
    const serialized = JSON.stringify(createShapesReport('https://example.com/', shapes.list()));
    expect(JSON.parse(serialized).responses).toMatchObject([
      { method: 'POST', route: '/posts', statuses: { 201: 1 }, shape: { objects: { count: 1 } } },
    ]);
    expect(serialized).toContain('secret');
    expect(serialized).not.toMatch(/word|a b|c d|7/);
  });

  test('are collected of the first 20 responses of an operation, then of one in a hundred', async () => {
    const shapes = new ShapeCollector(IN_MEMORY);
    const { observe } = createSampling({ mode: 'sample', random: () => 0.99, shapes });
    for (let count = 1; count <= 20; count += 1) {
      relayResponse(observe());
      await waitUntil(() => shapes.list()[0]?.shape.count === count);
    }
    expect(observe()).toBeNull();
    expect(observe('context=edit')).not.toBeNull();
  });

  test('are not collected of responses that the client has reduced', () => {
    const shapes = new ShapeCollector(IN_MEMORY);
    const { observe } = createSampling({ mode: 'sample', random: () => 0.99, shapes });
    expect([observe('_fields=id'), observe('_envelope=1'), observe('', 'HEAD')]).toEqual([null, null, null]);
  });

  test('are stored, and loaded by the next gateway', async () => {
    const store = createMemoryState();
    const createStates = (url: string) => new SiteStates(store, '', url, systemClock, silentLog);
    const first = new ShapeCollector(createStates('https://example.com/'));
    await first.stored.load();
    first.add({ method: 'GET', route: '/posts', variant: '' }, 200, [{ id: 1 }]);
    await first.stored.stop();
    const second = new ShapeCollector(createStates('https://example.com/'));
    await second.stored.load();
    expect(createShapesReport('', second.list())).toEqual(createShapesReport('', first.list()));
    const other = new ShapeCollector(createStates('https://other.example.com/'));
    await other.stored.load();
    expect(other.list()).toEqual([]);
    await Promise.all([second.stored.stop(), other.stored.stop()]);
  });

  test('a body that takes longer to decode than the work limit is neither validated nor collected', async () => {
    const shapes = new ShapeCollector(IN_MEMORY);
    const { observe, waitForReport } = createSampling({ shapes });
    relayResponse(observe(), DENSE);
    expect(await waitForReport(1)).toMatchObject({ validated: 0, skipped: { 'too-costly': 1 } });
    expect(shapes.list()).toEqual([]);
  });

  test.each([
    ['words', Array.from({ length: 39_000 }, () => 'word')],
    ['objects after one with many names', [MANY_NAMES, ...Array.from({ length: 10_000 }, () => ({ a: 1 }))]],
  ])('are collected of as many items of a list as the work limit allows: %s', async (_, list) => {
    const shapes = new ShapeCollector(IN_MEMORY);
    const { observe } = createSampling({ shapes });
    relayResponse(observe(), new TextEncoder().encode(JSON.stringify(list)));
    await waitUntil(() => shapes.list().length === 1);
    const count = shapes.list()[0]?.shape.lists?.items?.count ?? 0;
    expect(count).toBeGreaterThan(250);
    expect(count).toBeLessThan(list.length);
  });

  test('are collected in another task than the validation', async () => {
    let tasks = 0;
    const clock: Clock = {
      now: systemClock.now,
      after(delay, task) {
        tasks += 1;
        return systemClock.after(delay, task);
      },
    };
    const shapes = new ShapeCollector(IN_MEMORY);
    const { observe } = createSampling({ shapes, clock });
    relayResponse(observe());
    await waitUntil(() => shapes.list().length === 1);
    expect(tasks).toBe(2);
  });
});
