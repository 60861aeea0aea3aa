import { AsyncLocalStorage } from 'node:async_hooks';
import { onTestFinished, TestRunner } from 'vitest';

type Close = () => unknown;

const closesOfFile: Close[] = [];
/** Whether tests of a file share what is started. */
const isShared = new AsyncLocalStorage<boolean>();

/** Calls functions after the running test, the last one first; after the last test of the file if a hook or `startOnce` is running. */
export function closeAfterTest(...closes: readonly Close[]): void {
  if (isShared.getStore() === true || TestRunner.getCurrentTest() === undefined) closesOfFile.push(...closes);
  else for (const close of closes) onTestFinished(async () => void (await close()));
}

export async function closeAfterFile(): Promise<void> {
  for (const close of closesOfFile.splice(0).toReversed()) await close();
}

/**
 * Shares what `start` returns between the tests of a file that give the same arguments: it starts at its first use and stops after
 * the last test. No test changes what another one could see of it.
 */
export function startOnce<Args extends readonly unknown[], Started>(
  start: (...args: Args) => Promise<Started>,
): (...args: Args) => Promise<Started> {
  const started = new Map<string, Promise<Started>>();
  return (...args) => {
    const key = JSON.stringify(args);
    const known = started.get(key) ?? isShared.run(true, () => start(...args));
    started.set(key, known);
    return known;
  };
}
