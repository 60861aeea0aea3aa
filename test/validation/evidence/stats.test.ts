import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canEnforce, isRetestDue } from '../../../src/validation/evidence/enforcement.ts';
import {
  createOperationStats,
  isSuspended,
  MAX_EXAMPLES,
  MAX_RULES,
  type OperationStats,
  recordComparison,
  toRuleKey,
} from '../../../src/validation/evidence/evidence.ts';
import { compareWithOrigin, type OriginVerdict } from '../../../src/validation/evidence/origin-verdict.ts';
import type { ParameterRule, ValidationResult } from '../../../src/validation/request/result.ts';

const TYPE = 'rest_invalid_type';
const ACCEPTED: OriginVerdict = { kind: 'accepted' };
const VALID: ValidationResult = { kind: 'valid' };

function createInvalid(brokenRules: readonly ParameterRule[], code = 'rest_invalid_param'): ValidationResult {
  return { kind: 'invalid', status: 400, code, message: '', data: {}, brokenRules };
}

const createViolating = (...params: readonly string[]): ValidationResult =>
  createInvalid(params.map((param) => ({ param, rule: TYPE })));
const createRefusal = (...params: readonly string[]): OriginVerdict => ({
  kind: 'refused',
  stage: 'rest_invalid_param',
  params,
});

function record(
  stats: OperationStats,
  verdict: ValidationResult,
  originVerdict: OriginVerdict,
  value = 'string(1)',
) {
  return recordComparison(stats, compareWithOrigin(verdict, originVerdict), {
    status: originVerdict.kind === 'accepted' ? 200 : 400,
    describeValue: () => value,
    getFingerprint: () => 'f',
  });
}

function isRuleSuspended(stats: OperationStats, param: string, rule: string): boolean {
  const known = stats.rules.get(toRuleKey({ param, rule }));
  return known !== undefined && isSuspended(known);
}

describe('a rule that the site contradicts', () => {
  test('is suspended from then on, and returned once', () => {
    const stats = createOperationStats();
    expect(record(stats, createViolating('a'), ACCEPTED)).toMatchObject([{ param: 'a', rule: TYPE }]);
    expect(record(stats, createViolating('a'), ACCEPTED)).toEqual([]);
    expect(isRuleSuspended(stats, 'a', TYPE)).toBe(true);
    expect(isRuleSuspended(stats, 'a', 'rest_not_in_enum')).toBe(false);
    expect(isRuleSuspended(stats, 'b', TYPE)).toBe(false);
  });

  test('stays suspended, whatever the site responds later', () => {
    const stats = createOperationStats();
    record(stats, createViolating('a'), ACCEPTED);
    for (let n = 0; n < 50; n += 1) record(stats, createViolating('a'), createRefusal('a'));
    expect(isRuleSuspended(stats, 'a', TYPE)).toBe(true);
  });

  test('causes no further disagreement: requests that violate it count as accepted', () => {
    const stats = createOperationStats();
    record(stats, createViolating('a'), ACCEPTED);
    expect(stats).toMatchObject({ streak: 0, outcomes: { disagreed: 1 } });
    record(stats, createViolating('a'), ACCEPTED);
    expect(stats).toMatchObject({ streak: 1, outcomes: { accepted: 1, disagreed: 1 } });
    record(stats, createViolating('a'), createRefusal('a'));
    expect(stats).toMatchObject({ streak: 1, outcomes: { missed: 1 } });
  });

  test('has a few different examples', () => {
    const stats = createOperationStats();
    for (let n = 0; n < 20; n += 1) record(stats, createViolating('a'), ACCEPTED, `string(${n % 7})`);
    const [rule] = stats.rules.values();
    expect(rule?.examples).toHaveLength(MAX_EXAMPLES);
    expect(new Set(rule?.examples.map(({ value }) => value)).size).toBe(MAX_EXAMPLES);
  });

  test('can be malformed JSON, which no parameter causes', () => {
    const stats = createOperationStats();
    record(stats, createInvalid([], 'rest_invalid_json'), ACCEPTED);
    expect(isRuleSuspended(stats, '', 'rest_invalid_json')).toBe(true);
  });

  test('is never a limit of the gateway', () => {
    const stats = createOperationStats();
    record(stats, createInvalid([], 'rest_body_too_large'), ACCEPTED);
    expect(isRuleSuspended(stats, '', 'rest_body_too_large')).toBe(false);
    expect(stats.outcomes.disagreed).toBe(1);
  });
});

