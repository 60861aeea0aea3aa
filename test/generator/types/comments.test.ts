import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toCommentText, toTsDoc } from '../../../src/generator/types/comments.ts';

const PARTS = [
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
];

test('text of the site in a comment never closes it, and has no tag for TypeScript', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PARTS)), (parts) => {
      const text = toTsDoc(toCommentText(parts.join('')));
      expect(text.trimEnd().replace(/\*\/$/, '')).not.toContain('*/');
      expect(text).not.toMatch(/^\s*(?:\/\*\*|\*)?\s*@\p{L}/mu);
    }),
  );
});
