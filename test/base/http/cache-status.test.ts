import { expect, it } from 'vitest';
import { formatCacheStatus } from '../../../src/base/http/cache-status.ts';

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
