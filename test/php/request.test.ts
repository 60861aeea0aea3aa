import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isJsonContentType } from '../../src/php/request.ts';

/** The pattern of `wp_is_json_media_type()`. */
const WORDPRESS = /(?:^|[\s,])application\/(?:[\w!#$&-^.+]+\+)?json(?:\+oembed)?(?:$|[\s;,])/i;

test('a media type is JSON by the pattern of WordPress', () => {
  const part = fc.constantFrom('application/', 'json', '+', '+json', '+oembed', 'a', ',', ' ', ';', '"', '/');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const value = `application/${parts.join('')}`;
      expect(isJsonContentType(value)).toBe(WORDPRESS.test(value.split(';', 1)[0]?.trim() ?? ''));
      expect(isJsonContentType(`x/,${value}`)).toBe(
        WORDPRESS.test(`x/,${value}`.split(';', 1)[0]?.trim() ?? ''),
      );
    }),
    { numRuns: 5000 },
  );
});

test('thousands of media types are read in linear time', () => {
  expect(isJsonContentType(`x/${',application/a'.repeat(100_000)}`)).toBe(false);
});
