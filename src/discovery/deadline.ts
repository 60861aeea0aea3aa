/** A bound in time on something that is awaited. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Whether it was this bound that ended the wait. */
  readonly hasPassed: () => boolean;
  /** Gives the timer and the listener back. */
  readonly stop: () => void;
}

/** A deadline that also ends when `parent` does. */
export function startDeadline(milliseconds: number, parent?: AbortSignal): Deadline {
  const controller = new AbortController();
  let passed = false;
  // Longer delays than 2^31-1 ms would fire at once.
  const timer = setTimeout(
    () => {
      passed = true;
      controller.abort(new DOMException('The time is up.', 'TimeoutError'));
    },
    Math.min(milliseconds, 2_147_483_647),
  );
  const follow = (): void => controller.abort(parent?.reason);
  if (parent?.aborted === true) follow();
  else parent?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    hasPassed: () => passed,
    stop: () => {
      clearTimeout(timer);
      parent?.removeEventListener('abort', follow);
    },
  };
}

/** Waits for a promise until the signal ends the wait, also where whoever made the promise ignores the signal. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // Where the wait is over before it began, nobody else would hear that the promise failed.
  promise.catch(() => {});
  signal.throwIfAborted();
  let stop: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
