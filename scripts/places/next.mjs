// @ts-check
import { strict as assert } from 'node:assert';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPosts, rename, waitUntil } from './checks.mjs';
import { findFreePort } from './run.mjs';

/** What `create-next-app` writes beside the code of the guide, as far as the guide needs it. @type {Readonly<Record<string, string>>} */
const CREATED = {
  'package.json': '{ "private": true }',
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'ES2017',
      lib: ['dom', 'dom.iterable', 'esnext'],
      skipLibCheck: true,
      strict: true,
      noEmit: true,
      esModuleInterop: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      resolveJsonModule: true,
      isolatedModules: true,
      jsx: 'react-jsx',
      incremental: true,
      plugins: [{ name: 'next' }],
      paths: { '@/*': ['./src/*'] },
    },
    include: ['next-env.d.ts', 'src', '.next/types/**/*.ts'],
  }),
  'src/app/layout.tsx': `export default function Layout({ children }: { children: React.ReactNode }) {
    return <html lang="en"><body>{children}</body></html>;
  }`,
};

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Reads the app of docs/front-end/nextjs.md, for the namespace of the example site.
 *
 * @param {boolean} cacheComponents whether with the files of examples/nextjs-cache-components
 * @returns {Promise<Readonly<Record<string, string>>>} contents by file
 */
export async function readGuide(cacheComponents) {
  const guide = await readFile(join(ROOT, 'docs/front-end/nextjs.md'), 'utf8');
  const files = new Map(Object.entries(CREATED));
  for (const [, name = '', code = ''] of guide.matchAll(/^```tsx?\n\/\/ (\S+)\n([\s\S]*?)^```$/gm))
    files.set(name, code);
  const folder = join(ROOT, 'examples/nextjs-cache-components');
  for (const entry of cacheComponents
    ? await readdir(folder, { recursive: true, withFileTypes: true })
    : []) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(relative(folder, path), await readFile(path, 'utf8'));
  }
  return Object.fromEntries(
    Array.from(files, ([name, code]) => [name, code.replaceAll('/wp/v2/', '/core/v2/')]),
  );
}

/**
 * Sends the form of a page as a browser without JavaScript does.
 *
 * @param {string} url @param {Readonly<Record<string, string>>} values
 * @returns {Promise<string>} the page that follows
 */
export async function submitForm(url, values) {
  const page = await (await fetch(url)).text();
  const form = new FormData();
  for (const [, name = '', value = ''] of page.matchAll(
    /<input type="hidden" name="([^"]*)"(?: value="([^"]*)")?/g,
  ))
    form.set(name, value.replaceAll('&quot;', '"'));
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  const headers = { Origin: new URL(url).origin };
  const response = await fetch(url, {
    method: 'POST',
    body: form,
    headers,
    signal: AbortSignal.timeout(20_000),
  });
  return response.text();
}

/**
 * Builds the guide's app, serves it, and checks that its pages are cached until a write of an action, or of somebody else through the gateway.
 *
 * @param {import('./run.mjs').Project} project @param {boolean} cacheComponents
 */
export async function checkGuide(project, cacheComponents) {
  const { site } = project;
  const files = {
    ...(await readGuide(cacheComponents)),
    'src/api/site.client.ts': site.files.get('site.client.ts') ?? '',
  };
  await rm(project.path('.next'), { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) await project.write(name, text);
  const port = String(await findFreePort());
  const secret = 'a-long-secret-of-both';
  const url = `http://127.0.0.1:${port}/api/revalidate`;
  const gateway = await site.startGateway([{ to: 'revalidate', url, secret }]);
  const root = `${gateway.url}/wp-json`;
  const env = { SITE_URL: root, APP_PASSWORD: 'demo-editor-password', REVALIDATE_SECRET: secret };
  try {
    await project.run(['next', 'build'], env);
    const start = /** @type {const} */ (['next', 'start', '--hostname', '127.0.0.1', '--port', port]);
    const app = await project.serve(() => start, { path: '/posts', port, env });
    const [post] = await readPosts(root);
    assert(post);
    const item = `/posts/${post.id}`;
    /** @param {string} title */
    const show = async (title) => {
      const pages = await Promise.all(
        ['/posts', item].map(async (path) => (await fetch(app.origin + path)).text()),
      );
      return pages.every((page) => page.includes(title));
    };
    assert(await show(post.title), 'the pages do not show the post');
    await rename(site.root, post.id, 'Behind the gateway');
    assert(await show(post.title), 'the pages are not cached');
    await rename(root, post.id, 'By somebody else');
    await waitUntil(() => show('By somebody else'), 'notify does not revalidate the pages');
    await submitForm(app.origin + item, { title: 'By an action' });
    assert(await show('By an action'), 'an action does not revalidate the pages');
    await submitForm(app.origin + item, { title: post.title });
    await app.stop();
  } finally {
    await gateway.stop();
  }
}
