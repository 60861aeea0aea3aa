import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { getRequestListener } from '@hono/node-server';
import { beforeAll, expect, test } from 'vitest';
import { generate } from '../../../src/generate.ts';
import { contentSite, DEMO_USERS } from '../../../src/sites/example/index.ts';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { compileFolder } from '../../support/compile.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { runServer } from '../../support/run.ts';
import { findFreePort } from '../../support/server.ts';
import { waitUntil, waitUntilOk } from '../../support/wait.ts';
import { readGuide, submitForm } from './nextjs-guide.ts';

const run = promisify(execFile);

const TYPES = ['typescript@5.9.3', '@types/react@19', '@types/node@20'];
const PACKAGES = ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1', ...TYPES];

const SECRET = 'a-long-secret-of-both';
const EDITOR = { login: '', password: '', ...DEMO_USERS.find(({ login }) => login === 'editor') };

let root: string;
let gateway: TestGateway;
let origin: string;
/** The generated client, by file. */
let client: Readonly<Record<string, string>>;
/** Requests that the site has received. */
let requests = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'waygate-next-'));
  closeAfterTest(() => rm(root, { recursive: true, force: true }));
  const listener = getRequestListener(contentSite().fetch, { overrideGlobalObjects: false });
  const site = await runServer((incoming, outgoing) => {
    requests += 1;
    void listener(incoming, outgoing);
  });
  const port = await findFreePort();
  origin = `http://127.0.0.1:${port}`;
  const notify = [{ to: 'revalidate', url: `${origin}/api/revalidate`, secret: SECRET }] as const;
  gateway = await startGateway({ gateway: { notify, sites: [{ url: `${site.origin}/` }] } });
  const { files: generated } = await generate(gateway.origin, { name: 'site', only: ['client'] });
  client = Object.fromEntries(Array.from(generated, ([name, text]) => [`src/api/${name}`, text]));
  await writeFiles(root, { ...client, ...(await readGuide(true)) });
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', '--loglevel=error'];
  await run('npm', ['install', ...flags, ...PACKAGES], { cwd: root });

  await run(process.execPath, [next(), 'build'], nextOptions()).catch(({ stdout, stderr }) => {
    throw new Error(`next build failed: ${stdout}${stderr}`);
  });
  const words = [next(), 'start', '--hostname', '127.0.0.1', '--port', String(port)];
  const app = spawn(process.execPath, words, { ...nextOptions(), stdio: 'ignore' });
  closeAfterTest(() => app.kill());
  await waitUntilOk(`${origin}/posts`);
}, 300_000);

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

const next = (): string => join(root, 'node_modules/next/dist/bin/next');

const nextOptions = () => ({
  cwd: root,
  env: {
    ...process.env,
    NODE_ENV: 'production' as const,
    NEXT_TELEMETRY_DISABLED: '1',
    SITE_URL: `${gateway.origin}/wp-json`,
    APP_PASSWORD: EDITOR.password,
    REVALIDATE_SECRET: SECRET,
  },
});

const read = async (path: string): Promise<string> => (await fetch(origin + path)).text();

/** The links of the list, and the title of a post. */
const readList = async (): Promise<readonly (readonly [path: string, title: string])[]> =>
  [...(await read('/posts')).matchAll(/<a href="(\/posts\/\d+)">([^<]*)/g)].map(
    ([, path = '', title = '']) => [path, title],
  );
const titleOf = (page: string): string | undefined => /<h1>([^<]*)/.exec(page)?.[1];

test('pages show the site through the gateway, and are cached for as long as the client says', async () => {
  const posts = await (await gateway.request('/wp-json/core/v2/posts?per_page=5')).json();
  const list = await readList();
  expect(list.map(([path]) => path)).toEqual(posts.map(({ id }: { id: number }) => `/posts/${id}`));
  const [path, title] = list[0] ?? ['', ''];
  expect(titleOf(await read(path))).toBe(title);
  const before = requests;
  expect(titleOf(await read(path))).toBe(title);
  expect(requests).toBe(before);
  expect(await read('/posts/999999')).toContain('404');
});

test('a server action writes, and shows the new data in the list and the item', async () => {
  const [path = ''] = (await readList())[0] ?? [];
  expect(titleOf(await submitForm(origin + path, { title: 'By an action' }))).toBe('By an action');
  expect(titleOf(await read(path))).toBe('By an action');
  expect(await readList()).toContainEqual([path, 'By an action']);
  expect(await submitForm(origin + path, { id: '999999', title: 'x' })).toContain('Invalid post ID.');
});

test('what somebody else writes through the gateway is shown as soon as the app is told', async () => {
  const [path = ''] = (await readList())[0] ?? [];
  const Authorization = `Basic ${btoa(`${EDITOR.login}:${EDITOR.password}`)}`;
  const written = await gateway.request(`/wp-json/core/v2${path}`, {
    ...{ method: 'POST', body: '{"title":"By somebody else"}' },
    headers: { 'Content-Type': 'application/json', Authorization },
  });
  expect(written.status).toBe(200);
  // The app may be told of the write of the other test first: the gateway sends one notice a second.
  await waitUntil(async () => titleOf(await read(path)) === 'By somebody else');
  await waitUntil(async () => (await readList()).some(([, title]) => title === 'By somebody else'));
  const forged = { method: 'POST', body: JSON.stringify({ secret: 'x', everything: true, tags: [] }) };
  expect((await fetch(`${origin}/api/revalidate`, forged)).status).toBe(403);
});

test('without cacheComponents the app compiles', async () => {
  const folder = join(root, 'without-cache-components');
  await writeFiles(folder, { ...client, ...(await readGuide(false)) });
  expect(compileFolder(folder)).toEqual(new Map());
});
