import { describe, expect, it } from 'vitest';
import { type EcmaPattern, parsePcre, toEcmaPattern } from '../../../src/base/pcre/index.ts';

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
    ['[^/]{1,3}', '^[\\s\\S]*$', 'the site counts bytes, this pattern counts characters'],
    ['[^/]+.', '^[\\s\\S]*$', 'the site counts bytes, this pattern counts characters'],
  ])('%s is %s', (pcre, pattern, reason) =>
    expect(translateGroup(pcre)).toEqual({ pattern, exact: false, wideningReasons: [reason] }),
  );
});

describe('classes of Unicode keep their names', () => {
  it.each([
    ['^\\p{L}+', '^[\\p{L}]+'],
    ["^[\\p{L}\\p{M}'-]+", "^[\\p{L}\\p{M}'\\-]+"],
    ['[^\\p{Lu}]', '[^\\p{Lu}]'],
    ['\\W[^\\w-]', '[^\\p{L}\\p{N}_][^\\p{L}\\p{N}_\\-]'],
    ['\\P{Nd}', '[\\P{Nd}]'],
    ['[\\P{L}x]', '[\\P{L}x]'],
    ['\\p{Arabic}', '[\\p{Script=Arabic}]'],
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
