import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/json.ts';
import { createJudge } from '../../../src/validation/judge/index.ts';
import { useWordPress } from '../../support/wordpress.ts';
import { ROWS, type Row } from './rows.ts';

/** A route of a plugin that puts rows before WordPress's own functions. */
const site = useWordPress({ muPlugins: fileURLToPath(new URL('mu-plugins', import.meta.url)) });

/** What WordPress and this room each say of a row. */
interface Said {
  readonly refused: readonly [code: string, message: string] | null;
  readonly becomes: Json;
}

async function askWordPress(rows: readonly Row[]): Promise<readonly Said[]> {
  const response = await fetch(`${site().url}/index.php?rest_route=/judge/v1/rows`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: JSON.stringify(rows.map(([value, schema]) => [value, schema])),
  });
  expect(response.status).toBe(200);
  return response.json();
}

function judgeHere([value, schema]: Row): Said {
  const { validate, sanitize } = createJudge(schema);
  const refused = validate(value, 'p');
  if (refused !== null) return { refused: [refused.code, refused.message], becomes: null };
  const sanitized = sanitize(value, 'p');
  return sanitized.ok
    ? { refused: null, becomes: sanitized.value }
    : { refused: [sanitized.refusal.code, sanitized.refusal.message], becomes: null };
}

/** PHP writes an empty object as a list. */
function likePhp(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(likePhp);
  const members = Object.entries<Json>(value).map(([name, member]): [string, Json] => [
    name,
    likePhp(member),
  ]);
  return members.length === 0 ? [] : Object.fromEntries(members);
}

describe('WordPress says the same of every row', () => {
  test.each(Object.entries(ROWS))('%s', async (_subject, rows) => {
    const theirs = await askWordPress(rows);
    const table = (said: readonly Said[]): JsonObject[] =>
      said.map(({ refused, becomes }, index) => ({
        value: rows[index]?.[0] ?? null,
        schema: rows[index]?.[1] ?? {},
        refused,
        becomes: likePhp(becomes),
      }));
    expect(table(rows.map(judgeHere))).toEqual(table(theirs));
  });
});
