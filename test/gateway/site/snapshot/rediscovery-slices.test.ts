import { expect, test } from 'vitest';
import type { Clock } from '../../../../src/base/ports.ts';
import { startGateway } from '../../../support/gateway.ts';
import { createRoutesIndex } from '../../../support/index-routes.ts';

const ROUTES = 30;

const createIndex = (name: string, argument: string): object => ({
  ...createRoutesIndex(
    Object.fromEntries(Array.from({ length: ROUTES }, (_, number) => [`/shop/v1/things-${number}`, 'GET'])),
    { [argument]: { type: 'string' } },
  ),
  name,
});

/** A clock that advances by a millisecond whenever it is read, so that work pauses after each ten steps. */
function createSteppingClock(onTurn: () => unknown): Clock {
  let now = 0;
  return {
    now() {
      now += 1;
      return now;
    },
    after(delay, task) {
      if (delay > 0) return () => {};
      void Promise.resolve(onTurn()).then(() => setImmediate(task));
      return () => {};
    },
  };
}

test('while a changed site is discovered again, the document before is served until the new one is complete', async () => {
  let index = createIndex('First', 'order');
  const served: string[] = [];
  let isWatched = false;
  const readTitle = async (): Promise<string> => {
    const { info }: { info: { title: string } } = await (await request('/openapi.json')).json();
    return info.title;
  };
  const clock = createSteppingClock(async () => {
    if (isWatched) served.push(await readTitle());
  });
  const options = { index: () => index, passthrough: false, inMemory: true, gateway: { clock } };
  const { gateway, request } = await startGateway(options);
  index = createIndex('Second', 'sort');
  isWatched = true;
  await gateway.rediscover();
  isWatched = false;
  // Six steps a route create a document, and two compare it with the one before. Ten steps are a slice.
  const before = served.filter((title) => title === 'First');
  expect(before.length).toBeGreaterThanOrEqual((6 * ROUTES) / 10);
  expect(served.slice(0, before.length)).toEqual(before);
  expect(served.length - before.length).toBeGreaterThanOrEqual((2 * ROUTES) / 10);
  expect(await readTitle()).toBe('Second');
});
