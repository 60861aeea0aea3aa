import { describe, expect, test } from 'vitest';
import {
  compareWithOrigin,
  type OriginVerdict,
  type ValidationStage,
} from '../../../src/validation/evidence/origin-verdict.ts';
import type { ParameterRule, ValidationResult } from '../../../src/validation/request/result.ts';

const VALID: ValidationResult = { kind: 'valid' };

function createInvalid(code: string, ...brokenRules: readonly ParameterRule[]): ValidationResult {
  return { kind: 'invalid', status: 400, code, message: '', data: {}, brokenRules };
}

function invalid(...params: readonly string[]): ValidationResult {
  return createInvalid(
    'rest_invalid_param',
    ...params.map((param) => ({ param, rule: 'rest_invalid_type' })),
  );
}

function missing(...params: readonly string[]): ValidationResult {
  return createInvalid(
    'rest_missing_callback_param',
    ...params.map((param) => ({ param, rule: 'required' })),
  );
}

const ACCEPTED: OriginVerdict = { kind: 'accepted' };
const UNDECIDED: OriginVerdict = { kind: 'undecided' };
const createRefusal = (stage: ValidationStage, ...params: readonly string[]): OriginVerdict => ({
  kind: 'refused',
  stage,
  params,
});

test.each<[string, ValidationResult, OriginVerdict, string, readonly string[]]>([
  ['both took it', VALID, ACCEPTED, 'accepted', []],
  ['the site refused what we took', VALID, createRefusal('rest_invalid_param', 'a'), 'missed', []],
  ['nothing is known', VALID, UNDECIDED, 'undecided', []],
  ['nothing is known of a refusal', invalid('a'), UNDECIDED, 'undecided', ['undecided']],
  ['the site took what we refused', invalid('a', 'b'), ACCEPTED, 'disagreed', ['disagreed', 'disagreed']],
  ['both refused it', invalid('a'), createRefusal('rest_invalid_param', 'a'), 'refused', ['agreed']],
  [
    'one is named, and the other may not have been reached',
    invalid('a', 'b'),
    createRefusal('rest_invalid_param', 'a'),
    'refused',
    ['agreed', 'undecided'],
  ],
  [
    'the site refused another',
    invalid('a'),
    createRefusal('rest_invalid_param', 'z'),
    'undecided',
    ['undecided'],
  ],
  [
    'the site missed something before it looked at values',
    invalid('a'),
    createRefusal('rest_missing_callback_param', 'z'),
    'undecided',
    ['undecided'],
  ],
  ['both miss it', missing('a'), createRefusal('rest_missing_callback_param', 'a'), 'refused', ['agreed']],
  [
    'what is missing is named at once',
    missing('a', 'b'),
    createRefusal('rest_missing_callback_param', 'a'),
    'disagreed',
    ['agreed', 'disagreed'],
  ],
  [
    'a value was refused where nothing was missing to the site',
    missing('a'),
    createRefusal('rest_invalid_param', 'z'),
    'disagreed',
    ['disagreed'],
  ],
  [
    'the JSON was refused first',
    missing('a'),
    createRefusal('rest_invalid_json'),
    'undecided',
    ['undecided'],
  ],
  [
    'both refuse the JSON',
    createInvalid('rest_invalid_json'),
    createRefusal('rest_invalid_json'),
    'refused',
    ['agreed'],
  ],
  [
    'the site read the JSON',
    createInvalid('rest_invalid_json'),
    createRefusal('rest_invalid_param', 'a'),
    'disagreed',
    ['disagreed'],
  ],
  [
    'neither has the route',
    createInvalid('rest_no_route'),
    createRefusal('rest_no_route'),
    'refused',
    ['agreed'],
  ],
  ['the site has the route', createInvalid('rest_no_route'), ACCEPTED, 'disagreed', ['disagreed']],
])('%s', (_, result, verdict, outcome, agreements) => {
  const compared = compareWithOrigin(result, verdict);
  expect(compared.outcome).toBe(outcome);
  expect(compared.rules.map(({ agreement }) => agreement)).toEqual(agreements);
});

describe('a request that only the site refused is missed', () => {
  test('by its parameters', () => {
    expect(compareWithOrigin(VALID, createRefusal('rest_invalid_param', 'a', 'b')).missed).toEqual([
      'a',
      'b',
    ]);
    expect(compareWithOrigin(invalid('a'), createRefusal('rest_invalid_param', 'a', 'b')).missed).toEqual([
      'b',
    ]);
  });

  test('as a whole when the response names no parameter', () => {
    expect(compareWithOrigin(VALID, createRefusal('rest_invalid_json')).missed).toEqual(['']);
  });
});

test.each<[string, boolean, string, boolean]>([
  ['the code of the rule', false, 'rest_invalid_type', true],
  ['another code, because a callback that is not known refuses it', false, 'rest_invalid_param', false],
  ['another code of a known callback of WordPress', true, 'rest_invalid_param', true],
])('a refusal with %s', (_, hasCallback, code, isConfirmed) => {
  const result = createInvalid('rest_invalid_param', { param: 'a', rule: 'rest_invalid_type', hasCallback });
  const verdict: OriginVerdict = {
    kind: 'refused',
    stage: 'rest_invalid_param',
    params: ['a'],
    codes: new Map([['a', code]]),
  };
  expect(compareWithOrigin(result, verdict).rules).toMatchObject([{ agreement: 'agreed', isConfirmed }]);
});
