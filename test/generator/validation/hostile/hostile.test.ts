import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunningGateway, startNodeGateway } from '../../../support/gateway.ts';
import { waitUntil } from '../../../support/wait.ts';
import { CASES } from './cases.ts';
import { type HostileSite, startHostileSite } from './site.ts';
import { get, head, send } from './wire.ts';

const MEBIBYTE = 1024 * 1024;

let site: HostileSite;
let gateway: RunningGateway;
let initialMemory = 0;
let document: unknown;

beforeAll(async () => {
  site = await startHostileSite();
  const discovering = await startNodeGateway({ sites: [{ url: site.url }] });
  document = await (await discovering.request('/openapi.json')).json();
  await discovering.stop();
});

afterAll(() => site.close());

// Some refusals of a rule are forwarded, and this site accepts everything: no case depends on the refusals before it.
beforeEach(async () => {
  gateway = await startNodeGateway({
    sites: [{ url: site.url, document, discovery: 'off', validation: { mode: 'strict' } }],
  });
  await expectUnaffected();
  if (initialMemory === 0) initialMemory = process.memoryUsage().rss;
}, 30_000);

afterEach(() => gateway.stop());

/** Checks that a valid request is forwarded and an invalid one refused without delay. */
async function expectUnaffected(): Promise<void> {
  expect(await send(gateway.origin, get('/wp-json/wp/v2/posts?per_page=5'))).toBe(200);
  expect(await send(gateway.origin, get('/wp-json/wp/v2/posts?per_page=0'))).toBe(400);
}

const REFUSED = [[400], false] as const;

for (const [subject, cases] of Object.entries(CASES)) {
  describe(subject, () => {
    test.each(cases.map(([name, chunks, ...outcome]) => ({ name, chunks, outcome })))(
      '$name',
      async ({ chunks, outcome }) => {
        const [statuses, forwarded] = outcome.length === 0 ? REFUSED : outcome;
        const requestCount = site.requestCount();
        expect(statuses).toContain(await send(gateway.origin, chunks()));
        if (forwarded === false) expect(site.requestCount()).toBe(requestCount);
        await expectUnaffected();
        expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
      },
    );
  });
}

test('a client that disconnects in the middle of a body affects no other request', async () => {
  for (let count = 0; count < 20; count++) {
    const part = [
      head('POST', '/wp-json/wp/v2/posts', { 'Content-Type': 'application/json', 'Content-Length': '99' }),
      '{"a',
    ];
    await send(gateway.origin, part, 30).catch(() => undefined);
  }
  await expectUnaffected();
});

test('the memory of the process stays bounded', async () => {
  // 320 MiB of bodies were streamed; the remainder is memory that the engine has not released yet.
  await waitUntil(() => site.receivedBytes() > 256 * MEBIBYTE);
  expect(process.memoryUsage().rss - initialMemory).toBeLessThan(400 * MEBIBYTE);
});
