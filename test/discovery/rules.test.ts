import { expect, test } from 'vitest';
import REASONS from '../../src/discovery/failure-reasons.json' with { type: 'json' };
import RULES from '../../src/discovery/rules.json' with { type: 'json' };

test.each(Object.entries(RULES))('the texts of the rule %s are sentences', (name, text) => {
  expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
  expect(text).toMatch(/^(?:info|warning): ["A-Z][^→]*\. → ["A-Z][^→]*\.$/);
});

test.each(Object.entries(REASONS))('the advice for the reason %s is a sentence', (name, text) => {
  expect(name).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
  expect(text).toMatch(/^(?:[A-Z][^→]*\.|\{remedy\}) → [A-Z][^→]*\.$/);
});
