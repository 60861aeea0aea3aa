/** What stands for a value that was not measured. */
const NONE = '–';

/** Formats a share of 0 to 1: `98.0 %`. */
export function toPercentage(share: number | null): string {
  return share === null ? NONE : `${(100 * share).toFixed(1)} %`;
}

/** Formats requests at the site per read: `0.12`. */
export function toRatio(ratio: number | null): string {
  return ratio === null ? NONE : ratio.toFixed(2);
}
