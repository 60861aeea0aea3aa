import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import CHANGE_RULES from '../../../src/generator/changes/rules.json' with { type: 'json' };
import { ROOT } from '../../project/source-files.ts';

/**
 * Changes in what a client sends or receives, our rule for each, and what oasdiff 1.28 reports by default: the level and the check
 * (checker/rules.go).
 */
const CHANGES = `
an operation is removed | operation-removed | sent | ERR | api-removed-without-deprecation
a required query parameter is added | required-parameter-added | sent | ERR | new-required-request-parameter
a value of a query parameter is removed | value-removed | sent | ERR | request-parameter-enum-value-removed
a member of the body becomes required | became-required | sent | ERR | request-property-became-required
a member of the response can be null | null-added | received | ERR | response-property-became-nullable
a value of a member of the response is added | value-added | received | WARN | response-property-enum-value-added
an optional query parameter is removed | parameter-removed | sent | WARN | request-parameter-removed
an optional response member is removed | member-removed | received | WARN | response-optional-property-removed
the default of a body member changes | default-changed | sent | INFO | request-property-default-value-changed
the name of an operation changes | operation-renamed | sent | INFO | api-operation-id-removed
an operation needs authentication | security-changed | sent | INFO | api-security-added
a response string can be longer | bound-loosened | received | ERR | response-property-max-length-increased`;

const EQUAL: Readonly<Record<string, string>> = { breaking: 'ERR', risky: 'WARN', compatible: 'INFO' };

const RULES = new Map(Object.entries(CHANGE_RULES));

const DOCUMENT = readFileSync(join(ROOT, 'docs/reference/changes.md'), 'utf8');

test('docs/reference/changes.md says why the severity of a change is not that of oasdiff', () => {
  const differing = CHANGES.trim()
    .split('\n')
    .flatMap((row) => {
      const [change, rule = '', direction, level, check] = row.split(' | ');
      const severity = RULES.get(rule)?.[direction === 'sent' ? 0 : 1] ?? '';
      return EQUAL[severity] === level ? [] : [`| ${change} | ${severity} | ${level}: \`${check}\` |`];
    });
  const rows = Array.from(DOCUMENT.matchAll(/^\| .*: `[\w-]+` \|/gm), ([row]) => row);
  expect(rows).toEqual(differing);
});

test('docs/reference/changes.md has each rule with its severities', () => {
  const rows = [...DOCUMENT.matchAll(/^\| (\w+) \| (\w+) \| (`.*`) \|$/gm)];
  const documented = rows.flatMap(([, sent, received, rules = '']) =>
    Array.from(rules.matchAll(/`([\w-]+)`/g), ([, rule]) => [rule, [sent, received]]),
  );
  expect(Object.fromEntries(documented)).toEqual(
    Object.fromEntries(Array.from(RULES, ([rule, [sent, received]]) => [rule, [sent, received]])),
  );
  expect(documented).toHaveLength(RULES.size);
});
