import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { openSharedCounts } from '../../src/config/gateway-settings.ts';
import { connectRedisCounts } from '../../src/node/redis-counts.ts';
import { type RunningGateway, startNodeGateway } from '../support/gateway.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { runEchoSite } from '../support/run.ts';
import { unreachableOrigin } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedisServer();
});
afterAll(() => redis.stop());

async function startGateways(
  count: number,
  url: string,
  lines: string[],
): Promise<readonly RunningGateway[]> {
  const site = await runEchoSite();
  const write = (_fields: object, message: string): void => void lines.push(message);
  return Promise.all(
    Array.from({ length: count }, async () => {
      const sharedCounts = await connectRedisCounts(url);
      const running = await startNodeGateway({
        sites: [{ url: site.origin, limits: { client: '10/h' } }],
        sharedCounts,
        log: { info: write, warn: write, error: write },
      });
      onTestFinished(async () => {
        await running.stop();
        sharedCounts.close();
      });
      return running;
    }),
  );
}

const send = async (gateway: RunningGateway | undefined): Promise<number> => {
  if (gateway === undefined) throw new Error('the gateway is started');
  const response = await gateway.request('/core/v2/posts');
  await response.arrayBuffer();
  return response.status;
};
const readKeys = async (): Promise<string> => redis.command('KEYS', 'waygate:limit*');

test('limits of agents alone are shared too', async () => {
  const site = { url: 'https://example.com', mcp: { limits: { client: '10/h' } } };
  const read = readConfig({ sites: [site], redis: redis.url });
  const counts = read.ok ? await openSharedCounts(read.config) : undefined;
  expect(counts).toBeDefined();
  counts?.close();
});

test('the limits of two gateways add up, and one of them alone limits while Redis is away', async () => {
  const lines: string[] = [];
  const [one, other] = await startGateways(2, redis.url, lines);
  for (let count = 0; count < 5; count += 1) expect(await send(one)).toBe(200);
  for (let count = 0; count < 4; count += 1) expect(await send(other)).toBe(200);
  await waitUntil(async () => (await readKeys()).includes('waygate:limit'));
  const [key = ''] = /waygate:limit\S*.*/.exec(await readKeys()) ?? [];
  expect(key).toContain('client 127.0.0.1');
  await waitUntil(async () => (await redis.command('GET', key.trim())).includes('9'));
  expect(await redis.command('TTL', key.trim())).toMatch(/^:3[56]\d\d/);
  expect(await send(one)).toBe(200);
  await waitUntil(async () => (await send(other)) === 429);
  await waitUntil(async () => (await send(one)) === 429);

  await redis.kill();
  // What is known of the shared count stays known, and nothing fails.
  expect([await send(one), await send(other)]).toEqual([429, 429]);
});

test('a gateway whose Redis is never there limits by its own counts, and says so', async () => {
  const lines: string[] = [];
  const [gateway] = await startGateways(1, (await unreachableOrigin()).replace('http', 'redis'), lines);
  for (let count = 0; count < 10; count += 1) expect(await send(gateway)).toBe(200);
  expect(await send(gateway)).toBe(429);
  await waitUntil(() => lines.some((line) => line.includes('shared rate limits cannot be reached')));
});
