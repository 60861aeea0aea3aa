import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ConfigurationError } from '../errors.ts';
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
        if (codeOf(cause) === 'ENOENT') return null;
        throw cause;
      }
    },
    async write(name, text) {
      await createFolder(folder);
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

/**
 * Creates a folder and those above it. `mkdir` with `recursive` never returns where an existing folder takes no entries and says
 * so with ENOENT, as those below `/proc` do.
 */
export async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (cause) {
    if (await isFolder(folder)) return;
    const parent = dirname(folder);
    if (codeOf(cause) !== 'ENOENT' || parent === folder || (await isFolder(parent))) throw cause;
    await createFolder(parent);
    await createFolder(folder);
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/**
 * Creates the folder of `--state`, so that a wrong path is an error at the start and not at the first write. A folder that cannot be
 * written is used: its documents are served, and each failed write is logged.
 *
 * @throws {ConfigurationError} when it cannot be created or read
 */
export async function prepareStateFolder(folder: string): Promise<void> {
  try {
    await createFolder(folder);
    await readdir(folder);
  } catch (cause) {
    const reason = REASONS[codeOf(cause) ?? ''] ?? (cause instanceof Error ? cause.message : String(cause));
    throw new ConfigurationError(
      `state: ${folder} cannot be used: ${reason}. Give a folder that this user may read and write.`,
      { cause },
    );
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file',
  ENOTDIR: 'it is below a file',
  ENOENT: 'the folder above it takes no entries',
  EACCES: 'this user may not create or read it',
  EPERM: 'this user may not create or read it',
  EROFS: 'the file system is read-only',
};

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
