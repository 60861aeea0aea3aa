import { formatNumber } from '../../count-of.ts';
import type { Html } from '../../docs/pages/html.ts';
import { formatDuration, formatRate, formatShare } from '../shell/number-format.ts';
import { Plot } from './plot.tsx';
import { computeRate, formatClock, type TrafficChart, type TrafficFigures } from './traffic-figures.ts';

/** The names and colours of the cache's results in plots. The colour of errors is not among them. */
const OUTCOMES = [
  ['hit', 'stored', 1],
  ['stale', 'stored, stale', 2],
  ['miss', 'fetched', 4],
  ['bypass', 'not for the store', 5],
  ['none', 'by the gateway', 6],
] as const;

/** The sums of a span, and its plots. */
export function TrafficPlots({ chart }: { readonly chart: TrafficChart }): Html {
  const { points, total } = chart;
  const times = points.map(({ time }) => time);
  const pick = (read: (figures: TrafficFigures) => number | null) => points.map(read);
  return (
    <>
      <dl class="figures">
        <Figure
          name="Requests"
          value={formatNumber(total.requests)}
          detail={formatRate(computeRate(chart))}
        />
        <Figure
          name="From the store"
          value={formatShare(total.hitRatio)}
          detail="of the requests for the site"
        />
        <Figure
          name="Half are faster than"
          value={formatDuration(total.p50)}
          detail={`95 %: ${formatDuration(total.p95)}, 99 %: ${formatDuration(total.p99)}`}
        />
        <Figure
          name="Errors"
          value={formatNumber(total.serverErrors)}
          detail={`and ${formatNumber(total.clientErrors)} refused requests (4xx)`}
        />
        <Figure
          name="Sent to the site"
          value={formatNumber(total.upstream.requests)}
          detail={`${formatNumber(total.upstream.errors)} failed`}
        />
        <Figure
          name="Time of the site"
          value={formatDuration(total.upstream.mean)}
          detail={`on average; 95 %: ${formatDuration(total.upstream.p95)}`}
        />
      </dl>
      <div class="plots">
        <Plot
          id="plot-requests"
          title="Requests"
          description={`${formatNumber(total.requests)} requests, ${formatShare(total.hitRatio)} from the store.`}
          kind="bars"
          series={OUTCOMES.map(([outcome, name, colour]) => ({
            name,
            colour,
            values: pick(({ outcomes }) => outcomes[outcome]),
          }))}
          times={times}
          formatValue={formatNumber}
        />
        <Plot
          id="plot-latency"
          title="Response time"
          description={`Half of the responses took less than ${formatDuration(total.p50)}, 95 % less than ${formatDuration(total.p95)}.`}
          kind="lines"
          series={[
            { name: 'half', values: pick(({ p50 }) => p50) },
            { name: '95 %', values: pick(({ p95 }) => p95) },
            { name: '99 %', values: pick(({ p99 }) => p99) },
          ]}
          times={times}
          formatValue={formatDuration}
        />
        <Plot
          id="plot-upstream"
          title="Time of the site"
          description={`The site took ${formatDuration(total.upstream.mean)} on average.`}
          kind="lines"
          series={[
            { name: 'average', values: pick(({ upstream }) => upstream.mean) },
            { name: '95 %', values: pick(({ upstream }) => upstream.p95) },
          ]}
          times={times}
          formatValue={formatDuration}
        />
        <Plot
          id="plot-errors"
          title="Errors"
          description={`${formatNumber(total.serverErrors)} error responses, ${formatNumber(total.upstream.errors)} failed requests to the site, ${formatNumber(total.clientErrors)} refused requests.`}
          kind="bars"
          series={[
            { name: 'refused (4xx)', colour: 2, values: pick(({ clientErrors }) => clientErrors) },
            { name: 'failed (5xx)', colour: 3, values: pick(({ serverErrors }) => serverErrors) },
          ]}
          times={times}
          formatValue={formatNumber}
        />
      </div>
    </>
  );
}

/** The values of the plots as a table. Points without traffic are left out. */
export function TrafficValues({ chart }: { readonly chart: TrafficChart }): Html {
  const points = chart.points
    .filter(({ requests, upstream }) => requests > 0 || upstream.requests > 0)
    .toReversed();
  return (
    <details id="plot-values">
      <summary>Values of the plots</summary>
      {points.length === 0 ? <p>No requests in this time.</p> : null}
      <section class="scroll" aria-label="Values of the plots" tabindex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">from (UTC)</th>
              <th scope="col">requests</th>
              {OUTCOMES.map(([, name]) => (
                <th scope="col">{name}</th>
              ))}
              <th scope="col">4xx</th>
              <th scope="col">5xx</th>
              <th scope="col">half</th>
              <th scope="col">95 %</th>
              <th scope="col">site</th>
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr>
                <th scope="row">{formatClock(point.time)}</th>
                <td>{formatNumber(point.requests)}</td>
                {OUTCOMES.map(([outcome]) => (
                  <td>{formatNumber(point.outcomes[outcome])}</td>
                ))}
                <td>{formatNumber(point.clientErrors)}</td>
                <td>{formatNumber(point.serverErrors)}</td>
                <td>{formatDuration(point.p50)}</td>
                <td>{formatDuration(point.p95)}</td>
                <td>{formatDuration(point.upstream.mean)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
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
