import { describe, expect, test } from 'vitest';
import {
  evaluateReuse,
  freshenStoredResponse,
  matchesValidators,
  NO_REQUEST_DIRECTIVES,
  updateFromHead,
} from '../../../src/cache/policy/reuse.ts';
import type { OriginResponse } from '../../../src/cache/policy/storability.ts';
import type { StoredResponse } from '../../../src/cache/store.ts';
import { fieldValue } from '../../../src/http/fields.ts';

const START = Date.UTC(2031, 10, 1);
const LAST = 'Fri, 31 Oct 2031 00:00:00 GMT';
const OTHER = 'Sat, 01 Nov 2031 00:00:00 GMT';

const stored = (headers: readonly string[]): StoredResponse => ({
  status: 200,
  headers: ['Cache-Control', 'max-age=60', 'Content-Length', '2', ...headers],
  body: new Uint8Array([0x7b, 0x7d]),
  variantKey: '',
  vary: [],
  requestTime: START,
  responseTime: START,
  initialAge: 0,
  freshnessLifetime: 60,
  staleWhileRevalidate: 0,
  staleIfError: 0,
  staleIfUnreachable: 0,
  isSoftPurged: false,
  tags: ['a'],
});

const received = (
  status: number,
  headers: readonly string[],
  method: 'GET' | 'HEAD' = 'GET',
): OriginResponse => ({
  request: {
    method,
    forwardedHeaders: [],
    getVariantKey: () => '',
    identifyingFields: [],
    policy: {
      rule: {
        getTtl: () => undefined,
        staleWhileRevalidate: 0,
        staleIfError: 0,
        staleIfUnreachable: 0,
        overridesResponse: false,
      },
    },
  },
  head: { status, reason: '', headers },
  requestTime: START + 100_000,
  responseTime: START + 101_000,
});

describe('a 304 matches a stored response', () => {
  test.each([
    ['with the same tag', ['ETag', '"a"'], ['ETag', '"a"'], true],
    ['with a strong tag for a stored weak tag', ['ETag', 'W/"a"'], ['ETag', '"a"'], true],
    ['not with another tag', ['ETag', '"a"'], ['ETag', '"b"'], false],
    ['not with another weak tag', ['ETag', 'W/"a"'], ['ETag', 'W/"b"'], false],
    [
      'not with a strong tag for a response without entity tag',
      ['Last-Modified', LAST],
      ['ETag', '"a"'],
      false,
    ],
    ['with the same date', ['Last-Modified', LAST], ['Last-Modified', LAST], true],
    ['not with another date', ['Last-Modified', LAST], ['Last-Modified', OTHER], false],
    ['with a date for a response without Last-Modified', ['ETag', '"a"'], ['Last-Modified', LAST], true],
  ] as const)('%s', (_name, storedFields, receivedFields, expected) => {
    expect(matchesValidators(received(304, receivedFields).head, stored(storedFields))).toBe(expected);
  });
});

describe('a freshened response', () => {
  test('has new times, and keeps body and tags', () => {
    const before = stored(['ETag', '"a"']);
    const { response, refusal } = freshenStoredResponse(
      before,
      received(304, ['Cache-Control', 'max-age=10']),
    );
    expect(refusal).toBeUndefined();
    expect(response).toMatchObject({
      freshnessLifetime: 10,
      initialAge: 1,
      responseTime: START + 101_000,
      isSoftPurged: false,
    });
    expect(response.body).toBe(before.body);
    expect(response.tags).toEqual(['a']);
  });

  test('is no longer soft-purged', () => {
    const purged = { ...stored(['ETag', '"a"']), isSoftPurged: true, freshnessLifetime: 0 };
    expect(freshenStoredResponse(purged, received(304, [])).response).toMatchObject({
      isSoftPurged: false,
      freshnessLifetime: 60,
    });
  });

  test.each([
    ['a cookie', ['Set-Cookie', 'a=b']],
    ['a nonce', ['X-WP-Nonce', 'a']],
    ['no-store', ['Cache-Control', 'no-store']],
    ['private', ['Cache-Control', 'private']],
  ] as const)('with %s is sent to the client and not stored', (_name, headers) => {
    const { response, refusal } = freshenStoredResponse(stored(['ETag', '"a"']), received(304, headers));
    expect(refusal).toBeDefined();
    expect(response).toMatchObject({ freshnessLifetime: 0, staleWhileRevalidate: 0, staleIfError: 0 });
    expect(fieldValue(response.headers, headers[0].toLowerCase())).toBe(headers[1]);
  });
});

describe('a HEAD', () => {
  const before = stored(['ETag', '"a"']);

  test('that forbids storing marks the stored response stale', () => {
    const head = received(200, ['Cache-Control', 'no-store'], 'HEAD');
    expect(updateFromHead(before, head).isSoftPurged).toBe(true);
  });

  test.each([404, 410, 500, 304])('of %i changes nothing', (status) => {
    expect(updateFromHead(before, received(status, [], 'HEAD'))).toBe(before);
  });

  test('a response that differs starts the stale windows of the stored one', () => {
    const old = { ...stored(['ETag', '"1"']), freshnessLifetime: 3600, staleWhileRevalidate: 10 };
    const after = updateFromHead(old, received(200, ['ETag', '"2"'], 'HEAD'));
    const reuse = (seconds: number) =>
      evaluateReuse(after, NO_REQUEST_DIRECTIVES, START + 101_000 + seconds * 1000);
    expect([reuse(0), reuse(9), reuse(11)]).toEqual([
      'stale-while-revalidate',
      'stale-while-revalidate',
      'revalidate',
    ]);
  });
});
