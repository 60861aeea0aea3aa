import type { Child } from 'hono/jsx';
import { formatNumber } from '../count-of.ts';
import type { Html } from './page.tsx';

/** A column. Cells of the first one head their rows. */
export interface Column<Row> {
  readonly heading: Child;
  /** Shown before the cell where rows are cards. @default `heading` */
  readonly name?: string;
  readonly cell: (row: Row) => Child;
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean;
  /** Sorts rows, the largest first. */
  readonly rank?: (row: Row) => number | null;
}

export function numbers<Row>(
  heading: Child,
  cell: (row: Row) => Child,
  rank?: Column<Row>['rank'],
): Column<Row> {
  return { heading, cell, isNumber: true, ...(rank && { rank }) };
}

/** Sorts rows by `sort` of a query, and makes headings links that sort. */
export function sortRows<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  query: URLSearchParams,
  anchor: string,
): { readonly columns: readonly Column<Row>[]; readonly rows: readonly Row[] } {
  const sort = query.get('sort');
  const rank = columns.find(({ heading, rank: own }) => own !== undefined && heading === sort)?.rank;
  const linked = columns.map((column): Column<Row> => {
    const { heading } = column;
    if (column.rank === undefined || typeof heading !== 'string') return column;
    const url = `?${new URLSearchParams({ ...Object.fromEntries(query), sort: heading })}#${anchor}`;
    const mark = heading === sort ? '\u00a0↓' : '';
    return { ...column, name: heading, heading: <a href={url}>{heading + mark}</a> };
  });
  const sorted = rank && rows.toSorted((one, other) => (rank(other) ?? -1) - (rank(one) ?? -1));
  return { columns: linked, rows: sorted ?? rows };
}

/** A table that scrolls to the side, so it can be focused. */
export function Table<Row>(props: {
  /** Accessible name. */
  readonly label: string;
  readonly look?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Number of all rows, if the table shows the first. */
  readonly total?: number;
  /** @default true */
  readonly isFocusable?: boolean;
}): Html {
  const { columns, isFocusable = true, label, look, rows, total = 0 } = props;
  const toName = ({ heading, name = typeof heading === 'string' ? heading : '' }: Column<Row>): string =>
    name;
  const toClass = ({ isNumber = false }: Column<Row>) => (isNumber ? 'number' : undefined);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a region is a landmark, of which a page would have many, and a fieldset is for fields. */}
      <div class="scroll" role="group" aria-label={label} tabindex={isFocusable ? 0 : undefined}>
        <table class={look}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th scope="col" class={toClass(column)}>
                  {column.heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr>
                {columns.map((column, index) =>
                  index === 0 ? (
                    <th scope="row">{column.cell(row)}</th>
                  ) : (
                    <td class={toClass(column)} data-name={toName(column)}>
                      {column.cell(row)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {total > rows.length ? <p>{`The first ${rows.length} of ${formatNumber(total)}.`}</p> : null}
    </>
  );
}
