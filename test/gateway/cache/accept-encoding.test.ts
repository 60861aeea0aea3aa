import { describe, expect, test } from 'vitest';
import {
  CONTENT_CODINGS,
  type ContentCoding,
  listPreferredCodings,
} from '../../../src/base/http/content-coding.ts';

/** Field, and the codings of br and gzip that it prefers to the identity body. */
const FIELDS: readonly [string | undefined, readonly ContentCoding[]][] = [
  [undefined, []],
  ['x-gzip', ['gzip']],
  ['gzip, deflate, br, zstd', ['br', 'gzip']],
  ['*', ['br', 'gzip']],
  ['*;q=0', []],
  ['*, br;q=0', ['gzip']],
  ['br;q=0.2, gzip;q=0.9', ['gzip', 'br']],
  ['br ; q=0.5 , gzip', ['gzip', 'br']],
  ['br;Q=0.5,gzip;Q=0.6', ['gzip', 'br']],
  ['gzip;q=0.5, identity', []],
  ['gzip;q=0.5, identity;q=0.5', ['gzip']],
  ['gzip, identity;q=0', ['gzip']],
  // A member with an invalid weight is ignored.
  ['gzip;q=2', []],
  ['gzip;level=1', []],
  [',, gzip ,,', ['gzip']],
  ['gzip;q=0, gzip', []],
  ['gzipx, xbr', []],
];

describe('Accept-Encoding (RFC 9110 §12.5.3)', () => {
  test.each(FIELDS)('%o prefers %o', (field, codings) => {
    expect(listPreferredCodings(field, CONTENT_CODINGS)).toEqual(codings);
  });

  test('lists only offered codings', () => {
    expect(listPreferredCodings('br, gzip, zstd', ['gzip'])).toEqual(['gzip']);
    expect(listPreferredCodings('*', [])).toEqual([]);
  });
});
