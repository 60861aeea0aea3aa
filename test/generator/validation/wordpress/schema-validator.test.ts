import { describe, expect, test } from 'vitest';
import { ROWS, validateAndSanitize } from './rows.ts';

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
