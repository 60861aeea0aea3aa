import { describe, expect, test } from 'vitest';
import { freshenStoredResponse, matchesValidators } from '../../../src/cache/policy/reuse.ts';
import type { OriginResponse } from '../../../src/cache/policy/storability.ts';
import type { StoredResponse } from '../../../src/cache/store.ts';

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
    const response = freshenStoredResponse(before, received(304, ['Cache-Control', 'max-age=10']));
    expect(response).toMatchObject({
      freshnessLifetime: 10,
      initialAge: 1,
      responseTime: START + 101_000,
      isSoftPurged: false,
    });
    expect(response?.body).toBe(before.body);
    expect(response?.tags).toEqual(['a']);
  });

  test('is no longer soft-purged', () => {
    const purged = { ...stored(['ETag', '"a"']), isSoftPurged: true, freshnessLifetime: 0 };
    expect(freshenStoredResponse(purged, received(304, []))).toMatchObject({
      isSoftPurged: false,
      freshnessLifetime: 60,
    });
  });

  test.each([
    ['a cookie', ['Set-Cookie', 'a=b']],
    ['a nonce', ['X-WP-Nonce', 'a']],
    ['no-store', ['Cache-Control', 'no-store']],
    ['private', ['Cache-Control', 'private']],
  ] as const)('with %s is not stored', (_name, headers) => {
    expect(freshenStoredResponse(stored(['ETag', '"a"']), received(304, headers))).toBeNull();
  });
});
