// @ts-check
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildModules } from './bundle.mjs';

/**
 * Builds src/ file by file, for scripts that use or measure parts of it.
 *
 * @param {string} [folder] an earlier build, to compare with
 * @returns {Promise<(file: string) => Promise<any>>} imports a file by its path below src/, such as `generator/openapi/index`
 */
export async function importerOf(folder) {
  const built = folder ? resolve(folder) : await buildModules();
  return (file) => import(pathToFileURL(resolve(built, `${file}.js`)).href);
}
