import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareWithOrigin } from '../../../src/validation/evidence/compare.ts';
import {
  canEnforce,
  createSuspensionTest,
  isRetestDue,
} from '../../../src/validation/evidence/enforcement.ts';
import type { OriginVerdict } from '../../../src/validation/evidence/origin-verdict.ts';
import {
  createOperationStats,
  isSuspended,
  MAX_EXAMPLES,
  MAX_RULES,
  type OperationStats,
  recordComparison,
} from '../../../src/validation/evidence/stats.ts';
import type { ParameterRule, ValidationResult } from '../../../src/validation/request/result.ts';

const TYPE = 'rest_invalid_type';
const ACCEPTED: OriginVerdict = { kind: 'accepted' };
const VALID: ValidationResult = { kind: 'valid' };

function refusing(brokenRules: readonly ParameterRule[], code = 'rest_invalid_param'): ValidationResult {
  return { kind: 'invalid', status: 400, code, message: '', data: {}, brokenRules };
}

const breaks = (...params: readonly string[]): ValidationResult =>
  refusing(params.map((param) => ({ param, rule: TYPE })));
const names = (...params: readonly string[]): OriginVerdict => ({
  kind: 'refused',
  stage: 'rest_invalid_param',
  params,
});

function see(tally: OperationStats, verdict: ValidationResult, said: OriginVerdict, value = 'string(1)') {
  return recordComparison(tally, compareWithOrigin(verdict, said), {
    status: said.kind === 'accepted' ? 200 : 400,
    shapeOf: () => value,
    fingerprintOf: () => 'f',
  });
}

describe('a rule that the site was seen to break', () => {
  test('is set aside from then on, and said once', () => {
    const tally = createOperationStats();
    expect(see(tally, breaks('a'), ACCEPTED)).toMatchObject([{ param: 'a', rule: TYPE }]);
    expect(see(tally, breaks('a'), ACCEPTED)).toEqual([]);
    expect(createSuspensionTest(tally)('a', TYPE)).toBe(true);
    expect(createSuspensionTest(tally)('a', 'rest_not_in_enum')).toBe(false);
    expect(createSuspensionTest(tally)('b', TYPE)).toBe(false);
  });

  test('stays set aside, whatever the site says later', () => {
    const tally = createOperationStats();
    see(tally, breaks('a'), ACCEPTED);
    for (let n = 0; n < 50; n += 1) see(tally, breaks('a'), names('a'));
    expect(createSuspensionTest(tally)('a', TYPE)).toBe(true);
  });

  test('disagrees no more: what it would refuse counts as taken', () => {
    const tally = createOperationStats();
    see(tally, breaks('a'), ACCEPTED);
    expect(tally).toMatchObject({ streak: 0, outcomes: { disagreed: 1 } });
    see(tally, breaks('a'), ACCEPTED);
    expect(tally).toMatchObject({ streak: 1, outcomes: { accepted: 1, disagreed: 1 } });
    see(tally, breaks('a'), names('a'));
    expect(tally).toMatchObject({ streak: 1, outcomes: { missed: 1 } });
  });

  test('has a few examples of different kinds', () => {
    const tally = createOperationStats();
    for (let n = 0; n < 20; n += 1) see(tally, breaks('a'), ACCEPTED, `string(${n % 7})`);
    const [rule] = tally.rules.values();
    expect(rule?.examples).toHaveLength(MAX_EXAMPLES);
    expect(new Set(rule?.examples.map(({ value }) => value)).size).toBe(MAX_EXAMPLES);
  });

  test('is malformed JSON too, which belongs to no parameter', () => {
    const tally = createOperationStats();
    see(tally, refusing([], 'rest_invalid_json'), ACCEPTED);
    expect(createSuspensionTest(tally)('', 'rest_invalid_json')).toBe(true);
  });

  test('is none of the limits of the gateway itself', () => {
    const tally = createOperationStats();
    see(tally, refusing([], 'rest_body_too_large'), ACCEPTED);
    expect(createSuspensionTest(tally)('', 'rest_body_too_large')).toBe(false);
    expect(tally.outcomes.disagreed).toBe(1);
  });
});

