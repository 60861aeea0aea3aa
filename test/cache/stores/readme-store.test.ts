import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { CacheStore } from '../../../src/cache/store.ts';
import { ROOT } from '../../project/source-files.ts';
import { useFolder } from '../../support/folder.ts';
import { describeStoreContract } from './store-contract.ts';

const folder = useFolder();

/** Runs the store of the README. */
async function createReadmeStore(): Promise<CacheStore> {
  const blocks = [...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/^```ts\n((?:.|\n)*?)^```$/gm)];
  const program = blocks.map(([, block = '']) => block).find((block) => block.includes(': CacheStore ='));
  if (program === undefined) throw new Error('the README has no store');
  const file = join(folder(), 'store.ts');
  const source = program.replace("'waygate'", JSON.stringify(join(ROOT, 'src/index.ts')));
  writeFileSync(file, source.replace('const store:', 'export const store:'));
  return (await import(/* @vite-ignore */ pathToFileURL(file).href)).store;
}

describeStoreContract('the store of the README', async (run) => {
  const store = { ...(await createReadmeStore()), close: async () => {} };
  await run({ store, peer: store, now: Date.now, tick: () => sleep(2) });
});
