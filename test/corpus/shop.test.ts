import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { toClient } from '../../src/generator/client/index.ts';
import { compileFiles } from '../support/compile.ts';
import { wholeShopDocument } from '../support/recorded-indexes.ts';

const PROGRAMS = fileURLToPath(new URL('shop', import.meta.url));

/** A program against a shop. */
interface ShopProgram {
  /** `orders-07` */
  readonly name: string;
  readonly works: boolean;
  /** What the program does, or why it fails. */
  readonly title: string;
  readonly text: string;
}

const HEAD = `import assert from 'node:assert/strict';
import { client, ids, nonce, paginate } from './setup.ts';
`;

/** `WAYGATE_SHOP` states the site where programs run: its REST root, its user, and the ids of its content. */
const SETUP = `import { createClient, paginate } from './client.ts';

const shop = JSON.parse(process.env['WAYGATE_SHOP'] ?? '{}');

export { paginate };
export const ids: Readonly<Record<'product' | 'hoodie' | 'variation' | 'order' | 'customer' | 'category', number>> = shop.ids;
export const client = createClient({ baseUrl: shop.baseUrl, auth: shop.user, throw: true });

/** The field that the Store API expects with a write. */
export async function nonce(): Promise<Record<string, string>> {
  const { response } = await client.GET('/wc/store/v1/cart', {});
  return { Nonce: response.headers.get('Nonce') ?? '' };
}
`;

/** Reads the texts below lines `### works: <what>` and `### fails: <why>` of the files of `shop/`. */
async function readShopPrograms(): Promise<readonly ShopProgram[]> {
  const files = (await readdir(PROGRAMS)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(PROGRAMS, file), 'utf8')));
  return texts.flatMap((text, index) =>
    text
      .split(/^### /m)
      .slice(1)
      .map((program, at): ShopProgram => {
        const [, kind, title = ''] = /^(works|fails): (.*)/.exec(program) ?? [];
        return {
          name: `${files[index]?.replace('.txt', '')}-${String(at + 1).padStart(2, '0')}`,
          works: kind === 'works',
          title,
          text: `${HEAD}${program.slice(program.indexOf('\n') + 1)}\nexport {};\n`,
        };
      }),
  );
}

const programs = await readShopPrograms();

describe('programs against a shop with a community', () => {
  let errors: ReadonlyMap<string, readonly string[]>;
  beforeAll(async () => {
    const found = compileFiles([
      ['client.ts', await toClient(wholeShopDocument())],
      ['setup.ts', SETUP],
      ...programs.map(({ name, text }) => [`${name}.ts`, text] as const),
    ]);
    errors = new Map([...found].map(([file, texts]) => [file.replace(/\.ts$/, ''), texts]));
  }, 240_000);

  test('nothing but programs has an error', () => {
    const names = new Set(programs.map(({ name }) => name));
    expect([...errors].filter(([file]) => !names.has(file))).toEqual([]);
  });

  test('what works compiles, and what fails does not', () => {
    const wrong = programs.filter(({ name, works }) => errors.has(name) === works);
    expect(wrong.map(({ name, title }) => [name, title, errors.get(name)])).toEqual([]);
  });
});
