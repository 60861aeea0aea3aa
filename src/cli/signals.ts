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

/** Runs `stop` to its end. A second signal meanwhile (Ctrl-C pressed twice) exits the process at once. */
export async function stopUnlessInterrupted(stop: () => Promise<void>): Promise<void> {
  const interrupted = waitForStopSignal().then(() => true);
  if (await Promise.race([stop().then(() => false), interrupted])) process.exit(0);
}
