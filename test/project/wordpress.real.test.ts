import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { basic, startWordPress, useWordPress } from '../support/wordpress.ts';

const START = fileURLToPath(new URL('../../scripts/wordpress/start.mjs', import.meta.url));

describe('a throwaway WordPress', () => {
  const site = useWordPress();
  const read = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, site().url), { redirect: 'manual', ...init });

  test('answers its front page, its index in three spellings and a picture', async () => {
    const paths = [
      '',
      'wp-json/',
      '?rest_route=/',
      'index.php?rest_route=/',
      'wp-content/uploads/2024/01/sun.png',
    ];
    const statuses = await Promise.all(paths.map(async (path) => (await read(path)).status));
    expect(statuses).toEqual(paths.map(() => 200));
  });

  test('states its own address with the port', async () => {
    const index = await (await read('wp-json/')).json();
    expect(index).toMatchObject({ url: site().url.slice(0, -1), home: site().url.slice(0, -1) });
  });

  test.each([
    ['posts', 22],
    ['pages', 2],
    ['media', 2],
    ['comments', 3],
    ['categories', 5],
    ['tags', 4],
  ])('has %s: %d of them', async (collection, total) => {
    expect((await read(`wp-json/wp/v2/${collection}`)).headers.get('x-wp-total')).toBe(String(total));
  });

  test.each(['administrator', 'editor', 'subscriber'] as const)(
    'knows its %s by the application password',
    async (role) => {
      const authorization = basic(site().users[role]);
      const answer = await read('wp-json/wp/v2/users/me?context=edit', { headers: { authorization } });
      expect(await answer.json()).toMatchObject({ slug: role, roles: [role] });
    },
  );
});

test('a WordPress in a folder with plain permalinks has no pretty interface', async () => {
  const site = await startWordPress({ subfolder: 'blog', permalinks: 'plain' });
  try {
    expect(site.url).toMatch(/\/blog\/$/);
    const [plain, pretty] = await Promise.all([
      fetch(`${site.url}?rest_route=/wp/v2/posts/3`),
      fetch(`${site.url}wp-json/wp/v2/posts/3`, { redirect: 'manual' }),
    ]);
    expect(plain.status).toBe(200);
    expect(pretty.status).not.toBe(200);
  } finally {
    await site.stop();
  }
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'nothing is left of a site whose owner dies of %s',
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
