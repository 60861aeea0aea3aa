import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, createServer, type Plugin, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type WaygatePluginOptions, waygate } from '../../../src/cli/vite/index.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { readRecordedIndex } from '../../support/stub-site.ts';
import { waitUntil, waitUntilStable } from '../../support/wait.ts';

type Index = { routes: Record<string, { endpoints: { args: { order: { enum: string[] } } }[] }> };

let index: Index;
const received: string[] = [];
let site: TestServer;
let root: string;

/** Writes the code of the guide into a folder, with a few routes of the site of the test. */
beforeAll(async () => {
  const { routes, ...rest } = readRecordedIndex('help');
  const used = Object.entries(Object(routes)).filter(([route]) =>
    /^\/(?:wp\/v2(?:\/posts.*)?)?$/.test(route),
  );
  index = { ...rest, routes: Object.fromEntries(used) } as Index;
  site = await startServer(({ url = '' }, outgoing) => {
    received.push(url);
    const isPosts = url.startsWith('/wp-json/wp/v2/posts');
    outgoing.writeHead(200, { 'Content-Type': 'application/json' });
    outgoing.end(JSON.stringify(isPosts ? [{ id: 1, title: { rendered: 'Hello' } }] : index));
  });
  root = await mkdtemp(join(tmpdir(), 'waygate-vite-'));
  const guide = await readFile(new URL('../../../docs/front-end/vite.md', import.meta.url), 'utf8');
  for (const [, name = '', content = ''] of guide.matchAll(
    /^```\w+\n(?:\/\/|<!--) ([\w./]+)(?: -->)?\n([\s\S]*?)^```$/gm,
  )) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    const routes = "include: ['/wp/v2/posts', '/wp/v2/posts/*'], out:";
    await writeFile(
      join(root, name),
      content.replace('https://example.com', `${site.origin}/wp-json/`).replace('out:', routes),
    );
  }
});
afterAll(async () => {
  await site.close();
  await rm(root, { recursive: true, force: true });
});

async function startVite(
  options: WaygatePluginOptions,
): Promise<{ readonly vite: ViteDevServer; readonly origin: string }> {
  const http = createHttpServer();
  const plugin: Plugin = waygate(options);
  const vite = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [plugin],
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, hmr: { server: http } },
  });
  http.on('request', vite.middlewares);
  const running = await startServer(http);
  onTestFinished(async () => {
    await vite.close();
    await running.close();
  });
  return { vite, origin: running.origin };
}

describe('waygate/vite', () => {
  test('generates, forwards to the site, and prints what has changed', async () => {
    const output = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    onTestFinished(() => void vi.restoreAllMocks());
    const { origin } = await startVite({ interval: 100 });
    expect(output.mock.calls[0]?.[0]).toContain('the files of site are missing, and are generated');
    expect(await readdir(join(root, 'src/api'))).toEqual(
      expect.arrayContaining(['site.client.ts', 'site.tanstack.ts']),
    );
    expect(await (await fetch(`${origin}/wp-json/wp/v2/posts?per_page=5`)).json()).toMatchObject([{ id: 1 }]);
    expect(received).toContain('/wp-json/wp/v2/posts?per_page=5');
    const { args } = index.routes['/wp/v2/posts']?.endpoints[0] ?? {};
    if (args === undefined) throw new Error('the fixture has no list of posts');
    args.order.enum = ['asc'];
    // A server that nobody uses does not read the site.
    await waitUntil(async () => {
      await fetch(origin);
      return output.mock.calls.join().includes('the value "desc" was removed (breaking)');
    });
    await waitUntilStable(() => received.length, 80, 25);
  });

  test('responds as a mock, without the site', async () => {
    const { origin } = await startVite({ proxy: 'mock', path: '/api/', interval: 1 });
    const before = received.length;
    const list = await fetch(`${origin}/api/wp/v2/posts?per_page=2`);
    expect([list.status, ((await list.json()) as unknown[]).length]).toEqual([200, 2]);
    expect((await fetch(`${origin}/api/wp/v2/posts?per_page=x`)).status).toBe(400);
    expect(received).toHaveLength(before);
  });

  test('starts again when a module of the configuration changes, and goes on reading the site', async () => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const path = join(root, 'waygate.config.ts');
    const original = await readFile(path, 'utf8');
    onTestFinished(() => writeFile(path, original));
    onTestFinished(() => void vi.restoreAllMocks());
    const settings = join(root, 'settings.ts');
    await writeFile(settings, 'export const more: object = {};');
    const code = original.replace(/tanstack: '\w+'/, '$&, ...more');
    await writeFile(path, `import { more } from './settings';\n${code}`);
    const { origin, vite } = await startVite({ interval: 100 });
    // Vite starts again after a change of these.
    expect(vite.config.configFileDependencies).toEqual(expect.arrayContaining([path, settings]));
    await writeFile(settings, "export const more = { tanstack: 'vue' };");
    await vite.restart();
    const { args } = index.routes['/wp/v2/posts']?.endpoints[0] ?? {};
    args?.order.enum.push('random');
    const read = (file: string) => readFile(join(root, 'src/api', file), 'utf8');
    await waitUntil(async () => {
      expect((await fetch(`${origin}/wp-json/wp/v2/posts`)).status).toBe(200);
      return (await read('site.client.ts')).includes('"random"');
    });
    expect(await read('site.tanstack.ts')).toContain('vue-query');
  });

  test.each<[WaygatePluginOptions, string]>([
    [{ proxy: 'sites' }, 'waygate/vite: proxy "sites" must be site, mock, false, or the URL of a gateway'],
    [{ config: 'other.config.ts' }, 'other.config.ts'],
  ])('%j is an error', async (options, message) => {
    await expect(startVite(options)).rejects.toThrow(message);
  });

  test('the app of the guide is built, and runs', async () => {
    const define = { 'import.meta.env.VITE_REST_ROOT': JSON.stringify(`${site.origin}/wp-json`) };
    await build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [waygate()],
      define,
      build: { modulePreload: { polyfill: false }, target: 'es2022' },
    });
    const assets = join(root, 'dist/assets');
    const [file = ''] = (await readdir(assets)).filter((name) => name.endsWith('.js'));
    const shown: { innerHTML?: string }[] = [];
    const list = { replaceChildren: (...items: typeof shown) => void shown.push(...items) };
    vi.stubGlobal('document', { querySelector: () => list, createElement: () => ({}) });
    onTestFinished(() => void vi.unstubAllGlobals());
    await import(pathToFileURL(join(assets, file)).href);
    expect(shown).toEqual([{ innerHTML: 'Hello' }]);
  });
});

test.each([
  [{ command: 'serve', mode: 'development' }, true],
  [{ command: 'build', mode: 'production' }, false],
  [{ command: 'serve', mode: 'production', isPreview: true }, false],
  // Vitest, whose tests must not read the site.
  [{ command: 'serve', mode: 'test' }, false],
] as const)('%j has the plugin: %j', (env, isApplied) => {
  expect(waygate().apply({}, env)).toBe(isApplied);
});
