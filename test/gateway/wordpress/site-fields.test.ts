import { expect, test } from 'vitest';
import { readPurgeRequest } from '../../../src/gateway/wordpress/site-fields.ts';

test('a hostile purge is read in linear time: otherwise this test would not end', () => {
  const spaces = ' '.repeat(500_000);
  expect(readPurgeRequest('/', ['Cache-Tag', `a${spaces}b`])).toMatchObject({ everything: false });
  expect(readPurgeRequest(`/${'(a+)+/'.repeat(100_000)}$`, [])).toMatchObject({ everything: true });
});
