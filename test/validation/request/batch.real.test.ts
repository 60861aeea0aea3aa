import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json.ts';
import { useWordPress } from '../../support/wordpress.ts';
import { BATCHES } from './batch-cases.ts';
import { type BatchSite, createBatchSite } from './batch-site.ts';

const wordpress = useWordPress();
let site: BatchSite;

beforeAll(async () => {
  const response = await fetch(`${wordpress().url}index.php?rest_route=/`);
  site = createBatchSite(await response.json());
});

/** A client without permission: the site checks permission after it has validated all subrequests. */
async function sendBatch(body: JsonObject): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(`${wordpress().url}index.php?rest_route=/batch/v1`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

describe('a real site responds the same to a batch that requires all subrequests to be valid', () => {
  test.each(BATCHES)('%s', async (_, requests, verdicts) => {
    const body = { validation: 'require-all-validate', requests };
    const actual = site.validate(body);
    const expected = await sendBatch(body);
    expect(site.partsOf(body)).toEqual(verdicts);
    if (actual.kind === 'responded') expect({ status: actual.status, body: actual.body }).toEqual(expected);
    else if (verdicts.every((verdict) => verdict === 'valid'))
      expect(expected.body).not.toHaveProperty('failed');
  });
});

test('a real site responds the same to a batch of invalid subrequests', async () => {
  const part = { path: '/wp/v2/posts', body: { author: 'a' } };
  const actual = site.validate({ requests: [part, part] });
  const { status, body } = await sendBatch({ requests: [part, part] });
  // `Allow` depends on the user's permissions, which only the site knows.
  const bare = JSON.parse(JSON.stringify(body), (key, value) => (key === 'headers' ? [] : value));
  expect(actual).toMatchObject({ kind: 'responded', status, body: bare });
});

test.each<readonly [string, JsonObject]>([
  ['no requests', {}],
  ['26 requests', { requests: Array(26).fill({ path: '/wp/v2/posts' }) }],
  ['a request without a path', { requests: [{}] }],
  ['a GET subrequest', { requests: [{ path: '/wp/v2/posts', method: 'GET' }] }],
  ['an unknown validation mode', { requests: [], validation: 'some' }],
])('a real site responds the same to an invalid batch: %s', async (_, body) => {
  const actual = site.validateOuter(body);
  const expected = await sendBatch(body);
  if (actual.kind !== 'invalid') throw new Error('it passes');
  const { code, data, message, status } = actual;
  expect({ status, body: { code, message, data: { status, ...data } } }).toEqual(expected);
});
