import { describe, expect, test } from 'vitest';
import { createVariantKey } from '../../../src/cache/policy/variants.ts';

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

  test('but not if a value moves from one field to another', () => {
    expect(createVariantKey(['a', 'b'], ['A', 'x'])).not.toBe(createVariantKey(['a', 'b'], ['B', 'x']));
    expect(createVariantKey(['a', 'b'], ['A', 'b:x'])).not.toBe(
      createVariantKey(['a', 'b'], ['A', '', 'B', 'x']),
    );
  });
});
