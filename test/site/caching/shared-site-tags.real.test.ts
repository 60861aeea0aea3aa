import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createCacheStore } from '../../../src/cache/stores/create-store.ts';
import { silentLog } from '../../../src/ports.ts';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { type RunningGateway, startNodeGateway } from '../../support/gateway.ts';
import { useRedisServer } from '../../support/redis-server.ts';
import { signMessage } from '../../support/signed-message.ts';
import { readSmallIndex, startStubSite } from '../../support/stub-site.ts';

/** What the messages of waygate.php do in gateways that share a Redis server. */

const SECRET = 'a-secret-of-the-tests';
const redis = useRedisServer();

async function startGateways() {
  const site = await startStubSite({
    index: readSmallIndex(),
    intercept: ({ route, url }, response) => {
      response.setHeader('x-waygate-tags', `post-${url.replace(/\D/g, '')}`);
      response.setHeader('content-type', 'text/html');
      if (route === undefined) response.end(url);
      return route === undefined;
    },
  });
  closeAfterTest(site.close);
  const prefix = `${randomUUID()}:`;
  const start = async (): Promise<RunningGateway> => {
    const gateway = await startNodeGateway({
      log: silentLog,
      sites: [{ url: site.url, passthrough: true, cache: { tags: 'site', webhook: SECRET } }],
      cache: await createCacheStore(redis().url, { redis: { prefix } }),
      publicUrl: 'http://gateway.example.com',
    });
    closeAfterTest(gateway.stop);
    return gateway;
  };
  const [one, two] = [await start(), await start()];
  return { one, two };
}

async function isHit({ request }: RunningGateway, path: string): Promise<boolean> {
  const response = await request(path);
  await response.text();
  return /; ?hit/.test(response.headers.get('cache-status') ?? '');
}

async function tell({ request }: RunningGateway, tags: readonly string[]): Promise<void> {
  const body = JSON.stringify({ id: randomUUID(), tags });
  const headers = signMessage(SECRET, body);
  expect((await request('/-/webhook/default', { method: 'POST', headers, body })).status).toBe(200);
}

describe('gateways that share a Redis server', () => {
  test('purge what one of them is told', async () => {
    const { one, two } = await startGateways();
    for (const path of ['/1', '/2']) {
      await isHit(one, path);
      expect(await isHit(two, path)).toBe(true);
    }
    await tell(one, ['post-1']);
    expect(await isHit(two, '/1')).toBe(false);
    expect([await isHit(two, '/2'), await isHit(one, '/2')]).toEqual([true, true]);
  });
});
