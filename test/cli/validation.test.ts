import { writeFile } from 'node:fs/promises';
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

test('--mode overrides the configuration', async () => {
  const file = join(folder(), 'waygate.json');
  const validation = { mode: 'observe', routes: [{ match: '/core/v2/posts/*', mode: 'off' }] };
  await writeFile(file, JSON.stringify({ sites: [{ url: site.origin, validation }] }));
  const { url } = await serve('--config', file, '--mode', 'strict');
  expect(await sendInvalidRequest(url)).toBe(400);
  expect((await fetch(`${url}/core/v2/posts/1?id=x`)).status).toBe(200);
});

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
