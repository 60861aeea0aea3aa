import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError, messageOf } from '../errors.ts';

/**
 * Checks that `--name` is a plain file name.
 *
 * @throws {ConfigurationError} when the name denotes a folder or contains a path separator
 */
export function requireFileName(name: string): string {
  if (/^[^/\\\0]+$/.test(name) && name !== '.' && name !== '..') return name;
  throw new ConfigurationError(`--name "${name}" is not a file name. Use --out to choose the folder.`);
}

/**
 * Writes files into a folder. Each file is replaced atomically, because another program may be reading it.
 *
 * @param files contents by file name
 * @throws {ConfigurationError} when the folder is not writable
 */
export async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    for (const [name, content] of files) {
      const temporary = join(folder, `.${name}.${process.pid}.part`);
      await writeFile(temporary, content);
      await rename(temporary, join(folder, name));
    }
  } catch (cause) {
    throw new ConfigurationError(`cannot write to ${folder}: ${messageOf(cause)}`, { cause });
  }
}

/**
 * Reads a text file.
 *
 * @returns `null` if the file does not exist
 * @throws {ConfigurationError} when the file exists and cannot be read
 */
export async function readFileIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null;
    throw new ConfigurationError(`cannot read ${path}: ${messageOf(cause)}`, { cause });
  }
}
