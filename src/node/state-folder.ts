import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StateStore } from '../ports.ts';

/**
 * Creates a state store that keeps one JSON file per name in a folder. A file is written under a temporary name and
 * renamed, so a reader never sees a part of it.
 *
 * @param folder path of the folder; it is created on the first write
 * @param now returns milliseconds since the epoch, for the names of files that are put aside
 * @returns a store for the option `state` of `createGateway`
 *
 * @example
 * import { createGateway } from 'waygate';
 * import { stateFolder } from 'waygate/node';
 *
 * const gateway = createGateway({
 *   sites: [{ url: 'https://example.com', validation: { mode: 'observe' } }],
 *   state: stateFolder('.waygate'),
 * });
 * await gateway.stop();
 */
export function stateFolder(folder: string, now: () => number = Date.now): StateStore {
  const at = (name: string): string => join(folder, `${name}.json`);
  return {
    async read(name) {
      try {
        return await readFile(at(name), 'utf8');
      } catch (cause) {
        if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null;
        throw cause;
      }
    },
    async write(name, text) {
      await mkdir(folder, { recursive: true });
      const part = join(folder, `.${name}.${process.pid}.part`);
      await writeFile(part, text);
      await rename(part, at(name));
    },
    async putAside(name) {
      const aside = `${at(name)}.${new Date(now()).toISOString().replace(/\W/g, '')}.unreadable`;
      await rename(at(name), aside);
      return aside;
    },
  };
}
