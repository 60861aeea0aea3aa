import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { useWordPress } from '../support/wordpress.ts';

const START = fileURLToPath(new URL('../../scripts/wordpress/start.mjs', import.meta.url));

describe('a temporary WordPress site', () => {
  const site = useWordPress();
  const request = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, site().url), { redirect: 'manual', ...init });

  test('serves its front page, its root index in three spellings and an image', async () => {
    const paths = [
      '',
      'wp-json/',
      '?rest_route=/',
      'index.php?rest_route=/',
      'wp-content/uploads/2024/01/sun.png',
    ];
    const statuses = await Promise.all(paths.map(async (path) => (await request(path)).status));
    expect(statuses).toEqual(paths.map(() => 200));
  });
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'a site stops and removes its files when its parent process dies of %s',
  async (signal) => {
    const owner = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `const { startWordPress } = await import(${JSON.stringify(START)});
       const { url, folder } = await startWordPress();
       console.log(JSON.stringify({ url, folder }));
       setInterval(() => {}, 1000);`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = await once(createInterface({ input: owner.stdout }), 'line');
    const { url, folder } = JSON.parse(line) as { url: string; folder: string };
    expect((await fetch(url)).status).toBe(200);

    owner.kill(signal);
    await expect.poll(() => existsSync(folder), { timeout: 20_000, interval: 100 }).toBe(false);
    await expect(fetch(url)).rejects.toThrow();
    const { stdout } = await promisify(execFile)('ps', ['-eo', 'args']);
    expect(stdout).not.toContain(dirname(folder));
  },
);
