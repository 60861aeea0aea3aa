import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSchemaComment, toCommentText, toTsDoc } from '../../src/types/comments.ts';
import { createTypeChecker } from './type-checker.ts';

describe('text of the site in a comment', () => {
  it.each([
    ['cannot close the comment', 'a */ b', 'a *\\/ b'],
    ['cannot close the comment with removed characters', 'a *\u0000/ b *\u200b/', 'a *\\/ b *\\/'],
    [
      'contains no tags',
      '@deprecated and @internal, me@example.com',
      '\\@deprecated and \\@internal, me@example.com',
    ],
    ['has no bidirectional characters', 'a\u202eb\u2066c', 'abc'],
    ['has `\\n` as its only line end', 'a\r\nb\rc\u2028d', 'a\nb\nc\nd'],
    ['has no lone surrogates', 'a\ud800b', 'a\ufffdb'],
    ['keeps its code and markup', 'Use `a` or <b>b</b>.', 'Use `a` or <b>b</b>.'],
  ])('%s', (_, given, want) => {
    expect(toCommentText(given)).toBe(want);
  });

  it('is truncated if it is very long', () => {
    expect(toCommentText('x'.repeat(1_000_000)).length).toBeLessThan(5_000);
  });

  it('is on one line or wrapped within the line width', () => {
    expect(toTsDoc('Words.', '  ')).toBe('  /** Words. */\n');
    const long = toTsDoc(`${'word '.repeat(60)}\n\n@default 1`, '  ');
    expect(long.split('\n').every((line) => line.length <= 112)).toBe(true);
    expect(long.endsWith('   *\n   * @default 1\n   */\n')).toBe(true);
  });

  it('never closes the comment', () => {
    const hostile = fc.array(
      fc.constantFrom(
        '*',
        '/',
        '*/',
        '/*',
        '//',
        '@',
        '\\',
        '`',
        '\n',
        '\r',
        '\u2028',
        '\u0000',
        ' ',
        'a',
        '\ud800',
        '{@link',
      ),
    );
    fc.assert(
      fc.property(hostile, (parts) => {
        const text = toTsDoc(toCommentText(parts.join('')), '');
        expect(text.trimEnd().replace(/\*\/$/, '')).not.toContain('*/');
      }),
    );
  });
});

it('TypeScript parses the tags of waygate and none of the site', () => {
  const text = toTsDoc(
    `${toCommentText('@deprecated\nsee @internal {@link x} `@alpha` \\@beta')}\n${createSchemaComment({ default: '@gamma x' }, 'read')}`,
    '',
  );
  const { tagsOf } = createTypeChecker()(
    { 'module.ts': `${text}export interface A {}\n` },
    { lib: ['lib.es2022.d.ts'] },
  );
  expect(tagsOf('module.ts', 'A')).toEqual(['default']);
});
