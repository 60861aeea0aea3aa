// @ts-check
import { stat } from 'node:fs/promises';
import { checkGateway } from './checks.mjs';

/**
 * @typedef {object} Place
 * @property {string} name as in the table of docs/places.md
 * @property {readonly string[]} packages the first two are named in the row
 * @property {boolean} [needsNode] whether they need a newer Node than waygate
 * @property {(project: import('./run.mjs').Project) => Promise<string>} use resolves to what works
 */

/** @param {import('./run.mjs').Project} project */
async function writeApi(project) {
  const { site } = project;
  for (const [name, text] of site.files) await project.write(`api/${name}`, text);
  await project.write('site-url.ts', `export const SITE_URL = ${JSON.stringify(site.url)};\n`);
}

const GATEWAY =
  'client, validators; gateway: document, docs, validation, proxy, cache in memory, a write purges, requests at once';

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
      const flags = ['--no-check', '--allow-all', '--node-modules-dir=manual'];
      const server = await project.serve(
        (port) => ['deno', 'serve', ...flags, '--host', '127.0.0.1', '--port', port, 'gateway.ts'],
        {
          path: '/-/health',
        },
      );
      await checkGateway(server.origin, project.site.root, 200);
      return `${GATEWAY}; types.ts`;
    },
  },
  {
    name: 'bun',
    packages: ['bun'],
    async use(project) {
      await writeApi(project);
      await project.run('node', ['node_modules/bun/install.js']);
      const server = await project.serve((port) => ['bun', 'run', '--port', port, 'gateway.ts'], {
        path: '/-/health',
        env: (port) => ({ BUN_PORT: port }),
      });
      await checkGateway(server.origin, project.site.root, 200);
      return `${GATEWAY}; types.ts`;
    },
  },
];
