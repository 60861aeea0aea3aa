import { afterEach, expect, test } from 'vitest';
import { createGateway, type Gateway } from '../../src/gateway/index.ts';
import { type StubSite, startStubSite } from '../support/stub-site.ts';

let site: StubSite;
let gateway: Gateway;

afterEach(async () => {
  await gateway.stop();
  await site.close();
});

async function start(hidden: readonly string[], mode: 'observe' | 'enforce' = 'enforce'): Promise<void> {
  site = await startStubSite({
    answer: ({ route }) => (hidden.includes(route ?? '') ? { body: { hidden: true } } : undefined),
  });
  gateway = createGateway({ sites: [{ url: site.url, validation: { mode } }] });
  await gateway.rediscover();
}

/** The status of the answer, and whether the site was asked. */
async function ask(path: string, method = 'GET'): Promise<readonly [status: number, asked: boolean]> {
  const before = site.requests.length;
  const response = await gateway.fetch(new Request(`http://gateway.example.com/wp-json${path}`, { method }));
  await response.text();
  return [response.status, site.requests.length > before];
}

test('an undocumented route is rejected after the site answered rest_no_route in its namespace', async () => {
  await start([]);
  expect(await ask('/wp/v2/nothing')).toEqual([404, true]);
  expect(await ask('/wp/v2/nothing-else')).toEqual([404, false]);
  expect(await ask('/WP/v2/posts', 'DELETE')).toEqual([404, false]);
  // Of another namespace nothing is known.
  expect(await ask('/other/v1/nothing')).toEqual([404, true]);
});

test('no route is rejected in a namespace with hidden routes', async () => {
  await start(['/wp/v2/hidden']);
  expect(await ask('/wp/v2/hidden')).toEqual([200, true]);
  for (let turn = 0; turn < 5; turn++) expect(await ask('/wp/v2/nothing')).toEqual([404, true]);
});

test('a later added route is found, because some requests are forwarded', async () => {
  const hidden: string[] = [];
  await start(hidden);
  await ask('/wp/v2/late');
  hidden.push('/wp/v2/late');
  const statuses: number[] = [];
  for (let turn = 0; turn < 30; turn++) statuses.push((await ask('/wp/v2/late'))[0]);
  expect(statuses.indexOf(200)).toBeGreaterThan(0);
  expect(statuses.slice(statuses.indexOf(200)).every((status) => status === 200)).toBe(true);
});

test('observe mode rejects none', async () => {
  await start([], 'observe');
  for (let turn = 0; turn < 3; turn++) expect(await ask('/wp/v2/nothing')).toEqual([404, true]);
});

test('the number of remembered namespaces is limited', async () => {
  await start([]);
  for (let turn = 0; turn < 600; turn++) await ask(`/made-up-${turn}/v1/x`);
  expect(await ask('/made-up-1/v1/x')).toEqual([404, false]);
  expect(await ask('/made-up-599/v1/x')).toEqual([404, true]);
});