describe('agreement', () => {
  test('grows with each agreement, and restarts at 0 after a disagreement', () => {
    const stats = createOperationStats();
    record(stats, VALID, ACCEPTED);
    record(stats, createViolating('a'), createRefusal('a'));
    expect(stats.streak).toBe(2);
    record(stats, VALID, createRefusal('z'));
    record(stats, VALID, { kind: 'undecided' });
    expect(stats.streak).toBe(2);
    record(stats, createViolating('b'), ACCEPTED);
    expect(stats.streak).toBe(0);
  });

  test('enforces an operation, and each rule once the site has agreed with it', () => {
    const stats = createOperationStats();
    const broken = [{ param: 'a', rule: TYPE }];
    expect(canEnforce(stats, broken, undefined)).toBe(true);
    expect(canEnforce(stats, broken, 3)).toBe(false);
    for (let n = 0; n < 3; n += 1) record(stats, VALID, ACCEPTED);
    expect(canEnforce(stats, broken, 3)).toBe(false);
    record(stats, createViolating('a'), createRefusal('a'));
    expect(canEnforce(stats, broken, 3)).toBe(true);
    expect(canEnforce(stats, [...broken, { param: 'b', rule: TYPE }], 3)).toBe(false);
  });
});

describe('an enforced rule', () => {
  test('is retested at the site at long intervals', () => {
    const retests = Array.from({ length: 1001 }, (_, refusals) => refusals).filter((count) =>
      isRetestDue(count, false),
    );
    expect(retests).toEqual([50, 500, 1000]);
  });
});

describe('a missed parameter', () => {
  test('is counted by the name that the site reports', () => {
    const stats = createOperationStats();
    record(stats, VALID, createRefusal('a', 'b'));
    record(stats, createViolating('c'), createRefusal('b', 'c'));
    expect([...stats.missed].map(([name, { count: times }]) => [name, times])).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
  });
});

test('the number of names in memory is limited', () => {
  const stats = createOperationStats();
  for (let n = 0; n < 3 * MAX_RULES; n += 1) {
    record(stats, createViolating(`p${n}`), ACCEPTED);
    record(stats, VALID, createRefusal(`q${n}`));
  }
  expect(stats.rules.size).toBe(MAX_RULES);
  expect(stats.missed.size).toBe(MAX_RULES);
  record(stats, createViolating('p0'), ACCEPTED);
  expect(stats.rules.get(`${TYPE} p0`)?.broken).toBe(2);
});

test('any sequence of requests: each response is counted once, and suspended rules are those the site contradicts', () => {
  const verdicts = fc.oneof(
    fc.constant(VALID),
    fc.subarray(['a', 'b', 'c'], { minLength: 1 }).map((params) => createViolating(...params)),
  );
  const originVerdicts = fc.oneof<fc.Arbitrary<OriginVerdict>[]>(
    fc.constant(ACCEPTED),
    fc.constant({ kind: 'undecided' }),
    fc.subarray(['a', 'b', 'c', 'z'], { minLength: 1 }).map((params) => createRefusal(...params)),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(verdicts, originVerdicts), { maxLength: 40 }), (requests) => {
      const stats = createOperationStats();
      for (const [verdict, originVerdict] of requests) record(stats, verdict, originVerdict);
      const counted = Object.values(stats.outcomes).reduce((sum, count) => sum + count, 0);
      expect(counted).toBe(requests.length);
      expect(stats.streak).toBeLessThanOrEqual(stats.outcomes.accepted + stats.outcomes.refused);
      for (const rule of stats.rules.values()) {
        expect(rule.agreed + rule.disagreed).toBeLessThanOrEqual(rule.broken);
        const seenBroken = requests.some(
          ([verdict, originVerdict]) =>
            verdict.kind === 'invalid' &&
            originVerdict.kind === 'accepted' &&
            verdict.brokenRules.some(({ param }) => param === rule.param),
        );
        expect(isSuspended(rule)).toBe(seenBroken);
      }
    }),
  );
});
