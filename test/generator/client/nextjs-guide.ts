import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What `create-next-app` writes beside the code of the guide, as far as the guide needs it. */
const CREATED: Readonly<Record<string, string>> = {
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
  'next-env.d.ts': '/// <reference types="next" />',
  'next.config.ts': 'export default { cacheComponents: true };',
  'src/app/layout.tsx': `export default function Layout({ children }: { children: React.ReactNode }) {
    return <html lang="en"><body>{children}</body></html>;
  }`,
};

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Reads the app of docs/front-end/nextjs.md, for the namespace of the example site.
 *
 * @param cacheComponents whether without the files of examples/nextjs-without-cache-components
 * @returns contents by file
 */
export async function readGuide(cacheComponents: boolean): Promise<Readonly<Record<string, string>>> {
  const guide = await readFile(join(ROOT, 'docs/front-end/nextjs.md'), 'utf8');
  const files = new Map(Object.entries(CREATED));
  for (const [, name = '', code = ''] of guide.matchAll(/^```tsx?\n\/\/ (\S+)\n([\s\S]*?)^```$/gm))
    files.set(name, code);
  const folder = join(ROOT, 'examples/nextjs-without-cache-components');
  for (const entry of cacheComponents
    ? []
    : await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(relative(folder, path), await readFile(path, 'utf8'));
  }
  return Object.fromEntries(
    Array.from(files, ([name, code]) => [name, code.replaceAll('/wp/v2/', '/core/v2/')]),
  );
}

/** Sends the form of a page as a browser without JavaScript does. @returns the page that follows */
export async function submitForm(url: string, values: Readonly<Record<string, string>>): Promise<string> {
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
    signal: AbortSignal.timeout(90_000),
  });
  return response.text();
}
