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

/** What {@link abortOnSignal} returns. */
export interface Interruption {
  /** Aborted by the first SIGTERM or SIGINT. */
  readonly signal: AbortSignal;
  /** Restores the handlers. */
  readonly stop: () => void;
  /** The exit code that shells report for the signal; `undefined` if none arrived. */
  readonly exitCode: () => 130 | 143 | undefined;
}

/** Handles the first SIGTERM or SIGINT; the second ends the process. */
export function abortOnSignal(): Interruption {
  const controller = new AbortController();
  let exitCode: 130 | 143 | undefined;
  const abort = (code: 130 | 143): void => {
    exitCode = code;
    controller.abort();
    stop();
  };
  const interrupt = (): void => abort(130);
  const terminate = (): void => abort(143);
  const stop = (): void => {
    process.off('SIGTERM', terminate).off('SIGINT', interrupt);
  };
  process.on('SIGTERM', terminate).on('SIGINT', interrupt);
  return { signal: controller.signal, stop, exitCode: () => exitCode };
}

/** Waits for `stop`. If a stop signal arrives before it finishes, the process exits at once with code 0. */
export async function stopOrExitOnSignal(stop: () => Promise<void>): Promise<void> {
  const interrupted = waitForStopSignal().then(() => true);
  if (await Promise.race([stop().then(() => false), interrupted])) process.exit(0);
}
