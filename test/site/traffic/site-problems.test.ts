import { describe, expect, test } from 'vitest';
import { MAX_PROBLEMS, type RecordedProblem, SiteProblems } from '../../../src/site/traffic/site-recorder.ts';

const refusal: Omit<RecordedProblem, 'time'> = {
  requestId: 'abc-1',
  source: 'gateway',
  method: 'GET',
  route: '/wp/v2/posts',
  status: 400,
  code: 'rest_invalid_param',
  rules: [{ param: 'per_page', rule: 'rest_out_of_bounds' }],
  cause: '',
  detail: '',
};

describe('the problems of a site', () => {
  test('are bounded for each source, so that errors of the site displace no refusal', () => {
    let now = 0;
    const problems = new SiteProblems(() => (now += 1));
    problems.record(refusal);
    for (let at = 0; at < 3 * MAX_PROBLEMS; at += 1) problems.record({ ...refusal, source: 'site' });
    expect(problems.list()).toHaveLength(MAX_PROBLEMS + 1);
    expect(problems.list()[0]).toMatchObject({ source: 'site', time: 3 * MAX_PROBLEMS + 1 });
    expect(problems.list().at(-1)).toMatchObject({ source: 'gateway', time: 1 });
  });

  test('keep a short part of long texts', () => {
    const problems = new SiteProblems(() => 0);
    const long = 'x'.repeat(100_000);
    const rules = Array.from({ length: 50 }, () => ({ param: long, rule: long }));
    problems.record({ ...refusal, method: long, route: long, detail: long, rules });
    expect(JSON.stringify(problems.list()).length).toBeLessThan(5_000);
  });
});
