import { describe, expect, test } from 'vitest';
import type { Clock } from '../src/ports.ts';
import { createQueue, mapInSteps, runInSlices, runSteps, type Steps } from '../src/steps.ts';
import { giveTurns } from './support/wait.ts';

/** A clock whose time the test sets, and which counts the turns of other work. */
function createTurnClock(onTurn = (): void => {}): Clock & { time: number; turns: number } {
  const clock = {
    time: 0,
    turns: 0,
    now: () => clock.time,
    after(delay: number, task: () => void) {
      expect(delay).toBe(0);
      clock.turns += 1;
      onTurn();
      setImmediate(task);
      return () => {};
    },
  };
  return clock;
}

/** Counts to a number in steps that take the stated milliseconds. */
function* countTo(end: number, clock: { time: number }, milliseconds: number): Steps<number> {
  let count = 0;
  while (count < end) {
    count += 1;
    clock.time += milliseconds;
    yield;
  }
  return count;
}

describe('work in steps', () => {
  test.each([
    ['no turn if it ends before', 3, 1, 0],
    ['a turn after each 4 ms', 100, 1, 25],
    ['a turn after each 4 ms, however short the steps', 1_000, 0.125, 31],
    ['a turn after each step that is longer', 5, 50, 5],
    ['a turn if the time is set back', 3, -3_600_000, 3],
    ['no turn if the time stands still', 1_000, 0, 0],
  ])('gives other work %s', async (_, steps, milliseconds, turns) => {
    const clock = createTurnClock();
    expect(await runInSlices(countTo(steps, clock, milliseconds), clock)).toBe(steps);
    expect(clock.turns).toBe(turns);
  });

  test('ends at the next turn when the signal aborts', async () => {
    const controller = new AbortController();
    const clock = createTurnClock(() => {
      if (clock.turns === 3) controller.abort(new Error('stopped'));
    });
    await expect(runInSlices(countTo(100, clock, 1), clock, controller.signal)).rejects.toThrow('stopped');
    expect([clock.time, clock.turns]).toEqual([12, 3]);
  });

  test('has the same result in one piece', async () => {
    const clock = createTurnClock();
    expect(runSteps(countTo(100, clock, 1))).toBe(100);
    expect(clock.turns).toBe(0);
  });

  test('maps each item in a step', () => {
    const steps = mapInSteps(['a', 'b'], (text) => text.toUpperCase());
    expect([steps.next().done, steps.next().done, steps.next()]).toEqual([
      false,
      false,
      { done: true, value: ['A', 'B'] },
    ]);
  });
});

test('tasks of a queue begin one after the other, and other work has several turns in between', async () => {
  const waitForTurn = createQueue(5);
  let turn = 0;
  const count = (): void => {
    turn += 1;
    if (turn < 40) setImmediate(count);
  };
  setImmediate(count);
  const began: number[] = [];
  const begin = async (): Promise<void> => {
    await waitForTurn();
    began.push(turn);
  };
  await Promise.all(Array.from({ length: 5 }, begin));
  expect(began).toEqual([0, 1, 6, 11, 16]);
  // Nobody is before the next one.
  await giveTurns(10);
  turn = 0;
  await begin();
  expect(began.at(-1)).toBe(0);
});
