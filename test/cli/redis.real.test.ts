import { spawn } from 'node:child_process';
import { get } from 'node:http';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { type EchoSite, startEchoSite } from '../support/echo-site.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { waitUntil } from '../support/wait.ts';
import { isReady, MAIN, useServeProcesses } from './serve-process.ts';

const serve = useServeProcesses();
let redis: RedisServer;
let site: EchoSite;

beforeAll(async () => {
  redis = await startRedisServer();
  site = await startEchoSite();
});
afterAll(async () => {
  await site.close();
  await redis.stop();
});

test('two processes share stored responses through Redis', async () => {
  const statuses: unknown[] = [];
  for (let count = 0; count < 2; count++) {
    const { url } = await serve(['--site', site.origin, '--cache', redis.url]);
    await waitUntil(isReady(url));
    statuses.push(await cacheStatus(`${url}/core/v2/posts?page=2`));
  }
  // `storable`: Redis had not confirmed yet when the head of the response was sent.
  expect(statuses).toEqual([
    expect.stringMatching(/stored|detail=storable/),
    expect.stringMatching(/^waygate; hit/),
  ]);
});

test('a process whose port is in use exits, and leaves no connection to Redis open', async () => {
  const { port } = new URL(site.origin);
  const args = ['serve', '--port', port, '--site', site.origin, '--cache', redis.url];
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: 'ignore' });
  onTestFailed(() => void child.kill('SIGKILL'));
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(2);
});

/** Requests a URL with a fixed `Host`, because responses contain the URL of the gateway. @returns `Cache-Status` */
function cacheStatus(url: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { Host: 'api.example.com' } }, (response) => {
      response.resume().once('end', () => resolve(response.headers['cache-status']));
    }).once('error', reject);
  });
}
