import { expect, test } from 'vitest';
import { simulate } from '../../scripts/scale/main.mjs';

test('the simulation of docs/internals/scale.md: what a store saves the site, and what is lost without Redis', async () => {
  const settings = { gateways: 2, keys: 100, places: 4, rate: 400, writes: 0.2, siteTime: 50 };
  const run = (event: 'none' | 'redis-gone') => simulate({ ...settings, event, seconds: 3, warmUp: 5 });
  const [well, gone] = [await run('none'), await run('redis-gone')];
  expect(well.hits).toBeGreaterThan(0.9);
  expect(well.p99).toBeLessThan(1_000);
  // By-passed after half a second.
  expect(gone.hits).toBeLessThan(0.3);
  expect(gone.siteRate).toBeGreaterThan(200);
  expect(gone.longest).toBeGreaterThan(5_000);
});
