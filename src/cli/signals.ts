/** Resolves with the first signal that asks to stop. */
export function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals): void => {
      process.off('SIGTERM', stop).off('SIGINT', stop);
      resolve(signal);
    };
    process.on('SIGTERM', stop).on('SIGINT', stop);
  });
}

/** Stops, and doesn't wait for it to be done where a second signal comes: a person who presses Ctrl-C twice means it. */
export async function stopOnSignal(stop: () => Promise<void>): Promise<void> {
  const impatient = nextSignal().then(() => true);
  if (await Promise.race([stop().then(() => false), impatient])) process.exit(0);
}
