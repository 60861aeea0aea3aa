import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json.ts';
import { Ledger, type LedgerEntry, SAMPLED_REFUSALS } from '../../../src/validation/evidence/ledger.ts';
import type { RuleAgreement } from '../../../src/validation/evidence/origin-verdict.ts';

const TYPE = 'rest_invalid_type';
const INTEGER = { type: 'integer' };

/** Finds the entry of a rule of the argument `a`. @param name method and route */
function find(
  ledger: Ledger,
  name: string,
  schema: JsonObject = INTEGER,
  namespace = 'plugin/v1',
): LedgerEntry {
  const [method = '', pattern = ''] = name.split(' ');
  const argument = { name: 'a', schema, isRequired: false, isGroup: false };
  return ledger.find({ method, route: { namespace, pattern } }, { param: 'a', rule: TYPE }, argument);
}

const reload = (ledger: Ledger): Ledger => {
  const restored = new Ledger();
  expect(restored.restore(JSON.parse(JSON.stringify(ledger.toRecords())))).toBe(true);
  return restored;
};

test.each<[string, readonly RuleAgreement[], string]>([
  ['nothing is known of a rule that no request has violated', [], 'unknown'],
  ['an undecided response says nothing', ['undecided'], 'unknown'],
  ['a refusal by the rule confirms it', ['undecided', 'agreed'], 'confirmed'],
  ['one contradiction suspends it', ['agreed', 'agreed', 'disagreed'], 'suspended'],
  ['it stays suspended, whatever the site responds later', ['disagreed', 'agreed', 'agreed'], 'suspended'],
])('%s, also after a restart', (_, agreements, status) => {
  const ledger = new Ledger();
  for (const agreement of agreements) find(ledger, 'GET /x').learn(agreement);
  expect(find(ledger, 'GET /x').status).toBe(status);
  expect(find(reload(ledger), 'GET /x').status).toBe(status);
});

test.each<[string, string, JsonObject, string, boolean]>([
  ['an argument with a description', 'GET /o', { ...INTEGER, description: 'x' }, 'plugin/v1', true],
  ['an operation that writes', 'POST /plugin/v1/things', INTEGER, 'plugin/v1', false],
  ['another namespace', 'GET /plugin/v2/things', INTEGER, 'plugin/v2', false],
  ['another definition', 'GET /plugin/v1/others', { ...INTEGER, minimum: 1 }, 'plugin/v1', false],
])('an entry is shared with %s', (_, name, schema, namespace, isShared) => {
  const ledger = new Ledger();
  expect(find(ledger, name, schema, namespace) === find(ledger, 'GET /plugin/v1/things')).toBe(isShared);
});

test('an argument of WordPress itself is trusted without evidence, until the site contradicts it', () => {
  const schema = { type: 'integer', minimum: 1, maximum: 100 };
  const argument = { name: 'per_page', schema, isRequired: false, isGroup: false };
  const route = { namespace: 'wp/v2', pattern: '/wp/v2/posts' };
  const entry = new Ledger().find({ method: 'GET', route }, { param: 'per_page', rule: TYPE }, argument);
  expect([entry.status, entry.key.use]).toEqual(['core', 'core']);
  expect(entry.learn('disagreed')).toBe(true);
  expect([entry.status, entry.learn('disagreed')]).toEqual(['suspended', false]);
});

test('refusals are sampled at one rate', () => {
  const entry = find(new Ledger(), 'GET /x');
  const forwarded = Array.from({ length: 5 * SAMPLED_REFUSALS }, () => entry.countRefusal());
  expect(forwarded.flatMap((each, at) => (each ? [at + 1] : []))).toEqual(
    [1, 2, 3, 4, 5].map((times) => times * SAMPLED_REFUSALS),
  );
});

test.each<[string, JsonObject, boolean]>([
  ['no list', { rules: {} }, false],
  ['entries of other types', { rules: [null, { use: 'x' }, { use: 'read', param: 1 }] }, true],
  [
    'a malformed number',
    {
      rules: [
        { namespace: '', use: 'read', param: 'a', fingerprint: '', rule: '', agreed: 'x', disagreed: 1 },
      ],
    },
    true,
  ],
])('of a stored state with %s, nothing is restored', (_, content, isReadable) => {
  const ledger = new Ledger();
  expect(ledger.restore(content)).toBe(isReadable);
  expect(ledger.toRecords()).toEqual({ rules: [] });
});
