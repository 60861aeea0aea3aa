/** @param {readonly number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/**
 * Formats one case as text with aligned columns.
 *
 * @param {{ case: string, contenders: readonly Record<string, string | number | null>[] }} result
 */
export function asTable(result) {
  const columns = Object.keys(result.contenders[0] ?? {});
  const rows = [
    columns,
    ...result.contenders.map((row) => columns.map((column) => String(row[column] ?? ''))),
  ];
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  const lines = rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  '),
  );
  return `${result.case}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
