import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError, messageOf } from '../errors.ts';
import { type Json, matchesExample } from '../json.ts';
import type { Log, StateStore } from '../ports.ts';

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

interface Writer {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
}

export interface StateFolderClaim {
  /** Whether the gateway that has written the folder last has ended without a stop. */
  readonly hasCrashed: boolean;
  release(): Promise<void>;
}

/** Notes that this process writes the folder, and warns if another on this host does so too. */
export async function claimStateFolder(folder: string, log: Pick<Log, 'warn'>): Promise<StateFolderClaim> {
  const path = join(folder, '.gateway');
  const own: Writer = { id: randomUUID(), host: hostname(), pid: process.pid };
  const isNoted = existsSync(path);
  const note = await readNote(path).catch(() => null);
  const isHere = note?.host === own.host;
  const isRunning = note !== null && isHere && (await isWriterAlive(note, path));
  if (isRunning) log.warn({ pid: note.pid }, SHARED_FOLDER);
  await replaceFile(path, JSON.stringify(own)).catch(() => {});
  return {
    hasCrashed: isNoted && !isRunning,
    async release() {
      const last = await readNote(path).catch(() => null);
      if (last?.id === own.id) await unlink(path).catch(() => {});
    },
  };
}

const SHARED_FOLDER =
  'another gateway writes to the same state folder, so each overwrites the files of the other. Give each gateway a folder of its own';

/** In a container, each process of the gateway has the same number: what was written before this one began is of an earlier one. */
async function isWriterAlive({ pid }: Writer, path: string): Promise<boolean> {
  return pid === process.pid ? (await stat(path)).mtimeMs > performance.timeOrigin : isProcess(pid);
}

async function readNote(path: string): Promise<Writer | null> {
  const note: Json = JSON.parse(await readFile(path, 'utf8'));
  return matchesExample(note, { id: '', host: '', pid: 0 }) ? note : null;
}

function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
