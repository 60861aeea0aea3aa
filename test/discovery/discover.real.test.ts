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

  // A hundred requests, which plain permalinks make no other.
  test.runIf(spelling === 'pretty')('returns the same schemas through OPTIONS as in its index', async () => {
    const { url } = site();
    const help = await discover(url);
    const options = await discover(url, {
      schemas: 'options',
      // A site that refuses its index with context=help.
      fetch: (input, init) =>
        String(input).includes('context=help')
          ? Promise.resolve(new Response('', { status: 413 }))
          : fetch(input, init),
    });
    // WordPress 6.1 registers these routes after a pattern that matches all their paths, so they are unreachable.
    const shadowed = options.diagnostics.filter(({ rule }) => rule.startsWith('options-'));
    for (const { rule, route } of shadowed) {
      expect([rule, route]).toEqual([
        'options-other-route',
        expect.stringMatching(/^\/wp\/v2\/template.*\[\\d\]/),
      ]);
    }
    expect(shadowed.length).toBeLessThanOrEqual(8);
    const differing = options.index.routes.filter(
      (route, index) => JSON.stringify(route) !== JSON.stringify(help.index.routes[index]),
    );
    expect(differing.map(({ pattern }) => pattern)).toEqual(shadowed.map(({ route }) => route));
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
