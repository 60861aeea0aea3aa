/** A time limit on asynchronous work. */
export interface Deadline {
  /** Aborts when the time is up, and when the parent signal aborts. */
  readonly signal: AbortSignal;
  /** Whether the time is up. Stays `false` after an abort of the parent signal. */
  readonly hasPassed: () => boolean;
  /** Removes the timer and the listener on the parent signal. */
  readonly clear: () => void;
}

/** Starts a deadline. It also aborts when `parent` aborts. */
export function startDeadline(milliseconds: number, parent?: AbortSignal): Deadline {
  const controller = new AbortController();
  let passed = false;
  // `setTimeout` fires at once for delays above 2^31-1 ms.
  const timer = setTimeout(
    () => {
      passed = true;
      controller.abort(new DOMException('The time is up.', 'TimeoutError'));
    },
    Math.min(milliseconds, 2_147_483_647),
  );
  const abortWithParent = (): void => controller.abort(parent?.reason);
  if (parent?.aborted === true) abortWithParent();
  else parent?.addEventListener('abort', abortWithParent, { once: true });
  return {
    signal: controller.signal,
    hasPassed: () => passed,
    clear: () => {
      clearTimeout(timer);
      parent?.removeEventListener('abort', abortWithParent);
    },
  };
}

/** Returns a promise that settles like `promise`, or rejects when `signal` aborts. For work that ignores its signal. */
export async function withAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // Prevents an unhandled rejection if `promise` rejects after the abort.
  promise.catch(() => {});
  signal.throwIfAborted();
  let rejectOnAbort: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    rejectOnAbort = () => reject(signal.reason);
    signal.addEventListener('abort', rejectOnAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', rejectOnAbort);
  }
}
