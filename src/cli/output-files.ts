import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ConfigurationError, messageOf } from '../base/errors.ts';

export function requireFileName(name: string): string {
  if (/^[^/\\\0]+$/.test(name) && name !== '.' && name !== '..') return name;
  throw new ConfigurationError(`--name "${name}" is not a file name. Use --out to choose the folder.`);
}

/** @throws {ConfigurationError} for an empty path, e.g. of `--out "$UNSET"` */
export function requireFolder(path: string): string {
  if (path !== '') return path;
  throw new ConfigurationError('--out is empty. Name a folder; "." is the current one.');
}

/** Writes no file before the contents of all files are complete. */
export async function writeFiles(
  folder: string,
  files: ReadonlyMap<string, () => Iterable<string> | Promise<Iterable<string>>>,
): Promise<void> {
  const parts = [...files].map(([name, print]) => ({
    print,
    target: join(folder, name),
    temporary: join(folder, `.${name}.part`),
  }));
  try {
    await mkdir(folder, { recursive: true });
    for (const { target } of parts) await refuseLink(target);
    for (const { print, temporary } of parts) {
      await rm(temporary, { force: true });
      await writeFile(temporary, await print(), { flag: 'wx' });
    }
    for (const { target, temporary } of parts) await rename(temporary, target);
  } catch (cause) {
    await Promise.allSettled(parts.map(({ temporary }) => rm(temporary, { force: true })));
    throw new ConfigurationError(`cannot write to ${folder}: ${describeWriteError(cause)}`, { cause });
  }
}

async function refuseLink(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found?.isSymbolicLink() !== true) return;
  throw new Error(
    `${basename(path)} is a symbolic link. Remove it, or give --out the folder that it leads to`,
  );
}

function describeWriteError(error: unknown): string {
  const code = errorCodeOf(error);
  if (code === 'EEXIST' || code === 'ENOTDIR') return 'it is a file, or is below one. Give --out a folder.';
  return messageOf(error);
}

function errorCodeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** @returns `null` if the file is missing @throws {ConfigurationError} if it can't be read */
export async function readFileIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    // ENOTDIR: a part of the path is a file.
    const code = errorCodeOf(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new ConfigurationError(`cannot read ${path}: ${messageOf(cause)}`, { cause });
  }
}
