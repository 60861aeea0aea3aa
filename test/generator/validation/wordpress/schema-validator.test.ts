import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { createSchemaValidator } from '../../../../src/generator/validation/wordpress/validate.ts';
import { type ExpectedResult, ROWS } from './rows.ts';

/** Validates a value and then sanitises it, which can find a violation too, as for the parameters of a request. */
function validateAndSanitize(value: Json, schema: JsonObject): ExpectedResult {
  const { validate, sanitize } = createSchemaValidator(schema);
  const refused = validate(value, 'p');
  if (refused !== null) return { refused: refused.code, message: refused.message };
  const sanitized = sanitize(value, 'p');
  return sanitized.ok
    ? { becomes: sanitized.value }
    : { refused: sanitized.violation.code, message: sanitized.violation.message };
}

for (const [subject, rows] of Object.entries(ROWS)) {
  describe(subject, () => {
    test.each(rows.map(([value, schema, verdict]) => ({ value, schema, verdict })))(
      '$value by $schema',
      ({ value, schema, verdict }) => {
        const found = validateAndSanitize(value, schema);
        if ('becomes' in verdict) expect(found).toEqual(verdict);
        else expect(found).toMatchObject(verdict);
      },
    );
  });
}

test('the message about an enum lists as many values as a reader and a response can take', () => {
  const zones = Array.from({ length: 400 }, (_, number) => `America/Zone${number}`);
  const short = validateAndSanitize('x', { enum: zones });
  expect(short).toMatchObject({
    message: `p is not one of ${zones.slice(0, -1).join(', ')}, and ${zones[399]}.`,
  });
  const hostile = validateAndSanitize('x', {
    enum: Array.from({ length: 50_000 }, (_, number) => `v${number}`),
  });
  expect(hostile).toMatchObject({
    message: expect.stringMatching(/^p is not one of v0, v1, .{9900,10100}….$/),
  });
});
