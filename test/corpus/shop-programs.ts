import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../src/base/json.ts';
import { toClient } from '../../src/generator/client/index.ts';
import { compileFiles } from '../support/compile.ts';

const PROGRAMS = fileURLToPath(new URL('shop', import.meta.url));

/** A program against a shop. */
export interface ShopProgram {
  /** `orders-07` */
  readonly name: string;
  readonly works: boolean;
  /** What the program does, or why it fails. */
  readonly title: string;
  readonly text: string;
}

/** Reads the texts below lines `### works: <what>` and `### fails: <why>` of the files of `shop/`. */
export async function readShopPrograms(): Promise<readonly ShopProgram[]> {
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

/** Compiles programs against the client of a document, all in one run. @returns errors by program */
export async function compileShopPrograms(
  programs: readonly ShopProgram[],
  document: JsonObject,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const client = await toClient(document);
  const errors = compileFiles([
    ['client.ts', client],
    ['setup.ts', SETUP],
    ...programs.map(({ name, text }) => [`${name}.ts`, text] as const),
  ]);
  return new Map([...errors].map(([file, texts]) => [file.replace(/\.ts$/, ''), texts]));
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
