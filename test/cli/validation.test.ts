import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type EchoSite, startEchoSite } from '../support/echo-site.ts';

/** As `npm ci` has built it: the environment and the ports are a process's. */
const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const token = 'the-token-of-the-tests';
const authorization = `Bearer ${token}`;

interface Serving {
  readonly url: string;
  /** Of the operations below `/-/`, where they have a port of their own. */
  readonly admin?: string;
  /** Resolves when it has ended by itself. */
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
let site: EchoSite;
let folder: string;

beforeAll(async () => {
  site = await startEchoSite();
});
afterAll(() => site.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waygate-validation-'));
});
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
  await rm(folder, { recursive: true });
});

async function serve(...args: readonly string[]): Promise<Serving> {
  const env = { ...process.env, WAYGATE_ADMIN_TOKEN: token };
  const child = spawn(process.execPath, [MAIN, 'serve', '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  running.add(child);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  for await (const text of createInterface(child.stdout)) {
    const line: { msg?: string; url?: string; admin?: string } = JSON.parse(text);
    if (line.msg !== 'listening' || line.url === undefined) continue;
    const { admin, url } = line;
    child.stdout.resume();
    await expect.poll(async () => (await fetch(`${url}/-/ready`)).status, { timeout: 10_000 }).toBe(200);
    return {
      url,
      ...(admin === undefined ? {} : { admin }),
      async stop() {
        child.kill('SIGTERM');
        await ended;
      },
    };
  }
  throw new Error('it ended before it listened');
}

/** What the gateway said of a request that the document calls wrong: the site echoes it, the gateway refuses it. */
async function wrong(url: string): Promise<number> {
  return (await fetch(`${url}/core/v2/posts?page=none`)).status;
}

async function seen(url: string): Promise<unknown> {
  const response = await fetch(`${url}/-/sites/default/validation`, { headers: { authorization } });
  return response.json();
}

test('requests to a site are watched where nothing is said of it', async () => {
  const { url } = await serve('--site', site.origin);
  expect(await wrong(url)).toBe(200);
  expect(await seen(url)).toMatchObject({
    mode: 'observe',
    operations: [{ wouldRefuse: 1, disagreed: 1, rules: [{ param: 'page', suspended: true }] }],
  });
});

test('--mode wins over the configuration', async () => {
  const file = join(folder, 'waygate.json');
  const validation = { mode: 'observe', routes: [{ match: '/core/v2/posts/*', mode: 'off' }] };
  await writeFile(file, JSON.stringify({ sites: [{ url: site.origin, validation }] }));
  const { url } = await serve('--config', file, '--mode', 'enforce');
  expect(await wrong(url)).toBe(400);
  expect((await fetch(`${url}/core/v2/posts/1?id=x`)).status).toBe(200);
});

test('--after-agreement watches before it refuses', async () => {
  const { url } = await serve('--site', site.origin, '--mode', 'enforce', '--after-agreement', '2');
  expect(await wrong(url)).toBe(200);
  expect(await seen(url)).toMatchObject({
    mode: 'enforce',
    afterAgreement: 2,
    operations: [{ enforced: false }],
  });
});

test('--state keeps what was seen over a restart', async () => {
  const first = await serve('--site', site.origin, '--state', join(folder, 'state'));
  await wrong(first.url);
  await first.stop();
  expect(await readdir(join(folder, 'state'))).toEqual(['validation.json']);
  const second = await serve('--site', site.origin, '--state', join(folder, 'state'), '--mode', 'enforce');
  // The site was seen to take it.
  expect(await wrong(second.url)).toBe(200);
  expect(await seen(second.url)).toMatchObject({ operations: [{ validated: 2 }] });
}, 40_000);

test('--admin-port has the operations for itself', async () => {
  const { admin = '', url } = await serve('--site', site.origin, '--admin-port', '0');
  expect((await fetch(`${url}/-/sites`, { headers: { authorization } })).status).toBe(404);
  expect((await fetch(`${url}/-/health`)).status).toBe(200);
  expect((await fetch(`${admin}/-/sites`)).status).toBe(401);
  expect((await fetch(`${admin}/-/sites`, { headers: { authorization } })).status).toBe(200);
  expect((await fetch(`${admin}/core/v2/posts`)).status).toBe(404);
});
