import type { Html } from '../../docs/pages/html.ts';
import { formatCell, POINT_COLUMNS } from './traffic-columns.ts';
import { formatClock, type TrafficChart } from './traffic-figures.ts';

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
              {POINT_COLUMNS.map(({ heading }) => (
                <th scope="col" class="number">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr>
                <th scope="row">{formatClock(point.time, chart.pointMilliseconds)}</th>
                {POINT_COLUMNS.map((column) => (
                  <td class="number">{formatCell(column, point)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
