import { describe, expect, test } from 'vitest';
import { type Json, type JsonObject, memberAt } from '../../../src/base/json.ts';
import { listOperations } from '../../../src/generator/openapi/operations.ts';
import { generateFor } from '../../support/site.ts';

/** The pattern of a document for a group of a route, or for an argument, and the reasons why it is wider. */
function describePattern(route: string, args: JsonObject = {}): readonly (Json | undefined)[] {
  const { document, report } = generateFor({ [route]: { GET: args } });
  const [operation] = listOperations(document);
  const reasons = report.diagnostics
    .filter(({ rule }) => /pattern/.test(rule))
    .map(({ message }) => message.replace(/^.*has no exact form in ECMA-262: (.*)\.$/, '$1'));
  return [
    memberAt(operation?.parameterObjects.find(({ name }) => name === 'n')?.['schema'], 'pattern'),
    ...reasons,
  ];
}

const describeArgument = (pattern: string) => describePattern('/x/v1', { n: { type: 'string', pattern } });

describe('a group of a route has a pattern of both cases, as WordPress matches it:', () => {
  test.each([
    ['\\d+', '^\\d+$'],
    ['[\\d]+', '^\\d+$'],
    ['[a-z0-9_\\%-]+', '^[a-zA-Z0-9_%\\-]+$'],
    ['[^A-C/]+', '^[^A-Ca-c\\/]+$'],
    ['(?:me|\\S+)', '^(?:[Mm][Ee]|\\S+)$'],
    ['\\b\\d+$', '^\\d+$', 'it tests the characters beside it in the path'],
    ['(a)\\1', '^[Aa][\\s\\S]*$', 'a backreference'],
    ['(?R)?a', '^(?:[\\s\\S]*)?[Aa]$', 'recursion'],
    ['(?!ad)\\w+(?<!in)', '^\\w+$', 'a lookaround'],
    ['[^/]++/x', '^[^\\/]+/[Xx]$', 'an atomic group or possessive quantifier'],
    ['(?>a|ab)c', '^(?:[Aa]|[Aa][Bb])[Cc]$', 'an atomic group or possessive quantifier'],
    ['[^/]{1,3}', '^[\\s\\S]*$', 'the site counts bytes, this pattern counts characters'],
    ['[^/]+.', '^[\\s\\S]*$', 'the site counts bytes, this pattern counts characters'],
  ])('%s is %s', (pcre, ...expected) => expect(describePattern(`/x/v1/(?P<n>${pcre})`)).toEqual(expected));
});

describe('an argument has the pattern that the site wrote, in the syntax of ECMA-262:', () => {
  test.each<[string, ...(string | undefined)[]]>([
    ['.*\\S.*', '.*\\S.*'],
    ['^\\s[^\\s]', '^\\s[^\\s]'],
    ['^\\p{L}+', '^\\p{L}+'],
    ["^[\\p{L}\\p{M}'-]+", "^[\\p{L}\\p{M}'\\-]+"],
    ['\\W[^\\w-]\\d', '[^\\p{L}\\p{N}_][^\\p{L}\\p{N}_\\-]\\p{Nd}'],
    ['[\\P{L}x\\p{^Nd}]', '[\\P{L}x\\P{Nd}]'],
    ['\\p{Arabic}', '[\\p{Script=Arabic}]'],
    ['^a$', '^a\\n?$'],
    ['\\bab', 'ab', 'an assertion'],
    ...[
      ['\\h', '\\h is not supported'],
      ['(?i)k', 'an option is not supported'],
      ['[\\W]', '\\W has no meaning in a class'],
      ['[[:alpha:]]', 'POSIX classes are not supported'],
      ['a(*SKIP)', 'verbs such as (*SKIP) are not supported'],
    ].map(([pcre = '', reason]): [string, undefined, string | undefined] => [pcre, undefined, reason]),
  ])('%s is %s', (pcre, ...expected) => {
    expect(describeArgument(pcre)).toEqual(expected);
    // Documents are read again, where `$` is PCRE's, too.
    const [pattern] = expected;
    if (expected.length === 1 && !pcre.endsWith('$'))
      expect(describeArgument(String(pattern))[0]).toBe(pattern);
  });
});

test('every pattern compiles with the flags u and v and without flags', () => {
  const patterns = '[\\w\\-&&!!##$$%%**++,,..::;;<<==>>??@@``~~^^|{}()]+ [^a-z/-]+ - [&-] } ]'.split(' ');
  for (const pcre of patterns) {
    const [pattern, ...reasons] = describePattern(`/x/v1/(?P<n>${pcre})`);
    expect(reasons).toEqual([]);
    for (const flags of ['u', 'v', '']) expect(() => new RegExp(String(pattern), flags)).not.toThrow();
  }
});
