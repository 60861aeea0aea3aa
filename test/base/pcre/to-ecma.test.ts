import { describe, expect, it } from 'vitest';
import { compileRoute, type EcmaPattern, parsePcre, toEcmaPattern } from '../../../src/base/pcre/index.ts';

function translateGroup(pattern: string): EcmaPattern {
  const parsed = parsePcre(pattern, { ignoreCase: true });
  if (!parsed.ok) throw new Error(parsed.message);
  return toEcmaPattern(parsed.root, { unicode: false, matchesWhole: true });
}

describe('syntax that ECMA-262 lacks becomes a wider pattern with the reason:', () => {
  it.each([
    ['(a)\\1', '^[Aa][\\s\\S]*$', 'a backreference'],
    ['(?R)?a', '^(?:[\\s\\S]*)?[Aa]$', 'recursion'],
    ['(?!ad)\\w+(?<!in)', '^\\w+$', 'a lookaround'],
    ['[^/]++/x', '^[^\\/]+/[Xx]$', 'an atomic group or possessive quantifier'],
    ['a++a', '^[Aa]+[Aa]$', 'an atomic group or possessive quantifier'],
    ['(?>a|ab)c', '^(?:[Aa]|[Aa][Bb])[Cc]$', 'an atomic group or possessive quantifier'],
    [
      '[^/]{1,3}',
      '^(?:[^\\/]{1,3}|(?=[\\x00-\\x7f]*[^\\x00-\\x7f])(?:[^\\/]{0,3}))$',
      'the site counts bytes, this pattern counts characters',
    ],
    [
      '[^/]+.',
      '^(?:[^\\/]+[^\\n]|(?=[\\x00-\\x7f]*[^\\x00-\\x7f])(?:[^\\/]*[^\\n]?))$',
      'the site counts bytes, this pattern counts characters',
    ],
  ])('%s is %s', (pcre, pattern, reason) =>
    expect(translateGroup(pcre)).toEqual({ pattern, exact: false, wideningReasons: [reason] }),
  );

  it.each([
    ['[^/]{2,}', ['', 'a', 'ab', 'abc', 'a/']],
    ['.{3,5}', ['ab', 'abc', 'abcde', 'abcdef']],
    ['[a-z\u00e4\u00f6]+', ['', 'a', 'A', '1']],
    ['[\\p{L}]+', ['', 'a', '1']],
    ['caf\u00e9', ['caf', 'CAFE']],
    ['\\S{2}(?!z)\\w', ['aab', 'aaz', ' ab', 'aa']],
  ])('%s is exact for ASCII, and accepts all other values that the site accepts', (pcre, values) => {
    const { pattern, exact } = translateGroup(pcre);
    const matcher = compileRoute(`(?P<x>${pcre})`);
    expect(exact).toBe(false);
    for (const value of values) {
      expect([value, new RegExp(pattern, 'u').test(value)]).toEqual([value, matcher.match(value) !== null]);
    }
    for (const value of ['\u00e4', 'a\u00e4', '\u65e5\u672c', '\u{1f600}']) {
      const bytes = Buffer.from(value).toString('latin1');
      if (matcher.match(bytes) !== null) expect(new RegExp(pattern, 'u').test(value)).toBe(true);
    }
  });
});

// K8: `\\p{L}` has 650 ranges.
describe('classes of Unicode keep their names', () => {
  it.each([
    ['^\\p{L}+', '^[\\p{L}]+'],
    ["^[\\p{L}\\p{M}'-]+", "^[\\p{L}\\p{M}'\\-]+"],
    ['[^\\p{Lu}]', '[^\\p{Lu}]'],
    ['\\W[^\\w-]', '[^\\p{L}\\p{N}_][^\\p{L}\\p{N}_\\-]'],
    ['\\P{Nd}', '[\\P{Nd}]'],
    ['[\\P{L}x]', '[\\P{L}x]'],
    ['\\p{Arabic}', '[\\p{Script=Arabic}]'],
    ['[[:alpha:]]', '[\\p{L}]'],
    ['[[:punct:]]', '[\\p{P}$+<=>\\^`\\|~]'],
    ['[\\w\\p{M}]', '[\\p{L}\\p{N}\\p{M}_]'],
    ['\\p{Nd}\\p{N}[\\p{Nd}\\p{N}]', '[\\p{Nd}][\\p{N}][\\p{Nd}\\p{N}]'],
  ])('%s is %s, which is read again', (pcre, pattern) => {
    const parsed = parsePcre(pcre, { unicode: true });
    if (!parsed.ok) throw new Error(parsed.message);
    const translated = toEcmaPattern(parsed.root, { unicode: true, matchesWhole: false });
    expect(translated).toEqual({ pattern, exact: true, wideningReasons: [] });
    const again = parsePcre(pattern, { unicode: true });
    if (!again.ok) throw new Error(again.message);
    expect(toEcmaPattern(again.root, { unicode: true, matchesWhole: false }).pattern).toBe(pattern);
  });
});

it('every pattern is valid with the flags u and v and without flags', () => {
  const patterns = '[\\w\\-&&!!##$$%%**++,,..::;;<<==>>??@@``~~^^|{}()]+ [^a-z/-]+ - [&-] } ]'.split(' ');
  for (const pcre of patterns) {
    const { pattern } = translateGroup(pcre);
    for (const flags of ['u', 'v', '']) expect(() => new RegExp(pattern, flags)).not.toThrow();
  }
});
