import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { claimStateFolder, prepareStateFolder, stateFolder } from '../../../src/gateway/node/state-folder.ts';
import { useFolder } from '../../support/folder.ts';

const folder = useFolder();

test('a written state is read by its name, and the folder is created', async () => {
  const store = stateFolder(join(folder(), 'new'));
  await store.write('validation.blog', 'one');
  await store.write('validation.blog', 'two');
  expect(await store.read('validation.blog')).toBe('two');
  expect(await readdir(join(folder(), 'new'))).toEqual(['validation.blog.json']);
});

test('a state that was never written is null', async () => {
  expect(await stateFolder(folder()).read('validation')).toBeNull();
  expect(await stateFolder(join(folder(), 'none')).read('validation')).toBeNull();
});

test('a read error is not an empty state', async () => {
  await writeFile(join(folder(), 'file'), '');
  await expect(stateFolder(join(folder(), 'file')).read('validation')).rejects.toThrow('ENOTDIR');
});

test('a failed write leaves nothing behind', async () => {
  await mkdir(join(folder(), 'validation.json'));
  await expect(stateFolder(folder()).write('validation', 'one')).rejects.toThrow('EISDIR');
  expect(await readdir(folder())).toEqual(['validation.json']);
});

test.each([
  ['a file', 'file'],
  ['below a file', 'file/below'],
  ...(process.platform === 'linux' ? [['in a folder that takes none', '/proc/nope']] : []),
])('a folder that is %s is an error that says so', async (_, path) => {
  await writeFile(join(folder(), 'file'), '');
  await expect(prepareStateFolder(resolve(folder(), path))).rejects.toThrow(
    /^state: .* Give a folder that this user can read and write\.$/,
  );
});

test('a gateway that ended without a stop has crashed, as its successor finds, also with its number', async () => {
  const first = await claimStateFolder(folder());
  const second = await claimStateFolder(folder());
  await second.release();
  const third = await claimStateFolder(folder());
  expect([first, second, third].map(({ hasCrashed }) => hasCrashed)).toEqual([false, true, false]);
  expect((await readdir(folder())).length).toBe(1);
  await third.release();
  await writeFile(join(folder(), `.gateway-${process.pid}-1`), '');
  expect((await claimStateFolder(folder())).hasCrashed).toBe(true);
});

test('a process that runs has not crashed, and one that is gone has', async () => {
  await writeFile(join(folder(), `.gateway-${process.ppid}`), '');
  const first = await claimStateFolder(folder());
  await first.release();
  // Above the largest number of a process (proc(5), pid_max).
  await writeFile(join(folder(), '.gateway-4194305'), '');
  const second = await claimStateFolder(folder());
  await second.release();
  expect([first, second].map(({ hasCrashed }) => hasCrashed)).toEqual([false, true]);
  expect(await readdir(folder())).toEqual([`.gateway-${process.ppid}`]);
});

/** Leaves the mark of another process, which is running. */
async function claimAs(pid: number): Promise<void> {
  const own = process.pid;
  Object.defineProperty(process, 'pid', { value: pid });
  await claimStateFolder(folder()).finally(() => Object.defineProperty(process, 'pid', { value: own }));
}

test('a gateway whose number another program has got since a power loss has crashed', async () => {
  await claimAs(process.ppid);
  const beside = await claimStateFolder(folder());
  const mark = await readFile(join(folder(), `.gateway-${process.pid}`), 'utf8');
  await beside.release();
  await writeFile(join(folder(), `.gateway-${process.ppid}`), mark);
  const after = await claimStateFolder(folder());
  expect([beside, after].map(({ hasCrashed }) => hasCrashed)).toEqual([false, true]);
});

test('a write replaces a link, and not what it leads to', async () => {
  const target = join(folder(), 'foreign');
  await writeFile(target, 'foreign');
  await symlink(target, join(folder(), 'document.json'));
  await symlink(target, join(folder(), `document.json.${process.pid}.part`));
  const store = stateFolder(folder());
  expect(await store.read('document')).toBe('foreign');
  await store.write('document', 'own');
  expect([await readFile(target, 'utf8'), await store.read('document')]).toEqual(['foreign', 'own']);
});
