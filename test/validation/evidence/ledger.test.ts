import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json.ts';
import {
  type DeclaredOperation,
  isEnforced,
  Ledger,
  OperationEntries,
  SAMPLED_REFUSALS,
  toKeyText,
  type ValidationMode,
} from '../../../src/validation/evidence/ledger.ts';
import { compareWithOrigin, type OriginVerdict } from '../../../src/validation/evidence/origin-verdict.ts';
import type { ValidationResult } from '../../../src/validation/request/result.ts';
import { createOperation } from '../../support/operation.ts';

const TYPE = 'rest_invalid_type';
const ACCEPTED: OriginVerdict = { kind: 'accepted' };
const UNDECIDED: OriginVerdict = { kind: 'undecided' };
const refuses = (...params: readonly string[]): OriginVerdict => {
  return { kind: 'refused', stage: 'rest_invalid_param', params };
};
/** A refusal by a check of the site's own. */
const OWN_CHECK: OriginVerdict = {
  kind: 'refused',
  stage: 'rest_invalid_param',
  params: ['a'],
  codes: new Map([['a', 'custom']]),
};

function violates(...params: readonly string[]): ValidationResult {
  const brokenRules = params.map((param) => ({ param, rule: TYPE }));
  const common = { kind: 'invalid', status: 400, message: '', data: {} } as const;
  if (params.length === 0) return { kind: 'valid' };
  return params[0] === ''
    ? { ...common, code: 'rest_invalid_json', brokenRules: [] }
    : { ...common, code: 'rest_invalid_param', brokenRules };
}

const INTEGER = { type: 'integer' };

function declare(
  name: string,
  { namespace = 'plugin/v1', schemas = {} as Readonly<Record<string, JsonObject>> } = {},
): DeclaredOperation {
  const [method = '', pattern = ''] = name.split(' ');
  const parameters = Object.entries({ a: INTEGER, b: INTEGER, c: INTEGER, ...schemas }).map(
    ([param, schema]) => ({ name: param, in: 'query' as const, required: false, schema }),
  );
  return {
    operation: createOperation({ id: name, method, path: pattern, allowBatch: false, parameters }),
    route: { namespace, pattern },
  };
}

const resolve = (): undefined => undefined;

/** One operation and its ledger. */
function open(name = 'GET /plugin/v1/things', ledger = new Ledger(), of = {}) {
  const entries = new OperationEntries(ledger, declare(name, of), resolve);
  const { stats } = entries;
  const entry = entries.get({ param: 'a', rule: TYPE });
  return {
    ledger,
    entries,
    stats,
    entry,
    see(params: readonly string[], verdict: OriginVerdict, value = 'string(1)') {
      stats.counts.validated += 1;
      const comparison = compareWithOrigin(violates(...params), verdict);
      return entries.count(comparison, verdict, () => ({ value, status: 200 }));
    },
  };
}

const reload = (ledger: Ledger): Ledger => {
  const restored = new Ledger();
  expect(restored.restore(JSON.parse(JSON.stringify(ledger.toRecords())))).toBe(true);
  return restored;
};

test.each<[string, readonly OriginVerdict[], string]>([
  ['nothing is known of a rule that no request has violated', [], 'unknown'],
  ['an undecided response says nothing', [UNDECIDED, refuses('z')], 'unknown'],
  ['a refusal by a check of its own says nothing', [OWN_CHECK, OWN_CHECK], 'unknown'],
  ['a refusal by the rule confirms it', [UNDECIDED, refuses('a')], 'confirmed'],
  ['one contradiction suspends it', [refuses('a'), refuses('a'), ACCEPTED], 'suspended'],
  [
    'it stays suspended, whatever the site responds later',
    [ACCEPTED, ...Array(50).fill(refuses('a'))],
    'suspended',
  ],
])('%s', (_, verdicts, status) => {
  const { entry, ledger, see } = open();
  for (const verdict of verdicts) see(['a'], verdict);
  expect(entry.status).toBe(status);
  expect(entry.counts.broken).toBe(verdicts.length);
  expect(reload(ledger).findEntry(toKeyText(entry.key))?.status ?? 'unknown').toBe(status);
});

