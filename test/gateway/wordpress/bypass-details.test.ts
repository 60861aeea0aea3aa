import { expect, test } from 'vitest';
import { DEFAULT_CACHE_LIMITS, KeyMemos } from '../../../src/gateway/cache/engine/fetch-plan.ts';
import { CacheBypassRules } from '../../../src/gateway/wordpress/bypass-rules.ts';
import { GatewayClock } from '../../support/gateway-clock.ts';

test('what is remembered of addresses does not grow with the names of their parameters', () => {
  const memos = new KeyMemos(new GatewayClock(undefined, 0), DEFAULT_CACHE_LIMITS);
  const rules = new CacheBypassRules();
  const long = 'q'.repeat(12_000);
  for (const at of [1, 2, 3]) {
    const found = rules.findUnlistedPage('/', `${long}${at}=1`);
    memos.pass(`${long}${at}`, { reason: found?.reason ?? { kind: 'script' }, isHitForPass: false });
    expect(memos.findPassed(`${long}${at}x`, null)).toBeUndefined();
    expect(memos.findPassed(`${long}${at}`, null)?.reason).toEqual({ kind: 'query', name: 'q'.repeat(100) });
  }
});
