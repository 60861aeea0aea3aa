import { beforeAll, describe, expect, test } from 'vitest';
import { type ReconcileReport, reconcile } from '../../src/reconcile/index.ts';
import { useWordPress } from '../support/wordpress.ts';
import { fetchExampleSite, SITE_URL } from './example-site.ts';

/**
 * The figures of issue 11: of the operations and of up to 500 sampled responses of each site, the share that is described,
 * and described and valid, before and after `reconcile`. They are printed.
 */
/** A site of its own: `writes` creates items. */
const site = useWordPress({ workers: 4 });

describe.each([
  ['as it states its schemas', 'help'],
  ['without schemas', 'off'],
] as const)('WordPress %s', (_, schemas) => {
  let report: ReconcileReport;
  beforeAll(async () => {
    const { administrator } = site().users;
    ({ report } = await reconcile(site().url, {
      schemas,
      auth: { user: administrator.user, password: administrator.password },
      maxRequests: 500,
      writes: true,
    }));
    printFigures(`WordPress (${schemas})`, report);
  }, 300_000);

  test('has described responses of every read operation, if the site states its schemas, and of nine tenths of all', () => {
    const { after } = report.typed;
    const silent = report.untyped
      .filter(({ method }) => method === 'GET')
      .map(({ path, reason }) => `${path} ${reason}`);
    if (schemas === 'help') {
      expect(silent).toEqual([]);
      expect(after.describedReads).toBe(after.reads);
      expect(after.described / after.operations).toBeGreaterThanOrEqual(0.9);
    } else {
      expect(silent.filter((line) => !/ (?:404|costly|no-item-known)$/.test(line))).toEqual([]);
    }
  });

  test('every sampled response is valid', () => {
    const { responses } = report.sampled.after;
    expect(report.sampled.after).toEqual({ responses, described: responses, correct: responses });
    expect(report.remaining).toEqual([]);
  });
});

// `goal.test.ts` has them without schemas.
test.each(['content', 'boards'] as const)(
  'every sampled response of the example site %s is described and valid by the schemas that it states',
  async (name) => {
    const { auth, fetch } = fetchExampleSite(name, true);
    const { report } = await reconcile(SITE_URL, { auth, fetch, maxRequests: 200 });
    printFigures(name, report);
    const { after, before } = report.sampled;
    const { responses } = after;
    expect(responses).toBeGreaterThan(50);
    expect(after).toEqual({ responses, described: responses, correct: responses });
    expect(before).toEqual(after);
  },
);

function printFigures(name: string, { actions, sampled, typed, untyped }: ReconcileReport): void {
  const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;
  const { after, before } = sampled;
  console.log(
    [
      `${name}: ${after.responses} sampled responses; ${actions} actions`,
      `described ${share(before.described, before.responses)} → ${share(after.described, after.responses)}`,
      `described and valid ${share(before.correct, before.responses)} → ${share(after.correct, after.responses)}`,
      `operations ${typed.before.described} → ${typed.after.described} of ${typed.after.operations} (${share(typed.after.described, typed.after.operations)})`,
      `GET ${typed.before.describedReads} → ${typed.after.describedReads} of ${typed.after.reads}`,
      ...untyped.map(({ method, path, reason }) => `  ${method} ${path} ${reason}`),
    ].join('\n'),
  );
}