test.each<[string, string, object, boolean]>([
  ['another operation that reads', 'GET /plugin/v1/others', {}, true],
  [
    'another operation whose argument differs in its description',
    'GET /o',
    { schemas: { a: { ...INTEGER, description: 'x' } } },
    true,
  ],
  ['an operation that writes', 'POST /plugin/v1/things', {}, false],
  ['another namespace', 'GET /plugin/v2/things', { namespace: 'plugin/v2' }, false],
  ['another definition', 'GET /plugin/v1/others', { schemas: { a: { type: 'integer', minimum: 1 } } }, false],
])('an entry is shared with %s', (_, name, of, isShared) => {
  const { entry, ledger } = open();
  expect(open(name, ledger, of).entry === entry).toBe(isShared);
});

test('an argument of WordPress itself is trusted without evidence, until the site contradicts it', () => {
  const posts = open('GET /wp/v2/posts', new Ledger(), {
    namespace: 'wp/v2',
    schemas: { per_page: { type: 'integer', minimum: 1, maximum: 100 } },
  });
  const entry = posts.entries.get({ param: 'per_page', rule: TYPE });
  expect([entry.status, entry.key.use, posts.entry.status]).toEqual(['core', 'core', 'unknown']);
  posts.see(['per_page'], ACCEPTED);
  expect(entry.status).toBe('suspended');
});

test('the requests to an operation are counted by what the responses say without suspended rules', () => {
  const { see, stats } = open();
  const steps: readonly [readonly string[], OriginVerdict, object][] = [
    [[], ACCEPTED, { accepted: 1 }],
    [['a'], refuses('a'), { refused: 1 }],
    [[], refuses('z'), { missed: 1 }],
    [[], UNDECIDED, { undecided: 1 }],
    [['b'], ACCEPTED, { disagreed: 1 }],
    // A request that violates a suspended rule counts as valid.
    [['b'], ACCEPTED, { accepted: 2, disagreed: 1 }],
    [['b'], refuses('b'), { missed: 2 }],
    [['a', 'b'], refuses('a', 'b'), { refused: 2 }],
  ];
  for (const [params, verdict, counts] of steps) {
    see(params, verdict);
    expect(stats.counts).toMatchObject(counts);
  }
});

test('a suspension is told once, and has a few different examples', () => {
  const { entry, see } = open();
  expect(see(['a'], ACCEPTED)).toEqual([entry]);
  for (let n = 0; n < 20; n += 1) expect(see(['a'], ACCEPTED, `string(${n % 7})`)).toEqual([]);
  expect(new Set(entry.examples.map(({ value }) => value)).size).toBe(3);
  expect(entry.examples).toHaveLength(3);
});

test('what the site refuses and no rule does is counted by argument; a name that is not declared counts for the request', () => {
  const { ledger, see } = open();
  see([], refuses('b', 'made-up-by-a-client'));
  see(['a'], refuses('a', 'b'));
  const missed = [...ledger.entries].filter(({ key }) => key.rule === '');
  expect(missed.map(({ counts, key }) => [key.param, counts.broken])).toEqual([
    ['b', 2],
    ['', 1],
  ]);
});

describe('a request is refused', () => {
  test.each<[ValidationMode, string, boolean]>([
    ['observe', 'confirmed', false],
    ['enforce', 'unknown', false],
    ['enforce', 'confirmed', true],
    ['enforce', 'suspended', false],
    ['strict', 'unknown', true],
    ['strict', 'suspended', false],
  ])('in mode %s by a rule that is %s: %s', (mode, status, isRefused) => {
    const { entry, see } = open();
    if (status !== 'unknown') see(['a'], status === 'confirmed' ? refuses('a') : ACCEPTED);
    expect(entry.status).toBe(status);
    expect(isEnforced(mode, [entry])).toBe(isRefused);
  });

  test('by known rules only, if it violates several', () => {
    const { entries, entry, see } = open();
    see(['a'], refuses('a'));
    const unknown = entries.get({ param: 'b', rule: TYPE });
    expect(isEnforced('enforce', [entry, unknown])).toBe(false);
  });

  test('but for a sample, at one rate', () => {
    const { entry } = open();
    const forwarded = Array.from({ length: 5 * SAMPLED_REFUSALS }, () => entry.countRefusal());
    expect(forwarded.flatMap((each, at) => (each ? [at + 1] : []))).toEqual(
      [1, 2, 3, 4, 5].map((times) => times * SAMPLED_REFUSALS),
    );
  });
});

