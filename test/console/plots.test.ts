import { describe, expect, test } from 'vitest';
import { drawLines } from '../../src/console/plot.tsx';
import { operationTable, trafficPlots } from '../../src/console/traffic.tsx';
import type { TrafficSeries } from '../../src/site/traffic/site-traffic.ts';
import type { TrafficSummary } from '../../src/site/traffic/traffic-counters.ts';
import { formatDuration, formatRate, formatShare } from '../../src/ui/format.ts';

const IDLE: TrafficSummary = {
  requests: 0,
  outcomes: { hit: 0, stale: 0, miss: 0, bypass: 0, none: 0 },
  hitRatio: null,
  succeeded: 0,
  redirected: 0,
  clientErrors: 0,
  serverErrors: 0,
  p50: null,
  p95: null,
  p99: null,
  upstream: { requests: 0, errors: 0, mean: null, p95: null },
};
const BUSY: TrafficSummary = {
  requests: 12,
  outcomes: { hit: 6, stale: 1, miss: 2, bypass: 2, none: 1 },
  hitRatio: 7 / 11,
  succeeded: 8,
  redirected: 0,
  clientErrors: 3,
  serverErrors: 1,
  p50: 0.7,
  p95: 14,
  p99: 1_450,
  upstream: { requests: 5, errors: 4, mean: 34, p95: 145 },
};
const START = Date.UTC(2026, 10, 21, 14, 31);

function createChart(pointMilliseconds: number): TrafficSeries {
  const figures = [IDLE, BUSY, IDLE, IDLE];
  return {
    span: '10m',
    total: BUSY,
    pointMilliseconds,
    observedMilliseconds: 4 * pointMilliseconds,
    points: figures.map((each, at) => ({ ...each, time: START + at * pointMilliseconds })),
  };
}
const render = async (chart: TrafficSeries): Promise<string> => String(await trafficPlots(chart));

/** The first groups of all matches. */
const findAll = (html: string, pattern: RegExp): readonly string[] =>
  Array.from(html.matchAll(pattern), ([, found = '']) => found);

describe('the plots of the traffic', () => {
  test('have a scale with its top, its middle and zero, and times', async () => {
    const html = await render(createChart(10_000));
    const scales = findAll(html, /<div class="plot-scale"[^>]*>(.*?)<\/div>/g);
    expect(scales.map((scale) => findAll(scale, /<span>(.*?)<\/span>/g))).toEqual([
      ['12', '6', '0'],
      ['1.6\u00a0s', '800\u00a0ms', '0'],
      ['160\u00a0ms', '80\u00a0ms', '0'],
      ['4', '2', '0'],
    ]);
    expect(html).toMatch(/<div class="plot-times"[^>]*><span>14:31<\/span>.*?<span>14:31\u00a0UTC<\/span>/);
  });

  test('name the values of each point that has any', async () => {
    expect(findAll(await render(createChart(10_000)), /<title>(.*?)<\/title>/g)).toEqual([
      '14:31:10 UTC: hit 7, miss 2, bypass 2, gateway 1, total 12',
      '14:31:10 UTC: p50 0.7\u00a0ms, p95 14\u00a0ms, p99 1.4\u00a0s',
      '14:31:10 UTC: mean 34\u00a0ms, p95 145\u00a0ms',
      '14:31:10 UTC: 4xx 3, 5xx 1, total 4',
    ]);
  });

  test('have no two series of the same colour and mark, and no inline style', async () => {
    const html = await render(createChart(10_000));
    for (const legend of findAll(html, /<ul class="plot-legend">(.*?)<\/ul>/g)) {
      const looks = findAll(legend, /<path class="([^"]+)"/g);
      expect(new Set(looks).size).toBe(looks.length);
      expect(looks.length).toBeGreaterThan(1);
    }
    expect(html).not.toContain('style=');
  });
});

test('figures and plot count the same 4xx and 5xx', async () => {
  const chart = createChart(10_000);
  const html = await render(chart);
  expect(html).toMatch(/4xx responses<\/dt><dd><b>3<\/b> <small>25\.0\u00a0% of the requests/);
  expect(html).toMatch(/5xx responses<\/dt><dd><b>1<\/b>/);
  expect(html).toContain('3 responses with 4xx, 1 with 5xx.');
});

test('the table of operations begins with those that have most requests', async () => {
  const rows = [
    { method: 'GET', name: '/idle', figures: { ...BUSY, requests: 1, hitRatio: null, p95: null } },
    { method: 'GET', name: '/busy', figures: { ...BUSY, requests: 40 } },
  ];
  const html = String(await operationTable(rows));
  expect(html.indexOf('/busy')).toBeLessThan(html.indexOf('/idle'));
});

test.each([
  [formatShare(0.98), '98.0\u00a0%'],
  [formatShare(null), '–'],
  [formatDuration(9.64), '9.6\u00a0ms'],
  [formatDuration(1_450), '1.4\u00a0s'],
  [formatRate(1_852.6), '1,853/min'],
  [formatRate(4), '4/min'],
])('a number is formatted as %s', (text, expected) => expect(text).toBe(expected));

describe('a drawing', () => {
  test('interrupts a line at a gap, and shows a point between two gaps', () => {
    const values = [0, 4, null, 2, null];
    expect(drawLines([{ name: 'a', colour: 'blue', values }], 4)).toEqual([
      'M2.5 100H5L15 0h2.5M32.5 50H35h2.5',
    ]);
  });
});
