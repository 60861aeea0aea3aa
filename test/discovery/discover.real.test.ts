import { describe, expect, it } from 'vitest';
import { discover } from '../../src/discovery/index.ts';
import { useWordPress } from '../support/wordpress.ts';

describe.each([
  ['with pretty permalinks', {}, 'pretty', 'wp-json/'],
  [
    'with plain permalinks in a subfolder',
    { permalinks: 'plain', subfolder: 'blog' },
    'plain',
    'index.php?rest_route=/',
  ],
] as const)("Debian's WordPress %s", (_, options, spelling, below) => {
  const site = useWordPress(options);

  it('is found from every address', async () => {
    const { url } = site();
    const root = url + below;
    for (const given of ['', '?p=1', 'wp-login.php', 'index.php', '?rest_route=/wp/v2/posts', below]) {
      const { address, index } = await discover(url + given);
      const asked = given.startsWith('?rest_route') ? `${url}?rest_route=/` : root;
      expect([given, address]).toEqual([given, { base: url, root: asked, spelling, prefix: 'wp-json' }]);
      expect(index.namespaces).toContain('wp/v2');
    }
  });

  it('gives the same schemas through OPTIONS as through its index', async () => {
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
    expect(options.diagnostics.filter(({ rule }) => rule.startsWith('options-'))).toEqual([]);
    expect(options.index.routes).toEqual(help.index.routes);
  });

  it('takes an application password', async () => {
    const { url, users } = site();
    const { user, password } = users.administrator;
    const { index } = await discover(url, { auth: { user, password } });
    expect(index.routes.length).toBeGreaterThan(80);
    await expect(discover(url, { auth: { user, password: 'wrong' } })).rejects.toMatchObject({
      reason: 'unauthorized',
    });
  });
});
