import { expect, test } from 'vitest';
import { Availability } from '../../../../src/gateway/site/traffic/availability.ts';

test('a site that cannot be reached is down until it answers, or has been read since', () => {
  let now = 1_000;
  const availability = new Availability(() => now);
  expect(availability.findDownSince(null)).toBeNull();
  availability.noteFailure({ kind: 'refused' });
  availability.note('/', null, false);
  expect(availability.findDownSince(null)).toBe(1_000);
  expect(availability.findDownSince(500)).toBe(1_000);
  expect(availability.findDownSince(1_500)).toBeNull();
  now = 2_000;
  availability.noteFailure({ kind: 'refused' });
  expect(availability.findDownSince(1_500)).toBe(1_000);
  availability.note('/', { status: 200, reason: '', headers: ['content-type', 'text/html'] }, false);
  expect(availability.findUnreachableSince(null)).toBeNull();
});
