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
