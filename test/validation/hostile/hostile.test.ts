import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGateway } from '../../../src/gateway/index.ts';
import { type RunningServer, serve } from '../../../src/node/index.ts';
import { CASES } from './cases.ts';
import { type HostileSite, startHostileSite } from './site.ts';
import { get, head, send } from './wire.ts';

const MEBIBYTE = 1024 * 1024;

let site: HostileSite;
let server: RunningServer;
let before = 0;

beforeAll(async () => {
  site = await startHostileSite();
  const gateway = createGateway({ sites: [{ url: site.url, validation: { mode: 'enforce' } }] });
  await gateway.rediscover();
  server = await serve(gateway, { port: 0, shutdownGrace: 200 });
  await expectUnaffected();
  before = process.memoryUsage().rss;
}, 30_000);

afterAll(async () => {
  await server.stop();
  await site.close();
});

/** What is right passes and what is wrong does not, at once. */
async function expectUnaffected(): Promise<void> {
  expect(await send(server.url, get('/wp-json/wp/v2/posts?per_page=5'), 5000)).toBe(200);
  expect(await send(server.url, get('/wp-json/wp/v2/posts?per_page=0'), 5000)).toBe(400);
}

for (const [subject, cases] of Object.entries(CASES)) {
  describe(subject, () => {
    test.each(cases.map(([name, pieces, statuses, asks]) => ({ name, pieces, statuses, asks })))(
      '$name',
      async ({ pieces, statuses, asks }) => {
        const asked = site.asked();
        expect(statuses).toContain(await send(server.url, pieces(), 15_000));
        if (asks === false) expect(site.asked()).toBe(asked);
        await expectUnaffected();
        expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
      },
    );
  });
}

test('who leaves in the middle of a body takes nothing along', async () => {
  for (let turn = 0; turn < 20; turn++) {
    const part = [
      head('POST', '/wp-json/wp/v2/posts', { 'Content-Type': 'application/json', 'Content-Length': '99' }),
      '{"a',
    ];
    await send(server.url, part, 30).catch(() => undefined);
  }
  await expectUnaffected();
});

test('all of it took bounded memory', async () => {
  await sleep(50);
  // Bodies of 320 MiB have passed; what is left is what the engine has not yet given back.
  expect(site.received()).toBeGreaterThan(256 * MEBIBYTE);
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * MEBIBYTE);
});

test('there are at least 50 cases', () => {
  expect(Object.values(CASES).flat().length).toBeGreaterThanOrEqual(50);
});
