import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CodeToken, tokenizeCode } from '../../../src/pages/docs/code-tokens.ts';

/** Writes tokens as `look:code`, without those that have no colour. */
const colouredOf = (tokens: readonly CodeToken[]): readonly string[] =>
  tokens.flatMap(({ code, look }) => (look === undefined ? [] : [`${look.slice('code-'.length)}:${code}`]));

const toCode = (tokens: readonly CodeToken[]): string => tokens.map(({ code }) => code).join('');

test.each<[language: string, code: string, coloured: string]>([
  [
    'json',
    '{"a": "b\\"c: 1", "d" : [-1.5e3, true, null]}',
    'name:"a" text:"b\\"c: 1" name:"d" word:-1.5e3 word:true word:null',
  ],
  ['json', '["cut \\"of', 'text:"cut \\"of'],
  [
    'shell',
    "curl 'https://example.com/--x' \\\n  --data 'It'\\''s --y'",
    "text:'https://example.com/--x' name:--data text:'It'\\''s --y'",
  ],
  [
    'javascript',
    "const a1 = await f('x', { path: { id: 5, 'b-c': true } });",
    "word:const word:await text:'x' name:path name:id word:5 name:'b-c' word:true",
  ],
  [
    'javascript',
    "{ Authorization: `Basic ${btoa('a:b')}` }",
    "name:Authorization text:`Basic ${btoa('a:b')}`",
  ],
])('%s: %s', (_, code, coloured) => {
  expect(colouredOf(tokenizeCode(code)).join(' ')).toBe(coloured);
});

test('the tokens are the code, whatever it is', () => {
  const codes = fc.string({
    unit: fc.constantFrom('"', "'", '`', '\\', ':', ' ', '\n', '1', 'a', '$', '-', '=', '>'),
    maxLength: 60,
  });
  fc.assert(
    fc.property(codes, (code) => {
      const tokens = tokenizeCode(code);
      expect(toCode(tokens)).toBe(code);
      expect(tokens.every((token) => token.code !== '')).toBe(true);
    }),
  );
});

test('any code is read in linear time', () => {
  const parts = ['"\\"', "'\\'", '"', "'", '\\', '`', 'a', '$', '1.', ' ', '--', '"a" ', "\\'"];
  for (const part of parts) {
    const code = part.repeat(Math.ceil(100_000 / part.length));
    expect(toCode(tokenizeCode(code)) === code, part).toBe(true);
  }
});
