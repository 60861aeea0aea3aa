import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/json.ts';
import { createJudge } from '../../../src/validation/judge/index.ts';
import { ROWS, type Verdict } from './rows.ts';

/** As a request's parameters are judged: validated, then made their type, which may refuse too. */
function judge(value: Json, schema: JsonObject): Verdict {
  const { validate, sanitize } = createJudge(schema);
  const refused = validate(value, 'p');
  if (refused !== null) return { refused: refused.code, message: refused.message };
  const sanitized = sanitize(value, 'p');
  return sanitized.ok
    ? { becomes: sanitized.value }
    : { refused: sanitized.refusal.code, message: sanitized.refusal.message };
}

for (const [subject, rows] of Object.entries(ROWS)) {
  describe(subject, () => {
    test.each(rows.map(([value, schema, verdict]) => ({ value, schema, verdict })))(
      '$value by $schema',
      ({ value, schema, verdict }) => {
        const found = judge(value, schema);
        if ('becomes' in verdict) expect(found).toEqual(verdict);
        else expect(found).toMatchObject(verdict);
      },
    );
  });
}

test('there are at least 150 rows', () => {
  expect(Object.values(ROWS).flat().length).toBeGreaterThanOrEqual(150);
});
