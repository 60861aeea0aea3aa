import type { Clock } from '../../ports.ts';

/** Items that are visited before other work gets its turn. Visiting as many takes a few milliseconds. */
const SLICE = 1_000;

/** Visits items in slices, so that requests are served in between. */
export async function visitInSlices<T>(
  items: Iterable<T>,
  clock: Pick<Clock, 'after'>,
  visit: (item: T) => void,
): Promise<void> {
  let visited = 0;
  for (const item of items) {
    visit(item);
    visited += 1;
    if (visited % SLICE === 0) await new Promise<void>((resolve) => void clock.after(0, resolve));
  }
}
