import { expect, test } from 'vitest';
import { SharedAddresses } from '../../../../src/gateway/cache/engine/fetch-plan.ts';

const list = (count: number, prefix: string): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`);

test('an address that is asked for stays known whatever else is asked for, and no other is', () => {
  const known = new SharedAddresses();
  const used = list(100, '/wp-json/acme/v1/items/');
  for (const key of used) known.add(key, []);
  for (const [at, key] of list(140_000, '/?s=').entries()) {
    known.add(key, []);
    if (at % 40_000 === 0) for (const each of used) known.findVary(each);
  }
  expect(used.filter((key) => known.findVary(key) === undefined)).toEqual([]);
  expect(known.findVary('/?s=0')).toBeUndefined();
  expect(list(20_000, '/b/').filter((key) => known.findVary(key) !== undefined)).toEqual([]);
});

test('an address that varies by many fields is not remembered', () => {
  const known = new SharedAddresses();
  for (const count of [2, 200]) known.add(`/${count}`, list(count, 'x-'));
  expect([known.findVary('/2'), known.findVary('/200')]).toEqual([['x-0', 'x-1'], undefined]);
  known.add('/2', list(200, 'x-'));
  expect(known.findVary('/2')).toBeUndefined();
});
