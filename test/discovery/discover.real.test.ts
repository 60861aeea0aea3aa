import { describe, expect, test } from 'vitest';
import { discover } from '../../src/discovery/index.ts';
import { useWordPress } from '../support/wordpress.ts';

describe.each([
  ['with pretty permalinks', undefined, 'pretty', 'wp-json/'],
  [
    'with plain permalinks in a subfolder',
    { permalinks: 'plain', subfolder: 'blog' },
    'plain',
    'index.php?rest_route=/',
  ],
] as const)("Debian's WordPress %s", (_, options, spelling, below) => {
  const site = useWordPress(options);

  test('is found from every address', async () => {
    const { url } = site();
    const root = url + below;
    for (const path of ['', '?p=1', 'wp-login.php', 'index.php', '?rest_route=/wp/v2/posts', below]) {
      const { address, index } = await discover(url + path);
      const isPlain = path.startsWith('?rest_route');
      expect([path, address]).toEqual([
        path,
        {
          base: url,
          root: isPlain ? `${url}?rest_route=/` : root,
          spelling: isPlain ? 'plain' : spelling,
          prefix: 'wp-json',
        },
      ]);
      expect(index.namespaces).toContain('wp/v2');
    }
  });

  test('accepts an application password', async () => {
    const { url, users } = site();
    const { user, password } = users.administrator;
    const { index, diagnostics } = await discover(url, { auth: { user, password } });
    expect(index.routes.length).toBeGreaterThan(80);
    expect(diagnostics.map(({ rule }) => rule)).not.toContain('credentials-unused');
    const wrong = await discover(url, { auth: { user, password: 'wrong' } });
    expect(wrong.diagnostics.map(({ rule }) => rule)).toContain('credentials-unused');
  });
});
