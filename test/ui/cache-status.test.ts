import { expect, test } from 'vitest';
import { explainCacheStatus } from '../../src/ui/cache-words.ts';

test.each([
  [null, ''],
  ['waygate; hit; ttl=25', 'The gateway sent a stored response, fresh for another 25 seconds.'],
  ['waygate; hit; ttl=-4', 'The gateway sent a stored response that has been stale for 4 seconds.'],
  ['waygate; hit', 'The gateway sent a stored response.'],
  [
    'waygate; fwd=uri-miss; stored',
    'The gateway had no stored response for this address. It stored this one.',
  ],
  [
    'site; hit, waygate; fwd=bypass; detail="COOKIE"',
    'The request carries a cookie that can sign a user in, so the gateway did not use its store (COOKIE).',
  ],
  ['waygate; fwd=bypass', 'The gateway has no store.'],
  [
    'waygate; fwd=bypass; detail="credentials"',
    'The request carries credentials, so the gateway did not use its store (credentials).',
  ],
  [
    'waygate; fwd=bypass; detail="header X-Foo"',
    'The request can be private, so the gateway did not use its store (header X-Foo).',
  ],
  ['waygate; fwd=bypass; detail="other"', 'The gateway does not store responses to such a request (other).'],
  [
    'waygate; fwd=bypass; detail="method"',
    'The gateway does not store responses to such a request: only GET and HEAD use the store.',
  ],
  ['waygate; fwd=__proto__', 'The gateway forwarded the request.'],
])('%s: %s', (value, sentence) => {
  expect(explainCacheStatus(value)).toBe(sentence);
});
