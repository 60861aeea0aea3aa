import { lazy } from './memoize.ts';
import type { Clock } from './ports.ts';

/** Work in steps: after `yield`, other work can run. */
export type Steps<T> = Generator<undefined, T, undefined>;

const SLICE = 4;

export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Serves requests between slices. @throws the reason of the signal if it aborts */
export async function runInSlices<T>(steps: Steps<T>, clock: Clock, signal?: AbortSignal): Promise<T> {
  let sliceStart = clock.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (Math.abs(clock.now() - sliceStart) < SLICE) continue;
    await new Promise<void>((resolve) => void clock.after(0, resolve));
    signal?.throwIfAborted();
    sliceStart = clock.now();
  }
}

export type Line = <T>(task: () => Promise<T>) => Promise<T>;

/** Runs few tasks at once. One that takes longer than `patience` lets the next begin, and goes on. */
export function createLine(width: number, patience: number, clock: Clock): Line {
  const waiting: (() => void)[] = [];
  let places = width;
  return async (task) => {
    if (places > 0) places -= 1;
    else await new Promise<void>((resolve) => void waiting.push(resolve));
    const leave = lazy(() => {
      const next = waiting.shift();
      if (next === undefined) places += 1;
      else next();
    });
    const cancel = clock.after(patience, leave);
    return task().finally(() => {
      cancel();
      leave();
    });
  };
}

/** After what has arrived: timers that are due run before Node reads from sockets. */
const { setImmediate: defer = setTimeout } = globalThis;

/** Tasks begin one after the other. @param pause turns of the event loop between two of them */
export function createQueue(pause: number): () => Promise<void> {
  let last: Promise<void> | undefined;
  return async () => {
    const before = last;
    const wait = async (): Promise<void> => {
      await before;
      for (let left = before === undefined ? 1 : pause; left > 0; left -= 1)
        await new Promise<void>((resolve) => void defer(resolve));
      if (last === own) last = undefined;
    };
    const own = wait();
    last = own;
    await before;
  };
}

export function* visitInSteps<T>(items: Iterable<T>, visit: (item: T) => void): Steps<void> {
  for (const item of items) {
    visit(item);
    yield;
  }
}

export function* mapInSteps<T, R>(items: Iterable<T>, map: (item: T) => R): Steps<R[]> {
  const results: R[] = [];
  yield* visitInSteps(items, (item) => void results.push(map(item)));
  return results;
}
