import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, onTestFinished } from 'vitest';

type Close = () => unknown;

const closesOfFile = new AsyncLocalStorage<Close[]>();

/** Calls functions after the running test, the last one first, or after its file within `startOnce`. */
export function closeAfterTest(...closes: readonly Close[]): void {
  const ofFile = closesOfFile.getStore();
  if (ofFile !== undefined) ofFile.push(...closes);
  else for (const close of closes) onTestFinished(async () => void (await close()));
}

/**
 * Shares what `start` returns between the tests of a file that give the same arguments: it starts at its first use and stops after
 * the last test. No test changes what another one could see of it.
 */
export function startOnce<Args extends readonly unknown[], Started>(
  start: (...args: Args) => Promise<Started>,
): (...args: Args) => Promise<Started> {
  const started = new Map<string, Promise<Started>>();
  const closes: Close[] = [];
  afterAll(async () => {
    for (const close of closes.toReversed()) await close();
  });
  return (...args) => {
    const key = JSON.stringify(args);
    const known = started.get(key) ?? closesOfFile.run(closes, () => start(...args));
    started.set(key, known);
    return known;
  };
}
