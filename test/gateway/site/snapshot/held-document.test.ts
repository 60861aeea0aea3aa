import { describe, expect, test } from 'vitest';
import { startGateway } from '../../../support/gateway.ts';
import { GatewayClock } from '../../../support/gateway-clock.ts';
import { createRoutesIndex } from '../../../support/index-routes.ts';
import { runStubSite } from '../../../support/run.ts';

const HALF_AN_HOUR = 30 * 60_000;

/** Routes of one plugin: `things-1` and so on. */
const plugin = (namespace: string, count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, number) => [`/${namespace}/things-${number + 1}`, 'GET']),
  );

const toIndex = (...plugins: readonly Record<string, string>[]): object => {
  const { '/': _root, ...routes } = Object(createRoutesIndex(Object.assign({}, ...plugins), {})).routes;
  return { name: 'A site', namespaces: [], routes };
};

async function startSubject(first: object) {
  let index = first;
  const clock = new GatewayClock();
  const options = { index: () => index, passthrough: false, inMemory: true, gateway: { clock } };
  const { gateway, readMetrics, request, warnings } = await startGateway(options);
  return {
    ...{ clock, warnings },
    async discover(next: object): Promise<void> {
      index = next;
      await gateway.rediscover();
    },
    countOperations: async (): Promise<number> =>
      Object.keys((await (await request('/openapi.json')).json()).paths).length,
    isHeld: async (): Promise<boolean> =>
      (await readMetrics()).includes('waygate_site_document_held{site="default"} 1\n'),
  };
}

const [CORE, SHOP, SMALL] = [plugin('wp/v2', 12), plugin('wc/v3', 6), plugin('tiny/v1', 2)];
const WHOLE = toIndex(CORE, SHOP, SMALL);
const WITHOUT_CORE = toIndex(SHOP, SMALL);

describe('a new document', () => {
  test.each([
    ['without routes waits', toIndex(), true],
    [
      'with less than half of the operations waits',
      toIndex(plugin('wp/v2', 6), plugin('wc/v3', 2), plugin('tiny/v1', 1)),
      true,
    ],
    [
      'with half of the operations replaces the served one',
      toIndex(plugin('wp/v2', 6), plugin('wc/v3', 2), SMALL),
      false,
    ],
    ['without a small namespace replaces the served one', toIndex(CORE, SHOP), false],
    [
      'with other routes beside the same ones replaces the served one',
      toIndex(CORE, SHOP, SMALL, plugin('new/v1', 40)),
      false,
    ],
  ])('%s', async (_, next, isLarge) => {
    const { countOperations, discover, isHeld, warnings } = await startSubject(WHOLE);
    await discover(next);
    expect(await countOperations()).toBe(isLarge ? 20 : Object.keys(Object(next).routes).length);
    expect(await isHeld()).toBe(isLarge);
    expect(warnings.filter((text) => text.includes('lacks too many operations'))).toHaveLength(
      Number(isLarge),
    );
  });

  test('is served once the site has offered no better one for half an hour', async () => {
    const { clock, countOperations, discover, isHeld, warnings } = await startSubject(WHOLE);
    await discover(WITHOUT_CORE);
    clock.pass(HALF_AN_HOUR - 1);
    await discover(WITHOUT_CORE);
    await discover(toIndex(SHOP));
    expect(await countOperations()).toBe(20);
    clock.pass(1);
    await discover(toIndex(SHOP));
    expect([await countOperations(), await isHeld()]).toEqual([6, false]);
    expect(warnings.filter((text) => text.includes('lacks too many operations'))).toHaveLength(1);
  });

  test('is forgotten when the index lists the routes again', async () => {
    const { clock, countOperations, discover, isHeld } = await startSubject(WHOLE);
    await discover(WITHOUT_CORE);
    await discover(WHOLE);
    expect(await isHeld()).toBe(false);
    clock.pass(HALF_AN_HOUR);
    await discover(WITHOUT_CORE);
    expect([await countOperations(), await isHeld()]).toEqual([20, true]);
  });
});

test.each(['', 'help'])(
  'a hidden namespace stays while its index fails, with context=%j',
  async (context) => {
    let isFailing = false;
    const schema = { title: 'thing', type: 'object', properties: { size: { type: 'integer' } } };
    const site = await runStubSite({
      index: WHOLE,
      intercept: ({ query, route }, response) => {
        if (route !== '/hid/v1') return false;
        const asked = query.get('context') ?? '';
        const thing = {
          namespace: 'hid/v1',
          endpoints: [{ methods: ['GET'], args: {} }],
          ...(asked === 'help' ? { schema } : {}),
        };
        if (isFailing && asked.includes(context)) response.writeHead(503).end();
        else response.end(JSON.stringify({ namespace: 'hid/v1', routes: { '/hid/v1/things': thing } }));
        return true;
      },
    });
    const options = { document: undefined, passthrough: false, url: site.url, inMemory: true };
    const { gateway, request } = await startGateway({ ...options, discover: { namespaces: ['hid/v1'] } });
    const read = async (): Promise<string> => {
      await gateway.rediscover();
      return (await request('/openapi.json')).text();
    };
    const whole = await read();
    expect(whole).toContain('"size"');
    isFailing = true;
    expect(await read()).toBe(whole);
    isFailing = false;
    expect(await read()).toBe(whole);
  },
);
