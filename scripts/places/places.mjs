// @ts-check
import { readFile, stat } from 'node:fs/promises';
import { generate } from '../../dist/index.js';
import { checkBrowsers } from './browsers.mjs';
import { checkApp, checkGateway } from './checks.mjs';
import { checkGuide } from './next.mjs';
import { checkReactNative } from './react-native.mjs';

/**
 * @typedef {object} Place
 * @property {string} name as in the table of docs/internals/places.md
 * @property {readonly string[]} packages the first two are named in the row
 * @property {boolean} [needsNode] whether they need a newer Node than waygate
 * @property {(project: import('./run.mjs').Project) => Promise<string>} use resolves to what works
 */

/** @param {import('./run.mjs').Project} project */
async function writeApi(project) {
  const { site } = project;
  for (const [name, text] of site.files) await project.write(`api/${name}`, text);
  const gateway = new URL('programs/gateway.ts', import.meta.url);
  await project.write('gateway.ts', await readFile(gateway, 'utf8'));
  await project.write('site-url.ts', `export const SITE_URL = ${JSON.stringify(site.url)};\n`);
}

const GATEWAY =
  'client, validators; gateway: document, docs, validation, proxy, cache in memory, a write purges, requests at once';

const APP =
  'a page with a typed list: the plugin of Vite in development (client generated, /wp-json forwarded), types checked, built and served';

/** @type {readonly Place[]} */
export const PLACES = [
  {
    name: 'workerd',
    packages: ['workerd', 'miniflare', 'esbuild'],
    async use(project) {
      await writeApi(project);
      for (const flags of [[], ['nodejs_compat']]) {
        const server = await project.serve((port) => ['node', 'serve.mjs', port, ...flags], {
          path: '/-/health',
        });
        await checkGateway(server.origin, project.site.root, 501);
        await server.stop();
      }
      const { size } = await stat(project.path('worker.js'));
      return `${GATEWAY}; with and without nodejs_compat, no import of node:, ${Math.round(size / 1000)} kB. types.ts: 501`;
    },
  },
  {
    name: 'deno',
    packages: ['deno'],
    async use(project) {
      await writeApi(project);
      const api = [...project.site.files.keys()].filter((name) => name.endsWith('.ts'));
      await project.run(['deno', 'check', 'posts.ts', ...api.map((name) => `api/${name}`)]);
      const flags = ['--no-check', '--allow-all', '--node-modules-dir=manual'];
      const server = await project.serve(
        (port) => ['deno', 'serve', ...flags, '--host', '127.0.0.1', '--port', port, 'gateway.ts'],
        {
          path: '/-/health',
        },
      );
      await checkGateway(server.origin, project.site.root, 200);
      return `${GATEWAY}; types.ts; what is generated passes deno check`;
    },
  },
  {
    name: 'bun',
    packages: ['bun'],
    async use(project) {
      await writeApi(project);
      await project.run(['node', 'node_modules/bun/install.js']);
      const server = await project.serve((port) => ['bun', 'run', '--port', port, 'gateway.ts'], {
        path: '/-/health',
      });
      await checkGateway(server.origin, project.site.root, 200);
      return `${GATEWAY}; types.ts`;
    },
  },
  {
    name: 'next',
    packages: ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1', '@types/react@19', '@types/node@20'],
    async use(project) {
      for (const cacheComponents of [false, true]) await checkGuide(project, cacheComponents);
      return 'the guide, built and served, with and without cacheComponents: tags, an action, notify of a gateway';
    },
  },
  {
    name: 'nuxt',
    packages: ['nuxt@4.5.2', 'vue@3', 'vue-router', 'vue-tsc'],
    needsNode: true,
    async use(project) {
      await checkApp(project, {
        dev: ['nuxt', 'dev'],
        check: ['nuxt', 'typecheck'],
        build: ['nuxt', 'build'],
        start: ['node', '.output/server/index.mjs'],
      });
      return APP;
    },
  },
  {
    name: 'astro',
    packages: ['astro@7', '@astrojs/node@11', '@astrojs/check', '@types/node@22'],
    needsNode: true,
    async use(project) {
      await checkApp(project, {
        dev: ['astro', 'dev'],
        check: ['astro', 'check'],
        build: ['astro', 'build'],
        start: ['node', 'dist/server/entry.mjs'],
      });
      return APP;
    },
  },
  {
    name: 'sveltekit',
    packages: [
      '@sveltejs/kit@3.2.0',
      'svelte',
      '@sveltejs/adapter-node@6',
      '@sveltejs/vite-plugin-svelte',
      'svelte-check',
      'vite',
      '@types/node@22',
    ],
    needsNode: true,
    async use(project) {
      await checkApp(project, {
        prepare: ['svelte-kit', 'sync'],
        dev: ['vite', 'dev'],
        check: ['svelte-check'],
        build: ['vite', 'build'],
        start: ['node', 'build'],
      });
      return APP;
    },
  },
  {
    name: 'react-router',
    packages: [
      'react-router@8.4.0',
      '@react-router/dev@8.4.0',
      '@react-router/node@8.4.0',
      '@react-router/serve@8.4.0',
      'isbot',
      'react@19',
      'react-dom@19',
      '@types/react@19',
      '@types/react-dom@19',
      '@types/node@22',
      'vite',
    ],
    needsNode: true,
    async use(project) {
      await checkApp(project, {
        dev: ['react-router', 'dev'],
        check: ['tsc'],
        build: ['react-router', 'build'],
        start: ['react-router-serve', './build/server/index.js'],
      });
      return APP;
    },
  },
  {
    name: 'react-native',
    packages: [
      'react-native@0.88.1',
      'metro@0.87.1',
      'hermes-engine-cli@0.12.0',
      '@react-native/metro-config@0.88.1',
      'react@19',
    ],
    needsNode: true,
    async use(project) {
      await writeApi(project);
      const count = await checkReactNative(project);
      return `bundled by Metro, run in Hermes with URL, fetch and AbortSignal of React Native: a list, all pages, a write, an error in ${count} requests`;
    },
  },
  {
    name: 'browsers',
    packages: ['@mdn/browser-compat-data', 'esbuild'],
    async use(project) {
      await writeApi(project);
      return checkBrowsers(project);
    },
  },
  {
    name: 'bundlers',
    packages: ['rolldown', 'esbuild', 'webpack', 'ts-loader'],
    needsNode: true,
    async use(project) {
      const index = await readFile(
        new URL('../../test/fixtures/wordpress-7.1-index-help.json', import.meta.url),
        'utf8',
      );
      const fetch = async () => new Response(index, { headers: { 'Content-Type': 'application/json' } });
      const options = /** @type {const} */ ({ name: 'site', client: true, validators: 'json', fetch });
      const { files } = await generate('https://example.com', options);
      for (const [name, text] of files) await project.write(`api/${name}`, text);
      const sizes = Object.entries(JSON.parse(await project.run(['node', 'bundle.mjs'])));
      return sizes.map(([what, bytes]) => `${what}: ${bytes.join(', ')}`).join('\n');
    },
  },
];
