import { describe, expect, test } from 'vitest';
import { readLiteSpeedPurges, readPurgeRequest } from '../../src/wordpress/site-fields.ts';

/** The values are those that the plugins wrote when they were installed (scripts/site-tags), with other hashes. */

const EMPTY = { everything: false, names: [], targets: [], below: [], isSoft: false };

describe('a purge request', () => {
  test.each<[string, readonly string[]]>([
    ['/', ['X-Purge-Method', 'sideways']],
    ['/', ['X-Purge-Regex', '(']],
    ['/', ['X-Purge-Regex', 'a'.repeat(9_000)]],
    ['*', []],
    ['http://example.com/', []],
  ])('"%s" %.60j is refused with a reason', (target, headers) => {
    expect(readPurgeRequest(target, headers)).toMatch(/^\S.*\.$/);
  });

  test('with a hostile pattern is read in linear time: otherwise this test would not end', () => {
    const everything = { ...EMPTY, everything: true };
    const pattern = `^/${'(a+)+'.repeat(1_500)}$`;
    expect(readPurgeRequest('/', ['X-Purge-Regex', pattern])).toEqual(everything);
    const spaces = ' '.repeat(500_000);
    expect(readPurgeRequest('/', ['X-Cache-Tags', `a${spaces}b`])).toMatchObject({ isSoft: false });
    expect(readLiteSpeedPurges(['x-litespeed-purge', `${spaces}x`])).toEqual([{ ...EMPTY, names: ['x'] }]);
  });
});
