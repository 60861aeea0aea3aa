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

const MARK = /^\.gateway(?:-(\d+)-\d+)?$/;

/** Leaves this process's mark in the folder until it stops. Upgrades can have two. */
export async function claimStateFolder(folder: string): Promise<StateFolderClaim> {
  const own = (await findMark(process.pid)) ?? '.gateway';
  const marks = (await readdir(folder)).filter((name) => MARK.test(name));
  const isLeft = await Promise.all(
    marks.map(async (mark) => mark === own || mark !== (await findMark(MARK.exec(mark)?.[1]))),
  );
  const left = marks.filter((_, at) => isLeft[at]);
  await Promise.all(left.map((mark) => unlink(join(folder, mark)).catch(() => {})));
  const path = join(folder, own);
  await writeFile(path, '', { flag: 'wx' }).catch(() => {});
  return { hasCrashed: left.length > 0, release: () => unlink(path).catch(() => {}) };
}

/**
 * Names the mark of a running process by its number and its start: numbers are used again. @returns `null` if it
 * does not run here, or the system has no `/proc`: then every mark counts as left by a crash
 */
async function findMark(pid: number | string = ''): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // proc(5): the name of the program, in parentheses, can have spaces. The start is the twentieth field after it.
  const start = stat.slice(stat.lastIndexOf(')')).split(' ')[20];
  return start === undefined ? null : `.gateway-${pid}-${start}`;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
