import { describe, expect, test } from 'vitest';
import type { LogLine } from '../../../src/cli/economy/access-log.ts';
import { type Prediction, Replay } from '../../../src/cli/economy/replay.ts';

const START = Date.UTC(2026, 9, 10);

/** A line at a second of the log. */
function line(second: number, target: string, rest: Partial<LogLine> = {}): LogLine {
  const base = { isAuthenticated: false, method: 'GET', status: 200, referrer: '' };
  return { ...base, time: START + second * 1000, target, ...rest };
}

function predict(
  lines: readonly (LogLine | null)[],
  known?: ReadonlyMap<string, number | null>,
  lifetimes: readonly number[] = [60],
): Prediction {
  const replay = new Replay(lifetimes, 1000, known);
  for (const each of lines) replay.add(each);
  return replay.predict();
}

/** Requests at the site for reads that may use the store, before and after there is evidence. */
function countRequests({
  lifetimes,
  reads,
}: Prediction): readonly (readonly [first: number, best: number])[] {
  return lifetimes.map(({ best, first }) => [
    Math.round((first.requestsPerRead ?? 0) * reads),
    Math.round((best.requestsPerRead ?? 0) * reads),
  ]);
}

describe('the replay of a log', () => {
  test('serves a page while it is fresh, and while it is revalidated', () => {
    const prediction = predict([0, 10, 59, 61, 90, 1000].map((second) => line(second, '/a/')));
    expect(prediction).toMatchObject({
      lines: 6,
      reads: 6,
      addresses: 1,
      from: START,
      to: START + 1_000_000,
    });
    // The reads at 0 and 1000 s wait for the site; the one at 61 s gets a stale response.
    expect(prediction.lifetimes[0]?.first.hitRatio).toBeCloseTo(4 / 6);
    expect(countRequests(prediction)).toEqual([[3, 3]]);
  });

  test('predicts for several lifetimes at once', () => {
    const lines = [0, 30, 60, 90, 120].map((second) => line(second, '/a/'));
    expect(countRequests(predict(lines, undefined, [10, 60, 3600]))).toEqual([
      [5, 5],
      [3, 3],
      [1, 1],
    ]);
  });

  test('a write marks everything at first, and only what its line names at best', () => {
    const pages = (second: number): readonly LogLine[] =>
      ['/a/', '/b/', '/c/'].map((each) => line(second, each));
    const comment = line(5, '/wp-comments-post.php', { method: 'POST', status: 302, referrer: '/b/' });
    const prediction = predict([...pages(0), comment, ...pages(10)]);
    expect(countRequests(prediction)).toEqual([[6, 4]]);
    expect(prediction).toMatchObject({ writes: 1, marks: 1 });
    // What is marked is no hit.
    expect(prediction.lifetimes[0]?.first.hitRatio).toBe(0);
    expect(prediction.lifetimes[0]?.best.hitRatio).toBeCloseTo(2 / 6);
  });

  test.each([
    ['a refused write', '/wp-json/wp/v2/posts/1', 403],
    ['a login', '/wp-login.php', 200],
    ['XML-RPC', '/xmlrpc.php', 200],
    ['the heartbeat of an editor', '/wp-admin/admin-ajax.php', 200],
    ['cron', '/wp-cron.php?doing_wp_cron=1', 200],
  ])('%s marks nothing', (_, target, status) => {
    const write = line(5, target, { method: 'POST', status });
    const prediction = predict([line(0, '/a/'), write, line(10, '/a/')]);
    expect(countRequests(prediction)).toEqual([[1, 1]]);
    expect(prediction).toMatchObject({ writes: 1, marks: 0 });
  });

  test.each([
    ['a user', line(0, '/a/', { isAuthenticated: true })],
    ['a credential in the query', line(0, '/a/?api_token=1')],
    ['the administration', line(0, '/wp-admin/edit.php')],
    ['a script of its own', line(0, '/wp-login.php')],
  ])('%s bypasses the store', (_, read) => {
    expect(predict([read, read])).toMatchObject({
      bypasses: 2,
      reads: 0,
      lifetimes: [{ first: { hitRatio: null } }],
    });
  });

  test.each([
    ['404 of a page', '/a/', 404],
    ['temporary redirects', '/a/', 302],
    ['errors', '/wp-json/wp/v2/posts', 500],
  ])('%s are not stored', (_, target, status) => {
    const read = line(0, target, { status });
    expect(predict([read, read])).toMatchObject({ unstorable: 2, reads: 0 });
  });

  test('campaigns do not separate addresses, other parameters do', () => {
    const targets = ['/a/', '/a/?utm_source=x', '/a/?fbclid=1', '/a/?page=2'];
    expect(predict(targets.map((target) => line(0, target)))).toMatchObject({ reads: 4, addresses: 2 });
  });

  test('REST routes are fresh for 30 s, whatever pages are', () => {
    const lines = [0, 20, 40].map((second) => line(second, '/wp-json/wp/v2/posts'));
    expect(countRequests(predict(lines, undefined, [3600]))).toEqual([[2, 2]]);
  });

  test('files are counted apart', () => {
    const files = ['/wp-content/themes/a/style.css?ver=1', '/wp-includes/js/b.js'].map((target) =>
      line(0, target),
    );
    expect(predict(files)).toMatchObject({ files: 2, reads: 0, today: { mean: 0 } });
  });

  test('what the site has stated replaces the lifetime', () => {
    const reads = [0, 100, 200].flatMap((second) => ['/a/', '/b/', '/c/'].map((each) => line(second, each)));
    const known = new Map([
      ['/a/', null],
      ['/b/', 3600],
    ]);
    const prediction = predict(reads, known);
    expect(prediction).toMatchObject({ unstorable: 3, reads: 6 });
    expect(countRequests(prediction)).toEqual([[4, 4]]);
  });

  test('the load is that of all requests of a time, and of its busiest minute', () => {
    const burst = Array.from({ length: 120 }, () => line(600, '/b/'));
    const { lifetimes, today } = predict([line(0, '/a/'), ...burst, line(1200, '/a/')]);
    expect(today.mean).toBeCloseTo(122 / 1200);
    expect(today.busiestMinute).toBe(2);
    expect(lifetimes[0]?.first.busiestMinute).toBeCloseTo(1 / 60);
  });

  test('lines that are late do not turn the time back', () => {
    const { busiestMinute } = predict([
      line(0, '/a/'),
      line(61, '/b/'),
      line(59, '/c/'),
      line(62, '/d/'),
    ]).today;
    expect(busiestMinute).toBe(3 / 60);
  });

  test('a log of other formats predicts nothing', () => {
    expect(predict([null, null])).toMatchObject({ lines: 2, malformed: 2, from: null, to: null, reads: 0 });
  });

  test('remembers a bounded number of addresses', () => {
    const replay = new Replay([3600], 10);
    for (let round = 0; round < 2; round += 1)
      for (let at = 0; at < 100; at += 1) replay.add(line(round, `/${at}/`));
    expect(countRequests(replay.predict())).toEqual([[200, 200]]);
  });
});
