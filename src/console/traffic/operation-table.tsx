import { formatNumber } from '../../count-of.ts';
import { toPlainText } from '../../docs/details/plain-text.ts';
import type { Html } from '../../docs/pages/html.ts';
import { Method } from '../../docs/pages/parts.tsx';
import { formatDuration, formatShare } from '../shell/number-format.ts';
import type { TrafficFigures } from './traffic-figures.ts';

/** The traffic of one operation, or of what belongs to no operation. */
export interface OperationRow {
  /** Address of its page, relative to the page of the table. */
  readonly url: string;
  /** `null` for what is no operation. */
  readonly method: string | null;
  /** Path template, or a name. */
  readonly name: string;
  readonly figures: TrafficFigures;
}

/** Columns that the table can be sorted by. */
export const OPERATION_SORTS = ['requests', 'p95', 'errors', 'hits'] as const;
export type OperationSort = (typeof OPERATION_SORTS)[number];

const HEADINGS: Readonly<Record<OperationSort, string>> = {
  requests: 'requests',
  p95: '95 % within',
  errors: 'errors',
  hits: 'from the store',
};

/** Maximum rows of the table. */
const MAX_ROWS = 100;

/** Sorts operations, with the most noteworthy first: most requests, slowest, most errors, fewest hits. */
export function sortOperations(rows: readonly OperationRow[], sort: OperationSort): readonly OperationRow[] {
  const weigh: Readonly<Record<OperationSort, (figures: TrafficFigures) => number>> = {
    requests: ({ requests }) => requests,
    p95: ({ p95 }) => p95 ?? -1,
    errors: ({ serverErrors, upstream }) => Math.max(serverErrors, upstream.errors),
    hits: ({ hitRatio }) => (hitRatio === null ? -1 : 1 - hitRatio),
  };
  const weight = weigh[sort];
  return rows.toSorted(
    (one, other) =>
      weight(other.figures) - weight(one.figures) || other.figures.requests - one.figures.requests,
  );
}

/** The operations of a site. */
export function OperationTable(props: {
  readonly rows: readonly OperationRow[];
  readonly sort: OperationSort;
  /** Address of the page with another order. */
  readonly toSortUrl: (sort: OperationSort) => string;
}): Html {
  const { rows, sort, toSortUrl } = props;
  if (rows.length === 0) return <p>No requests in this time.</p>;
  return (
    <>
      <section class="scroll" aria-label="Operations" tabindex={0}>
        <table class="operation-traffic">
          <thead>
            <tr>
              <th scope="col">operation</th>
              {OPERATION_SORTS.map((each) => (
                <th
                  scope="col"
                  aria-sort={each !== sort ? undefined : each === 'hits' ? 'ascending' : 'descending'}
                >
                  <a href={toSortUrl(each)}>{HEADINGS[each]}</a>
                </th>
              ))}
              <th scope="col">time of the site</th>
            </tr>
          </thead>
          <tbody>
            {sortOperations(rows, sort)
              .slice(0, MAX_ROWS)
              .map((row) => (
                <Row row={row} />
              ))}
          </tbody>
        </table>
      </section>
      {rows.length > MAX_ROWS ? <p>{`The first ${MAX_ROWS} of ${rows.length}.`}</p> : null}
    </>
  );
}

function Row({ row }: { readonly row: OperationRow }): Html {
  const { figures, method, name, url } = row;
  return (
    <tr>
      <th scope="row">
        {method === null ? null : (
          <>
            <Method method={method} />{' '}
          </>
        )}
        <a href={url}>{toPlainText(name, 120)}</a>
      </th>
      <td>{formatNumber(figures.requests)}</td>
      <td>{formatDuration(figures.p95)}</td>
      <td>{formatNumber(Math.max(figures.serverErrors, figures.upstream.errors))}</td>
      <td>{formatShare(figures.hitRatio)}</td>
      <td>{formatDuration(figures.upstream.mean)}</td>
    </tr>
  );
}
