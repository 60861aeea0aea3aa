import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useServeProcesses } from '../cli/serve-process.ts';
import { useEchoSite } from '../support/echo-site.ts';
import { redisCli, useRedisServer } from '../support/redis-server.ts';
import { waitUntil } from '../support/wait.ts';
import { ROOT } from './source-files.ts';

const serve = useServeProcesses();
const redis = useRedisServer();
const site = useEchoSite();

test('gateways with examples/hono/api-keys.config.ts add up the quota of a key in Redis', async () => {
  const { port, url: REDIS_URL } = redis();
  Object.assign(process.env, { SITE_URL: site.origin, QUOTA: '3', REDIS_URL });
  const recipe = ['--config', join(ROOT, 'examples/hono/api-keys.config.ts')];
  const gateways = [await serve(recipe), await serve(recipe)];
  for (const { url } of gateways) await waitUntil(async () => (await fetch(`${url}/-/ready`)).ok);
  const headers = { 'x-api-key': 'key-of-the-app' };
  const statuses: number[] = [];
  for (const { url } of [...gateways, ...gateways])
    statuses.push((await fetch(`${url}/wp-json/core/v2/posts`, { headers })).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  const other = await fetch(`${gateways[0]?.url}/wp-json/core/v2/posts`, {
    headers: { 'x-api-key': 'key-of-the-shop' },
  });
  expect(other.status).toBe(200);
  expect(await redisCli(port, 'DBSIZE')).toBe('2');
});
