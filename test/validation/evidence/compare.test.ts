import { expect, test } from 'vitest';
import {
  compareRule,
  getBrokenRules,
  isValidationStage,
  type OriginVerdict,
  toOutcome,
} from '../../../src/validation/evidence/origin-verdict.ts';
import type { ParameterRule, ValidationResult } from '../../../src/validation/request/result.ts';

const CODES = { invalid: 'rest_invalid_param', missing: 'rest_missing_callback_param' } as const;

/** @param text `valid`, a code, or `invalid` or `missing` with the names of parameters */
function toResult(text: string): ValidationResult {
  const [kind = '', ...params] = text.split(' ');
  if (kind === 'valid') return { kind: 'valid' };
  const rule = kind === 'missing' ? 'required' : 'rest_invalid_type';
  const code = kind === 'missing' || kind === 'invalid' ? CODES[kind] : kind;
  return createInvalid(
    code,
    params.map((param) => ({ param, rule })),
  );
}

function createInvalid(code: string, brokenRules: readonly ParameterRule[]): ValidationResult {
  return { kind: 'invalid', status: 400, code, message: '', data: {}, brokenRules };
}

/** @param text `accepted`, `undecided`, or a stage with the names of parameters */
function toVerdict(text: string): OriginVerdict {
  const [kind = '', ...params] = text.split(' ');
  if (kind === 'accepted' || kind === 'undecided') return { kind };
  const stage = kind === 'missing' || kind === 'invalid' ? CODES[kind] : kind;
  if (!isValidationStage(stage)) throw new Error(stage);
  return { kind: 'refused', stage, params };
}

test.each<[string, string, string, string, string]>([
  ['both took it', 'valid', 'accepted', 'accepted', ''],
  ['the site refused what we took', 'valid', 'invalid a b', 'missed', ''],
  ['and named no parameter', 'valid', 'rest_invalid_json', 'missed', ''],
  ['nothing is known', 'valid', 'undecided', 'undecided', ''],
  ['nothing is known of a refusal', 'invalid a', 'undecided', 'undecided', 'undecided'],
  ['the site took what we refused', 'invalid a b', 'accepted', 'disagreed', 'disagreed disagreed'],
  ['both refused it', 'invalid a', 'invalid a', 'refused', 'agreed'],
  ['and the site another too', 'invalid a', 'invalid a b', 'refused', 'agreed'],
  ['the other may not have been reached', 'invalid a b', 'invalid a', 'refused', 'agreed undecided'],
  ['the site refused another', 'invalid a', 'invalid z', 'refused', 'undecided'],
  ['the site missed something first', 'invalid a', 'missing z', 'refused', 'undecided'],
  ['both miss it', 'missing a', 'missing a', 'refused', 'agreed'],
  ['what is missing is named at once', 'missing a b', 'missing a', 'disagreed', 'agreed disagreed'],
  ['nothing was missing to the site', 'missing a', 'invalid z', 'disagreed', 'disagreed'],
  ['the JSON was refused first', 'missing a', 'rest_invalid_json', 'refused', 'undecided'],
  ['both refuse the JSON', 'rest_invalid_json', 'rest_invalid_json', 'refused', 'agreed'],
  ['the site read the JSON', 'rest_invalid_json', 'invalid a', 'disagreed', 'disagreed'],
  ['neither has the route', 'rest_no_route', 'rest_no_route', 'refused', 'agreed'],
  ['the site has the route', 'rest_no_route', 'accepted', 'disagreed', 'disagreed'],
])('%s: we say %s, the site %s', (_, result, verdict, outcome, agreements) => {
  const site = toVerdict(verdict);
  const agreed = getBrokenRules(toResult(result)).map((rule) => compareRule(rule, site));
  expect(toOutcome(site, agreed)).toBe(outcome);
  expect(agreed.join(' ')).toBe(agreements);
});

test.each<[string, boolean, string, string]>([
  ['the code of the rule', false, 'rest_invalid_type', 'agreed'],
  ['another code, because a callback that is not known refuses it', false, 'rest_invalid_param', 'undecided'],
  ['another code of a known callback of WordPress', true, 'rest_invalid_param', 'agreed'],
])('a refusal with %s', (_, hasCallback, code, agreement) => {
  const verdict: OriginVerdict = {
    kind: 'refused',
    stage: 'rest_invalid_param',
    params: ['a'],
    codes: new Map([['a', code]]),
  };
  expect(compareRule({ param: 'a', rule: 'rest_invalid_type', hasCallback }, verdict)).toBe(agreement);
});
