// @ts-check

/** @typedef {import('./main.mjs').ToolRun} ToolRun */

/**
 * Generates types with openapi-typescript, and calls with openapi-fetch.
 *
 * @param {ToolRun} run
 */
export async function generateWithOpenapiTypescript(run) {
  await run.exec('openapi-typescript/bin/cli.js', [run.documentPath, '-o', run.path('types.ts')]);
  return run.compileAndCall(`
    import createClient from 'openapi-fetch';
    import type { paths } from './types';
    const { data } = await createClient<paths>({ baseUrl: BASE_URL }).GET('/');
    finish(data);
  `);
}

/**
 * Generates a client with hey-api.
 *
 * @param {ToolRun} run
 */
export async function generateWithHeyApi(run) {
  const flags = [
    '-i',
    run.documentPath,
    '-o',
    run.path('out'),
    '-c',
    '@hey-api/client-fetch',
    '--no-log-file',
  ];
  await run.exec('@hey-api/openapi-ts/bin/run.js', flags);
  return run.compileAndCall(`
    import { client } from './out/client.gen';
    import { getIndex } from './out/sdk.gen';
    client.setConfig({ baseUrl: BASE_URL });
    const { data } = await getIndex();
    finish(data);
  `);
}

/**
 * Generates a client with orval.
 *
 * @param {ToolRun} run
 */
export async function generateWithOrval(run) {
  const config = {
    api: {
      input: { target: run.documentPath },
      output: {
        target: run.path('out/api.ts'),
        client: 'fetch',
        baseUrl: run.baseUrl,
        // orval writes one function for all media types of a body, which does not compile for JSON beside a raw file.
        override: { contentType: { exclude: ['*/*'] } },
      },
    },
  };
  const file = await run.write('orval.config.mjs', `export default ${JSON.stringify(config)};`);
  await run.exec('orval/dist/bin/orval.mjs', ['--config', file]);
  return run.compileAndCall(`
    import { getIndex } from './out/api';
    const { data } = await getIndex();
    finish(data);
  `);
}

/**
 * Generates a client with kubb.
 *
 * @param {ToolRun} run
 */
export async function generateWithKubb(run) {
  const file = await run.write(
    'kubb.config.mjs',
    `import { defineConfig } from '@kubb/core';
    import { pluginClient } from '@kubb/plugin-client';
    import { pluginOas } from '@kubb/plugin-oas';
    import { pluginTs } from '@kubb/plugin-ts';
    export default defineConfig({
      root: ${JSON.stringify(run.path('.'))},
      input: { path: ${JSON.stringify(run.documentPath)} },
      output: { path: './out', clean: true, format: false, lint: false },
      plugins: [
        pluginOas({ generators: [] }),
        pluginTs({ output: { path: 'models' } }),
        pluginClient({
          output: { path: 'clients' }, client: 'fetch', bundle: true, baseURL: ${JSON.stringify(run.baseUrl)},
        }),
      ],
    });`,
  );
  await run.exec('@kubb/cli/bin/kubb.cjs', ['generate', '--config', file]);
  return run.compileAndCall(`
    import { getIndex } from './out/clients/getIndex';
    finish(await getIndex());
  `);
}

/**
 * Converts the document to a collection of Postman, which has a request for each operation.
 *
 * @param {ToolRun} run
 */
export async function convertForPostman(run) {
  const result = await run.execModule(`
    import { readFileSync } from 'node:fs';
    import { createRequire } from 'node:module';
    const { convertV2 } = createRequire(import.meta.url)('openapi-to-postmanv2');
    const data = readFileSync(${JSON.stringify(run.documentPath)}, 'utf8');
    convertV2({ type: 'string', data }, {}, (error, { result, reason, output }) => {
      if (error || !result) throw error ?? new Error(reason);
      const count = (items) => items.reduce((sum, each) => sum + (each.item ? count(each.item) : 1), 0);
      console.log(count(output[0].data.item));
    });
  `);
  const expected = Object.values(run.document.paths)
    .flatMap((item) => Object.keys(/** @type {object} */ (item)))
    .filter((name) => /^(?:get|put|post|delete|options|head|patch|trace)$/.test(name)).length;
  if (Number(result) !== expected) throw new Error(`${result} requests of ${expected} operations`);
  return `${result} requests`;
}
