import { describe, expect, test } from 'vitest';
import { NO_OPERATION, SiteTraffic } from '../../../../src/gateway/site/traffic/site-traffic.ts';
import { startGateway } from '../../../support/gateway.ts';
import { GatewayClock } from '../../../support/gateway-clock.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 21, 7);
function createTraffic() {
  const clock = { now: START };
  return { clock, traffic: new SiteTraffic(() => clock.now) };
}

const ending = (status: number, duration: number) =>
  ({ status, sent: status, end: 'complete', duration, bytes: 0 }) as const;

interface Read {
  /** @default the address has a stored response, with 60 s to live */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Seconds since it was stored. */
  readonly after?: number;
  readonly isSoftPurged?: boolean;
  readonly failure?: 500 | 'hang-up';
}

test.each<[outcome: string, Read]>([
  ['hit', {}],
  ['stale', { after: 60.5 }],
  ['stale', { after: 90 }],
  ['stale', { after: 60.5, headers: { 'cache-control': 'max-age=60' }, failure: 500 }],
  ['stale', { after: 90, headers: { 'cache-control': 'max-age=60' }, failure: 500 }],
  ['stale', { isSoftPurged: true, failure: 500 }],
  ['stale', { isSoftPurged: true, failure: 'hang-up' }],
  ['miss', { isSoftPurged: true }],
  ['miss', { path: '/new/' }],
  ['miss', { path: '/new/', failure: 500 }],
  ['bypass', { headers: { authorization: 'Basic YTpi' } }],
  ['none', { path: '/new/', headers: { 'cache-control': 'only-if-cached' } }],
])('counts as %s: %j', async (outcome, { after = 1, failure, headers = {}, isSoftPurged, path = '/a/' }) => {
  let failing: Read['failure'];
  const clock = new GatewayClock();
  const { administer, read, readMetrics } = await startGateway({ gateway: { clock } }, (_, __, response) => {
    if (failing === 'hang-up') return void response.destroy();
    return failing === undefined ? { headers: { etag: '"1"' }, body: '<p>a</p>' } : { status: failing };
  });
  const count = async (): Promise<readonly string[]> => {
    const counted = (await readMetrics()).matchAll(
      /^waygate_operation_duration_seconds_count.*"pages".*cache="(.*)"} (\d+)$/gm,
    );
    return [...counted].flatMap(([, name = '', number]) => Array<string>(Number(number)).fill(name));
  };
  await read('/a/');
  await expect.poll(count).toEqual(['miss']);
  clock.pass(after * 1_000);
  if (isSoftPurged) await administer('/-/purge', { all: true, soft: true });
  failing = failure;
  await read(path, headers);
  await expect.poll(async () => (await count()).toSorted()).toEqual(['miss', outcome].toSorted());
});

describe('the traffic of a site', () => {
  test('is summed over each span, and by operation since the start', () => {
    const { clock, traffic } = createTraffic();
    traffic.record('listPosts', 'hit', ending(200, 1));
    clock.now += 30 * MINUTE;
    traffic.record('listPosts', 'miss', ending(200, 80));
    traffic.recordUpstream('listPosts', 200, 78);
    traffic.record('createPost', 'bypass', ending(502, 900));
    traffic.recordUpstream('createPost', null, 899);
    for (const method of ['GET', 'HEAD'])
      traffic.record(`${NO_OPERATION.gateway} ${method}`, 'none', ending(200, 3));

    const { total } = traffic.read('10m');
    expect(total).toMatchObject({
      requests: 4,
      outcomes: { hit: 0, stale: 0, miss: 1, bypass: 1, none: 2 },
      hitRatio: 0,
      serverErrors: 1,
      upstream: { requests: 2, errors: 1, mean: 977 / 2 },
    });
    expect(traffic.read('1h').total).toMatchObject({ requests: 5, hitRatio: 1 / 3 });
    const none = { hits: 0, hitRatio: null, clientErrors: 0, serverErrors: 0, left: 0 };
    expect(traffic.durations.listOperations()).toEqual([
      {
        ...{ operation: 'listPosts', requests: 2, hits: 1, hitRatio: 1 / 2, mean: 81 / 2 },
        ...{
          clientErrors: 0,
          serverErrors: 0,
          left: 0,
          upstream: { requests: 1, errors: 0, unanswered: 0, mean: 78 },
        },
      },
      {
        ...{ ...none, operation: 'createPost', requests: 1, hitRatio: 0, serverErrors: 1, mean: 900 },
        upstream: { requests: 1, errors: 1, unanswered: 1, mean: 899 },
      },
      {
        ...{ ...none, operation: NO_OPERATION.gateway, requests: 2, mean: 3 },
        upstream: { requests: 0, errors: 0, unanswered: 0, mean: null },
      },
    ]);
    expect(traffic.durations.summarize('all')).toMatchObject({ operation: 'all', requests: 5, hits: 1 });
  });
});

test('a percentile never exceeds the longest time', () => {
  const { traffic } = createTraffic();
  for (const milliseconds of [40, 5_100, 6_400]) {
    traffic.record('listPosts', 'miss', ending(200, milliseconds));
    traffic.recordUpstream('listPosts', 200, milliseconds);
  }
  const { p95, upstream } = traffic.readMinutes(5);
  expect([p95, upstream.p95]).toEqual([
    upstream.p95,
    expect.toSatisfy((p: number) => p > 5_100 && p <= 6_400),
  ]);
});

test('nothing is so since before the start', () => {
  const clock = { now: START + MINUTE / 2 };
  const traffic = new SiteTraffic(() => clock.now);
  traffic.record('listPosts', 'miss', ending(500, 80));
  expect(traffic.findSince(({ serverErrors }) => serverErrors > 0)).toBe(clock.now);
});

describe('memory', () => {
  test('is bounded whatever the number of operations', () => {
    const { clock, traffic } = createTraffic();
    for (let at = 0; at < 5_000; at += 1) {
      clock.now += 10;
      traffic.record(`operation${at}`, 'hit', ending(200, 2));
    }
    const operations = traffic.durations.listOperations();
    expect(operations.length).toBeLessThan(500);
    const other = operations.find(({ operation }) => operation === NO_OPERATION.other);
    expect(other?.requests).toBe(5_000 - (operations.length - 1));
    expect(traffic.read('10m').total.requests).toBe(5_000);
  });
});
