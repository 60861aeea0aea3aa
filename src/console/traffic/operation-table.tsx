import { toPlainText } from '../../docs/details/plain-text.ts';
import type { Html } from '../../docs/pages/html.ts';
import { Method } from '../../docs/pages/parts.tsx';
import {
  formatCell,
  OPERATION_COLUMNS,
  OPERATION_SORTS,
  type OperationSort,
  SORT_DIRECTIONS,
} from './traffic-columns.ts';
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

/** Maximum rows of the table. */
const MAX_ROWS = 100;

/** Sorts operations, with the most noteworthy first. Those without a value come last. */
export function sortOperations(rows: readonly OperationRow[], sort: OperationSort): readonly OperationRow[] {
  const { read } = OPERATION_COLUMNS[sort];
  const sign = SORT_DIRECTIONS[sort] === 'ascending' ? -1 : 1;
  const weigh = ({ figures }: OperationRow): number => {
    const value = read(figures);
    return value === null ? -Infinity : sign * value;
  };
  const compare = (one: number, other: number): number => (one === other ? 0 : other > one ? 1 : -1);
  return rows.toSorted(
    (one, other) =>
      compare(weigh(one), weigh(other)) || compare(one.figures.requests, other.figures.requests),
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
                <SortHeading column={each} sort={sort} url={toSortUrl(each)} />
              ))}
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

/** The heading of a column, which leads to the order by it. */
function SortHeading(props: {
  readonly column: OperationSort;
  readonly sort: OperationSort;
  readonly url: string;
}): Html {
  const { column, sort, url } = props;
  const direction = column === sort ? SORT_DIRECTIONS[column] : undefined;
  return (
    <th scope="col" class="number" aria-sort={direction}>
      <a href={url}>{OPERATION_COLUMNS[column].heading}</a>
      {direction === undefined ? null : (
        <span aria-hidden="true">{direction === 'ascending' ? '\u00a0▲' : '\u00a0▼'}</span>
      )}
    </th>
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
      {OPERATION_SORTS.map((each) => (
        <td class="number">{formatCell(OPERATION_COLUMNS[each], figures)}</td>
      ))}
    </tr>
  );
}
