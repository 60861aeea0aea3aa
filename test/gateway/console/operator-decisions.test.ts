import { describe, expect, test } from 'vitest';
import { canEnforce } from '../../../src/validation/evidence/enforcement.ts';
import { Evidence, getRuleStats, recordComparison } from '../../../src/validation/evidence/evidence.ts';
import { RuleKnowledge, RuleStatusLookup } from '../../../src/validation/evidence/rule-knowledge.ts';
import { createOperation } from '../../support/operation.ts';

const RULE = { param: 'colour', rule: 'rest_not_in_enum' };
const KEY = { method: 'GET', route: '/plugin/v1/things' };
const OPERATION = createOperation({
  ...{ id: 'listThings', method: 'GET', path: '/plugin/v1/things', allowBatch: false },
  parameters: [{ name: 'colour', in: 'query', required: false, schema: { enum: ['red'] } }],
});

function createRule() {
  const evidence = new Evidence();
  const stats = evidence.getStats(KEY);
  const rule = getRuleStats(stats, RULE, () => 'f');
  if (rule === undefined) throw new Error('no rule');
  const knowledge = new RuleKnowledge();
  const lookup = new RuleStatusLookup(
    OPERATION,
    { namespace: 'plugin/v1', pattern: KEY.route },
    knowledge,
    [stats],
    () => undefined,
  );
  const compare = (agreement: 'agreed' | 'disagreed') => {
    const suspended = recordComparison(
      stats,
      {
        outcome: agreement === 'agreed' ? 'refused' : 'disagreed',
        rules: [{ rule: RULE, agreement, isConfirmed: false }],
        missed: [],
      },
      { status: 200, describeValue: () => 'string(3)', getFingerprint: () => 'f' },
    );
    knowledge.learn(lookup.getDefinition(RULE.param), rule);
    return suspended;
  };
  return { evidence, stats, rule, compare, getStatus: () => lookup.getStatus(RULE) };
}

describe("an operator's decision about a rule", () => {
  test('precedes the evidence, at once and until it is withdrawn', () => {
    const { compare, getStatus, rule } = createRule();
    expect(getStatus()).toBe('unknown');
    rule.decision = 'confirmed';
    expect(getStatus()).toBe('confirmed');
    rule.decision = 'suspended';
    expect(getStatus()).toBe('suspended');
    rule.decision = undefined;
    compare('disagreed');
    expect(getStatus()).toBe('suspended');
    rule.decision = 'confirmed';
    expect(getStatus()).toBe('confirmed');
  });

  test('to confirm it ends when the site accepts a request that violates it', () => {
    const { compare, getStatus, rule } = createRule();
    rule.decision = 'confirmed';
    compare('agreed');
    expect(getStatus()).toBe('confirmed');
    expect(compare('disagreed')).toEqual([rule]);
    expect([rule.decision, getStatus()]).toEqual([undefined, 'suspended']);
  });

  test('to suspend it does not end when the site agrees', () => {
    const { compare, getStatus, rule, stats } = createRule();
    rule.decision = 'suspended';
    compare('agreed');
    expect(getStatus()).toBe('suspended');
    expect(stats.outcomes).toMatchObject({ refused: 0, missed: 1 });
  });

  test('to confirm it counts as the agreement that enforcement requires', () => {
    const { rule, stats } = createRule();
    stats.streak = 10;
    expect(canEnforce(stats, [RULE], 5)).toBe(false);
    rule.decision = 'confirmed';
    expect(canEnforce(stats, [RULE], 5)).toBe(true);
    expect(canEnforce(stats, [RULE], 50)).toBe(false);
  });

  test('is stored and restored with the evidence', () => {
    const { evidence, rule } = createRule();
    rule.decision = 'suspended';
    const stored = JSON.parse(JSON.stringify(evidence.toJson()));
    const restored = new Evidence();
    expect(restored.restore(stored)).toBe(true);
    expect([...restored.getStats(KEY).rules.values()]).toMatchObject([{ ...RULE, decision: 'suspended' }]);
    const decided = createRule();
    decided.rule.decision = 'confirmed';
    expect(decided.evidence.restore(stored)).toBe(true);
    expect([...decided.stats.rules.values()]).toMatchObject([{ decision: 'confirmed' }]);
  });

  test('survives a new document with the same definition, and not another definition', () => {
    const { evidence, rule, stats } = createRule();
    rule.decision = 'suspended';
    evidence.retainDeclared(() => () => 'f');
    expect([...stats.rules.values()]).toMatchObject([{ decision: 'suspended' }]);
    evidence.retainDeclared(() => () => 'g');
    expect([...stats.rules.values()]).toEqual([]);
  });
});
