import { expect, test } from 'vitest';
import { StoreExclusions } from '../../../src/site/caching/store-exclusions.ts';
import { createBypass } from '../../../src/wordpress/shared-requests.ts';

const create = () => new StoreExclusions({ info: () => {}, warn: () => {}, error: () => {} });

test('names that clients invent do not hide names that are seen often', () => {
  const exclusions = create();
  for (let index = 0; index < 1_000; index += 1)
    exclusions.countBypass(createBypass('header', `x-junk-${index}`));
  for (let index = 0; index < 1_000; index += 1) {
    exclusions.countBypass(createBypass('header', 'X-Plan'));
    exclusions.countBypass(createBypass('header', `x-more-${index}`));
  }
  exclusions.countBypass(createBypass('cookie', 'cart'));
  const counts = [...exclusions.counts];
  expect(counts).toContainEqual({ reason: 'header', name: 'x-plan', count: 1_000 });
  expect(counts).toContainEqual({ reason: 'cookie', name: 'cart', count: 1 });
  expect(counts.filter(({ reason }) => reason === 'header')).toHaveLength(51);
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(3_001);
});

test('a name that is the name of the sum is counted in the sum', () => {
  const exclusions = create();
  exclusions.countBypass(createBypass('header', 'other'));
  expect([...exclusions.counts]).toEqual([{ reason: 'header', name: 'other', count: 1 }]);
});
