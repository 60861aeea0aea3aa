import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/base/json.ts';
import { createSchemaValidator } from '../../../../src/generator/validation/wordpress/validate.ts';
import { ROWS } from './rows.ts';

describe.each(Object.entries(ROWS))('%s', (_, rows) => {
  test.each(rows)('%j', (schema, accepted, refused) => {
    const { sanitize, validate } = createSchemaValidator(schema);
    const isAccepted = (value: Json): boolean => validate(value, 'p') === null && sanitize(value, 'p').ok;
    expect([...accepted, ...refused].filter(isAccepted)).toEqual(accepted);
  });
});

test('the message about an enum lists as many values as a reader and a response can take', () => {
  const messageOf = (count: number) =>
    createSchemaValidator({ enum: Array.from({ length: count }, (_, at) => `v${at}`) }).validate('x', 'p')
      ?.message;
  expect(messageOf(400)).toMatch(/^p is not one of v0, v1, .*, v398, and v399\.$/);
  expect(messageOf(50_000)).toMatch(/^p is not one of v0, v1, .{9900,10100}….$/);
});
