import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCacheControl } from '../../../src/base/http/cache-fields.ts';

// What directives mean is in `test/gateway/cache/conformance`.
test('any text is parsed as directives in linear time', () => {
  const tokens = fc.constantFrom('max-age', '=', '"', '\\', ',', ' ', '60', 'no-store', ';', '\t');
  fc.assert(
    fc.property(fc.array(tokens), (text) => {
      const directives = parseCacheControl(text.join(''));
      expect(directives.every(({ name }) => name !== '' && name === name.trim().toLowerCase())).toBe(true);
    }),
  );
  expect(parseCacheControl('"'.repeat(100_000)).length).toBeLessThanOrEqual(1);
  expect(parseCacheControl(', '.repeat(100_000))).toEqual([]);
});
