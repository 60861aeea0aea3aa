import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { ResponseObserver } from '../../src/gateway/plan/plan.ts';
import {
  createResponseSampler,
  type ResponseSamplerOptions,
} from '../../src/gateway/sampling/response-sampler.ts';
import { decodeWithWebStreams } from '../../src/http/content-decoding.ts';
import { nodeDecode } from '../../src/node/index.ts';
import type { ServedOperation } from '../../src/openapi/served-api.ts';
import { type Clock, systemClock } from '../../src/ports.ts';
import type { RouteTarget } from '../../src/router/target.ts';
import {
  createResponseFindingStats,
  createResponseValidator,
  type ResponseValidationReport,
} from '../../src/validation/response/index.ts';

const OPERATION: ServedOperation = {
  id: 'listPosts',
  method: 'GET',
  path: '/posts',
  allowBatch: false,
  parameters: [],
  response: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } },
  responsePointer: '/response',
};
const BODY = new TextEncoder().encode('[{"id":null}]');
const JSON_TYPE = ['Content-Type', 'application/json'];

/** A gateway's sampler, with what it has found when nothing is left to do. */
function sampling(given: Partial<ResponseSamplerOptions> = {}) {
  const findings = createResponseFindingStats();
  const validator = createResponseValidator({});
  const sampler = createResponseSampler({
    mode: 'all',
    findings,
    decode: decodeWithWebStreams,
    clock: systemClock,
    random: () => 0.5,
    ...given,
  });
  return {
    observe: (query = '', method = 'GET', operation = OPERATION): ResponseObserver | null =>
      sampler.observe(validator, operation, target(method, query)),
    async found(answers: number): Promise<ResponseValidationReport> {
      for (let tries = 0; tries < 500; tries += 1) {
        const report = findings.report();
        const skipped = Object.values(report.skipped).reduce((sum, count) => sum + count, 0);
        if (report.validated + skipped >= answers) return report;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      throw new Error('the responses were never validated');
    },
  };
}

function target(method: string, query: string): RouteTarget {
  return {
    kind: 'route',
    route: '/posts',
    method,
    query,
    routeOffset: null,
    spelling: 'pretty',
    hasFormBody: false,
  };
}

function answer(
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
  const { observe, found } = sampling();
  answer(observe());
  expect(await found(1)).toMatchObject({
    validated: 1,
    operations: [{ operation: 'listPosts', findings: [{ kind: 'null', pointer: '/*/id', responses: 1 }] }],
  });
});

test('a chunk can be overwritten after it was relayed', async () => {
  const { observe, found } = sampling();
  const bytes = BODY.slice();
  answer(observe(), bytes);
  bytes.fill(0);
  expect(await found(1)).toMatchObject({ validated: 1, skipped: {} });
});

describe('the sampled responses', () => {
  test('are one in a hundred', () => {
    const drawn = Array.from({ length: 1_000 }, (_, at) => at / 1_000);
    const { observe } = sampling({ mode: 'sample', random: () => drawn.pop() ?? 0 });
    const observed = Array.from({ length: 1_000 }, () => observe()).filter((each) => each !== null);
    expect(observed).toHaveLength(10);
  });

  test('exclude operations without response schema, and HEAD', () => {
    const { observe } = sampling();
    const { response: _, ...silent } = OPERATION;
    expect(observe('', 'GET', silent)).toBeNull();
    expect(observe('', 'HEAD')).toBeNull();
  });
});

describe('the requested representation', () => {
  const enveloped = new TextEncoder().encode('{"body":[{"id":null}],"status":200,"headers":[]}');

  test.each(['_envelope', '_envelope=1', 'page=2&_%65nvelope=0'])(
    'with %s is unwrapped from its envelope',
    async (query) => {
      const { observe, found } = sampling();
      answer(observe(query), enveloped);
      expect(await found(1)).toMatchObject({ operations: [{ findings: [{ pointer: '/*/id' }] }] });
    },
  );

  test.each(['_fields=id', '_fields[]=id'])('with %s has no missing fields', async (query) => {
    const { observe, found } = sampling();
    const operation = { ...OPERATION, response: { items: { required: ['id'] } } };
    answer(observe(query, 'GET', operation), new TextEncoder().encode('[{}]'));
    answer(observe('', 'GET', operation), new TextEncoder().encode('[{}]'));
    expect(await found(2)).toMatchObject({
      operations: [{ validated: 2, findings: [{ kind: 'missing', responses: 1 }] }],
    });
  });
});

