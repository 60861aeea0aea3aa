import { onTestFinished } from 'vitest';

/** Calls functions after the running test, the last one first. */
export function closeAfterTest(...closes: readonly (() => unknown)[]): void {
  for (const close of closes) onTestFinished(async () => void (await close()));
}
