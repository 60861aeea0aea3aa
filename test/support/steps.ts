import { Session } from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';
import { afterAll, beforeAll, vi } from 'vitest';

/**
 * Returns a function that counts the steps of another function: the executions of functions and branches of `src`, as V8's
 * coverage counts them. Unlike a time, the number depends neither on the machine nor on its load. The work of a built-in function,
 * such as a search in a string, is one step.
 *
 * V8 counts branches only in modules that are compiled after the start. So tests import the modules themselves:
 *
 * ```ts
 * const countSteps = useStepCounter();
 * test('…', async () => {
 *   const { parse } = await import('../../src/parse.ts');
 *   expect(countSteps(() => parse(text))).toBeLessThan(1_000);
 * });
 * ```
 */
export function useStepCounter(): (run: () => unknown) => Promise<number> {
  const session = new Session();

  beforeAll(async () => {
    session.connect();
    // Otherwise a module that another test has loaded is not compiled again.
    setFlagsFromString('--no-compilation-cache');
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    vi.resetModules();
  });
  afterAll(async () => {
    await session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
    setFlagsFromString('--compilation-cache');
    vi.resetModules();
  });

  const take = async (): Promise<number> => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const counted = result.filter(({ url }) => url.includes('/src/')).flatMap(({ functions }) => functions);
    const blocks = counted.filter(({ isBlockCoverage }) => isBlockCoverage).flatMap(({ ranges }) => ranges);
    return blocks.reduce((sum, { count }) => sum + count, 0);
  };
  return async (run) => {
    await take();
    await run();
    return take();
  };
}
