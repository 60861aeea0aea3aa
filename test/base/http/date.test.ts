import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { formatHttpDate, parseHttpDate } from '../../../src/base/http/cache-fields.ts';

const IN_2031 = Date.UTC(2031, 10, 1);

it.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', Date.UTC(1994, 10, 6, 8, 49, 37)],
  ['Sunday, 06-Nov-94 08:49:37 GMT', Date.UTC(1994, 10, 6, 8, 49, 37)],
  ['Sun Nov  6 08:49:37 1994', Date.UTC(1994, 10, 6, 8, 49, 37)],
  ['Sun Nov 16 08:49:37 1994', Date.UTC(1994, 10, 16, 8, 49, 37)],
  ['sUN, 06 nOV 1994 08:49:37 gmt', Date.UTC(1994, 10, 6, 8, 49, 37)],
  // The day of the week is ignored.
  ['Mon, 06 Nov 1994 08:49:37 GMT', Date.UTC(1994, 10, 6, 8, 49, 37)],
  ['Sat, 31 Dec 2016 23:59:60 GMT', Date.UTC(2016, 11, 31, 23, 59, 59)],
  ['Thu, 29 Feb 2024 00:00:00 GMT', Date.UTC(2024, 1, 29)],
  // At most fifty years in the future.
  ['Tuesday, 01-Nov-81 00:00:00 GMT', Date.UTC(2081, 10, 1)],
  ['Tuesday, 02-Nov-81 00:00:00 GMT', Date.UTC(1981, 10, 2)],
  ['Tuesday, 01-Nov-31 00:00:00 GMT', Date.UTC(2031, 10, 1)],
  ['Tuesday, 01-Nov-05 00:00:00 GMT', Date.UTC(2005, 10, 1)],
])('%s is a valid date', (text, at) => {
  expect(parseHttpDate(text, IN_2031)).toBe(at);
});

test('a two-digit year is interpreted across the turn of a century', () => {
  const in2095 = Date.UTC(2095, 0, 1);
  expect(parseHttpDate('Friday, 01-Jan-10 00:00:00 GMT', in2095)).toBe(Date.UTC(2110, 0, 1));
  expect(parseHttpDate('Friday, 01-Jan-94 00:00:00 GMT', in2095)).toBe(Date.UTC(2094, 0, 1));
  expect(parseHttpDate('Friday, 01-Jan-46 00:00:00 GMT', in2095)).toBe(Date.UTC(2046, 0, 1));
});

it.each([
  '',
  'Sun, 06 Nov 1994 08:49:37',
  'Sun, 06 Nov 1994 08:49:37 UTC',
  'Sun, 06 Nov 1994 08:49:37 GMT ',
  'Sun, 6 Nov 1994 08:49:37 GMT',
  'Sun, 30 Feb 2024 00:00:00 GMT',
  'Sun, 00 Jan 2024 00:00:00 GMT',
  'Sun, 01 Jan 2024 24:00:00 GMT',
  'Sun, 01 Jan 2024 00:60:00 GMT',
  'Sun, 01 Jan 2024 00:00:61 GMT',
])('%j is not a valid date', (text) => {
  expect(parseHttpDate(text, IN_2031)).toBeNull();
});

test('parsing reverses formatting', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (seconds) => {
      expect(parseHttpDate(formatHttpDate(seconds * 1000), IN_2031)).toBe(seconds * 1000);
    }),
  );
});
