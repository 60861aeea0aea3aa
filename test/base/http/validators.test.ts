import { expect, it } from 'vitest';
import { isWeakMatch, parseEntityTags } from '../../../src/base/http/entity-tag.ts';
import { formatCacheStatus } from '../../../src/base/http/message.ts';

// RFC 9110 §8.8.3.2, its table.
it.each([
  ['W/"1"', 'W/"1"', true],
  ['W/"1"', 'W/"2"', false],
  ['W/"1"', '"1"', true],
  ['"1"', 'W/"1"', true],
  ['"1"', '"1"', true],
])('%s and %s match by weak comparison: %s', (one, other, weak) => {
  expect(isWeakMatch(one, other)).toBe(weak);
});

it.each([
  ['"a", W/"b" ,"c,d"', ['"a"', 'W/"b"', '"c,d"']],
  ['a, b', ['a', 'b']],
  ['""', ['""']],
  ['', []],
])('%s is split into entity tags', (field, tags) => {
  expect(parseEntityTags(field)).toEqual(tags);
});

it.each([
  [
    { fwd: 'stale', fwdStatus: 503, ttl: -3.2, detail: 'stale-if-error' },
    'waygate; fwd=stale; fwd-status=503; ttl=-3; detail=stale-if-error',
  ],
  [{ fwd: 'uri-miss', stored: true }, 'waygate; fwd=uri-miss; stored'],
  [{ fwd: 'bypass', detail: 'header X-Foo' }, 'waygate; fwd=bypass; detail="header X-Foo"'],
  [{ fwd: 'bypass', detail: 'a "b" \\ c\r\né' }, 'waygate; fwd=bypass; detail="a \\"b\\" \\\\ c???"'],
  [{ detail: 'x'.repeat(101) }, `waygate; detail=${'x'.repeat(97)}...`],
  [{ fwd: 'uri-miss', collapsed: true }, 'waygate; fwd=uri-miss; collapsed'],
] as const)('%j is %s', (status, member) => {
  expect(formatCacheStatus(status)).toBe(member);
});
