import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError } from '../errors.ts';

/** @throws ConfigurationError where it would name a folder, or a file in another one */
export function checkName(name: string): string {
  if (/^[^/\\\0]+$/.test(name) && name !== '.' && name !== '..') return name;
  throw new ConfigurationError(`--name "${name}" is not the name of a file; --out chooses the folder`);
}

/**
 * Writes files of a folder, by name. Each is whole or not there: another program may be reading the old one.
 *
 * @throws ConfigurationError where the folder cannot be written to
 */
export async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    for (const [name, content] of files) {
      const part = join(folder, `.${name}.${process.pid}.part`);
      await writeFile(part, content);
      await rename(part, join(folder, name));
    }
  } catch (cause) {
    throw new ConfigurationError(`cannot write to ${folder}: ${reasonOf(cause)}`, { cause });
  }
}

/** @throws ConfigurationError where it is there and cannot be read */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null;
    throw new ConfigurationError(`cannot read ${path}: ${reasonOf(cause)}`, { cause });
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
