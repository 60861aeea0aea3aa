import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { option } from './shared.mjs';

/** @param {string} module of the built package */
export const built = (module) => import(pathToFileURL(resolve(option('dist', 'dist'), module)).href);

/** The document that the generator makes of the index recorded from WordPress 7.1. */
export async function recordedDocument() {
  const { readIndex } = await built('discovery/read-index.js');
  const { toOpenApi } = await built('index.js');
  const url = new URL('../../../test/fixtures/wordpress-7.1-index.json', import.meta.url);
  const address = {
    base: 'http://127.0.0.1/',
    root: 'http://127.0.0.1/wp-json/',
    spelling: 'pretty',
    prefix: 'wp-json',
  };
  return toOpenApi({ address, ...readIndex(JSON.parse(readFileSync(url, 'utf8'))) }).document;
}
