import { describe, expect, test } from 'vitest';
import { MAX_OPERATIONS, NO_OPERATION, SiteTraffic } from '../../../src/site/traffic/site-traffic.ts';
import {
  addMethod,
  CACHE_OUTCOMES,
  findBucket,
  LATENCY_BUCKETS,
  readCacheOutcome,
  readPercentile,
} from '../../../src/site/traffic/traffic-counters.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 10, 21, 7);
const HIT = 'waygate; hit; ttl=20';
const MISS = 'waygate; fwd=uri-miss; stored';

function createTraffic() {
  const clock = { now: START };
  return { clock, traffic: new SiteTraffic(() => clock.now) };
}

describe('a percentile', () => {
  const countsOf = (...durations: readonly number[]): number[] => {
    const counts = new Array<number>(LATENCY_BUCKETS).fill(0);
    for (const duration of durations) counts[findBucket(duration)] = (counts[findBucket(duration)] ?? 0) + 1;
    return counts;
  };

  test.each([
    [0.5, [4, 4, 4, 4], 5, 7],
    [0.95, [...new Array<number>(94).fill(0.5), ...new Array<number>(6).fill(400)], 300, 500],
    [0.99, [120], 100, 150],
    [0.5, [1e9], 30_000, 30_000],
  ])('of %d lies in the bucket of its duration', (share, durations, least, most) => {
    const value = readPercentile(countsOf(...durations), share);
    expect(value).toBeLessThanOrEqual(most);
    expect(value).toBeGreaterThanOrEqual(Math.min(least, durations[0] ?? 0));
  });

  test('is null without durations', () => expect(readPercentile(countsOf(), 0.5)).toBeNull());
});

test.each([
  [HIT, 'hit'],
  ['waygate; hit; ttl=0', 'hit'],
  ['waygate; hit; ttl=-4; detail=stale-while-revalidate', 'stale'],
  ['waygate; hit; ttl=0; detail=stale-while-revalidate', 'stale'],
  ['waygate; fwd=stale; fwd-status=500; ttl=-60; detail=stale-if-error', 'stale'],
  [MISS, 'miss'],
  ['waygate; fwd=stale; fwd-status=304; ttl=60', 'miss'],
  ['waygate; fwd=bypass; detail=credentials', 'bypass'],
  ['other; hit; ttl=3, waygate; fwd=method', 'bypass'],
  // Another gateway is the site of this one.
  ['waygate; fwd=bypass, waygate; fwd=uri-miss; stored; ttl=30', 'miss'],
  ['other; hit; ttl=3', 'none'],
  [undefined, 'none'],
])('the Cache-Status %s counts as %s', (cacheStatus, outcome) => {
  expect(CACHE_OUTCOMES[readCacheOutcome(cacheStatus)]).toBe(outcome);
});

describe('the traffic of a site', () => {
  test('knows how long it has been observed, so that rates are right after the start', () => {
    const { clock, traffic } = createTraffic();
    expect(traffic.read('10m').observedMilliseconds).toBe(1_000);
    clock.now += 30_000;
    traffic.recordResponse('listPosts', 200, HIT, 1);
    expect(traffic.read('10m').observedMilliseconds).toBe(30_000);
    clock.now += 2 * HOUR;
    const { observedMilliseconds, points } = traffic.read('10m');
    expect(observedMilliseconds).toBe(clock.now - (points[0]?.time ?? 0));
    expect(observedMilliseconds).toBeLessThanOrEqual(10 * MINUTE);
  });

  test('has the method in the metrics of what is no operation, and counts it as one for the console', () => {
    const { traffic } = createTraffic();
    for (const method of ['GET', 'POST', 'BREW', 'BREW2'])
      traffic.recordResponse(addMethod(NO_OPERATION.pages, method), 200, HIT, 1);
    expect(traffic.listOperations('10m').map(({ operation }) => operation)).toEqual([NO_OPERATION.pages]);
    const described: string[] = [];
    traffic.durations.read('', (operation) => {
      described.push(operation);
      return { http_request_method: operation, http_route: '' };
    });
    expect(described).toEqual([':pages GET', ':pages POST', ':pages _OTHER']);
  });

  test('is summed over each span, in total and by operation', () => {
    const { clock, traffic } = createTraffic();
    traffic.recordResponse('listPosts', 200, HIT, 1);
    clock.now += 30 * MINUTE;
    traffic.recordResponse('listPosts', 200, MISS, 80);
    traffic.recordUpstream('listPosts', 200, 78);
    traffic.recordResponse('createPost', 502, 'waygate; fwd=bypass; detail=method', 900);
    traffic.recordUpstream('createPost', null, 899);
    traffic.recordResponse(NO_OPERATION.gateway, 200, undefined, 3);

    const { total } = traffic.read('10m');
    expect(total).toMatchObject({
      requests: 3,
      outcomes: { hit: 0, stale: 0, miss: 1, bypass: 1, none: 1 },
      hitRatio: 0,
      serverErrors: 1,
      upstream: { requests: 2, errors: 1, mean: 977 / 2 },
    });
    expect(traffic.read('1h').total).toMatchObject({ requests: 4, hitRatio: 1 / 2 });
    expect(traffic.listOperations('10m').map(({ operation }) => operation)).toEqual([
      'listPosts',
      'createPost',
      NO_OPERATION.gateway,
    ]);
  });

  test.each([
    ['10m', 60, 10 * MINUTE],
    ['1h', 60, HOUR],
    ['6h', 72, 6 * HOUR],
  ] as const)('has the points of a plot for %s, whose sum is the total', (span, count, length) => {
    const { clock, traffic } = createTraffic();
    for (let at = 0; at < 40; at += 1) {
      clock.now += length / 50;
      traffic.recordResponse('one', 200, HIT, 2);
    }
    const { pointMilliseconds, points, total } = traffic.read(span);
    expect([points.length, points.length * pointMilliseconds]).toEqual([count, length]);
    expect(points.reduce((sum, { requests }) => sum + requests, 0)).toBe(total.requests);
    expect(total.requests).toBeGreaterThanOrEqual(39);
    const times = points.map(({ time }) => time);
    expect(times).toEqual(times.map((_, at) => (times[0] ?? 0) + at * pointMilliseconds));
    expect(clock.now - (times.at(-1) ?? 0)).toBeLessThan(pointMilliseconds);
  });
});

describe('memory', () => {
  test('is bounded whatever the number of operations', () => {
    const { clock, traffic } = createTraffic();
    for (let at = 0; at < 5_000; at += 1) {
      clock.now += 10;
      traffic.recordResponse(`operation${at}`, 200, HIT, 2);
    }
    const operations = traffic.listOperations('1h');
    expect(operations).toHaveLength(MAX_OPERATIONS + 1);
    const other = operations.find(({ operation }) => operation === NO_OPERATION.other);
    expect(other?.summary.requests).toBe(5_000 - MAX_OPERATIONS);
    expect(traffic.read('10m').total.requests).toBe(5_000);
  });

  test('leaves those out that had no traffic for six hours', () => {
    const { clock, traffic } = createTraffic();
    for (let at = 0; at < MAX_OPERATIONS; at += 1) traffic.recordResponse(`op${at}`, 200, HIT, 1);
    clock.now += 3 * HOUR;
    for (const name of ['op7', 'further']) traffic.recordResponse(name, 200, HIT, 1);
    clock.now += 4 * HOUR;
    traffic.recordResponse('later', 200, HIT, 1);
    const names = traffic.listOperations('6h').map(({ operation }) => operation);
    expect(names).toEqual(['op7', NO_OPERATION.other, 'later']);
  });
});
