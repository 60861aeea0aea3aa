import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/base/json.ts';
import type { Clock } from '../../../../src/base/ports.ts';
import type { Gateway } from '../../../../src/gateway/index.ts';
import { openGateway } from '../../../../src/open-gateway.ts';
import { type StubSite, startStubSite } from '../../../support/stub-site.ts';

const ROUTES = 60;

const createIndex = (name: string, argument: string, description = ''): Json => ({
  name,
  namespaces: ['shop/v1'],
  routes: Object.fromEntries(
    Array.from({ length: ROUTES }, (_, number) => [
      `/shop/v1/things-${number}`,
      {
        namespace: 'shop/v1',
        methods: ['GET'],
        endpoints: [{ methods: ['GET'], args: { [argument]: { type: 'string', description } } }],
      },
    ]),
  ),
});

/** A clock that advances by a millisecond whenever it is read, so that work pauses after each ten steps. */
function createSteppingClock(onTurn: () => unknown = () => {}): Clock & { readonly turns: () => number } {
  let now = 0;
  let turns = 0;
  return {
    now() {
      now += 1;
      return now;
    },
    after(delay, task) {
      if (delay > 0) return () => {};
      turns += 1;
      void Promise.resolve(onTurn()).then(() => setImmediate(task));
      return () => {};
    },
    turns: () => turns,
  };
}

describe('while a changed site is discovered again', () => {
  let index = createIndex('First', 'order');
  let site: StubSite;
  let gateway: Gateway | undefined;
  beforeAll(async () => {
    site = await startStubSite({ index: () => index });
  });
  afterEach(async () => {
    await gateway?.stop();
    index = createIndex('First', 'order');
  });
  afterAll(() => site.close());

  const readTitle = async (from: Gateway): Promise<string> => {
    const { info }: { info: { title: string } } = await (await from.app.request('/openapi.json')).json();
    return info.title;
  };

  test('the document before is served until the new one is complete', async () => {
    const served: string[] = [];
    let isWatched = false;
    const clock = createSteppingClock(async () => {
      if (isWatched && gateway !== undefined) served.push(await readTitle(gateway));
    });
    gateway = openGateway({ sites: [{ url: site.url }], clock });
    await gateway.rediscover();
    index = createIndex('Second', 'sort');
    isWatched = true;
    await gateway.rediscover();
    isWatched = false;
    // Six steps a route create a document, and two compare it with the one before. Ten steps are a slice.
    const before = served.filter((title) => title === 'First');
    expect(before.length).toBeGreaterThanOrEqual((6 * ROUTES) / 10);
    expect(served.slice(0, before.length)).toEqual(before);
    expect(served.length - before.length).toBeGreaterThanOrEqual((2 * ROUTES) / 10);
    expect(await readTitle(gateway)).toBe('Second');
  });
});
