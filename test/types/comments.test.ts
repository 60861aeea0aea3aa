import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSchemaComment, toCommentText, toTsDoc } from '../../src/types/comments.ts';
import { openEditor } from './type-checker.ts';

describe('text of the site in a comment', () => {
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
  const { tagsOf } = openEditor({ 'module.ts': `${text}export interface A {}\n` });
  expect(tagsOf('module.ts', 'A')).toEqual(['default']);
});
