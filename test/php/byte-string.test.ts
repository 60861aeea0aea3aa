import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeByteString, encodeByteString, toByteString } from '../../src/php/encoding.ts';
import { parsePhpQuery, phpArrayToJsonMembers } from '../../src/php/query.ts';

test('decoding reverses encoding', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(decodeByteString(encodeByteString(text))).toBe(text);
      expect([...encodeByteString(text)].every((byte) => byte.charCodeAt(0) < 256)).toBe(true);
    }),
  );
});

test('invalid UTF-8 becomes U+FFFD, and a byte order mark stays', () => {
  expect(decodeByteString('a\xffb')).toBe('a\ufffdb');
  expect(decodeByteString('\xef\xbb\xbfx')).toBe('\ufeffx');
});

test('100,000 bytes become a byte string', () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256);
  expect(toByteString(bytes)).toHaveLength(100_000);
  expect(toByteString(bytes).charCodeAt(255)).toBe(255);
});

describe('a PHP array', () => {
  test.each([
    ['a[]=1&a[]=2', '{"a":["1","2"]}'],
    ['a[0]=1&a[1]=2', '{"a":["1","2"]}'],
    ['a[1]=1&a[0]=2', '{"a":{"0":"2","1":"1"}}'],
    ['a[k][]=1', '{"a":{"k":["1"]}}'],
    ['a[__proto__]=%C3%A4', '{"a":{"__proto__":"ä"}}'],
    ['__proto__=1', '{"__proto__":"1"}'],
  ])('of %s becomes %s', (query, json) => {
    expect(JSON.stringify(Object.fromEntries(phpArrayToJsonMembers(parsePhpQuery(query))))).toBe(json);
  });
});
