import { expect, it } from 'vitest';
import { formatCacheStatus } from '../../../src/base/http/cache-status.ts';

it.each([
  [
    { fwd: 'stale', fwdStatus: 503, ttl: -3.2, detail: [{ kind: 'stale-if-error' }] },
    'waygate; fwd=stale; fwd-status=503; ttl=-3; detail=stale-if-error',
  ],
  [{ fwd: 'uri-miss', stored: true }, 'waygate; fwd=uri-miss; stored'],
  [
    { fwd: 'bypass', detail: [{ kind: 'header', name: 'X-Foo' }] },
    'waygate; fwd=bypass; detail="header X-Foo"',
  ],
  [
    { fwd: 'bypass', detail: [{ kind: 'query', name: '"b" \\ c\r\né' }] },
    'waygate; fwd=bypass; detail="query \\"b\\" \\\\ c???"',
  ],
  [{ detail: [{ kind: 'query', name: 'x'.repeat(95) }] }, `waygate; detail="query ${'x'.repeat(91)}..."`],
  [
    {
      detail: [
        { kind: 'set-cookie', name: 'a' },
        { kind: 'failed', failure: 'timeout' },
      ],
    },
    'waygate; detail="set-cookie, failed timeout"',
  ],
  [{ fwd: 'uri-miss', collapsed: true }, 'waygate; fwd=uri-miss; collapsed'],
] as const)('%j is %s', (status, member) => {
  expect(formatCacheStatus(status)).toBe(member);
});
