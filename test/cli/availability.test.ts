import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useFolder } from '../support/folder.ts';
import { type StubSite, startStubSite } from '../support/stub-site.ts';
import { waitUntil } from '../support/wait.ts';
import { isReady, useServeProcesses } from './serve-process.ts';

const serve = useServeProcesses();
let site: StubSite;
let isDown: boolean;
const folder = useFolder();
beforeEach(async () => {
  isDown = false;
  site = await startStubSite({
    intercept(_, response) {
      if (isDown) response.destroy();
      return isDown;
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
