import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, test } from 'vitest';
import { toClient } from '../../../src/client/index.ts';

let client: string;
beforeAll(async () => {
  client = await toClient({ openapi: '3.1.0', info: { title: 'A site', version: '1' }, paths: {} });
});

/** Bundles a program that imports the generated client. */
async function bundle(program: string): Promise<string> {
  const modules: Readonly<Record<string, string>> = { 'program.ts': program, './site.client.ts': client };
  const build = await rolldown({
    input: 'program.ts',
    platform: 'browser',
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

  test('contains paginate and batch only if the program uses them', async () => {
    const program = (names: string) => `export { ${names} } from './site.client.ts';`;
    const isIn = (code: string) => ({
      paginate: code.includes('lookAhead'),
      batch: code.includes('/batch/v1'),
    });
    const [alone, paging, batching] = await Promise.all(
      ['createClient', 'createClient, paginate', 'createClient, batch'].map((names) =>
        bundle(program(names)),
      ),
    );
    expect(isIn(alone ?? '')).toEqual({ paginate: false, batch: false });
    expect(isIn(paging ?? '')).toEqual({ paginate: true, batch: false });
    expect(isIn(batching ?? '')).toEqual({ paginate: false, batch: true });
    // Before compression; 4.9 kB with gzip.
    expect(alone?.length).toBeLessThan(11_800);
  });
});
