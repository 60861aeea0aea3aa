import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, test } from 'vitest';
import { toClient } from '../../../src/client/index.ts';
import { toValidators } from '../../../src/validators/index.ts';
import { recordedDocument } from '../../types/documents.ts';

let generated: Readonly<Record<string, string>>;
beforeAll(async () => {
  generated = {
    './site.client.ts': await toClient(recordedDocument()),
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

  test('has at most 4.1 kB with gzip for one call of WordPress, and what else the program imports', async () => {
    const program = (more: string) => `import { createClient${more} } from './site.client.ts';
      const client = createClient({ baseUrl: '/wp-json', auth: { username: 'a', password: 'b' } });
      console.log(await client.GET('/wp/v2/posts')${more});`;
    const alone = await bundle(program(''));
    expect(gzipSync(alone).length).toBeLessThanOrEqual(4100);
    const marks = Object.entries({
      batch: '/batch/v1',
      cookieAuth: 'X-WP-Nonce',
      paginate: 'lookAhead',
      retry: 'retry-after',
      withProgress: 'XMLHttpRequest',
      wooStore: 'cart-token',
    });
    expect(marks.filter(([, mark]) => alone.includes(mark))).toEqual([]);
    for (const [name, mark] of marks) expect(await bundle(program(`, ${name}`))).toContain(mark);
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
  expect(one).toBeLessThan(2_800);
  expect(shared).toBe(1);
  expect((await sizeOf('Category', 'Post', 'Page', 'Comment', 'Tag'))[0]).toBeLessThan(5_000);
  expect((await bundle(`import './site.validators.ts';`)).trim()).toBe('');
});

/** The constants of a module of validators, those of the largest operations first: by what they consist of, with gzip. */
function sortOperations(module: string): readonly string[] {
  const declared = new Map(
    [...module.matchAll(/^export const (\w+)[^=]*= ([\s\S]*?);\n/gm)].map(([, name = '', text = '']) => [
      name,
      text,
    ]),
  );
  const collect = (name: string, found = new Map<string, string>()): ReadonlyMap<string, string> => {
    const text = found.has(name) ? undefined : declared.get(name);
    if (text === undefined) return found;
    found.set(name, text);
    for (const [word] of text.matchAll(/\b[A-Z]\w+/g)) collect(word, found);
    return found;
  };
  return [...declared.keys()]
    .filter((name) => name.endsWith('Validators'))
    .map((name) => ({ name, size: gzipSync([...collect(name).values()].join('')).length }))
    .sort((one, other) => other.size - one.size)
    .map(({ name }) => name);
}

describe('the validators of WordPress', () => {
  // bundlers.package.test.ts bundles one call with esbuild and webpack too.
  test('have at most 3.8 kB with gzip for any one operation, and at most 6 kB for any ten', async () => {
    const operations = sortOperations(generated['./site.validators.ts'] ?? '');
    expect(operations).toHaveLength(257);
    const sizeOf = async (names: readonly string[]) =>
      gzipSync(await bundle(`export { ${names.join(', ')} } from './site.validators.ts';`)).length;
    const largest: (readonly [name: string, size: number])[] = [];
    for (const name of operations.slice(0, 20)) largest.push([name, await sizeOf([name])]);
    expect(largest.filter(([, size]) => size > 3_800)).toEqual([]);
    expect(await sizeOf(operations.slice(0, 10))).toBeLessThan(6_000);
  });

  test('are in a bundle without the contexts and formats that the program does not name', async () => {
    const withContexts = await bundle(
      `import { validators } from './site.validators.ts'; console.log(validators.listPosts.contexts);`,
    );
    const alone = await bundle(`export { ListPostsValidators } from './site.validators.ts';`);
    const marks = ['permalink_template', '{8}(?:-[0-9a-f]'];
    expect(marks.filter((mark) => !withContexts.includes(mark))).toEqual([]);
    expect(marks.filter((mark) => alone.includes(mark))).toEqual([]);
    expect(await bundle(`export { ListPostsContexts } from './site.validators.ts';`)).toContain(marks[0]);
  });
});
