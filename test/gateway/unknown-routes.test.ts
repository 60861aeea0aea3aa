import { afterEach, expect, test } from 'vitest';
import { createGateway, type Gateway } from '../../src/gateway/index.ts';
import { SAMPLED_REFUSALS, type ValidationMode } from '../../src/validation/evidence/ledger.ts';
import { type StubSite, startStubSite } from '../support/stub-site.ts';

let site: StubSite;
let gateway: Gateway;

afterEach(async () => {
  await gateway.stop();
  await site.close();
});

async function start(hidden: readonly string[], mode: ValidationMode = 'strict'): Promise<void> {
  site = await startStubSite({
    respond: ({ route }) => (hidden.includes(route ?? '') ? { body: { hidden: true } } : undefined),
  });
  gateway = createGateway({ sites: [{ url: site.url, validation: { mode } }] });
  await gateway.rediscover();
}

/** Sends a request; returns the response status and whether the request was forwarded. */
async function send(path: string, method = 'GET'): Promise<readonly [status: number, forwarded: boolean]> {
  const before = site.requests.length;
  const response = await gateway.fetch(new Request(`http://gateway.example.com/wp-json${path}`, { method }));
  await response.text();
  return [response.status, site.requests.length > before];
}

test('an undocumented route is rejected after the site responded rest_no_route in its namespace', async () => {
  await start([]);
  expect(await send('/wp/v2/nothing')).toEqual([404, true]);
  expect(await send('/wp/v2/nothing-else')).toEqual([404, false]);
  expect(await send('/WP/v2/posts', 'DELETE')).toEqual([404, false]);
  // The gateway has no evidence for another namespace.
  expect(await send('/other/v1/nothing')).toEqual([404, true]);
});

test('no route is rejected in a namespace with hidden routes', async () => {
  await start(['/wp/v2/hidden']);
  expect(await send('/wp/v2/hidden')).toEqual([200, true]);
  for (let count = 0; count < 5; count++) expect(await send('/wp/v2/nothing')).toEqual([404, true]);
});

test('a later added route is found, because some requests are forwarded', async () => {
  const hidden: string[] = [];
  await start(hidden);
  await send('/wp/v2/late');
  hidden.push('/wp/v2/late');
  const statuses: number[] = [];
  for (let count = 0; count < 2 * SAMPLED_REFUSALS; count++) statuses.push((await send('/wp/v2/late'))[0]);
  expect(statuses.indexOf(200)).toBeGreaterThan(0);
  expect(statuses.slice(statuses.indexOf(200)).every((status) => status === 200)).toBe(true);
});

test.each(['observe', 'enforce'] as const)('%s mode rejects none', async (mode) => {
  await start([], mode);
  for (let count = 0; count < 3; count++) expect(await send('/wp/v2/nothing')).toEqual([404, true]);
});

test('the number of remembered namespaces is limited', async () => {
  await start([]);
  for (let count = 0; count < 600; count++) await send(`/made-up-${count}/v1/x`);
  expect(await send('/made-up-1/v1/x')).toEqual([404, false]);
  expect(await send('/made-up-599/v1/x')).toEqual([404, true]);
});
