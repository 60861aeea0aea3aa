import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { option } from './shared.mjs';

/** Imports a file of the built package. @param {string} file path relative to `--dist` */
export const importBuilt = (file) => import(pathToFileURL(resolve(option('dist', 'dist'), file)).href);

/** Generates the document of the root index recorded from WordPress 7.1. */
export async function recordedDocument() {
  const { readIndex } = await importBuilt('discovery/read-index.js');
  const { toOpenApi } = await importBuilt('index.js');
  const url = new URL('../../../test/fixtures/wordpress-7.1-index.json', import.meta.url);
  const address = {
    base: 'http://127.0.0.1/',
    root: 'http://127.0.0.1/wp-json/',
    spelling: 'pretty',
    prefix: 'wp-json',
  };
  return toOpenApi({ address, ...readIndex(JSON.parse(readFileSync(url, 'utf8'))) }).document;
}
