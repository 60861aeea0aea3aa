/*
 * A limit of the work that one validation may take on the event loop. Validation is synchronous, and its cost depends on
 * the value (600,000 members), on the schema (a site's `anyOf` in `anyOf`) and on both (a pattern on megabytes). So each
 * step counts an estimate of its time before it runs. The estimate depends on value and schema alone: whether a request is
 * validated does not depend on how busy the machine is.
 */

/** Default of the work of one request, in nanoseconds: parsing and validation of its body. */
export const DEFAULT_WORK_LIMIT = 50_000_000;

/** Of one visit of a value by one schema. */
export const NS_PER_VALUE = 1000;
/** Of one member or item, when a collection is listed. */
export const NS_PER_MEMBER = 250;
/** Of one character, when a text is copied or searched. */
export const NS_PER_CHARACTER = 5;
/** Of one character, when a text is split or rewritten. */
export const NS_PER_REWRITTEN_CHARACTER = 200;

const EXCEEDED: unique symbol = Symbol('work limit exceeded');

/** Without limit, validation of trusted input runs to its end. */
let remaining = Number.POSITIVE_INFINITY;

/**
 * Runs synchronous work within a limit.
 *
 * @param nanoseconds estimated time
 * @param onExceeded gives the result if the work exceeds the limit
 */
export function limitWork<T>(nanoseconds: number, work: () => T, onExceeded: () => T): T {
  const outer = remaining;
  remaining = nanoseconds;
  try {
    return work();
  } catch (cause) {
    if (cause !== EXCEEDED) throw cause;
    return onExceeded();
  } finally {
    remaining = outer;
  }
}

/** Counts work before it is done. Ends the enclosing {@link limitWork} if its limit is exceeded. */
export function spendWork(nanoseconds: number): void {
  remaining -= nanoseconds;
  if (remaining < 0) throw EXCEEDED;
}

/** Work that is left, in nanoseconds. */
export function remainingWork(): number {
  return remaining;
}
