import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { runCommand } from '../cli/run-command.ts';
import { useBrowser } from '../support/browser.ts';
import { useFolder } from '../support/folder.ts';
import { runServer } from '../support/run.ts';
import { useWordPress } from '../support/wordpress.ts';

const site = useWordPress();
const browser = useBrowser();
const folder = useFolder();

/** Creates, uploads, reads to the end, and handles errors by their code. It leaves the site as it was. */
const PROGRAM = `import { createClient, paginate } from './site.client.ts';
globalThis.run = async (connection) => {
  const client = createClient({ ...connection, throw: true });
  const created = await client.POST('/wp/v2/posts', { body: { title: 'Grüße', status: 'publish' } });
  const path = { id: created.data.id };
  const bytes = Uint8Array.from(atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='), (letter) => letter.charCodeAt(0));
  const uploaded = await client.POST('/wp/v2/media', {
    file: new File([bytes], 'größe “1”.png', { type: 'image/png' }),
    body: { alt_text: 'Ein Punkt', post: path.id },
  });
  const { total } = await client.GET('/wp/v2/posts', { query: { per_page: 1 } });
  const titles = [];
  for await (const { title } of paginate(client, '/wp/v2/posts', { query: { per_page: 4, _fields: ['title'] } })) titles.push(title.rendered);
  await client.DELETE('/wp/v2/media/{id}', { path: { id: uploaded.data.id }, query: { force: true } });
  await client.DELETE('/wp/v2/posts/{id}', { path, query: { force: true } });
  const gone = await client.GET('/wp/v2/posts/{id}', { path, throw: false });
  const { alt_text, mime_type, post } = uploaded.data;
  return [alt_text, mime_type, post === path.id, titles.length === total, titles.includes('Grüße'), gone.error?.code];
};
`;

test('a generated client works in a browser, bundled by Vite, on another origin than the site', async () => {
  const root = folder();
  const generated = await runCommand(['generate', site().url, '--name', 'site', '--client'], { cwd: root });
  expect(generated).toMatchObject({ code: 0 });
  await writeFile(join(root, 'program.ts'), PROGRAM);
  await writeFile(
    join(root, 'index.html'),
    '<!DOCTYPE html><title>a</title><script type="module" src="program.ts"></script>',
  );
  await build({ root, configFile: false, logLevel: 'error' });
  const { origin } = await runServer(async ({ url = '/' }, response) => {
    const path = url === '/' ? 'index.html' : url;
    const content = await readFile(join(root, 'dist', path)).catch(() => null);
    const type = path.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(content === null ? 404 : 200, { 'content-type': type }).end(content);
  });
  const { user, password } = site().users.administrator;
  const connection = { baseUrl: `${site().url}wp-json`, auth: { username: user, password } };
  const visit = await browser.visit(`${origin}/`);
  expect(await visit.page.evaluate(`run(${JSON.stringify(connection)})`)).toEqual([
    ...['Ein Punkt', 'image/png', true, true, true, 'rest_post_invalid_id'],
  ]);
  expect(visit.console.filter((line) => !line.includes('status of 404'))).toEqual([]);
});
