import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { StateStore } from '../../../../src/base/ports.ts';
import type { Gateway } from '../../../../src/gateway/index.ts';
import { stateFolder } from '../../../../src/gateway/node/state-folder.ts';
import { useFolder } from '../../../support/folder.ts';
import { startGateway, type TestOptions } from '../../../support/gateway.ts';
import { createRoutesIndex } from '../../../support/index-routes.ts';
import { createMemoryState } from '../../../support/memory-state.ts';
import { type StubSite, startStubSite } from '../../../support/stub-site.ts';

const folder = useFolder();
let index: { routes: Record<string, unknown> };
let site: StubSite;
let isDown: boolean;

beforeEach(async () => {
  const routes = { '/wp/v2/posts': 'GET', '/wp/v2/types': 'GET', '/wp/v2/media': 'GET' };
  index = createRoutesIndex(routes, { per_page: { type: 'integer' } }) as typeof index;
  isDown = false;
  site = await startStubSite({
    index: () => index,
    intercept(_, response) {
      if (isDown) response.destroy();
      return isDown;
    },
  });
  return site.close;
});

const UNREAD = { document: undefined, passthrough: false, cache: {}, isUnread: true, inMemory: true };

const start = (options: TestOptions = {}, state: StateStore = stateFolder(folder())) =>
  startGateway({ ...UNREAD, url: site.url, ...options, gateway: { state } });

async function runOnce(options: TestOptions = {}): Promise<void> {
  const { stop } = await start({ ...options, isUnread: false });
  await stop();
}

const read = async (gateway: Gateway, path: string) => (await gateway.app.request(path)).json();

describe('a restart', () => {
  test('serves from the last good document as soon as it listens, while the site is down', async () => {
    await runOnce();
    isDown = true;
    const { request } = await start({ inMemory: false, validation: { mode: 'strict' } });
    expect((await request('/-/ready')).status).toBe(200);
    const refused = await request('/wp/v2/posts?per_page=none');
    expect([refused.status, (await refused.json()).code]).toEqual([400, 'rest_invalid_param']);
    const document = await (await request('/openapi.json')).json();
    expect(Object.keys(document.paths)).toContain('/wp/v2/posts');
  });

  test('rediscovers behind it, and the next start has what it found', async () => {
    await runOnce();
    const { '/wp/v2/types': _, ...routes } = index.routes;
    index = { ...index, routes };
    const { gateway } = await start();
    await gateway.restore();
    const document = await read(gateway, '/openapi.json');
    expect(Object.keys(document.paths)).toContain('/wp/v2/types');
    await gateway.rediscover();
    expect(Object.keys((await read(gateway, '/openapi.json')).paths)).not.toContain('/wp/v2/types');
    await gateway.stop();
    isDown = true;
    const { gateway: third } = await start();
    await third.restore();
    expect(Object.keys((await read(third, '/openapi.json')).paths)).not.toContain('/wp/v2/types');
  });

  test('but a reload serves on what was found, if it could not be written', async () => {
    await runOnce();
    const { '/wp/v2/types': _, ...routes } = index.routes;
    index = { ...index, routes };
    const { gateway, replace } = await start({}, { ...stateFolder(folder()), write: async () => {} });
    await gateway.rediscover();
    isDown = true;
    const reloaded = await replace();
    await reloaded.restore();
    expect(Object.keys((await read(reloaded, '/openapi.json')).paths)).not.toContain('/wp/v2/types');
  });

  test('does not believe an index that has shrunk meanwhile', async () => {
    await runOnce();
    index = { ...index, routes: {} };
    const { gateway, warnings } = await start();
    await gateway.rediscover();
    expect(warnings.join()).toContain('lacks too many operations');
    expect(Object.keys((await read(gateway, '/openapi.json')).paths)).toContain('/wp/v2/posts');
  });

  test('with other settings does not serve what those before have found', async () => {
    await runOnce();
    isDown = true;
    for (const discover of [{ exclude: ['/wp/v2/types*'] }, { auth: { user: 'a', password: 'b' } }]) {
      const { gateway, warnings } = await start({ discover });
      await gateway.restore();
      expect((await gateway.app.request('/openapi.json')).status).toBe(503);
      expect(warnings.filter((text) => !text.startsWith('discovery failed'))).toEqual([]);
    }
  });
});

describe('the document is written', () => {
  test('when it changes, and not by discoveries that find no change', async () => {
    const written: string[] = [];
    const state = { ...createMemoryState(), write: async (name: string) => void written.push(name) };
    const { gateway } = await start({}, state);
    for (let count = 0; count < 3; count += 1) await gateway.rediscover();
    await gateway.stop();
    expect(written.filter((name) => name === 'document.default')).toHaveLength(1);
  });

  test('without credentials', async () => {
    const url = new URL(site.url);
    url.username = 'somebody';
    url.password = 'secret-of-the-url';
    await runOnce({
      url: url.href,
      discover: {
        auth: { user: 'reader', password: 'secret-of-discovery' },
        headers: { 'x-key': 'secret-of-a-field' },
      },
      upstream: { headers: { 'x-door': 'secret-of-the-door' } },
    });
    const text = await readFile(join(folder(), 'document.default.json'), 'utf8');
    expect(text).toContain('reader');
    expect(text).not.toContain('secret-of');
  });
});

describe('a stored document is replaced after a warning, and the gateway starts, if', () => {
  test.each<[string, (text: string) => string]>([
    ['it was cut off', (text) => text.slice(0, text.length / 2)],
    ['it is of another site', (text) => text.replace(site.url, 'https://example.com/')],
    ['it is of another version', (text) => text.replace('"version":1', '"version":2')],
    ['it has no document', (text) => text.replace('"document":', '"other":')],
    ['its document lacks what a gateway needs', (text) => text.replace('"x-waygate":', '"x-other":')],
  ])('%s', async (_, damage) => {
    await runOnce();
    const file = join(folder(), 'document.default.json');
    await writeFile(file, damage(await readFile(file, 'utf8')));
    const { gateway, warnings } = await start();
    await gateway.restore();
    expect(warnings).toEqual([expect.stringContaining('unusable')]);
    await gateway.rediscover();
    expect(gateway.isReady()).toBe(true);
    await gateway.stop();
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ site: site.url });
  });
});