describe('a response with content coding', () => {
  const headers = (coding: string) => [...JSON_TYPE, 'Content-Encoding', coding];

  test.each(['gzip', 'GZIP', 'x-gzip'])('%s is decoded', async (coding) => {
    const { observe, found } = sampling();
    answer(observe(), gzipSync(BODY), { headers: headers(coding) });
    expect(await found(1)).toMatchObject({ validated: 1, operations: [{ findings: [{ kind: 'null' }] }] });
  });

  test.each([
    ['a coding that is not known', 'br', BODY],
    ['bytes that are not in it', 'gzip', BODY],
    ['one that grows beyond the limit', 'gzip', gzipSync(new Uint8Array(4 * 1024 * 1024))],
    ['two codings', 'gzip, gzip', BODY],
  ])('is counted as skipped: %s', async (_, coding, body) => {
    const { observe, found } = sampling();
    answer(observe(), body, { headers: headers(coding) });
    expect(await found(1)).toMatchObject({ validated: 0, skipped: { 'content-coding': 1 } });
  });
});

describe.each([
  ['the platform', decodeWithWebStreams, ['gzip', 'deflate']],
  ['Node', nodeDecode, ['gzip', 'deflate', 'br']],
] as const)('what %s decodes', (_, decode, codings) => {
  const CODED = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
  const LARGE = new Uint8Array(4 * 1024 * 1024);

  test.each(codings)('%s is decoded up to the limit', async (coding) => {
    const decoded = await decode(coding, CODED[coding](BODY), 100);
    expect(new Uint8Array(decoded ?? [])).toEqual(BODY);
    expect(await decode(coding, CODED[coding](LARGE), 1024 * 1024)).toBeNull();
    expect(await decode(coding, BODY, 100)).toBeNull();
  });
});

describe('a response is dropped and counted', () => {
  test('if it is too large, with or without Content-Length', async () => {
    const { observe, found } = sampling({ limits: { maxResponseBytes: 10 } });
    answer(observe());
    answer(observe(), BODY, { headers: [...JSON_TYPE, 'Content-Length', '13'] });
    expect(await found(2)).toMatchObject({ skipped: { 'too-large': 2 } });
  });

  test('if the buffer is full', async () => {
    const { observe, found } = sampling({ limits: { maxBufferedBytes: 20 } });
    answer(observe());
    answer(observe());
    expect(await found(2)).toMatchObject({ validated: 1, skipped: { busy: 1 } });
    answer(observe());
    expect(await found(3)).toMatchObject({ validated: 2, skipped: { busy: 1 } });
  });

  test('if the time budget of the second is used up', async () => {
    let now = 0;
    // Each reading of the clock advances it by the duration of a slow validation.
    const clock: Clock = {
      now() {
        now += 20;
        return now;
      },
      after: systemClock.after,
    };
    const { observe, found } = sampling({ clock, limits: { millisecondsPerSecond: 50 } });
    for (let at = 0; at < 10; at += 1) answer(observe());
    expect(await found(10)).toMatchObject({ validated: 3, skipped: { busy: 7 } });
    now += 1_000;
    answer(observe());
    expect(await found(11)).toMatchObject({ validated: 4 });
  });

  test('if it broke off, and its memory is released', async () => {
    const { observe, found } = sampling({ limits: { maxBufferedBytes: 20 } });
    for (let at = 0; at < 5; at += 1) {
      const observer = observe();
      observer?.head({ status: 200, reason: '', headers: JSON_TYPE });
      observer?.write?.(BODY);
      observer?.fail?.({ kind: 'client-gone' });
    }
    answer(observe());
    expect(await found(6)).toMatchObject({ validated: 1, skipped: { aborted: 5 } });
  });

  test('if it is an error', async () => {
    const { observe, found } = sampling();
    answer(observe(), BODY, { status: 404 });
    expect(await found(1)).toMatchObject({ validated: 0, skipped: { status: 1 } });
  });
});
