import type { Child } from 'hono/jsx';
import { formatNumber } from '../../base/count-of.ts';
import type { Html } from './page.tsx';

export interface Column<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => Child;
  readonly isNumber?: boolean;
  readonly rank?: (row: Row) => number | null;
}

export function numbers<Row>(
  heading: string,
  rank: (row: Row) => number | null,
  format: (value: number) => string = formatNumber,
): Column<Row> {
  const cell = (row: Row): string => {
    const value = rank(row);
    return value === null ? '–' : format(value);
  };
  return { heading, cell, rank, isNumber: true };
}

/** A table that scrolls sideways, so the keyboard can focus it. On small screens, rows are cards. */
export function Table<Row>(props: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly empty?: string;
  readonly max?: number;
  /** The page's query, whose `sort` names a column, and the table's anchor. */
  readonly sorting?: readonly [query: URLSearchParams, anchor: string];
}): Html {
  const { columns, empty, label, max, rows, sorting } = props;
  if (rows.length === 0 && empty !== undefined) return <p>{empty}</p>;
  const [query, anchor] = sorting ?? [];
  const sorted = columns.find(({ heading, rank }) => rank !== undefined && heading === query?.get('sort'));
  const rank = (row: Row): number => sorted?.rank?.(row) ?? -1;
  const shown = rows.toSorted((one, other) => rank(other) - rank(one)).slice(0, max);
  const head = (column: Column<Row>): Child => {
    if (query === undefined || column.rank === undefined) return column.heading;
    const url = new URLSearchParams({ ...Object.fromEntries(query), sort: column.heading });
    return <a href={`?${url}#${anchor}`}>{column.heading + (column === sorted ? '\u00a0↓' : '')}</a>;
  };
  const toClass = ({ isNumber = false }: Column<Row>) => (isNumber ? 'number' : undefined);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a region is a landmark, of which a page would have many, and a fieldset is for fields. */}
      <div class="scroll" role="group" aria-label={label} tabindex={0}>
        <table class="folding">
          <thead>
            <tr>
              {columns.map((column) => (
                <th scope="col" class={toClass(column)}>
                  {head(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr>
                {columns.map((column, index) =>
                  index === 0 ? (
                    <th scope="row">{column.cell(row)}</th>
                  ) : (
                    <td class={toClass(column)} data-name={column.heading}>
                      {column.cell(row)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > shown.length ? (
        <p>{`The first ${shown.length} of ${formatNumber(rows.length)}.`}</p>
      ) : null}
    </>
  );
}
