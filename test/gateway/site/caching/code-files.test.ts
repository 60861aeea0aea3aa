import { beforeEach, describe, expect, test } from 'vitest';
import { closeAfterTest } from '../../../support/close-after-test.ts';
import { createSettledGateway } from '../../../support/gateway.ts';
import { createSmallDocument, EDITOR, startStubSite } from '../../../support/stub-site.ts';

/** Which files of WordPress, themes and plugins a change makes the gateway fetch again. */

const TOKEN = 'a-token-of-the-tests';
const SCRIPTS = Array.from({ length: 4 }, (_, at) => `/wp-content/plugins/shop/a${at}.js?ver=1`);
const BYTES = 1_000;
const DATES = {
  'last-modified': new Date(Date.now() - 30 * 86_400_000).toUTCString(),
  date: new Date().toUTCString(),
};
const BY_SERVER = { ...DATES, etag: '"1"', 'cache-control': 'max-age=3600' };
const BY_PHP = { ...BY_SERVER, 'x-powered-by': 'PHP/8.3' };

let sent: { readonly path: string; readonly bytes: number }[] = [];
beforeEach(() => {
  sent = [];
});

async function start(fields: Readonly<Record<string, string>>) {
  const site = await startStubSite({
    intercept({ headers, route, url }, response) {
      if (route !== undefined && route !== '/wp/v2/plugins/shop/shop') return false;
      if (url.includes('refuse=1') || (route !== undefined && headers.cookie !== EDITOR.cookie)) {
        response.writeHead(403).end();
        return true;
      }
      const isFile = /^\/wp-(?:content|includes|admin)\/.*\.\w+(?:\?|$)/.test(url);
      const own = isFile ? fields : { 'content-type': 'text/html', etag: '"1"' };
      const isKnown =
        isFile &&
        ((own['etag'] !== undefined && headers['if-none-match'] === own['etag']) ||
          headers['if-modified-since'] === own['last-modified']);
      const body = isFile ? 'x'.repeat(BYTES) : '<p>page</p>';
      sent.push({ path: url, bytes: isKnown ? 0 : body.length });
      if (isKnown) response.writeHead(304, own).end();
      else response.writeHead(200, own).end(body);
      return true;
    },
    respond: ({ method }) => ({ status: method === 'POST' ? 201 : 200, body: { id: 1, status: 'publish' } }),
  });
  closeAfterTest(site.close);
  const gateway = createSettledGateway({
    sites: [{ url: site.url, document: createSmallDocument(), passthrough: true, cache: { pages: 600 } }],
    admin: { token: TOKEN },
    cache: 'memory',
  });
  closeAfterTest(() => gateway.stop());
  const readAll = async (paths: readonly string[]): Promise<void> => {
    for (const path of paths) await (await gateway.app.request(path)).arrayBuffer();
  };
  const write = async (path: string, init: RequestInit = {}): Promise<number> => {
    const response = await gateway.app.request(path, {
      method: 'POST',
      headers: { cookie: EDITOR.cookie, 'content-type': 'application/json', 'x-wp-nonce': '1' },
      body: '{"title":"a"}',
      ...init,
    });
    await response.arrayBuffer();
    return response.status;
  };
  const purge = (body: object) =>
    gateway.app.request('/-/purge', {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return { purge, readAll, write };
}

/** What the site has sent for files and pages since the last call. */
function takeSent(): { readonly bytes: number; readonly files: number; readonly pages: number } {
  const taken = sent;
  sent = [];
  const files = taken.filter(({ path }) => path.startsWith('/wp-'));
  const bytes = files.reduce((sum, each) => sum + each.bytes, 0);
  return { bytes, files: files.length, pages: taken.length - files.length };
}

describe('the files of a plugin', () => {
  test.each([
    ['', BY_SERVER],
    [', whose server sends no ETag', { ...BY_SERVER, etag: '', 'accept-ranges': 'bytes' }],
  ])('are not fetched again after a publish%s', async (_, { etag, ...others }) => {
    const { readAll, write } = await start(etag === '' ? others : { ...others, etag });
    for (const _round of [1, 2, 3]) await readAll([...SCRIPTS, '/']);
    takeSent();
    expect(await write('/wp-json/wp/v2/posts')).toBe(201);
    await readAll([...SCRIPTS, '/']);
    expect(takeSent()).toEqual({ bytes: 0, files: 0, pages: 1 });
  });

  const form = (body: string): RequestInit => ({
    body,
    headers: { cookie: EDITOR.cookie, 'content-type': 'application/x-www-form-urlencoded' },
  });
  const link = { method: 'GET', body: null };
  const CODE_WRITES: readonly (readonly [path: string, init: RequestInit])[] = [
    ['/wp-admin/update.php?action=upgrade-plugin&_wpnonce=1', link],
    ['/wp-admin/plugins.php?action=activate&plugin=a&_wpnonce=1', link],
    ['/wp-admin/update-core.php?action=do-core-upgrade', form('_wpnonce=1')],
    ['/wp-admin/plugin-editor.php', form('file=a.js')],
    ['/wp-admin/admin-ajax.php', form('action=update-plugin&slug=a')],
    ['/wp-json/wp/v2/plugins/shop/shop', {}],
  ];

  test('are checked after an upgrade or edit by a user', async () => {
    const { readAll, write } = await start(BY_SERVER);
    for (const [path, init] of CODE_WRITES) {
      for (const _round of [1, 2, 3]) await readAll([...SCRIPTS, '/']);
      await write(path, init);
      takeSent();
      await readAll([...SCRIPTS, '/']);
      expect([path, takeSent()]).toEqual([path, { bytes: 0, files: SCRIPTS.length, pages: 1 }]);
    }
  });

  test('stay after the same by a stranger, or by a user whom the site refuses', async () => {
    const { readAll, write } = await start(BY_SERVER);
    for (const _round of [1, 2, 3]) await readAll([...SCRIPTS, '/']);
    for (const [path, init] of CODE_WRITES) {
      for (const cookie of ['', 'wordpress_logged_in_1=made-up'])
        await write(path, { ...init, headers: { ...Object(init.headers), cookie, 'x-wp-nonce': '1' } });
      await write(`${path}${path.includes('?') ? '&' : '?'}refuse=1`, init);
    }
    takeSent();
    await readAll([...SCRIPTS, '/']);
    expect(takeSent()).toEqual({ bytes: 0, files: 0, pages: 0 });
  });

  test('are fetched again after a publish if PHP sends them, whole', async () => {
    const { readAll, write } = await start(BY_PHP);
    for (const _round of [1, 2, 3]) await readAll(SCRIPTS);
    takeSent();
    await write('/wp-json/wp/v2/posts');
    await readAll(SCRIPTS);
    expect(takeSent()).toEqual({ bytes: SCRIPTS.length * BYTES, files: SCRIPTS.length, pages: 0 });
  });

  test.each([
    ['a purge of everything', { all: true }, BYTES],
    ['a soft purge of everything, which the site confirms', { all: true, soft: true }, 0],
    ['a soft purge by their tag', { tags: ['code-files'], soft: true }, 0],
  ])('are checked after %s', async (_, body, bytes) => {
    const { purge, readAll } = await start(BY_SERVER);
    for (const _round of [1, 2, 3]) await readAll(SCRIPTS);
    takeSent();
    expect((await purge(body)).status).toBe(200);
    await readAll(SCRIPTS);
    expect(takeSent()).toEqual({ bytes: bytes * SCRIPTS.length, files: SCRIPTS.length, pages: 0 });
  });
});

test('a version makes a file one that is stored below plugins, and not below uploads', async () => {
  const { readAll } = await start(DATES);
  const paths = ['/wp-content/plugins/shop/a.js?ver=1', '/wp-content/uploads/a.zip?ver=1'];
  for (const _round of [1, 2, 3]) await readAll(paths);
  takeSent();
  await readAll(paths);
  expect(takeSent()).toMatchObject({ files: 1 });
});
