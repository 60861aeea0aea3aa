import type { Child } from 'hono/jsx';
import { formatNumber } from '../count-of.ts';
import type { Html } from './page.tsx';

/** A column of a table. Cells of the first column head their rows. */
export interface Column<Row> {
  readonly heading: Child;
  readonly cell: (row: Row) => Child;
  /** Whether the cells are numbers, which stand at the right. */
  readonly isNumber?: boolean;
}

export function numbers<Row>(heading: Child, cell: (row: Row) => Child): Column<Row> {
  return { heading, cell, isNumber: true };
}

/** A table that scrolls to the side, so it can be focused. */
export function Table<Row>(props: {
  /** Accessible name of the table. */
  readonly label: string;
  readonly look?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Number of all rows, if the table shows the first of them. */
  readonly total?: number;
  /** @default true */
  readonly isFocusable?: boolean;
}): Html {
  const { columns, isFocusable = true, label, look, rows, total = 0 } = props;
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
                    <td class={toClass(column)}>{column.cell(row)}</td>
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
