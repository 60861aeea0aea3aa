import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useFolder } from '../support/folder.ts';
import { type StubSite, startStubSite } from '../support/stub-site.ts';
import { waitUntil } from '../support/wait.ts';
import { isReady, useServeProcesses } from './serve-process.ts';

const serve = useServeProcesses();
let site: StubSite;
let isDown: boolean;
let content: string;
const folder = useFolder();
beforeEach(async () => {
  isDown = false;
  content = 'before';
  site = await startStubSite({
    intercept({ route }, response) {
      if (isDown) response.destroy();
      else if (route === '/wp/v2/posts') response.end(JSON.stringify(content));
      return isDown || route === '/wp/v2/posts';
    },
  });
});
afterEach(async () => {
  await site.close();
});

test('a gateway that was killed serves from the last good document when it listens again, while the site is down', async () => {
  const args = ['--site', site.origin, '--state', folder(), '--passthrough'];
  const first = await serve(args);
  await waitUntil(isReady(first.url));
  await waitUntil(
    async () => (await readFile(join(folder(), 'document.json'), 'utf8').catch(() => '')) !== '',
  );
  first.child.kill('SIGKILL');
  await first.exitCode;
  isDown = true;
  const { url } = await serve(args);
  expect((await fetch(`${url}/-/ready`)).status).toBe(200);
  expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
});

test('a gateway that was killed asks again about what it stores after its start: the site may have run a write meanwhile', async () => {
  const config = join(folder(), 'waygate.json');
  const cache = { rules: [{ match: '/wp/v2/*', ttl: '1h' }] };
  await writeFile(config, JSON.stringify({ state: folder(), sites: [{ url: site.origin, cache }] }));
  const first = await serve(['--config', config]);
  await waitUntil(isReady(first.url));
  first.child.kill('SIGKILL');
  await first.exitCode;
  const { url } = await serve(['--config', config]);
  const read = async (): Promise<unknown> => (await fetch(`${url}/wp/v2/posts`)).json();
  await waitUntil(isReady(url));
  expect(await read()).toBe('before');
  content = 'after';
  expect(await read()).toBe('before');
  await waitUntil(async () => (await read()) === 'after');
});
