import { mkdir, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError, messageOf } from '../../base/errors.ts';
import type { StateStore } from '../../base/ports.ts';

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

/** Writes a temporary file and renames it. A failed write's rest would keep a full disk full: it is removed. */
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
      { cause },
    );
  }
}

export async function listUnusedStates(folder: string, used: readonly string[]): Promise<readonly string[]> {
  const files = await readdir(folder).catch(() => []);
  return files.filter((file) => file.endsWith('.json') && !used.includes(file.slice(0, -'.json'.length)));
}

export interface StateFolderClaim {
  /** Whether a gateway with this folder has ended without a stop. */
  readonly hasCrashed: boolean;
  release(): Promise<void>;
}

/** `.gateway-<process>`; those of versions before have a second number. */
const MARK = /^\.gateway(?:-(\d+))?/;

/** Leaves this process's mark in the folder until it stops. Upgrades can have two. */
export async function claimStateFolder(folder: string): Promise<StateFolderClaim> {
  const path = join(folder, `.gateway-${process.pid}`);
  // In containers each gateway has the same number, so its own mark is of an earlier one.
  const left = (await readdir(folder)).filter((name) => {
    const pid = Number(MARK.exec(name)?.[1] ?? process.pid);
    return MARK.test(name) && (pid === process.pid || !isRunning(pid));
  });
  await Promise.all(left.map((mark) => unlink(join(folder, mark)).catch(() => {})));
  await writeFile(path, '', { flag: 'wx' }).catch(() => {});
  return { hasCrashed: left.length > 0, release: () => unlink(path).catch(() => {}) };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process of another user exists.
    return codeOf(error) === 'EPERM';
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