describe("an operator's decision", () => {
  test('precedes the evidence until it is withdrawn; a contradiction ends a confirmation', () => {
    const { entry, see } = open();
    entry.decision = 'confirmed';
    see(['a'], refuses('a'));
    expect(entry.status).toBe('confirmed');
    expect(see(['a'], ACCEPTED)).toEqual([entry]);
    expect([entry.decision, entry.status]).toEqual([null, 'suspended']);
    entry.decision = 'confirmed';
    expect(isEnforced('enforce', [entry])).toBe(true);
    entry.decision = 'suspended';
    see(['a'], refuses('a'));
    expect(entry.status).toBe('suspended');
  });
});

const verdictOf = fc.oneof(
  fc.constantFrom(ACCEPTED, UNDECIDED),
  fc.subarray(['a', 'b', 'c', 'z'], { minLength: 1 }).map((params) => refuses(...params)),
);
const requestsOf = fc.array(
  fc.tuple(fc.constantFrom('GET /x', 'GET /y', 'POST /x'), fc.subarray(['a', 'b', 'c']), verdictOf),
  { maxLength: 40 },
);

function replay(
  ledger: Ledger,
  requests: readonly (readonly [string, readonly string[], OriginVerdict])[],
): void {
  for (const [name, params, verdict] of requests) open(name, ledger).see(params, verdict);
}

const toPlain = (ledger: Ledger) => {
  const { operations, rules } = ledger.toRecords();
  const byText = (one: object, other: object): number =>
    JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
  return {
    operations: [...operations].sort(byText),
    rules: rules
      .map((each) => ({ ...each, operations: [...each.operations].sort(), examples: 0 }))
      .sort(byText),
  };
};

test('any requests: each response counts once, a rule is suspended exactly if the site accepted a violation, and a restart changes nothing', () => {
  fc.assert(
    fc.property(requestsOf, (requests) => {
      const ledger = new Ledger();
      replay(ledger, requests);
      let counted = 0;
      for (const { counts } of ledger.operations.values()) {
        counted += counts.accepted + counts.refused + counts.disagreed + counts.missed + counts.undecided;
      }
      expect(counted).toBe(requests.length);
      for (const { counts, key, status } of ledger.entries) {
        expect(counts.agreed + counts.disagreed).toBeLessThanOrEqual(counts.broken);
        const use = (name: string): string => (name.startsWith('GET') ? 'read' : 'write');
        const isContradicted = requests.some(
          ([name, params, { kind }]) =>
            kind === 'accepted' && use(name) === key.use && params.includes(key.param),
        );
        expect(status === 'suspended').toBe(isContradicted && key.rule !== '');
      }
      expect(toPlain(reload(ledger))).toEqual(toPlain(ledger));
    }),
  );
});

test('a new document drops operations and rules that it no longer declares, and keeps the others with decisions', () => {
  const { entries, entry, ledger, see } = open('GET /kept');
  see(['a', 'b'], ACCEPTED);
  entry.decision = 'suspended';
  open('GET /gone', ledger, { namespace: 'gone/v1' }).see(['a'], ACCEPTED);
  const kept = declare('GET /kept', { schemas: { b: { type: 'string' } } });
  const dropped = ledger.retainDeclared(({ route }) => (route === '/kept' ? kept : undefined), resolve);
  expect(dropped).toEqual({ operations: 1, rules: 2 });
  expect([...ledger.operations.keys()]).toEqual([entries.name]);
  expect([...ledger.entries]).toEqual([entry]);
  expect(reload(ledger).findEntry(toKeyText(entry.key))?.decision).toBe('suspended');
});

test.each<[string, JsonObject, boolean]>([
  ['an older version', { operations: [{ method: 'GET', route: '/x', rules: [] }] }, false],
  ['no lists', { operations: [], rules: {} }, false],
  [
    'entries of other types',
    { operations: [null, { name: 3 }], rules: [null, { use: 'x' }, { use: 'read', param: 1 }] },
    true,
  ],
])('of a stored state with %s, nothing is restored', (_, content, isReadable) => {
  const ledger = new Ledger();
  expect(ledger.restore(content)).toBe(isReadable);
  expect(ledger.toRecords()).toEqual({ rules: [], operations: [] });
});

test('an entry of a stored state with a malformed number is left out', () => {
  const ledger = new Ledger();
  const [, counted] = ['GET /x', 'GET /y'].map((name) => {
    const { ledger: other, see } = open(name);
    see([], ACCEPTED);
    return other.toRecords().operations[0];
  });
  const operations = [{ ...counted, name: 'GET /x', refused: 'many' }, counted];
  ledger.restore(JSON.parse(JSON.stringify({ operations, rules: [] })));
  expect([...ledger.operations.keys()]).toEqual(['GET /y']);
});
