import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, test } from 'vitest';
import { toClient } from '../../../src/client/index.ts';
import { toValidators } from '../../../src/validators/index.ts';
import { recordedDocument } from '../../types/documents.ts';

let generated: Readonly<Record<string, string>>;
beforeAll(async () => {
  generated = {
    './site.client.ts': await toClient({
      openapi: '3.1.0',
      info: { title: 'A site', version: '1' },
      paths: {},
    }),
    './site.validators.ts': await toValidators(recordedDocument(), { kind: 'json' }),
  };
});

/** Bundles a program that imports generated modules. */
async function bundle(program: string): Promise<string> {
  const modules: Readonly<Record<string, string>> = { 'program.ts': program, ...generated };
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

test('a bundle has the validators that a program uses, and what they share once', async () => {
  const sizeOf = async (...resources: readonly string[]) => {
    const names = resources.flatMap((name) => [`Create${name}Validators`, `Update${name}Validators`]);
    const code = await bundle(`export { ${names.join(', ')} } from './site.validators.ts';`);
    return [gzipSync(code).length, code.split('Expected one of').length - 1];
  };
  const [one = 0, shared] = await sizeOf('Category');
  // With gzip, in bytes.
  expect(one).toBeLessThan(2_500);
  expect(shared).toBe(1);
  expect((await sizeOf('Category', 'Post', 'Page', 'Comment', 'Tag'))[0]).toBeLessThan(5_000);
  expect((await bundle(`import './site.validators.ts';`)).trim()).toBe('');
});
