import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, test } from 'vitest';
import { toJsonObject } from '../../../../src/base/json.ts';
import { toClient, toQueries } from '../../../../src/generator/client/index.ts';
import { recordedClient, recordedDocument } from '../../types/documents.ts';

let generated: Readonly<Record<string, string>>;
beforeAll(async () => {
  generated = {
    './site.client.ts': await recordedClient(),
    './site.tanstack.ts': await toQueries(recordedDocument(), 'site'),
  };
});

/** Bundles a program that imports generated modules. Libraries stay outside. */
async function bundle(program: string): Promise<string> {
  const modules: Readonly<Record<string, string>> = { 'program.ts': program, ...generated };
  const build = await rolldown({
    input: 'program.ts',
    platform: 'browser',
    external: [/^@tanstack\//],
    plugins: [
      {
        name: 'modules of the test',
        resolveId: (id) => (Object.hasOwn(modules, id) ? `\0${id}` : null),
        load: (id) => ({ code: modules[id.slice(1)] ?? '', moduleType: 'ts' }),
      },
    ],
  });
  const { output } = await build.generate({ minify: true });
  return output[0].code;
}

describe('a bundle of a generated client', () => {
  test('is empty if the program uses nothing of it, so that loading has no effect', async () => {
    expect((await bundle(`import './site.client.ts';`)).trim()).toBe('');
  });

  test('has at most 4.8 kB with gzip for one call of WordPress, and what else the program imports', async () => {
    const program = (more: string) => `import { createClient${more} } from './site.client.ts';
      const client = createClient({ baseUrl: '/wp-json', auth: { username: 'a', password: 'b' } });
      console.log(await client.GET('/wp/v2/posts')${more});`;
    const alone = await bundle(program(''));
    expect(gzipSync(alone).length).toBeLessThanOrEqual(4800);
    const marks = Object.entries({
      batch: '/batch/v1',
      cookieAuth: 'X-WP-Nonce',
      paginate: 'lookAhead',
      retry: 'retry-after',
      wooStore: 'cart-token',
    });
    expect(marks.filter(([, mark]) => alone.includes(mark))).toEqual([]);
    for (const [name, mark] of marks) expect(await bundle(program(`, ${name}`))).toContain(mark);
  });

  test('has the same size, and no path that it does not call, however many operations the site has', async () => {
    const large = recordedDocument();
    const paths = Array.from({ length: 1227 }, (_, at) => [
      `/admin/v1/secret-${at}`,
      { get: { responses: { 200: { description: 'OK' } } } },
    ]);
    const document = { ...large, paths: { ...toJsonObject(large['paths']), ...Object.fromEntries(paths) } };
    generated = { ...generated, './large.client.ts': await toClient(document) };
    const [small = '', big = ''] = await Promise.all(
      ['site', 'large'].map((name) =>
        bundle(`import { createClient } from './${name}.client.ts';
          console.log(await createClient({ baseUrl: '/wp-json' }).GET('/wp/v2/posts'));`),
      ),
    );
    expect(big).not.toContain('secret');
    expect(big.length - small.length).toBeLessThanOrEqual(200);
  });
});

describe('the module beside a client', () => {
  test('is the same in every run, byte for byte, and names the library of a framework', async () => {
    const document = recordedDocument();
    expect(await toQueries(structuredClone(document), 'site')).toBe(generated['./site.tanstack.ts']);
    expect(await toQueries(document, 'site', 'vue')).toContain(`from "@tanstack/vue-query"`);
  });

  test('gives an app of five calls at most 6.2 kB with gzip, the client included, and less to one that only reads', async () => {
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
    expect(gzipSync(code).length).toBeLessThanOrEqual(6_200);
    const reads = `import { queryOptions } from './site.tanstack.ts'; export const options = (client) => queryOptions(client, '/wp/v2/posts');`;
    expect(await bundle(reads)).not.toContain('invalidateQueries');
  });
});
