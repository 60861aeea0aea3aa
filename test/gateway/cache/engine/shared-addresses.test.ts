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

test('an address is known with the fields by which it varies, until it is removed', () => {
  const known = new SharedAddresses();
  known.add('/a', []);
  known.add('/b', ['accept-language']);
  known.add('/a', ['accept', 'origin']);
  expect(['/a', '/b', '/c'].map((key) => known.findVary(key))).toEqual([
    ['accept', 'origin'],
    ['accept-language'],
    undefined,
  ]);
  known.remove('/a');
  expect([known.findVary('/a'), known.findVary('/b')]).toEqual([undefined, ['accept-language']]);
});

test('a site that varies by other fields each time is not remembered, and makes no other site unknown', () => {
  const known = new SharedAddresses();
  known.add('a\n/', ['accept']);
  for (let at = 0; at < 300; at += 1) known.add(`b\n/${at}`, [`x-${at}`]);
  expect([known.findVary('b\n/0'), known.findVary('b\n/299')]).toEqual([['x-0'], undefined]);
  expect(known.findVary('a\n/')).toEqual(['accept']);
  known.add('b\n/299', ['accept']);
  expect(known.findVary('b\n/299')).toEqual(['accept']);
});
