import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, createServer } from 'vite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useFolder } from '../support/folder.ts';
import { runServer } from '../support/run.ts';
import { readRecordedIndex } from '../support/stub-site.ts';
import { runCommand } from './run-command.ts';

const folder = useFolder();

test('the app of the guide is generated, developed with the site behind Vite, built, and runs', async () => {
  const index = readRecordedIndex('help');
  const site = await runServer(({ url = '' }, outgoing) => {
    const isPosts = url.startsWith('/wp-json/wp/v2/posts');
    outgoing.writeHead(200, { 'Content-Type': 'application/json' });
    outgoing.end(JSON.stringify(isPosts ? [{ id: 1, title: { rendered: 'Hello' } }] : index));
  });
  const root = folder();
  await symlink(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(root, 'node_modules'));
  const guide = await readFile(new URL('../../docs/front-end/vite.md', import.meta.url), 'utf8');
  for (const [, name = '', content = ''] of guide.matchAll(
    /^```\w+\n(?:\/\/|<!--) ([\w./]+)(?: -->)?\n([\s\S]*?)^```$/gm,
  )) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    const routes = "include: ['/wp/v2/posts', '/wp/v2/posts/*'], options: false, out:";
    const local = content.replace('https://example.com', site.origin).replace('out:', routes);
    await writeFile(join(root, name), local);
  }
  expect(await runCommand(['generate'], { cwd: root })).toMatchObject({ code: 0 });
  expect(await readdir(join(root, 'src/api'))).toContain('site.tanstack.ts');

  const vite = await createServer({ root, logLevel: 'silent', server: { port: 0, ws: false } });
  onTestFinished(() => vite.close());
  await vite.listen();
  const [origin = ''] = vite.resolvedUrls?.local ?? [];
  expect(await (await fetch(`${origin}wp-json/wp/v2/posts?per_page=5`)).json()).toMatchObject([{ id: 1 }]);

  const define = { 'import.meta.env.VITE_REST_ROOT': JSON.stringify(`${site.origin}/wp-json`) };
  const output = { modulePreload: { polyfill: false }, target: 'es2022' };
  await build({ root, logLevel: 'silent', define, build: output });
  const assets = join(root, 'dist/assets');
  const [file = ''] = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  const shown: { innerHTML?: string }[] = [];
  const list = { replaceChildren: (...items: typeof shown) => void shown.push(...items) };
  vi.stubGlobal('document', { querySelector: () => list, createElement: () => ({}) });
  onTestFinished(() => void vi.unstubAllGlobals());
  await import(pathToFileURL(join(assets, file)).href);
  expect(shown).toEqual([{ innerHTML: 'Hello' }]);
});
