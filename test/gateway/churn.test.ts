import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningGateway, startNodeGateway } from '../support/gateway.ts';
import { type StubSite, startStubSite } from '../support/stub-site.ts';
import { waitUntil } from '../support/wait.ts';

/** The intervals of changes and of rediscovery, in milliseconds. */
const CHANGE = 1_000;
const INTERVAL = 250;
const CHANGES = 6;

/**
 * The index of each second. Each second adds a route, removes the route of two seconds before, and changes the argument
 * of the permanent route `always`. The index is invalid in second 4.
 */
let second = 0;
const BROKEN = 4;

function index(): unknown {
  const route = (name: string, args: object): [string, object] => [
    `/churn/v1/${name}`,
    { namespace: 'churn/v1', methods: ['GET'], endpoints: [{ methods: ['GET'], args }] },
  ];
  if (second === BROKEN) return '<html>maintenance</html>';
  return {
    name: 'Churn',
    namespaces: ['churn/v1'],
    routes: Object.fromEntries([
      route('always', { [`since${second}`]: { type: 'string' } }),
      route(`second${second}`, {}),
      ...(second > 0 ? [route(`second${second - 1}`, {})] : []),
    ]),
  };
}

let site: StubSite;
let running: RunningGateway;

beforeAll(async () => {
  site = await startStubSite({ index, respond: ({ route }) => ({ body: { route } }) });
  running = await startNodeGateway({
    sites: [{ url: site.url, rediscover: INTERVAL, unknownRoutes: 'refuse' }],
  });
});
afterAll(async () => {
  await running.stop();
  await site.close();
});

async function documentedPaths(): Promise<string[]> {
  const { paths } = (await (await running.request('/openapi.json')).json()) as { paths: object };
  return Object.keys(paths);
}

test('requests succeed and the document stays current while a site changes every second', async () => {
  const statuses = new Map<number, number>();
  let over = false;
  const load = async (): Promise<void> => {
    while (!over) {
      const { status } = await running.request('/churn/v1/always');
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const clients = Array.from({ length: 4 }, load);

  for (; second < CHANGES; second += 1) {
    const expected = second === BROKEN ? second - 1 : second;
    await waitUntil(async () => (await documentedPaths()).includes(`/churn/v1/second${expected}`));
    // The gateway serves the added route and rejects the removed one.
    expect((await running.request(`/churn/v1/second${expected}`)).status).toBe(200);
    expect((await running.request(`/churn/v1/second${expected - 2}`)).status).toBe(404);
    await sleep(CHANGE);
  }
  over = true;
  await Promise.all(clients);

  expect([...statuses.keys()]).toEqual([200]);
  expect(statuses.get(200)).toBeGreaterThan(100);
}, 90_000);
