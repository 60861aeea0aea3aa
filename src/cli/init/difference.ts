/** Number of lines that are shown. The rest are counted. */
const MAX_LINES = 12;

/** Lists the lines that a file loses (`-`) and gains (`+`), for a person. Lines that only move are left out. */
export function describeDifference(current: string, replacement: string): string {
  const [before, after] = [current.split('\n'), replacement.split('\n')];
  const lines = [
    ...before.filter((line) => !after.includes(line)).map((line) => `  - ${line.trim()}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `  + ${line.trim()}`),
  ];
  const more = lines.length - MAX_LINES;
  if (lines.length === 0) return '  the order of its lines, or empty lines';
  return [...lines.slice(0, MAX_LINES), ...(more > 0 ? [`  and ${more} more lines`] : [])].join('\n');
}
