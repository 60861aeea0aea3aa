import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError, messageOf } from '../errors.ts';
import type { StateStore } from '../ports.ts';

/** Keeps one JSON file per name. A reader never sees a part of it. */
export function stateFolder(folder: string): StateStore {
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
      await mkdir(folder, { recursive: true });
      await replaceFile(at(name), text);
    },
  };
}

/** Writes a file under a temporary name and renames it. What a failed write leaves would keep a full disk full: it is removed. */
async function replaceFile(path: string, text: string): Promise<void> {
  const part = `${path}.${process.pid}.part`;
  try {
    // A link at this name would lead to another file.
    await unlink(part).catch(() => {});
    await writeFile(part, text, { flag: 'wx' });
    await rename(part, path);
  } catch (cause) {
    await unlink(part).catch(() => {});
    throw cause;
  }
}

/** Creates the folder of `--state`: a wrong path is an error at the start. @throws {ConfigurationError} */
export async function prepareStateFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await readdir(folder);
  } catch (cause) {
    throw new ConfigurationError(
      `state: ${messageOf(cause)}. Give a folder that this user can read and write.`,
      {
        cause,
      },
    );
  }
}

export interface StateFolderClaim {
  /** Whether the gateway that has written the folder last has ended without a stop. */
  readonly hasCrashed: boolean;
  release(): Promise<void>;
}

/** Leaves a file in the folder until this process stops. */
export async function claimStateFolder(folder: string): Promise<StateFolderClaim> {
  const path = join(folder, '.gateway');
  const hasCrashed = existsSync(path);
  await replaceFile(path, '').catch(() => {});
  return { hasCrashed, release: () => unlink(path).catch(() => {}) };
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
