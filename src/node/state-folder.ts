import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { ConfigurationError } from '../errors.ts';
import { type Json, matchesExample } from '../json.ts';
import type { Log, StateStore } from '../ports.ts';

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
        return await readRegularFile(at(name));
      } catch (cause) {
        if (codeOf(cause) === 'ENOENT') return null;
        throw cause;
      }
    },
    async write(name, text) {
      await createFolder(folder);
      await replaceFile(at(name), text);
    },
    async putAside(name) {
      const aside = `${at(name)}.${new Date(now()).toISOString().replace(/\W/g, '')}.unreadable`;
      await rename(at(name), aside);
      return aside;
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

/** Milliseconds between two looks at who writes a folder. A note that is three times as old is of a gateway that has ended. */
const NOTE_INTERVAL = 10_000;

/** Who writes a folder. */
interface Writer {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
}

/**
 * Notes in a state folder that this process writes it, and warns if another gateway does so too, which then is told within
 * {@link NOTE_INTERVAL}. A folder that cannot be written has no note: each failed write of a state is logged.
 *
 * @param id names this gateway, also to those with which it shares a store
 * @returns removes the note
 */
export async function claimStateFolder(
  folder: string,
  log: Pick<Log, 'warn'>,
  id: string = randomUUID(),
): Promise<() => Promise<void>> {
  const path = join(folder, '.gateway');
  const own: Writer = { id, host: hostname(), pid: process.pid };
  let warned = '';
  const look = async (): Promise<boolean> => {
    const other = await readWriter(path);
    if (other === null || other.id === own.id) return other !== null;
    if (warned !== other.id) log.warn({ host: other.host, pid: other.pid }, SHARED_FOLDER);
    warned = other.id;
    return false;
  };
  await look();
  await replaceFile(path, JSON.stringify(own)).catch(() => {});
  const timer = setInterval(async () => {
    if (await look()) await utimes(path, new Date(), new Date()).catch(() => {});
  }, NOTE_INTERVAL);
  timer.unref();
  return async () => {
    clearInterval(timer);
    if ((await readWriter(path))?.id === own.id) await unlink(path).catch(() => {});
  };
}

/**
 * Finds the gateway that has written a folder last and has ended without a stop. Called before {@link claimStateFolder}.
 *
 * @returns its id, empty if it is unreadable; `undefined` if there is none
 */
export async function findCrashedWriter(folder: string): Promise<string | undefined> {
  const path = join(folder, '.gateway');
  if (!existsSync(path) || (await readWriter(path)) !== null) return undefined;
  return (await readNote(path).catch(() => null))?.id ?? '';
}

const SHARED_FOLDER =
  'another gateway writes the same state folder: the last one to write wins. Give each gateway a folder of its own';

/** Returns the gateway that writes a folder; `null` if none runs that has left its note. */
async function readWriter(path: string): Promise<Writer | null> {
  try {
    const { mtimeMs } = await stat(path);
    const note = await readNote(path);
    if (note === null) return null;
    // In a container, each process of the gateway has the same number: what was written before this one began is of an earlier one.
    const isSince = note.pid === process.pid ? mtimeMs > performance.timeOrigin : isProcess(note.pid);
    const isRunning = note.host === hostname() ? isSince : Date.now() - mtimeMs < 3 * NOTE_INTERVAL;
    return isRunning ? note : null;
  } catch {
    return null;
  }
}

async function readNote(path: string): Promise<Writer | null> {
  const note: Json = JSON.parse(await readRegularFile(path));
  return matchesExample(note, { id: '', host: '', pid: 0 }) ? note : null;
}

function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Bytes of a state that is read. Documents are the largest, of up to 32 MiB, with their versions. */
const MAX_STATE_BYTES = 512 * 1024 * 1024;

/** Reads a file, also through links. A pipe or a device might never end. */
async function readRegularFile(path: string): Promise<string> {
  const found = await stat(path);
  if (!found.isFile()) throw new Error(`${path} is no file`);
  if (found.size > MAX_STATE_BYTES) throw new Error(`${path} is too large for a state`);
  return readFile(path, 'utf8');
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
