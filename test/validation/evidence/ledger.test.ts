import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json.ts';
import { Ledger, type LedgerEntry } from '../../../src/validation/evidence/ledger.ts';
import type { RuleAgreement } from '../../../src/validation/evidence/origin-verdict.ts';

// `test/site/validating/known-rules.test.ts` shows what a gateway refuses by the ledger, and for which arguments.

const find = (ledger: Ledger): LedgerEntry => {
  const argument = { name: 'a', schema: { type: 'integer' }, isRequired: false, isGroup: false };
  const operation = { method: 'GET', route: { namespace: 'plugin/v1', pattern: '/x' } };
  return ledger.find(operation, { param: 'a', rule: 'rest_invalid_type' }, argument);
};

test.each<[string, readonly RuleAgreement[], string]>([
  ['an undecided response says nothing', ['undecided'], 'unknown'],
  ['a refusal by the rule confirms it', ['undecided', 'agreed'], 'confirmed'],
  ['it stays suspended, whatever the site responds later', ['disagreed', 'agreed', 'agreed'], 'suspended'],
])('%s, also after a restart', (_, agreements, status) => {
  const [ledger, restored] = [new Ledger(), new Ledger()];
  for (const agreement of agreements) find(ledger).learn(agreement);
  expect(find(ledger).status).toBe(status);
  expect(restored.restore(JSON.parse(JSON.stringify(ledger.toRecords())))).toBe(true);
  expect(find(restored).status).toBe(status);
});

const counted = { namespace: '', use: 'read', param: 'a', fingerprint: '', rule: '', disagreed: 1 };
test.each<[string, JsonObject, boolean]>([
  ['no list', { rules: {} }, false],
  ['entries of other types', { rules: [null, { use: 'x' }, { use: 'read', param: 1 }] }, true],
  ['a malformed number', { rules: [{ ...counted, agreed: 'x' }] }, true],
])('of a stored state with %s, nothing is restored', (_, content, isReadable) => {
  const ledger = new Ledger();
  expect(ledger.restore(content)).toBe(isReadable);
  expect(ledger.toRecords()).toEqual({ rules: [] });
});
