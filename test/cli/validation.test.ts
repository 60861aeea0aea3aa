import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useEchoSite } from '../support/echo-site.ts';
import { useFolder } from '../support/folder.ts';
import { useReadyProcesses } from './serve-process.ts';

const token = 'the-token-of-the-tests';
const authorization = `Bearer ${token}`;

const serve = useReadyProcesses({ WAYGATE_ADMIN_TOKEN: token });
const folder = useFolder();

const site = useEchoSite();

/** Sends an invalid request, which the site accepts and an enforcing gateway refuses. @returns the status */
async function sendInvalidRequest(url: string): Promise<number> {
  return (await fetch(`${url}/core/v2/posts?page=none`)).status;
}

/** Fetches the validation report of the gateway. */
async function fetchReport(url: string): Promise<unknown> {
  const response = await fetch(`${url}/-/sites/default/validation`, { headers: { authorization } });
  return response.json();
}

test('--mode overrides the configuration', async () => {
  const file = join(folder(), 'waygate.json');
  const validation = { mode: 'observe', routes: [{ match: '/core/v2/posts/*', mode: 'off' }] };
  await writeFile(file, JSON.stringify({ sites: [{ url: site.origin, validation }] }));
  const { url } = await serve('--config', file, '--mode', 'strict');
  expect(await sendInvalidRequest(url)).toBe(400);
  expect((await fetch(`${url}/core/v2/posts/1?id=x`)).status).toBe(200);
});

test('--state persists evidence across restarts', async () => {
  const first = await serve('--site', site.origin, '--state', join(folder(), 'state'));
  await sendInvalidRequest(first.url);
  first.child.kill('SIGTERM');
  await first.exitCode;
  expect((await readdir(join(folder(), 'state'))).sort()).toEqual(['document.json', 'validation.json']);
  const second = await serve('--site', site.origin, '--state', join(folder(), 'state'), '--mode', 'strict');
  // The evidence shows that the site accepts the request.
  expect(await sendInvalidRequest(second.url)).toBe(200);
  await expect.poll(() => fetchReport(second.url)).toMatchObject({ rules: [{ status: 'suspended' }] });
}, 40_000);

test('admin.port serves the admin operations on that port only', async () => {
  const file = join(folder(), 'waygate.json');
  await writeFile(file, JSON.stringify({ admin: { port: 0 }, sites: [{ url: site.origin }] }));
  const { adminUrl = '', url } = await serve('--config', file);
  expect((await fetch(`${url}/-/sites`, { headers: { authorization } })).status).toBe(404);
  expect((await fetch(`${url}/-/health`)).status).toBe(200);
  expect((await fetch(`${adminUrl}/-/sites`)).status).toBe(401);
  expect((await fetch(`${adminUrl}/-/sites`, { headers: { authorization } })).status).toBe(200);
  expect((await fetch(`${adminUrl}/core/v2/posts`)).status).toBe(404);
});
