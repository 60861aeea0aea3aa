import { readFileSync } from 'node:fs';
import { importerOf } from '../../build/modules.mjs';
import { option } from './shared.mjs';

/** Imports a file of src/ as it is now, or as built in the folder `--modules`. */
export const importModule = await importerOf(option('modules', ''));

/** Generates the document of the root index recorded from WordPress 7.1. */
export async function recordedDocument() {
  const { readIndex } = await importModule('discovery/read-index');
  const { toOpenApi } = await importModule('index');
  const url = new URL('../../../test/fixtures/wordpress-7.1-index.json', import.meta.url);
  const address = {
    base: 'http://127.0.0.1/',
    root: 'http://127.0.0.1/wp-json/',
    spelling: 'pretty',
    prefix: 'wp-json',
  };
  return toOpenApi({ address, ...readIndex(JSON.parse(readFileSync(url, 'utf8'))) }).document;
}
