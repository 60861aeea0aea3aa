import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/json.ts';
import recorded from '../../fixtures/wordpress-7.1-index.json' with { type: 'json' };
import { BATCHES } from './batch-cases.ts';
import { type BatchSite, createBatchSite } from './batch-site.ts';

const site: BatchSite = createBatchSite(recorded);

const bad: JsonObject = { path: '/wp/v2/posts', body: { author: 'a' } };
const good: JsonObject = { path: '/wp/v2/posts', body: { title: 'a' } };
const foreign: JsonObject = { path: '/hidden/v1/route', body: {} };
const together = { validation: 'require-all-validate' };

describe('each subrequest of a batch is routed and validated', () => {
  test.each(BATCHES)('%s', (_, requests, verdicts) => {
    expect(site.partsOf({ requests })).toEqual(verdicts);
  });
});

// `test/site/validating/batch-validation.test.ts` has those that the gateway answers itself.
describe('a batch is forwarded if', () => {
  test.each<readonly [string, JsonObject]>([
    ['all subrequests are valid', { requests: [good, good] }],
    ['one subrequest is invalid and others would run', { requests: [bad, good] }],
    ['one subrequest has an unknown route', { requests: [bad, foreign], ...together }],
    ['all subrequests have unknown routes', { requests: [foreign] }],
    ['it has no subrequests', { requests: [] }],
  ])('%s', (_, body) => {
    expect(site.validate(body).kind).toBe('forwarded');
  });
});

test('any list of requests can be validated', () => {
  const odd: Json[] = [null, 7, '', [], {}, [[]], { path: {} }, { path: null }, { method: [], path: '/' }];
  for (const requests of [...odd, odd]) expect(site.validate({ requests }).kind).not.toBe('invalid');
});
