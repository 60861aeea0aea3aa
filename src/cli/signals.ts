/** The second signal ends the process with code 0, after `cutOff`. Handlers stay: a signal would kill it. */
export function waitForStopSignal(
  cutOff: () => Promise<void> = () => Promise.resolve(),
): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let count = 0;
    const stop = (signal: NodeJS.Signals): void => {
      count += 1;
      if (count === 1) resolve(signal);
      else if (count === 2) void cutOff().finally(() => process.exit(0));
      else process.exit(0);
    };
    process.on('SIGTERM', stop).on('SIGINT', stop);
  });
}

/** `signal` is aborted by the first SIGTERM or SIGINT; the second ends the process. `stop` ends that. */
export function abortOnSignal(): {
  readonly signal: AbortSignal;
  readonly stop: () => void;
  readonly exitCode: () => 130 | 143 | undefined;
} {
  const controller = new AbortController();
  let exitCode: 130 | 143 | undefined;
  const abort = (signal: NodeJS.Signals): void => {
    exitCode = signal === 'SIGINT' ? 130 : 143;
    controller.abort();
    stop();
  };
  const stop = (): void => void process.off('SIGTERM', abort).off('SIGINT', abort);
  process.on('SIGTERM', abort).on('SIGINT', abort);
  return { signal: controller.signal, stop, exitCode: () => exitCode };
}
