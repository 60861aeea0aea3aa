import { expect, test } from 'vitest';
import { SharedAddresses } from '../../../../src/gateway/cache/engine/fetch-plan.ts';

const list = (count: number, prefix: string): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`);

test('nine of ten addresses are known when there are as many as slots, and no other', () => {
  const known = new SharedAddresses(2 ** 14);
  const added = list(2 ** 14, '/a/');
  for (const key of added) known.add(key, []);
  expect(added.filter((key) => known.findVary(key) !== undefined).length).toBeGreaterThan(0.9 * added.length);
  expect(list(20_000, '/b/').filter((key) => known.findVary(key) !== undefined)).toEqual([]);
});

test('all addresses of a site are known whatever else is asked for', () => {
  const known = new SharedAddresses();
  const added = list(20_000, '/wp-json/acme/v1/items/');
  for (const key of [...added, ...list(20_000, '/?s=')]) known.add(key, []);
  expect(added.filter((key) => known.findVary(key) === undefined)).toEqual([]);
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
