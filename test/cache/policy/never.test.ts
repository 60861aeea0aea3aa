import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  evaluateStorability,
  type OriginRequest,
  type OriginResponse,
  type StoragePolicy,
} from '../../../src/cache/policy/storability.ts';
import { createVariantKey } from '../../../src/cache/policy/variants.ts';

const NOW = Date.UTC(2031, 10, 1);

/** Fields that allow caching. */
const PERMITTING = [
  ['Cache-Control', 'public, max-age=3600, s-maxage=3600, immutable'],
  ['Cache-Control', 'stale-while-revalidate=60, stale-if-error=60'],
  ['Expires', 'Sat, 01 Jan 2050 00:00:00 GMT'],
  ['ETag', '"a"'],
  ['Last-Modified', 'Wed, 01 Jan 2020 00:00:00 GMT'],
  ['Cache-Control', 'unknown="no-transform"'],
] as const;

/** Fields each of which forbids storing, in any position and spelling. */
const FORBIDDING = [
  ['Cache-Control', 'no-store'],
  ['cache-control', 'NO-STORE'],
  ['CACHE-CONTROL', 'x, no-store=1'],
  ['Cache-Control', 'private'],
  ['Cache-Control', 'max-age=1,Private'],
  ['Set-Cookie', 'a=b'],
  ['set-cookie', ''],
  ['X-WP-Nonce', 'a'],
  ['x-wp-nonce', ''],
  ['Vary', '*'],
  ['Vary', 'Accept, *'],
] as const;

const createResponse = (
  headers: readonly string[],
  {
    head,
    ignoredVaryFields,
    ...overrides
  }: Partial<OriginRequest & StoragePolicy & Pick<OriginResponse, 'head'>> = {},
): OriginResponse => ({
  request: {
    method: 'GET',
    forwardedHeaders: [],
    getVariantKey: (vary) => createVariantKey(vary, overrides.forwardedHeaders ?? []),
    identifyingFields: [],
    policy: {
      ignoredVaryFields,
      // The most permissive configuration.
      rule: {
        getTtl: () => 3600,
        staleWhileRevalidate: 3600,
        staleIfError: 3600,
        staleIfUnreachable: 3600,
        overridesResponse: true,
      },
    },
    ...overrides,
  },
  head: head ?? { status: 200, reason: '', headers },
  requestTime: NOW,
  responseTime: NOW,
});

const permitting = fc.subarray([...PERMITTING]);
const shuffled = (fields: readonly (readonly [string, string])[]) =>
  fc.shuffledSubarray([...fields], { minLength: fields.length });

describe('prohibitions of storing', () => {
  test('a single one overrides all permissions', () => {
    const fields = fc
      .tuple(permitting, fc.constantFrom(...FORBIDDING))
      .chain(([some, forbidding]) => shuffled([...some, forbidding]));
    fc.assert(
      fc.property(fields, (drawn) => {
        expect(evaluateStorability(createResponse(drawn.flat())).kind).toBe('not-storable');
      }),
    );
  });

  test('without a prohibition this rule stores it', () => {
    fc.assert(
      fc.property(permitting.chain(shuffled), (drawn) => {
        expect(evaluateStorability(createResponse(drawn.flat())).kind).toBe('storable');
      }),
    );
  });

  test.each([206, 304, 100, 103])('%i is never stored', (status) => {
    const head = { status, reason: '', headers: PERMITTING.flat() };
    expect(evaluateStorability(createResponse([], { head })).kind).toBe('not-storable');
  });
});

describe('two requests have the same variant key', () => {
  test('with languages of equal quality in another order, unless the site may rank them by it', () => {
    const key = (languages: string, ranks: boolean) =>
      createVariantKey(['accept-language'], ['Accept-Language', languages], ranks);
    expect(key('en, de', false)).toBe(key('de, en', false));
    expect(key('en, de', true)).not.toBe(key('de, en', true));
    expect(key('DE , en; q=0.5', true)).toBe(key('de,en;q=0.5', true));
  });

  test('never if one has a white space that sites do not take off', () => {
    const key = (language: string) => createVariantKey(['accept-language'], ['Accept-Language', language]);
    for (const other of ['de\u00a0', '\u00a0de', 'de\u00a0;q=1', 'en,de\u00a0'])
      expect(key(other)).not.toBe(key(other.replace('\u00a0', '')));
  });

  test('with any number of spaces at a delimiter, which are visited once', () => {
    const spaces = ' '.repeat(100_000);
    for (const name of ['accept', 'foo']) {
      const key = (value: string) => createVariantKey([name], [name, value]);
      expect(key(`a${spaces},b`)).toBe(key('a,b'));
      expect(key(`a,b${spaces}c`)).not.toBe(key('a,b c'));
    }
  });

  test('if they only differ in ignored fields', () => {
    const outcome = evaluateStorability(
      createResponse(['Cache-Control', 'max-age=60', 'Vary', 'Accept-Encoding, Origin'], {
        forwardedHeaders: ['Accept-Encoding', 'br', 'Origin', 'https://a.example.com'],
        ignoredVaryFields: ['accept-encoding'],
      }),
    );
    expect(outcome.kind === 'storable' && outcome.draft).toMatchObject({
      vary: ['origin'],
      variantKey: 'origin:https://a.example.com\n',
    });
  });

  test('but not if a value moves from one field to another', () => {
    expect(createVariantKey(['a', 'b'], ['A', 'x'])).not.toBe(createVariantKey(['a', 'b'], ['B', 'x']));
    expect(createVariantKey(['a', 'b'], ['A', 'b:x'])).not.toBe(
      createVariantKey(['a', 'b'], ['A', '', 'B', 'x']),
    );
  });
});
