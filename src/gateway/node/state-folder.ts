import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
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
      await createFolder(folder);
      await replaceFile(at(name), text);
    },
  };
}

/** The `recursive` of Node never ends in a folder such as `/proc`, which has no new ones. */
async function createFolder(folder: string): Promise<void> {
  const parent = dirname(folder);
  if (parent !== folder && !existsSync(parent)) await createFolder(parent);
  await mkdir(folder).catch((cause: unknown) => {
    if (codeOf(cause) !== 'EEXIST') throw cause;
  });
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
    await createFolder(folder);
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
  const marks = (await readdir(folder)).filter((name) => MARK.test(name));
  const ended = await Promise.all(marks.map(async (name) => !(await isMarkOfOther(join(folder, name)))));
  const left = marks.filter((_, at) => ended[at]);
  await Promise.all(left.map((mark) => unlink(join(folder, mark)).catch(() => {})));
  await writeFile(path, await readStart(process.pid), { flag: 'wx' }).catch(() => {});
  return { hasCrashed: left.length > 0, release: () => unlink(path).catch(() => {}) };
}

/** Whether the process that has left a mark is running. In containers each gateway has the same number. */
async function isMarkOfOther(path: string): Promise<boolean> {
  const pid = Number(MARK.exec(basename(path))?.[1] ?? process.pid);
  if (pid === process.pid || !isRunning(pid)) return false;
  const [written, found] = await Promise.all([readFile(path, 'utf8').catch(() => ''), readStart(pid)]);
  return written === '' || found === '' || written === found;
}

/**
 * Boot and start time of a process (proc_pid_stat(5), field 22): after a power loss, another program can have its number. Empty where
 * the system doesn't tell.
 */
async function readStart(pid: number): Promise<string> {
  try {
    const files = ['/proc/sys/kernel/random/boot_id', `/proc/${pid}/stat`];
    const [boot = '', stat = ''] = await Promise.all(files.map((path) => readFile(path, 'utf8')));
    // The second field, the name of the program in parentheses, can contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return `${boot.trim()} ${fields[19]}`;
  } catch {
    return '';
  }
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
