// @ts-check

/** @typedef {{ minute: number, name: string, failed: unknown[], stale: unknown[], failedAtSite: number, p99: number, memory: number, descriptors: number }} Row */

const [WIDTH, HEIGHT, LEFT] = [900, 90, 60];
const escapeText = (/** @type {string} */ text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Draws the minutes of a run as an SVG picture: a panel for each value, with the faults as titles. @param {readonly Row[]} rows */
export function drawPicture(rows) {
  /** @type {readonly (readonly [title: string, value: (row: Row) => number])[]} */
  const panels = [
    ['p99, ms', ({ p99 }) => p99],
    ['memory of one gateway (RSS), MiB', ({ memory }) => memory],
    ['open descriptors', ({ descriptors }) => descriptors],
    ['failed while the site failed', ({ failedAtSite }) => failedAtSite],
    ['failed although the site answers, and stale', ({ failed, stale }) => failed.length + stale.length],
  ];
  const step = (WIDTH - LEFT - 10) / rows.length;
  const drawn = panels.map(([title, value], index) => {
    const most = Math.max(1, ...rows.map(value));
    const top = index * (HEIGHT + 30) + 20;
    const bars = rows.map((row, at) => {
      const height = (value(row) / most) * HEIGHT;
      const place = `x="${(LEFT + at * step).toFixed(1)}" y="${(top + HEIGHT - height).toFixed(1)}"`;
      const size = `width="${Math.max(1, step - 1).toFixed(1)}" height="${height.toFixed(1)}"`;
      return `<rect ${place} ${size}><title>minute ${row.minute}: ${value(row)}, ${escapeText(row.name)}</title></rect>`;
    });
    const axis = `<path d="M${LEFT} ${top + HEIGHT}H${WIDTH - 10}" stroke="#888"/>`;
    return `<text x="${LEFT}" y="${top - 6}">${title}</text><text x="4" y="${top + 10}">${most}</text>${axis}<g fill="#36c">${bars.join('')}</g>`;
  });
  const height = panels.length * (HEIGHT + 30) + 10;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12"><title>p99, memory, descriptors and failures of each minute</title>${drawn.join('\n')}</svg>\n`;
}
