import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ReconcileReport, reconcile } from '../../../src/generator/reconcile/index.ts';
import { useWordPress } from '../../support/wordpress.ts';

const site = useWordPress();

describe.each([
  ['as it states its schemas', 'help'],
  ['without schemas', 'off'],
] as const)('WordPress %s', (_, schemas) => {
  let report: ReconcileReport;
  let requested: readonly string[];
  beforeAll(async () => {
    const { log, users } = site();
    const { administrator } = users;
    const before = (await readFile(log, 'utf8')).length;
    // A site that refuses `context=help` states no schemas, and neither does one without `OPTIONS`.
    const withoutHelp: typeof globalThis.fetch = async (input, init) =>
      String(input).includes('context=help') ? new Response(null, { status: 403 }) : fetch(input, init);
    ({ report } = await reconcile(site().url, {
      ...(schemas === 'off' ? { fetch: withoutHelp, options: false } : {}),
      auth: { user: administrator.user, password: administrator.password },
      maxRequests: 500,
    }));
    requested = (await readFile(log, 'utf8')).slice(before).trimEnd().split('\n');
  }, 300_000);

  test('is sampled by GET only', () => {
    const sampled = requested.filter((line) => !line.includes('"OPTIONS '));
    expect(sampled.filter((line) => !line.includes('"GET '))).toEqual([]);
    expect(sampled.length).toBeGreaterThan(50);
    expect(sampled.length).toBeLessThan(report.requests + 10);
  });

  test('has described responses of every read operation, if the site states its schemas, and of nearly all', () => {
    const silent = report.untyped
      .filter(({ method }) => method === 'GET')
      .map(({ path, reason }) => `${path} ${reason}`);
    if (schemas === 'help') {
      expect(silent).toEqual([]);
      expect(report.untyped.length).toBeLessThanOrEqual(20);
    } else {
      expect(silent.filter((line) => !/ (?:404|costly|no-item-known)$/.test(line))).toEqual([]);
    }
  });

  test('every sampled response is valid', () => {
    const { responses } = report.sampled.after;
    expect(report.sampled.after).toEqual({ responses, described: responses, correct: responses });
    // What the site states needs no change.
    if (schemas === 'help') expect(report.sampled.before).toEqual(report.sampled.after);
    expect(report.remaining).toEqual([]);
  });
});
