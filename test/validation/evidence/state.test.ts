import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json.ts';
import { Evidence, recordComparison } from '../../../src/validation/evidence/evidence.ts';
import { compareWithOrigin, type OriginVerdict } from '../../../src/validation/evidence/origin-verdict.ts';
import type { ValidationResult } from '../../../src/validation/request/result.ts';

const POSTS = { method: 'GET', route: '/wp/v2/posts' };
const TYPE = 'rest_invalid_type';

function record(
  evidence: Evidence,
  route: string,
  params: readonly string[],
  originVerdict: OriginVerdict,
): void {
  const verdict: ValidationResult =
    params.length === 0
      ? { kind: 'valid' }
      : {
          kind: 'invalid',
          status: 400,
          code: 'rest_invalid_param',
          message: '',
          data: {},
          brokenRules: params.map((param) => ({ param, rule: TYPE })),
        };
  const stats = evidence.getStats({ method: 'GET', route });
  stats.validated += 1;
  recordComparison(stats, compareWithOrigin(verdict, originVerdict), {
    status: 200,
    describeValue: () => 'string(3)',
    getFingerprint: (param) => `f-${param}`,
  });
}

const ACCEPTED: OriginVerdict = { kind: 'accepted' };

/** Returns the content of a state that a process has written. */
const store = (evidence: Evidence): JsonObject => JSON.parse(JSON.stringify(evidence.toJson()));

describe('stored evidence', () => {
  test('is restored as it was written', () => {
    const requests = fc.array(
      fc.record({
        route: fc.constantFrom('/wp/v2/posts', '/wp/v2/pages', '/a/(?P<id>\\d+)'),
        params: fc.subarray(['a', '__proto__', 'constructor']),
        originVerdict: fc.constantFrom<OriginVerdict>(
          ACCEPTED,
          { kind: 'undecided' },
          { kind: 'refused', stage: 'rest_invalid_param', params: ['a', 'toString'] },
        ),
      }),
    );
    fc.assert(
      fc.property(requests, (recorded) => {
        const evidence = new Evidence();
        for (const { route, params, originVerdict } of recorded)
          record(evidence, route, params, originVerdict);
        const restored = new Evidence();
        expect(restored.restore(store(evidence))).toBe(true);
        expect([...restored.entries()]).toEqual([...evidence.entries()]);
      }),
    );
  });

  test('is added to the evidence collected since the start', () => {
    const before = new Evidence();
    record(before, POSTS.route, ['a'], ACCEPTED);
    record(before, POSTS.route, [], ACCEPTED);
    const now = new Evidence();
    record(now, POSTS.route, [], ACCEPTED);
    now.restore(store(before));
    expect(now.getStats(POSTS)).toMatchObject({
      validated: 3,
      streak: 2,
      outcomes: { accepted: 2, disagreed: 1 },
    });
    expect(now.getStats(POSTS).rules.get(`${TYPE} a`)).toMatchObject({ disagreed: 1 });
  });

  test('does not extend a streak that a disagreement has ended since', () => {
    const before = new Evidence();
    record(before, POSTS.route, [], ACCEPTED);
    const now = new Evidence();
    record(now, POSTS.route, ['a'], ACCEPTED);
    now.restore(store(before));
    expect(now.getStats(POSTS).streak).toBe(0);
  });
});

describe('of a malformed state', () => {
  test('without a list of operations, nothing is restored', () => {
    const evidence = new Evidence();
    expect(evidence.restore({ operations: { method: 'GET' } })).toBe(false);
    expect([...evidence.entries()]).toEqual([]);
  });

  test('entries that are no operations are skipped', () => {
    const evidence = new Evidence();
    const operations = [null, { method: 'GET' }, { ...POSTS, validated: 2 }];
    expect(evidence.restore({ operations })).toBe(true);
    expect([...evidence.entries()]).toMatchObject([[POSTS, { validated: 2 }]]);
  });

  test('malformed numbers count as 0', () => {
    const evidence = new Evidence();
    const operation = { ...POSTS, seen: -5, streak: 'many', rules: [null, { param: 1 }], outcomes: [] };
    expect(evidence.restore({ operations: [operation] })).toBe(true);
    expect(evidence.getStats(POSTS)).toMatchObject({ validated: 0, streak: 0 });
  });
});

describe('a new document', () => {
  test('drops the evidence about parameters that it no longer declares', () => {
    const evidence = new Evidence();
    record(evidence, '/gone', ['a'], ACCEPTED);
    record(evidence, POSTS.route, ['same', 'changed', 'removed'], ACCEPTED);
    const fingerprints: Record<string, string> = { same: 'f-same', changed: 'other' };
    const dropped = evidence.retainDeclared(({ route }) =>
      route === POSTS.route ? (param) => fingerprints[param] : undefined,
    );
    expect(dropped).toEqual({ operations: 1, rules: 2 });
    expect([...evidence.entries()].map(([{ route }]) => route)).toEqual([POSTS.route]);
    expect([...evidence.getStats(POSTS).rules.values()].map(({ param }) => param)).toEqual(['same']);
  });
});
