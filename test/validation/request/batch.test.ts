import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/json.ts';
import { NO_PARAMETERS, type RequestParameters } from '../../../src/validation/request/parameters.ts';
import recorded from '../../fixtures/wordpress-7.1-index.json' with { type: 'json' };
import { BATCHES } from './batch-cases.ts';
import { type BatchSite, createBatchSite } from './batch-site.ts';

const site: BatchSite = createBatchSite(recorded);

function toParameters(body: JsonObject): RequestParameters {
  return {
    json: new Map(Object.entries(body)),
    form: NO_PARAMETERS,
    query: NO_PARAMETERS,
    path: NO_PARAMETERS,
  };
}

const bad: JsonObject = { path: '/wp/v2/posts', body: { author: 'a' } };
const good: JsonObject = { path: '/wp/v2/posts', body: { title: 'a' } };
const foreign: JsonObject = { path: '/hidden/v1/route', body: {} };
const together = { validation: 'require-all-validate' };

describe('each subrequest of a batch is routed and validated', () => {
  test.each(BATCHES)('%s', (_, requests, verdicts) => {
    expect(site.partsOf({ requests })).toEqual(verdicts);
  });
});

describe('the gateway answers a batch itself if', () => {
  test.each([
    ['all subrequests are invalid', { requests: [bad, bad] }],
    ['one subrequest is invalid and all have to be valid', { requests: [bad, good], ...together }],
  ])('%s', (_, body) => {
    expect(site.validate(toParameters(body))).toMatchObject({ kind: 'responded', status: 207 });
  });

  test.each<readonly [string, JsonObject]>([
    ['all subrequests are valid', { requests: [good, good] }],
    ['one subrequest is invalid and others would run', { requests: [bad, good] }],
    ['one subrequest has an unknown route', { requests: [bad, foreign], ...together }],
    ['all subrequests have unknown routes', { requests: [foreign] }],
    ['it has no subrequests', { requests: [] }],
  ])('otherwise the batch is forwarded: %s', (_, body) => {
    expect(site.validate(toParameters(body)).kind).toBe('forwarded');
  });
});

describe('the batch itself is validated like any other request', () => {
  test.each<readonly [string, JsonObject, string, string]>([
    ['a lower-case method', { requests: [{ ...good, method: 'post' }] }, 'rest_invalid_param', 'requests'],
  ])('%s', (_, body, code, param) => {
    expect(site.validateOuter(toParameters(body))).toMatchObject({
      kind: 'invalid',
      code,
      brokenRules: [{ param }],
    });
  });

  test('25 subrequests are allowed', () => {
    expect(site.validateOuter(toParameters({ requests: Array(25).fill(good) })).kind).toBe('valid');
  });
});

describe('a route that is not allowed cannot be reached in a batch', () => {
  const guarded = createBatchSite(recorded, true);

  test.each<readonly [string, JsonObject]>([
    ['a hidden route', foreign],
    ['a hidden route in a URL without a scheme', { ...foreign, path: '//example.com/hidden/v1/route' }],
    ['a hidden route in an absolute URL', { ...foreign, path: 'https://example.com/hidden/v1/route' }],
    ['a hidden route with a control character', { ...foreign, path: '/hidden/v1\u0001/route' }],
    ['an ambiguous path', { ...foreign, path: '//example.com:80/wp/v2/posts' }],
  ])('%s', (_, part) => {
    const verdict = guarded.validate(toParameters({ requests: [good, part] }));
    expect(verdict).toMatchObject({ kind: 'invalid', status: 404, code: 'rest_no_route' });
  });

  test.each<readonly [string, JsonObject, readonly (number | null)[]]>([
    ['two hidden routes', { requests: [foreign, foreign] }, [404, 404]],
    ['an invalid subrequest and a hidden route', { requests: [bad, foreign] }, [400, 404]],
    ['a hidden route, and all have to be valid', { requests: [good, foreign], ...together }, [null, 404]],
  ])('each subrequest gets a response when none would run: %s', (_, body, statuses) => {
    const verdict = guarded.validate(toParameters(body));
    const responses = statuses.map((status) =>
      status === null ? null : expect.objectContaining({ status }),
    );
    expect(verdict).toMatchObject({ kind: 'responded', status: 207, body: { responses } });
  });
});

test('any list of requests can be validated', () => {
  const odd: readonly Json[] = [
    null,
    7,
    '',
    [],
    {},
    [[]],
    { path: {} },
    { path: null },
    { method: [], path: '/' },
  ];
  for (const requests of [...odd, odd])
    expect(site.validate(toParameters({ requests })).kind).not.toBe('invalid');
});
