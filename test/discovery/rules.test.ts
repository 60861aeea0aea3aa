import { expect, test } from 'vitest';
import { FAILURE_REASONS } from '../../src/discovery/failures.ts';
import { DISCOVERY_RULES } from '../../src/discovery/rules.ts';

test.each(Object.entries(DISCOVERY_RULES))(
  'the texts of the rule %s are sentences',
  (name, [, message, action]) => {
    expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    for (const text of [message, action]) expect(text).toMatch(/^["A-Z].*\.$/);
  },
);

test.each(Object.entries(FAILURE_REASONS))('the advice for the reason %s is a sentence', (name, [advice]) => {
  expect(name).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
  expect(advice).toMatch(/^[A-Z].*[.]$/);
});
