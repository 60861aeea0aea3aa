import { expect, it } from 'vitest';
import { REASONS } from '../../src/discovery/reasons.ts';
import { RULES } from '../../src/discovery/rules.ts';

it.each(Object.entries(RULES))(
  'the rule %s is a sentence, and so is what is done',
  (name, { sentence, action }) => {
    expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    for (const text of [sentence, action]) expect(text).toMatch(/^["A-Z].*\.$/);
  },
);

it.each(Object.entries(REASONS))('the reason %s comes with what to try', (name, advice) => {
  expect(name).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
  expect(advice).toMatch(/^[A-Z].*[.]$/);
});
