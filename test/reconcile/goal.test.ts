import { beforeAll, describe, expect, test } from 'vitest';
import { type ReconcileReport, reconcile } from '../../src/reconcile/index.ts';
import { fetchExampleSite, SITE_URL } from './example-site.ts';

// The indexes state no schemas, as the seeds show the sites.
describe.each(['content', 'boards'] as const)('a copy of %s, whose index has no schemas', (name) => {
  let report: ReconcileReport;
  beforeAll(async () => {
    const { auth, fetch } = fetchExampleSite(name, false);
    ({ report } = await reconcile(SITE_URL, { auth, fetch, maxRequests: 1000, writes: true }));
  }, 60_000);

  test('has described responses of every read operation of which an item is found, and of three quarters of all', () => {
    const { after, before } = report.typed;
    expect(before.described / before.operations).toBeLessThan(0.15);
    const silent = report.untyped.filter(({ method }) => method === 'GET');
    expect(silent.filter(({ reason }) => !/^(?:no-item-known|4\d\d)$/.test(reason))).toEqual([]);
    expect(after.describedReads / after.reads).toBeGreaterThan(0.94);
    expect(after.described / after.operations).toBeGreaterThan(0.75);
    expect(after.operations - after.described).toBe(report.untyped.length);
  });

  test('every sampled response is valid', () => {
    const { responses } = report.sampled.after;
    expect(responses).toBeGreaterThan(50);
    expect(report.sampled.after).toEqual({ responses, described: responses, correct: responses });
    expect(report.remaining).toEqual([]);
  });
});
