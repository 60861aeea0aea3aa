import { formatNumber } from '../../count-of.ts';
import type { Html } from '../../docs/pages/html.ts';
import { formatDuration, formatRate, formatShare } from '../shell/number-format.ts';
import { Plot, type PlotProps } from './plot.tsx';
import { OUTCOMES } from './traffic-columns.ts';
import { computeRate, type TrafficChart, type TrafficFigures } from './traffic-figures.ts';

/** The sums of a span, and its plots. */
export function TrafficPlots({ chart }: { readonly chart: TrafficChart }): Html {
  return (
    <>
      <Sums chart={chart} />
      <div class="plots">
        {createPlots(chart).map((plot) => (
          <Plot {...plot} />
        ))}
      </div>
    </>
  );
}

function Sums({ chart }: { readonly chart: TrafficChart }): Html {
  const { total } = chart;
  const { clientErrors, requests, serverErrors, upstream } = total;
  const share = (count: number): string =>
    `${formatShare(requests === 0 ? null : count / requests)} of the requests`;
  return (
    <dl class="figures">
      <Figure name="Requests" value={formatNumber(requests)} detail={formatRate(computeRate(chart))} />
      <Figure name="Hit ratio" value={formatShare(total.hitRatio)} detail="stale hits included" />
      <Figure
        name="Response time, p50"
        value={formatDuration(total.p50)}
        detail={`p95\u00a0${formatDuration(total.p95)}, p99\u00a0${formatDuration(total.p99)}`}
      />
      <Figure name="4xx responses" value={formatNumber(clientErrors)} detail={share(clientErrors)} />
      <Figure name="5xx responses" value={formatNumber(serverErrors)} detail={share(serverErrors)} />
      <Figure
        name="Upstream requests"
        value={formatNumber(upstream.requests)}
        detail={`${formatNumber(upstream.errors)} failed`}
      />
      <Figure
        name="Upstream time, mean"
        value={formatDuration(upstream.mean)}
        detail={`p95\u00a0${formatDuration(upstream.p95)}`}
      />
    </dl>
  );
}

function createPlots({ pointMilliseconds, points, total }: TrafficChart): readonly PlotProps[] {
  const pick = (read: (figures: TrafficFigures) => number | null): readonly (number | null)[] =>
    points.map(read);
  const base = { pointMilliseconds, times: points.map(({ time }) => time) };
  const { clientErrors, hitRatio, p50, p95, p99, requests, serverErrors, upstream } = total;
  return [
    {
      ...base,
      id: 'plot-requests',
      title: 'Requests',
      description: `${formatNumber(requests)} requests, hit ratio ${formatShare(hitRatio)}.`,
      kind: 'bars',
      formatValue: formatNumber,
      series: OUTCOMES.map(({ outcome, ...look }) => ({
        ...look,
        values: pick(({ outcomes }) => outcomes[outcome]),
      })),
    },
    {
      ...base,
      id: 'plot-latency',
      title: 'Response time',
      description: `p50 ${formatDuration(p50)}, p95 ${formatDuration(p95)}, p99 ${formatDuration(p99)}.`,
      kind: 'lines',
      formatValue: formatDuration,
      series: [
        { name: 'p50', colour: 'blue', values: pick((figures) => figures.p50) },
        { name: 'p95', colour: 'orange', mark: 'dashed', values: pick((figures) => figures.p95) },
        { name: 'p99', colour: 'dark', mark: 'dotted', values: pick((figures) => figures.p99) },
      ],
    },
    {
      ...base,
      id: 'plot-upstream',
      title: 'Upstream time',
      description: `Mean ${formatDuration(upstream.mean)}, p95 ${formatDuration(upstream.p95)}.`,
      kind: 'lines',
      formatValue: formatDuration,
      series: [
        { name: 'mean', colour: 'blue', values: pick((figures) => figures.upstream.mean) },
        { name: 'p95', colour: 'orange', mark: 'dashed', values: pick((figures) => figures.upstream.p95) },
      ],
    },
    {
      ...base,
      id: 'plot-errors',
      title: '4xx and 5xx',
      description: `${formatNumber(clientErrors)} responses with 4xx, ${formatNumber(serverErrors)} with 5xx.`,
      kind: 'bars',
      formatValue: formatNumber,
      series: [
        { name: '4xx', colour: 'orange', mark: 'striped', values: pick((figures) => figures.clientErrors) },
        { name: '5xx', colour: 'red', values: pick((figures) => figures.serverErrors) },
      ],
    },
  ];
}

function Figure(props: { readonly name: string; readonly value: string; readonly detail: string }): Html {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>
        <b>{props.value}</b> <small>{props.detail}</small>
      </dd>
    </div>
  );
}
