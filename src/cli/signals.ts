/** Resolves with the first SIGTERM or SIGINT. */
export function waitForStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals): void => {
      process.off('SIGTERM', stop).off('SIGINT', stop);
      resolve(signal);
    };
    process.on('SIGTERM', stop).on('SIGINT', stop);
  });
}

/** Returns a signal that the first SIGTERM or SIGINT aborts, and a function that restores the handlers. */
export function abortOnSignal(): { readonly signal: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController();
  const abort = (): void => {
    controller.abort();
    stop();
  };
  const stop = (): void => {
    process.off('SIGTERM', abort).off('SIGINT', abort);
  };
  process.on('SIGTERM', abort).on('SIGINT', abort);
  return { signal: controller.signal, stop };
}

/** Waits for `stop`. If a stop signal arrives before it finishes, the process exits at once with code 0. */
export async function stopOrExitOnSignal(stop: () => Promise<void>): Promise<void> {
  const interrupted = waitForStopSignal().then(() => true);
  if (await Promise.race([stop().then(() => false), interrupted])) process.exit(0);
}
