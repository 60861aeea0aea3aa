import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  CHANGE_RULES,
  type ChangeRuleName,
  type ChangeSeverity,
  compareDocuments,
} from '../../src/changes/index.ts';
import { runSteps } from '../../src/steps.ts';
import { ROOT } from '../project/source-files.ts';
import { BASE, type Edit, edited } from './documents.ts';

const POST = 'components schemas Post';
const BODY = 'components schemas CreatePostBody';
const GET = 'paths /posts get';

/** What oasdiff 1.28 reports by default: `none` for nothing. */
type OasdiffLevel = 'ERR' | 'WARN' | 'INFO' | 'none';

interface Pair {
  readonly change: string;
  readonly after: readonly Edit[];
  readonly before?: readonly Edit[];
  readonly rule: ChangeRuleName;
  readonly severity: ChangeSeverity;
  readonly check: string;
  readonly level: OasdiffLevel;
}

/** Pairs of documents with one change each, and the check of oasdiff that reports it (checker/rules.go). */
const PAIRS: readonly Pair[] = [
  {
    change: 'an operation goes',
    after: [
      ['paths /posts post', undefined],
      [BODY, undefined],
    ],
    before: [[BODY, undefined]],
    rule: 'operation-removed',
    severity: 'breaking',
    check: 'api-removed-without-deprecation',
    level: 'ERR',
  },
  {
    change: 'a required query parameter comes',
    after: [['paths /posts post parameters', [{ name: 'site', in: 'query', required: true, schema: {} }]]],
    rule: 'required-parameter-added',
    severity: 'breaking',
    check: 'new-required-request-parameter',
    level: 'ERR',
  },
  {
    change: 'a value of a query parameter goes',
    after: [[`${GET} parameters 0 schema enum`, ['desc']]],
    rule: 'value-removed',
    severity: 'breaking',
    check: 'request-parameter-enum-value-removed',
    level: 'ERR',
  },
  {
    change: 'a member of the body becomes required',
    after: [[`${BODY} required`, ['title']]],
    rule: 'became-required',
    severity: 'breaking',
    check: 'request-property-became-required',
    level: 'ERR',
  },
  {
    change: 'a member of the response can be null',
    after: [[`${POST} properties link type`, ['string', 'null']]],
    rule: 'null-added',
    severity: 'breaking',
    check: 'response-property-became-nullable',
    level: 'ERR',
  },
  {
    change: 'a value of a member of the response comes',
    after: [[`${POST} properties status enum`, ['draft', 'publish', 'trash']]],
    rule: 'value-added',
    severity: 'risky',
    check: 'response-property-enum-value-added',
    level: 'WARN',
  },
  {
    change: 'an optional query parameter goes',
    after: [[`${GET} parameters`, [{ name: 'order', in: 'query', schema: { type: 'string' } }]]],
    before: [
      [
        `${GET} parameters`,
        [
          { name: 'order', in: 'query', schema: { type: 'string' } },
          { name: 'page', in: 'query', schema: {} },
        ],
      ],
    ],
    rule: 'parameter-removed',
    severity: 'breaking',
    check: 'request-parameter-removed',
    level: 'WARN',
  },
  {
    change: 'an optional member of the response goes',
    after: [[`${POST} properties link`, undefined]],
    rule: 'member-removed',
    severity: 'breaking',
    check: 'response-optional-property-removed',
    level: 'WARN',
  },
  {
    change: 'the default of a member of the body changes',
    after: [[`${BODY} properties status default`, 'publish']],
    rule: 'default-changed',
    severity: 'breaking',
    check: 'request-property-default-value-changed',
    level: 'INFO',
  },
  {
    change: 'the name of an operation changes',
    after: [[`${GET} operationId`, 'readPosts']],
    rule: 'operation-renamed',
    severity: 'breaking',
    check: 'api-operation-id-removed',
    level: 'INFO',
  },
  {
    change: 'an operation wants authentication',
    after: [['paths /posts post security', [{ basic: [] }]]],
    rule: 'security-changed',
    severity: 'breaking',
    check: 'api-security-added',
    level: 'INFO',
  },
  {
    change: 'a text of the response may be longer',
    after: [[`${POST} properties link maxLength`, 200]],
    before: [[`${POST} properties link maxLength`, 100]],
    rule: 'bound-loosened',
    severity: 'compatible',
    check: 'response-property-max-length-increased',
    level: 'ERR',
  },
];

const EQUAL: Readonly<Record<ChangeSeverity, OasdiffLevel>> = {
  breaking: 'ERR',
  risky: 'WARN',
  compatible: 'INFO',
  cosmetic: 'none',
};

const DOCUMENT = readFileSync(join(ROOT, 'docs/changes.md'), 'utf8');

describe('a pair of documents in which', () => {
  test.each(PAIRS.map((pair) => [pair.change, pair] as const))('%s', (_, pair) => {
    const { after, before = [], change, check, level, rule, severity } = pair;
    const old = edited(BASE, ...before);
    const { changes } = runSteps(compareDocuments(old, edited(BASE, ...after)));
    expect(changes.map((each) => [each.rule, each.severity])).toEqual([[rule, severity]]);
    // docs/changes.md says why the two differ.
    const row = `| ${change} | ${severity} | ${level}: \`${check}\` |`;
    expect(DOCUMENT.split('\n').some((line) => line.startsWith(row))).toBe(EQUAL[severity] !== level);
  });
});

test('docs/changes.md has the table of rules', () => {
  const rows = Object.entries(CHANGE_RULES).map(
    ([rule, [sent, received]]) => `| \`${rule}\` | ${sent} | ${received} |`,
  );
  expect(Array.from(DOCUMENT.matchAll(/^\| `[\w-]+` \|.*$/gm), ([row]) => row)).toEqual(rows);
});
