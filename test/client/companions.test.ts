import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, test } from 'vitest';
import { toQueries } from '../../src/client/companions.ts';
import { toClient } from '../../src/client/index.ts';
import { recordedClient, recordedDocument } from '../types/documents.ts';
import { listErrors } from '../types/type-checker.ts';

const BESIDE = { name: 'site', client: './site.client.ts' };

/** The client of WordPress 7.1 and the module beside it, by name. */
const modules: Record<string, string> = {};
beforeAll(async () => {
  const document = recordedDocument();
  modules['site.client.ts'] = await recordedClient();
  modules['site.tanstack.ts'] = await toQueries(document, BESIDE);
});

/** Bundles a program that imports the generated modules. Libraries stay outside. */
async function bundle(program: string): Promise<string> {
  const files: Readonly<Record<string, string>> = { 'program.ts': program, ...modules };
  const build = await rolldown({
    input: 'program.ts',
    platform: 'browser',
    external: [/^@tanstack\//],
    plugins: [
      {
        name: 'modules of the test',
        resolveId: (id) => (Object.hasOwn(files, id.replace('./', '')) ? `\0${id.replace('./', '')}` : null),
        load: (id) => ({ code: files[id.slice(1)] ?? '', moduleType: 'ts' }),
      },
    ],
  });
  const { output } = await build.generate({ minify: true });
  return output[0].code;
}

describe('the module beside a client', () => {
  test('is the same in every run, byte for byte, and names the library of a framework', async () => {
    const document = recordedDocument();
    expect(await toQueries(structuredClone(document), BESIDE)).toBe(modules['site.tanstack.ts']);
    expect(await toQueries(document, BESIDE, 'vue')).toContain(`from "@tanstack/vue-query"`);
  });

  test('gives an app of five calls at most 6 KB with gzip, the client included', async () => {
    const code = await bundle(`
      import { createClient } from './site.client.ts';
      import { infiniteQueryOptions, mutationOptions, queryOptions } from './site.tanstack.ts';
      const client = createClient({ baseUrl: '/wp-json' });
      export const list = queryOptions(client, '/wp/v2/posts', { query: { per_page: 5 } });
      export const item = (id: number) => queryOptions(client, '/wp/v2/posts/{id}', { path: { id } });
      export const pages = infiniteQueryOptions(client, '/wp/v2/posts');
      export const create = mutationOptions(client, 'POST', '/wp/v2/posts');
      export const remove = mutationOptions(client, 'DELETE', '/wp/v2/posts/{id}', { query: { force: true } });
    `);
    expect(code).toContain('invalidateQueries');
    expect(gzipSync(code).length).toBeLessThanOrEqual(6_000);
  });

  test('loses what a program does not use', async () => {
    const reads = `import { queryOptions } from './site.tanstack.ts'; export const options = (client) => queryOptions(client, '/wp/v2/posts');`;
    expect(await bundle(reads)).not.toContain('invalidateQueries');
  });
});

test('names and patterns of a hostile document neither leave their text nor become keywords', async () => {
  const operation = (operationId: string) => ({ operationId, summary: '*/ alert(1) /*', responses: {} });
  const paths = {
    [`/a'"];alert(1);//`]: { get: operation('delete'), post: operation('*/ x') },
    '/b': { get: operation('call') },
    '/c/{id}': {
      get: {
        ...operation('c'),
        parameters: [
          { name: 'id', in: 'path', schema: { type: 'string', pattern: `^"];alert(1);/(?<a>[(])(b)$` } },
        ],
      },
    },
  };
  const document = { openapi: '3.1.0', info: { title: '*/', version: '1' }, paths };
  const hostile = { name: '*/ alert(1) /*', client: './site.client.ts' };
  const unmasked = (text: string) => text.replace('// @ts-nocheck', '//');
  const files = {
    'site.client.ts': await toClient(document),
    't.ts': unmasked(await toQueries(document, hostile)),
  };
  const loose = {
    exactOptionalPropertyTypes: false,
    noUncheckedIndexedAccess: false,
    verbatimModuleSyntax: false,
  };
  for (const options of [{}, loose]) {
    expect(listErrors(files, { isolatedDeclarations: false, declaration: false, ...options })).toEqual([]);
  }
}, 60_000);