describe('agreement', () => {
  test('grows with each verdict that both gave, and begins again after a disagreement', () => {
    const tally = createOperationStats();
    see(tally, VALID, ACCEPTED);
    see(tally, breaks('a'), names('a'));
    expect(tally.streak).toBe(2);
    see(tally, VALID, names('z'));
    see(tally, VALID, { kind: 'undecided' });
    expect(tally.streak).toBe(2);
    see(tally, breaks('b'), ACCEPTED);
    expect(tally.streak).toBe(0);
  });

  test('promotes an operation, and each rule once the site has agreed with it', () => {
    const tally = createOperationStats();
    const broken = [{ param: 'a', rule: TYPE }];
    expect(canEnforce(tally, broken, undefined)).toBe(true);
    expect(canEnforce(tally, broken, 3)).toBe(false);
    for (let n = 0; n < 3; n += 1) see(tally, VALID, ACCEPTED);
    expect(canEnforce(tally, broken, 3)).toBe(false);
    see(tally, breaks('a'), names('a'));
    expect(canEnforce(tally, broken, 3)).toBe(true);
    expect(canEnforce(tally, [...broken, { param: 'b', rule: TYPE }], 3)).toBe(false);
  });
});

describe('a rule that refuses', () => {
  test('is held against the site again, rarely', () => {
    const asked = Array.from({ length: 1001 }, (_, refusals) => refusals).filter(isRetestDue);
    expect(asked).toEqual([50, 500, 1000]);
  });
});

describe('what is missed', () => {
  test('is counted by the name that the site gave', () => {
    const tally = createOperationStats();
    see(tally, VALID, names('a', 'b'));
    see(tally, breaks('c'), names('b', 'c'));
    expect([...tally.missed].map(([name, { count: times }]) => [name, times])).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
  });
});

test('no number of names grows the memory without end', () => {
  const tally = createOperationStats();
  for (let n = 0; n < 3 * MAX_RULES; n += 1) {
    see(tally, breaks(`p${n}`), ACCEPTED);
    see(tally, VALID, names(`q${n}`));
  }
  expect(tally.rules.size).toBe(MAX_RULES);
  expect(tally.missed.size).toBe(MAX_RULES);
  see(tally, breaks('p0'), ACCEPTED);
  expect(tally.rules.get(`${TYPE} p0`)?.broken).toBe(2);
});

test('whatever is seen: each answer is counted once, and wrong rules are those the site was seen to break', () => {
  const verdicts = fc.oneof(
    fc.constant(VALID),
    fc.subarray(['a', 'b', 'c'], { minLength: 1 }).map((params) => breaks(...params)),
  );
  const answers = fc.oneof<fc.Arbitrary<OriginVerdict>[]>(
    fc.constant(ACCEPTED),
    fc.constant({ kind: 'undecided' }),
    fc.subarray(['a', 'b', 'c', 'z'], { minLength: 1 }).map((params) => names(...params)),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(verdicts, answers), { maxLength: 40 }), (requests) => {
      const tally = createOperationStats();
      for (const [verdict, said] of requests) see(tally, verdict, said);
      const counted = Object.values(tally.outcomes).reduce((sum, each) => sum + each, 0);
      expect(counted).toBe(requests.length);
      expect(tally.streak).toBeLessThanOrEqual(tally.outcomes.accepted + tally.outcomes.refused);
      for (const rule of tally.rules.values()) {
        expect(rule.agreed + rule.disagreed).toBeLessThanOrEqual(rule.broken);
        const seenBroken = requests.some(
          ([verdict, said]) =>
            verdict.kind === 'invalid' &&
            said.kind === 'accepted' &&
            verdict.brokenRules.some(({ param }) => param === rule.param),
        );
        expect(isSuspended(rule)).toBe(seenBroken);
      }
    }),
  );
});
