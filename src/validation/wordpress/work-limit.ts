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

/**
 * The work that is left in the enclosing {@link limitWork}, which sets it for the time of a synchronous call. Without one
 * there is no limit. Passed as an argument, it would go through every function of the validator.
 */
const enclosing = { remaining: Number.POSITIVE_INFINITY };

/**
 * Runs synchronous work within a limit.
 *
 * @param nanoseconds estimated time
 * @param onExceeded gives the result if the work exceeds the limit
 */
export function limitWork<T>(nanoseconds: number, work: () => T, onExceeded: () => T): T {
  const outer = enclosing.remaining;
  enclosing.remaining = nanoseconds;
  try {
    return work();
  } catch (cause) {
    if (cause !== EXCEEDED) throw cause;
    return onExceeded();
  } finally {
    enclosing.remaining = outer;
  }
}

/** Begins a limit, as {@link limitWork} does. @returns the argument of {@link endWork}, which must follow */
export function startWork(nanoseconds: number): number {
  const outer = enclosing.remaining;
  enclosing.remaining = nanoseconds;
  return outer;
}

export function endWork(outer: number): void {
  enclosing.remaining = outer;
}

/** Whether an exception ended work that exceeds its limit. */
export function isWorkExceeded(cause: unknown): boolean {
  return cause === EXCEEDED;
}

/** Counts work before it is done. Ends the enclosing {@link limitWork} if its limit is exceeded. */
export function spendWork(nanoseconds: number): void {
  enclosing.remaining -= nanoseconds;
  if (enclosing.remaining < 0) throw EXCEEDED;
}

/** Work that is left, in nanoseconds. */
export function remainingWork(): number {
  return enclosing.remaining;
}
