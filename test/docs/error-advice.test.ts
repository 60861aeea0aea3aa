import { expect, test } from 'vitest';
import { adviseOn } from '../../src/docs/error-advice.ts';
import { ERROR_CONVENTIONS } from '../../src/model/conventions/error-codes.ts';

const UNKNOWN = 'The message says why.';

test('each code of the conventions has advice, except failures of the database', () => {
  const codes = [...new Set(ERROR_CONVENTIONS.flatMap((convention) => convention.codes))];
  const unknown = adviseOn(codes).filter(({ advice }) => advice === UNKNOWN);
  expect(unknown.map(({ code }) => code)).toEqual(['rest_comment_failed_create', 'rest_comment_failed_edit']);
});

test('a code of a plugin that is not known leads to its message', () => {
  expect(adviseOn(['acme_rest_no_route'])).toEqual([{ code: 'acme_rest_no_route', advice: UNKNOWN }]);
});
