import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StateStore } from '../gateway/index.ts';

/**
 * State as files of one folder. Each is whole at all times: it is written beside its place and moved there.
 *
 * @param now milliseconds since the epoch, for the names of what is put aside
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
