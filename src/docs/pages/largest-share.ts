/**
 * Finds the largest number of items that each group may show, so that all together show at most `total`.
 *
 * @param sizes number of items of each group. Small groups leave their share to others.
 * @param least each group may show this many, even if all together then show more
 */
export function findLargestShare(sizes: readonly number[], total: number, least: number): number {
  let remaining = total;
  let groups = sizes.length;
  for (const size of [...sizes].sort((one, other) => one - other)) {
    const share = Math.floor(remaining / groups);
    if (size > share) return Math.max(least, share);
    remaining -= size;
    groups -= 1;
  }
  return Number.POSITIVE_INFINITY;
}
